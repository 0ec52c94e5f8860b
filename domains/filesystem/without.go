package filesystem

import "slices"

// without leaves out entries.
func without(_, text string, leave func() bool) string {
	return listing(slices.DeleteFunc(read(text), func(l line) bool { return l.entry != nil && leave() })).print()
}
