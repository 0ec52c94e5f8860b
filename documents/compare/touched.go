package compare

import (
	"agentd/domains/catalog"
	"agentd/vfs"
)

// Touched leaves only the files of documents that may differ: the files that differ, and the files that may be parts of one document
// with them. Pairs finds the same differing documents in them as in all files, and need not recognise the others.
func Touched(before, after vfs.Files) (vfs.Files, vfs.Files) {
	keep := vfs.Files{}
	for _, name := range both(before, after) {
		was, b := before[name]
		is, a := after[name]
		if a != b || was != is {
			keep[name] = ""
		}
	}
	for grown := true; grown; {
		grown = false
		for _, d := range catalog.All() {
			if !d.Info().Together {
				continue
			}
			for _, files := range []vfs.Files{before, after} {
				parts := files.Match(d.Info().Patterns)
				if len(only(parts, keep)) == 0 {
					continue
				}
				for name := range parts {
					if _, kept := keep[name]; !kept {
						keep[name], grown = "", true
					}
				}
			}
		}
	}
	return only(before, keep), only(after, keep)
}
