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

// Updated returns what a page shall show for an output. Lines as they were shown stay if
// they still match, so that … stays where somebody put it. Where lines were left out, each
// piece that was shown is replaced by the lines of the output that are most like it. It
// returns false if no lines are much like a piece: a person has to decide then.
func Updated(shown, output string) (string, bool) {
	var after []string
	for line := range strings.Lines(strings.Trim(output, "\n")) {
		after = append(after, strings.TrimRight(line, " \n"))
	}
	pieces := split(strings.Split(shown, "\n"), "…")
	if len(pieces) == 1 {
		return strings.Join(kept(pieces[0], after), "\n"), true
	}
	var all []string
	from := 0
	for i, piece := range pieces {
		if i > 0 {
			all = append(all, "…")
		}
		if len(piece) == 0 {
			continue
		}
		least, most := from, len(after)-len(piece)
		switch {
		case i == 0:
			most = 0
		case i == len(pieces)-1:
			least = max(from, most)
		}
		at, best := -1, 0.0
		for start := least; start <= most; start++ {
			if like := likeness(piece, after[start:]); like > best {
				at, best = start, like
			}
		}
		if best < 0.3 {
			return "", false
		}
		from = at + len(piece)
		all = append(all, kept(piece, after[at:from])...)
	}
	return strings.Join(all, "\n"), true
}

// split cuts lines at those that are a mark.
func split(lines []string, mark string) [][]string {
	pieces := [][]string{nil}
	for _, line := range lines {
		if line == mark {
			pieces = append(pieces, nil)
			continue
		}
		pieces[len(pieces)-1] = append(pieces[len(pieces)-1], line)
	}
	return pieces
}

// kept are lines with those in their place that were shown with … and still match.
func kept(shown, lines []string) []string {
	lines = slices.Clone(lines)
	for i, line := range lines {
		for _, old := range shown {
			if strings.Contains(old, "…") && regexp.MustCompile(`\A`+pattern(old)+` *\z`).MatchString(line) {
				lines[i] = old
				break
			}
		}
	}
	return lines
}

// likeness is the mean share of words, from 0 to 1, that the lines of a piece have in common with
// the lines that stand in their places.
func likeness(piece, lines []string) float64 {
	sum := 0.0
	for i, line := range piece {
		words, others := strings.Fields(line), strings.Fields(lines[i])
		if len(words) == 0 || len(others) == 0 {
			if len(words) == len(others) {
				sum++
			}
			continue
		}
		common := 0
		for _, word := range words {
			if slices.Contains(others, word) {
				common++
			}
		}
		sum += float64(common) / float64(max(len(words), len(others)))
	}
	return sum / float64(len(piece))
}
