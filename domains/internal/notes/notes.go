// Package notes records that a limit on work acted while two documents were compared, so
// that their score can say that it is approximate.
package notes

import (
	"slices"
	"strings"
)

// What a limit on work makes of a comparison. Texts are those of Score.Approximate.
const (
	// AnyOrder is of sequences too long to be compared in order: what they share counts
	// wherever it stands, which is the most that their similarity could be.
	AnyOrder = "long sequences are compared by what they share, in any order"
	// Beginnings is of texts or lists that are compared up to some length.
	Beginnings = "long texts or lists are compared by their beginnings"
	// Paired is of elements too many for the best pairs to be sought among all.
	Paired = "of many elements not all pairs are tried"
	// GivenUp is of a search with an end that was not reached.
	GivenUp = "a search for the best match was given up"
	// PartRead is of a document of which a part is not read, or read coarsely.
	PartRead = "a part of a very large document is read coarsely"
)

// Notes are the limits that acted in one comparison. A nil *Notes takes none. Notes are not safe for concurrent use.
type Notes struct{ all []string }

// Add notes a limit; one that was noted before is not repeated.
func (n *Notes) Add(limit string) {
	if n != nil && !slices.Contains(n.all, limit) {
		n.all = append(n.all, limit)
	}
}

// AddIf notes a limit if it acted.
func (n *Notes) AddIf(acted bool, limit string) {
	if acted {
		n.Add(limit)
	}
}

// String lists the limits, after what they acted on; it is empty if none acted.
func (n *Notes) String() string {
	if n == nil {
		return ""
	}
	return strings.Join(n.all, ", ")
}
