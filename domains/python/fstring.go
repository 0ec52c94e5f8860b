package python

import (
	"strings"

	"agentd/domains/internal/plain"
)

// eachName calls do with every name in the tokens that is no attribute and no
// keyword, those in the replacement fields of f-strings included.
func eachName(tokens []token, do func(token)) {
	for i, t := range tokens {
		switch t.kind {
		case nameToken:
			if !keywords[t.text] && !isAttribute(tokens, i) {
				do(t)
			}
		case stringToken:
			for _, field := range fields(t) {
				eachName(field, do)
			}
		}
	}
}

// isFormatted reports whether a text is an f-string.
func isFormatted(text string) bool {
	return strings.ContainsAny(text[:max(stringPrefix(text), 0)], "fF")
}

// fields are the tokens of the expressions in an f-string, those in its format
// specifications included.
func fields(t token) [][]token {
	text := t.text
	if !isFormatted(text) || !strings.Contains(text, "{") {
		return nil
	}
	_, quotes, content := literal(text)
	start := stringPrefix(text) + len(quotes)
	var all [][]token
	for at := 0; at < len(content); at++ {
		if content[at] != '{' {
			continue
		}
		if strings.HasPrefix(content[at:], "{{") {
			at++
			continue
		}
		end := at + 1 + fieldEnd(content[at+1:])
		s := scanner{source: text[:start+end], at: start + at + 1}
		s.line(0)
		for i := range s.tokens {
			s.tokens[i].start += t.start
		}
		all = append(all, s.tokens)
		at = end - 1
	}
	return all
}

// fieldEnd is where the expression of a replacement field ends.
func fieldEnd(s string) int {
	depth := 0
	for i := range len(s) {
		switch c := s[i]; {
		case opens(c):
			depth++
		case closes(c) && depth > 0:
			depth--
		case c == '}', depth == 0 && c == ':':
			return i
		case depth == 0 && c == '!' && !strings.HasPrefix(s[i:], "!="):
			return i
		}
	}
	return len(s)
}

// change replaces a span of a source.
type change struct {
	start, end int
	text       string
}

// rewritten applies changes that do not overlap.
func rewritten(source string, changes []change) string {
	return plain.Splice(source, changes, func(c change) (int, int, string) { return c.start, c.end, c.text })
}

// respelt is a text with the names in its replacement fields in another
// spelling.
func respelt(t token, renamed map[string]string) string {
	var changes []change
	for _, field := range fields(t) {
		eachName(field, func(name token) {
			if other, ok := renamed[name.text]; ok {
				changes = append(changes, change{name.start - t.start, name.end() - t.start, other})
			}
		})
	}
	return rewritten(t.text, changes)
}
