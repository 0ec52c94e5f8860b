package compare

import (
	"maps"
	"slices"

	"agentd/domains/catalog"
	"agentd/vfs"
)

// Touched are the files, of all names, of documents in which files may differ: those that differ, and those that may be parts of one
// document with them. Pairs finds the same differing documents in them as in all files, and need not recognise the others.
func Touched(all, differ []string) []string {
	names, keep := vfs.Files{}, vfs.Files{}
	for _, name := range all {
		names[name] = ""
	}
	for _, name := range differ {
		keep[name] = ""
	}
	var together []vfs.Files // files that may be parts of one document
	for _, d := range catalog.All() {
		if d.Info().Together {
			together = append(together, names.Match(d.Info().Patterns))
		}
	}
	for before := -1; before < len(keep); {
		before = len(keep)
		for _, parts := range together {
			if len(only(parts, keep)) > 0 {
				maps.Copy(keep, parts)
			}
		}
	}
	return slices.Collect(maps.Keys(keep))
}
