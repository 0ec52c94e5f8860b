package mathlean

import (
	"strings"
)

// without leaves out declarations that are counted, with their doc comments and
// the blank lines below them.
func without(_, text string, leave func() bool) string {
	f := lex(text)
	var left strings.Builder
	kept := 0
	for _, c := range f.commands() {
		if !c.isDeclaration() || kindOf(&c, f.partsOf(&c), &f) != counted || !leave() {
			continue
		}
		left.WriteString(f.text[kept:f.tokens[c.first].start])
		kept = afterBlankLines(f.text, int(f.tokens[c.last-1].end))
	}
	left.WriteString(f.text[kept:])
	return left.String()
}

// afterBlankLines goes to the beginning of the next line that is not blank.
func afterBlankLines(text string, at int) int {
	for rest := text[at:]; rest != ""; rest = text[at:] {
		n := lineLength(rest)
		if strings.TrimSpace(rest[:n]) != "" {
			return at
		}
		at = min(at+n+1, len(text))
	}
	return at
}
