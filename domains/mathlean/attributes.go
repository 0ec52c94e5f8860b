package mathlean

import (
	"strconv"
	"strings"
)

// stated is what a declaration says after its colon, up to its body, with one blank for any
// others; empty if it has none.
func stated(part string) string {
	f, c := declarationOf(part)
	if c == nil {
		return ""
	}
	p := f.partsOf(c)
	if p.statement+1 >= p.body {
		return ""
	}
	said := f.text[f.tokens[p.statement].end:f.tokens[p.body-1].end]
	return strings.Join(strings.Fields(said), " ")
}

// lineCount is how many lines a declaration has, without what stands before its keyword.
func lineCount(part string) string {
	f, c := declarationOf(part)
	if c == nil {
		return ""
	}
	return strconv.Itoa(1 + strings.Count(f.text[f.tokens[c.at].start:f.tokens[c.last-1].end], "\n"))
}

// declarationOf is the first declaration of a part; nil if there is none.
func declarationOf(part string) (*file, *command) {
	f := lex(part)
	for _, c := range f.commands() {
		if c.isDeclaration() {
			return &f, &c
		}
	}
	return &f, nil
}
