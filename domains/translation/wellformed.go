package translation

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
)

// wellFormed checks that each line is a keyword with a text in quotes, a text, or a comment, and that each msgid has
// its msgstr.
var wellFormed = wellformed.All(
	wellformed.Lines(`^\s*(?:#[^~]|#$|#~\s*\||(?:#~\s*)?(?:msgctxt|msgid|msgid_plural|msgstr(?:\[\d+\])?|domain)\s*"(?:[^"\\]|\\.)*"\s*$|(?:#~\s*)?"(?:[^"\\]|\\.)*"\s*$)`, "the line is neither a keyword with a text in quotes nor a comment"),
	pairs,
)

// pairs finds msgid without msgstr, and msgstr without msgid.
func pairs(_, text string) []domains.Slip {
	var all []domains.Slip
	n, open, said := 0, 0, false
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "msgid_plural"):
		case strings.HasPrefix(line, "msgid"):
			if open > 0 {
				all = append(all, domains.Slip{Line: open, What: "msgid without msgstr"})
			}
			open, said = n, true
		case strings.HasPrefix(line, "msgstr"):
			if !said {
				all = append(all, domains.Slip{Line: n, What: "msgstr without msgid"})
			}
			open, said = 0, said && strings.HasPrefix(line, "msgstr[")
		}
	}
	if open > 0 {
		all = append(all, domains.Slip{Line: open, What: "msgid without msgstr"})
	}
	return all
}
