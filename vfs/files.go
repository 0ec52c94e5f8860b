package vfs

import (
	"maps"
	"path"
	"slices"
)

// Files is an immutable snapshot of files: content by slash-separated path. Where
// order matters, it is that of Names. Do not change a map that you were given;
// Clone it first.
type Files map[string]string

// Names returns the paths in ascending byte order.
func (f Files) Names() []string { return slices.Sorted(maps.Keys(f)) }

// Clone returns a copy of the map. Both maps share the contents.
func (f Files) Clone() Files { return maps.Clone(f) }

// Equal reports whether both snapshots hold the same paths and contents.
func (f Files) Equal(other Files) bool { return maps.Equal(f, other) }

// Bytes is the total size of the contents.
func (f Files) Bytes() int {
	total := 0
	for _, content := range f {
		total += len(content)
	}
	return total
}

// Match returns the files whose path, or base name, matches one of the
// patterns (see Matches).
func (f Files) Match(patterns []string) Files {
	matched := Files{}
	for name, content := range f {
		if slices.ContainsFunc(patterns, func(p string) bool { return Matches(p, name) }) {
			matched[name] = content
		}
	}
	return matched
}

// Matches reports whether a path fits a target pattern: path.Match on the
// whole path and, for a pattern without a slash, on the base name. A malformed
// pattern matches only itself.
func Matches(pattern, name string) bool {
	if pattern == name {
		return true
	}
	if ok, err := path.Match(pattern, name); err == nil && ok {
		return true
	}
	if path.Base(pattern) != pattern {
		return false
	}
	ok, err := path.Match(pattern, path.Base(name))
	return err == nil && ok
}
