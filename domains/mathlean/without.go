package mathlean

import (
	"strings"

	"agentd/vfs"
)

// without leaves out declarations that are counted, with their doc comments and
// the blank lines below them.
func without(files vfs.Files, leave func(n int) bool) vfs.Files {
	left := vfs.Files{}
	n := 0
	for _, name := range files.Names() {
		f := lex(files[name])
		var text strings.Builder
		kept := 0
		for _, c := range f.commands() {
			if !c.isDeclaration() || kindOf(&c, f.partsOf(&c), &f) != counted {
				continue
			}
			if n++; !leave(n - 1) {
				continue
			}
			start := int(f.tokens[c.first].start)
			text.WriteString(f.text[kept:start])
			kept = afterBlankLines(f.text, int(f.tokens[c.last-1].end))
		}
		text.WriteString(f.text[kept:])
		left[name] = text.String()
	}
	return left
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
