package slides

import (
	"strings"

	"agentd/domains"
)

// wellFormed checks that front matter, where a deck begins with it, is ended.
func wellFormed(_, text string) []domains.Slip {
	head, rest, _ := strings.Cut(text, "\n")
	if strings.TrimSpace(head) != "---" {
		return nil
	}
	for n, line := range strings.Split(rest, "\n") {
		switch line = strings.TrimSpace(line); {
		case line == "---" || line == "...":
			return nil
		case strings.HasPrefix(line, "#") && n > 0 && strings.HasPrefix(line, "# "):
			return []domains.Slip{{Line: 1, What: "the front matter is not ended"}}
		}
	}
	return []domains.Slip{{Line: 1, What: "the front matter is not ended"}}
}
