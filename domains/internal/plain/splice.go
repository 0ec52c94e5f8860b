package plain

import (
	"cmp"
	"slices"
	"strings"
)

// Splice puts others in the place of stretches of a text. of says from where to where a change
// goes, in bytes, and what it puts there. Changes may come in any order; of those at one place the
// first comes first, and one that begins within another is left out.
func Splice[C any](text string, changes []C, of func(C) (start, end int, with string)) string {
	start := func(c C) int {
		at, _, _ := of(c)
		return at
	}
	inOrder := slices.SortedStableFunc(slices.Values(changes), func(a, b C) int { return cmp.Compare(start(a), start(b)) })
	var b strings.Builder
	at := 0
	for _, c := range inOrder {
		start, end, with := of(c)
		if start < at {
			continue
		}
		b.WriteString(text[at:start])
		b.WriteString(with)
		at = end
	}
	b.WriteString(text[at:])
	return b.String()
}
