package circuit

import (
	"maps"

	"agentd/vfs"
)

// without leaves out element lines, with what continues them.
func without(files vfs.Files, leave func(n int) bool) vfs.Files {
	left := vfs.Files{}
	maps.Copy(left, files)
	n := 0
	for _, f := range readFiles(files) {
		var kept []statement
		for _, s := range f.statements {
			if s.kind == elementLine {
				n++
				if leave(n - 1) {
					continue
				}
			}
			kept = append(kept, s)
		}
		if len(kept) < len(f.statements) {
			f.statements = kept
			left[f.name] = f.print()
		}
	}
	return left
}
