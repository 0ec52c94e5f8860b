package molecule

import (
	"strings"
)

// without leaves out records.
func without(_, text string, leave func() bool) string {
	var b strings.Builder
	for _, e := range readFile(text) {
		if !e.isRecord() || !leave() {
			b.WriteString(e.print())
		}
	}
	return b.String()
}
