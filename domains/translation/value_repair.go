package translation

import (
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
	sources := append([]string(nil), r.done[before:]...)
	r.done = append(r.done[:before], r.lines[r.at+1:end]...)
	r.done = append(r.done, sources...)
	r.done = append(r.done, line)
	r.at = end
	return true
}

// quotesEscaped escapes the quotes inside the text of a line that begins with a
// keyword other than msgctxt.
func quotesEscaped(line string) string {
	rest, ok := strings.CutPrefix(line, "msgid_plural")
	if !ok {
		rest, ok = strings.CutPrefix(line, "msgid")
	}
	if !ok {
		if rest, ok = strings.CutPrefix(line, "msgstr"); ok {
			rest = withoutIndex(rest)
		}
	}
	text := pytext.Strip(rest)
	if !ok || len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' || pytext.StripLeft(rest) == rest {
		return line
	}
	inner := text[1 : len(text)-1]
	if !strings.Contains(inner, `"`) {
		return line
	}
	var b strings.Builder
	start := strings.Index(line, text) + 1
	b.WriteString(line[:start])
	for i := range len(inner) {
		if inner[i] == '"' && (i == 0 || inner[i-1] != '\\') {
			b.WriteByte('\\')
		}
		b.WriteByte(inner[i])
	}
	b.WriteString(line[start+len(inner):])
	return b.String()
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
