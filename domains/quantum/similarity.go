package quantum

import (
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
)

// mostWork is the product of the lengths of two texts, in bytes, above which what
// they share at most stands for their ratio.
const mostWork = 1 << 30

// textShare is the ratio of two texts: 1 for equal ones, 0 if one is empty.
func textShare(ref, got string) float64 {
	switch {
	case ref == got:
		return 1
	case ref == "" || got == "":
		return 0
	}
	if len(ref)*len(got) > mostWork {
		p, q := ratio.ProfileOf([]rune(ref)), ratio.ProfileOf([]rune(got))
		return p.AtMost(&q)
	}
	return ratio.Of(ref, got)
}

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
