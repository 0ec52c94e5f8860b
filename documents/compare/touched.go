package compare

import (
	"maps"
	"slices"

	"agentd/domains/catalog"
	"agentd/vfs"
)

// Touched selects the files that differ, and those that may belong to the same document as one that differs. Pairs finds
// the same differing documents among them as among all files, in less time.
func Touched(all, differ []string) []string {
	names, keep := vfs.Files{}, vfs.Files{}
	for _, name := range all {
		names[name] = ""
	}
	for _, name := range differ {
		keep[name] = ""
	}
	var together []vfs.Files // files that may belong to one document
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
