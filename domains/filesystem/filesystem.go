// Package filesystem is the domain of listings of a source tree: one line a path, with a mode as git writes it, a size
// in bytes and the path, and comment lines beginning with #. The entry, which is one path, is what is counted.
//
// The published score compares paths, the types that the modes stand for, the modes, and sizes by their quotient; where
// a path is listed twice, the last line counts. Strict compares every line with its mode and exact size, so also those
// that were added, repeated or contradict one another, and the comments, in files of any name. Order, the width of
// columns, separators in sizes, zeros before a mode, a slash after a directory, and 0 for the size of what has none
// mean nothing to it. A listing without any comment is taken for the bare listing, from which nothing is missing; one
// comment that is lost among others costs, as do comments and lines that were added.
package filesystem

import (
	"agentd/domains"
	published "agentd/domains/published/filesystem"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Tree]{
		Info: domains.Info{
			Name:       "filesystem",
			Title:      "Listing of a source tree",
			Category:   "Code & Configuration",
			Patterns:   []string{"*.txt"},
			Element:    counted,
			Example:    "100644 1824 src/main.c",
			Components: []string{"coverage", "paths", "types", "sizes", "modes"},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Elements:   format.Elements,
		Forgives:   optionalComments,
		Without:    format.Without,
		Vocabulary: vocabulary,
	})
}

const (
	counted = "entry"
	comment = "comment"
)
