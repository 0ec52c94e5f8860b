package quantum

import (
	"strings"

	"agentd/domains/internal/pytext"
)

// plainText is a text without outer blanks on its lines and without the lines
// that are comments.
func plainText(text string) string {
	var kept []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = pytext.Strip(line); !strings.HasPrefix(line, "//") {
			kept = append(kept, line)
		}
	}
	return pytext.Strip(strings.Join(kept, "\n"))
}
