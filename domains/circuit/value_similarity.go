package circuit

import (
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
)

func joined(words []string) string { return strings.Join(words, " ") }

// folded is a text in lower case with its white space collapsed.
func folded(text string) string { return joined(pytext.Fields(pytext.Lower(text))) }

func foldedSet(lines []string) map[string]bool {
	set := make(map[string]bool, len(lines))
	for _, line := range lines {
		set[folded(line)] = true
	}
	return set
}

// f1 compares two lists as sets.
func f1(ref, got []string) float64 {
	a, b := setOf(ref), setOf(got)
	return f1Of(sharedOf(a, b), len(a), len(b))
}

// f1Of is the harmonic mean of precision and recall of sets of these sizes.
func f1Of(shared, ref, got int) float64 {
	if ref == 0 && got == 0 {
		return 1
	}
	return sets.F1(shared, ref, got)
}

func setOf(items []string) map[string]bool {
	set := make(map[string]bool, len(items))
	for _, item := range items {
		set[item] = true
	}
	return set
}

func sharedOf(a, b map[string]bool) int {
	n := 0
	for item := range a {
		if b[item] {
			n++
		}
	}
	return n
}
