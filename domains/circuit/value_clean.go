package circuit

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains/internal/pytext"
)

// cleaned prepares a file for the published reader, as the published evaluator
// does. Its text begins with a comment and has a line `.end`.
func cleaned(text string) string {
	var lines []string
	for line := range strings.SplitSeq(pytext.UniversalNewlines(text), "\n") {
		if said, ok := strings.CutPrefix(pytext.StripLeft(line), "//"); ok {
			line = "*" + said
		}
		lines = append(lines, line)
	}
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	if !strings.HasPrefix(pytext.Strip(lines[0]), "*") {
		b.WriteString("* netlist\n")
	}
	ends := false
	for i := 0; i < len(lines); {
		line := lines[i]
		first := i
		for i++; i < len(lines) && strings.HasPrefix(lines[i], "+"); i++ {
		}
		if i > first+1 {
			line = joinedLines(lines[first:i])
		}
		line = pytext.Strip(line)
		ends = ends || strings.EqualFold(line, ".end")
		b.WriteString(withUpperFirst(line))
		b.WriteByte('\n')
	}
	if !ends {
		b.WriteString(".end\n")
	}
	return b.String()
}

// joinedLines joins a line with those that continue it.
func joinedLines(lines []string) string {
	var b strings.Builder
	b.WriteString(lines[0])
	for _, line := range lines[1:] {
		b.WriteByte(' ')
		b.WriteString(pytext.StripLeft(line[1:]))
	}
	return b.String()
}

func withUpperFirst(line string) string {
	first, size := utf8.DecodeRuneInString(line)
	if upper := unicode.ToUpper(first); upper != first && first != utf8.RuneError {
		return string(upper) + line[size:]
	}
	return line
}

// lineReader reads the logical lines of a cleaned text as the published reader
// does: brackets and double quotes may hold line ends.
type lineReader struct {
	text string
	at   int
}

var errClosing = errors.New("a closing bracket does not match")

// next returns the next line with its line end.
func (r *lineReader) next() (line string, err error) {
	var before strings.Builder // what a continued line has had so far
	var open []byte
	quoted := false
	start := r.at
	for i := start; i < len(r.text); i++ {
		inside := quoted || len(open) > 0
		switch c := r.text[i]; c {
		case '{', '(', '[':
			open = append(open, c)
		case '}', ')', ']':
			if len(open) == 0 || open[len(open)-1] != "{(["[strings.IndexByte("})]", c)] {
				return "", fmt.Errorf("%w: %.60q", errClosing, r.text[start:])
			}
			open = open[:len(open)-1]
		case '"':
			quoted = !quoted
		case '\n':
			if inside {
				continue
			}
			if strings.HasPrefix(r.text[i+1:], "+") {
				before.WriteString(r.text[start:i])
				start = i + 2
				i++
				continue
			}
			r.at = i + 1
			return before.String() + r.text[start:r.at], nil
		case '*', ';':
			if inside || c == '*' && before.Len()+i-start > 0 {
				continue
			}
			r.at = len(r.text)
			if n := strings.IndexByte(r.text[i:], '\n'); n >= 0 {
				r.at = i + n + 1
			}
			return before.String() + r.text[start:r.at], nil
		}
	}
	r.at = len(r.text)
	if line = before.String() + r.text[start:]; line == "" {
		return "", errNotClosed
	}
	return line, nil
}
