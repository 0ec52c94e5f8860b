package weaving

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
)

// wellFormed checks that a draft begins with [WIF], and that each line is a section, a key with its value, or a comment.
var wellFormed = wellformed.All(
	wellformed.Begins(`(?i)^\s*\[WIF\]|^\s*;`, "[WIF] is not the first section"),
	wellformed.Lines(`^\s*(?:;|\[[^\]]+\]\s*$|[^=\[][^=]*=)`, "the line is neither a section, a key with a value, nor a comment"),
	wellformed.Once(`^\s*\[([^\]]+)\]`, "a section stands twice"),
	keys,
)

// keys finds keys that stand twice in a section. Readers of such files stop at the second, or take one of the two.
func keys(_, text string) []domains.Slip {
	var all []domains.Slip
	seen := map[string]bool{}
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		key, _, ok := strings.Cut(line, "=")
		switch key = strings.ToLower(strings.TrimSpace(key)); {
		case strings.HasPrefix(line, "["):
			clear(seen)
		case !ok || strings.HasPrefix(line, ";"):
		case seen[key]:
			all = append(all, domains.Slip{Line: n, What: "a key stands twice in a section", Text: line})
		default:
			seen[key] = true
		}
	}
	return all
}
