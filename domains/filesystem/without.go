package filesystem

import "agentd/vfs"

// without leaves out entries.
func without(files vfs.Files, leave func(n int) bool) vfs.Files {
	left := vfs.Files{}
	n := 0
	for _, name := range files.Names() {
		var kept listing
		for _, l := range read(files[name]) {
			if l.entry != nil {
				n++
				if leave(n - 1) {
					continue
				}
			}
			kept = append(kept, l)
		}
		left[name] = kept.print()
	}
	return left
}
