package translation

import (
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// repaired makes up for three slips, as the published evaluator does with a
// candidate before it reads it.
func repaired(text string) string {
	r := repairer{lines: strings.Split(text, "\n")}
	for r.at < len(r.lines) {
		line := r.lines[r.at]
		switch {
		case r.joinReferences(line), r.moveComments(line):
		default:
			r.take(quotesEscaped(line))
		}
	}
	return strings.Join(r.done, "\n")
}

type repairer struct {
	lines []string
	at    int // the next line
	done  []string
}

func (r *repairer) take(line string) {
	r.done = append(r.done, line)
	r.at++
}

// joinReferences joins a reference line that ends with a backslash with those
// that continue it.
func (r *repairer) joinReferences(line string) bool {
	line = pytext.Strip(line)
	if !strings.HasPrefix(line, "#:") || !strings.HasSuffix(line, `\`) {
		return false
	}
	words := []string{withoutBackslash(line)}
	for r.at++; r.at < len(r.lines); r.at++ {
		next := pytext.Strip(r.lines[r.at])
		if next == "" || next[0] == '#' || next[0] == '"' || strings.HasPrefix(next, "msg") {
			break
		}
		words = append(words, withoutBackslash(next))
		if !strings.HasSuffix(next, `\`) {
			r.at++
			break
		}
	}
	r.done = append(r.done, strings.Join(words, " "))
	return true
}

func withoutBackslash(line string) string {
	return pytext.StripRight(strings.TrimRight(line, `\`))
}

// moveComments moves references and flags that stand between a source and what
// translates it in front of the source.
func (r *repairer) moveComments(line string) bool {
	plural := strings.HasPrefix(line, "msgid_plural ")
	if !plural && !strings.HasPrefix(line, "msgid ") || r.at+2 >= len(r.lines) {
		return false
	}
	end := r.at + 1
	for end < len(r.lines) && (strings.HasPrefix(r.lines[end], "#:") || strings.HasPrefix(r.lines[end], "#,")) {
		end++
	}
	if end == r.at+1 || end == len(r.lines) ||
		!strings.HasPrefix(r.lines[end], "msgstr") && !strings.HasPrefix(r.lines[end], "msgid_plural") {
		return false
	}
	before := len(r.done)
	for plural && before > 0 && strings.HasPrefix(r.done[before-1], "msgid ") {
		before--
	}
	r.done = append(slices.Insert(r.done, before, r.lines[r.at+1:end]...), line)
	r.at = end
	return true
}

var (
	// quotedForm is a line that begins with a keyword other than msgctxt, by what stands before, in
	// and after its text.
	quotedForm = pytext.Pattern(`^((?:msgid_plural|msgid|msgstr(?:\[[0-9]+\])?)\s+")(.*)("\s*)$`)
	bareQuotes = strings.NewReplacer(`\"`, `\"`, `"`, `\"`)
)

// quotesEscaped escapes the quotes inside the text of a line.
func quotesEscaped(line string) string {
	const around = 2
	if strings.Count(line, `"`) == around {
		return line
	}
	if m := quotedForm.FindStringSubmatch(line); m != nil {
		return m[1] + bareQuotes.Replace(m[2]) + m[3]
	}
	return line
}

// withoutIndex cuts an index such as "[0]" off.
func withoutIndex(text string) string {
	index, rest, closed := strings.Cut(text, "]")
	digits, opened := strings.CutPrefix(index, "[")
	if !closed || !opened || !plain.IsDigits(digits) {
		return text
	}
	return rest
}
