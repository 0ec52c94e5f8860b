package accounting

import "agentd/vfs"

// without leaves out entries; the lines around them stay.
func without(files vfs.Files, leave func(n int) bool) vfs.Files {
	left := vfs.Files{}
	n := 0
	for _, name := range files.Names() {
		j := read(files[name])
		if len(j.entries) == 0 {
			left[name] = files[name]
			continue
		}
		entries := j.entries
		j.entries = nil
		var above []string
		for _, e := range entries {
			above = append(above, e.above...)
			if !leave(n) {
				e.above, above = above, nil
				j.entries = append(j.entries, e)
			}
			n++
		}
		j.closing = append(above, j.closing...)
		left[name] = j.print()
	}
	return left
}
