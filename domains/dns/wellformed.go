package dns

import (
	"agentd/domains/internal/wellformed"
)

// wellFormed checks brackets and quotes, and that each line is a record, a directive or a comment.
var wellFormed = wellformed.All(
	wellformed.Code{Line: []string{";"}, Quotes: "\"", Escape: true, EscapeIn: true, Brackets: "()"}.Check,
	wellformed.Not(`^[^;"(]*[^;"(\s\\][:!?]\s*$`, "the line is no record"),
)
