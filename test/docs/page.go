// Package docs reads the pages of this repository the way a reader does: it finds the
// commands of a page and the output that the page shows after them, the links and the
// headings. Its tests run the pages, follow the links, build the site and compare the
// reference with the code.
package docs

import (
	"regexp"
	"slices"
	"strings"
)

// Step is one shell block of a page, and what the page shows of its output.
type Step struct {
	Line    int    // of the page, where the commands begin
	Script  string // the commands as a reader would paste them
	Output  string // what they print, with … for what varies; empty if the page does not show it
	Shown   bool   // whether the page shows the output
	From    int    // with Shown, the index of the first line of the output in the page
	To      int    // and of the line after its last one
	Skipped string // why the test does not run the commands; empty if it does
}

// notRun is the comment before a block that the test leaves out. It must give a reason.
var notRun = regexp.MustCompile(`^<!-- not run: (.+) -->$`)

// Steps returns the shell blocks of a page in their order. A shell block is fenced and
// named sh. The output is the next fenced block if it is named text and nothing but
// blank lines and one paragraph stands between the two.
func Steps(page string) (steps []Step) {
	var reason string
	lines := strings.Split(page, "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimRight(lines[i], " ")
		if match := notRun.FindStringSubmatch(line); match != nil {
			reason = match[1]
			continue
		}
		language, fenced := strings.CutPrefix(line, "```")
		if !fenced {
			if strings.HasPrefix(line, "#") {
				reason = ""
			}
			continue
		}
		began := i + 1
		for i++; i < len(lines) && !strings.HasPrefix(lines[i], "```"); i++ {
		}
		body := strings.Join(lines[began:min(i, len(lines))], "\n")
		switch language, _, _ = strings.Cut(language, " "); language {
		case "sh":
			steps = append(steps, Step{Line: began + 1, Script: body, Skipped: reason})
			reason = ""
		case "text":
			if len(steps) > 0 && !steps[len(steps)-1].Shown {
				last := &steps[len(steps)-1]
				last.Output, last.Shown, last.From, last.To = body, true, began, i
			}
		}
	}
	return steps
}

// Matches says whether output is what a page shows. In what is shown, … stands for any
// text within a line, and a line that is only … for any number of lines. Spaces at the
// ends of lines and blank lines at the ends of the output make no difference.
func Matches(shown, output string) bool {
	var all strings.Builder
	all.WriteString(`\A\n*`)
	for _, line := range strings.Split(strings.Trim(shown, "\n"), "\n") {
		if line == "…" {
			all.WriteString(`(?:.*\n)*?`)
			continue
		}
		all.WriteString(pattern(line) + ` *\n`)
	}
	all.WriteString(`\n*\z`)
	return regexp.MustCompile(all.String()).MatchString(strings.TrimRight(output, "\n") + "\n")
}

// pattern is the pattern of a line of a page.
func pattern(line string) string {
	return strings.ReplaceAll(regexp.QuoteMeta(strings.TrimRight(line, " ")), "…", `.*`)
}

// Updated returns what a page shall show for an output: the output, with those lines as
// they were shown that still match, so that … stays where somebody put it. It returns
// false where lines were left out, since only a person can say which ones to leave out now.
func Updated(shown, output string) (string, bool) {
	before := strings.Split(shown, "\n")
	if slices.Contains(before, "…") {
		return "", false
	}
	after := strings.Split(strings.Trim(output, "\n"), "\n")
	for i, line := range after {
		after[i] = strings.TrimRight(line, " ")
		for _, old := range before {
			if strings.Contains(old, "…") && regexp.MustCompile(`\A`+pattern(old)+` *\z`).MatchString(line) {
				after[i] = old
				break
			}
		}
	}
	return strings.Join(after, "\n"), true
}
