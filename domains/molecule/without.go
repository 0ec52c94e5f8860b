package molecule

import (
	"strings"

	"agentd/vfs"
)

// without leaves out records.
func without(files vfs.Files, leave func(n int) bool) vfs.Files {
	left := vfs.Files{}
	number := 0
	for _, name := range files.Names() {
		var b strings.Builder
		for _, e := range readFile(files[name]) {
			if e.isRecord() {
				number++
				if leave(number - 1) {
					continue
				}
			}
			b.WriteString(e.print())
		}
		left[name] = b.String()
	}
	return left
}
