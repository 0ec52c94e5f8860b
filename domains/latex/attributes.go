package latex

import (
	"strconv"
	"strings"
)

// words are what is apart by white space, as `wc -w` counts.
func words(part string) string { return strconv.Itoa(len(strings.Fields(part))) }

// citations is the number of keys that a part cites. Comments cite none.
func citations(part string) string {
	s := scan("", part)
	n := 0
	for i := range s.tokens {
		if s.tokens[i].kind != commandToken || !isCitation(s.of(i)[1:]) {
			continue
		}
		if _, keys, _, ok := s.citation(i); ok {
			n += 1 + strings.Count(keys, ",")
		}
	}
	return strconv.Itoa(n)
}
