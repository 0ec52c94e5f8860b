package protein

import (
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// without leaves out atom lines, with the lines that say more of an atom.
func without(files vfs.Files, leave func(n int) bool) vfs.Files {
	left := vfs.Files{}
	number, gone := 0, false
	for _, name := range files.Names() {
		var kept []string
		for _, line := range plain.Lines(files[name]) {
			switch {
			case isAtom(line):
				gone = leave(number)
				number++
			case !isTensor(line):
				gone = false
			}
			if !gone {
				kept = append(kept, line)
			}
		}
		left[name] = plain.Text(kept)
	}
	return left
}

// isTensor recognizes a line that says more of the atom before it.
func isTensor(line string) bool {
	return strings.HasPrefix(line, "ANISOU") || strings.HasPrefix(line, "SIGATM") || strings.HasPrefix(line, "SIGUIJ")
}
