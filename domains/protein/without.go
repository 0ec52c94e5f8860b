package protein

import (
	"strings"

	"agentd/domains/internal/plain"
)

// without leaves out atom lines, with the lines that say more of an atom.
func without(_, text string, leave func() bool) string {
	var kept []string
	gone := false
	for _, line := range plain.Lines(text) {
		switch {
		case isAtom(line):
			gone = leave()
		case !isTensor(line):
			gone = false
		}
		if !gone {
			kept = append(kept, line)
		}
	}
	return plain.Text(kept)
}

// isTensor recognizes a line that says more of the atom before it.
func isTensor(line string) bool {
	return strings.HasPrefix(line, "ANISOU") || strings.HasPrefix(line, "SIGATM") || strings.HasPrefix(line, "SIGUIJ")
}
