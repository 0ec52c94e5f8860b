package lazyregexp

import (
	"regexp/syntax"
	"slices"
	"unicode/utf8"
)

// required returns the longest text that stands in whatever a pattern matches; empty if none is known. The package regexp looks for
// such a text only at the beginning of a pattern.
func required(pattern string) string {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	return literal(parsed)
}

func literal(r *syntax.Regexp) (longest string) {
	switch r.Op {
	case syntax.OpLiteral:
		// The replacement character also matches bytes that are no UTF-8.
		if r.Flags&syntax.FoldCase == 0 && !slices.Contains(r.Rune, utf8.RuneError) {
			return string(r.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus, syntax.OpConcat:
		for _, sub := range r.Sub {
			if l := literal(sub); len(l) > len(longest) {
				longest = l
			}
		}
	}
	return longest
}
