package circuit

import (
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
)

// mostWork is the product of the lengths of two texts, in characters, above which
// what they share at most stands for their ratio.
const mostWork = 1 << 30

// textShare is the ratio of two texts: 1 for equal ones, 0 if one is empty.
func textShare(ref, got string) float64 {
	switch {
	case ref == got:
		return 1
	case ref == "" || got == "":
		return 0
	}
	if len(ref)*len(got) > mostWork {
		p, q := ratio.ProfileOf([]rune(ref)), ratio.ProfileOf([]rune(got))
		return p.AtMost(&q)
	}
	return ratio.Of(ref, got)
}

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
	switch {
	case ref == 0 && got == 0:
		return 1
	case shared == 0:
		return 0
	}
	precision, recall := float64(shared)/float64(got), float64(shared)/float64(ref)
	return 2 * precision * recall / (precision + recall)
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
