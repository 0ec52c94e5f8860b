package genealogy

import (
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
)

// wellFormed checks that a file begins with HEAD and ends with TRLR, and that each line has a level and a tag.
var wellFormed = wellformed.All(
	wellformed.Begins(`^\s*0 +HEAD\b`, "0 HEAD is not the first line"),
	wellformed.Ends(`^\s*0 +TRLR\b`, "0 TRLR is not the last line"),
	wellformed.Lines(`^\s*\d{1,2} +(?:@[^@]+@ +)?[A-Za-z0-9_]+(?: |$)`, "a level and a tag do not begin the line"),
	levels,
)

// levels finds lines that are more than one level below the line above them.
func levels(_, text string) []domains.Slip {
	var all []domains.Slip
	n, above := 0, -1
	for line := range strings.Lines(text) {
		n++
		digits, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		level, err := strconv.Atoi(digits)
		if err != nil {
			continue
		}
		if level > above+1 {
			all = append(all, domains.Slip{Line: n, What: "the line is more than one level below the one above", Text: strings.TrimSpace(line)})
		}
		above = level
	}
	return all
}
