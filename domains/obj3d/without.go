package obj3d

import (
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// without leaves out faces. Vertices stay, so that no number changes.
func without(files vfs.Files, leave func(n int) bool) vfs.Files {
	left := vfs.Files{}
	number := 0
	for _, name := range files.Names() {
		if !hasSuffix(name, meshSuffix) {
			left[name] = files[name]
			continue
		}
		var kept []string
		eachStatement(plain.Lines(files[name]), func(s *statement) {
			if s.isFace() {
				number++
				if leave(number - 1) {
					return
				}
			}
			kept = append(kept, s.lines...)
		})
		left[name] = plain.Text(kept)
	}
	return left
}
