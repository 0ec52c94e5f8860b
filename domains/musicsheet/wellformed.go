package musicsheet

import (
	"agentd/domains/internal/wellformed"
)

// wellFormed checks braces, texts and comments.
var wellFormed = wellformed.Code{
	Line: []string{"%"}, Block: [][2]string{{"%{", "%}"}}, Quotes: "\"", Wrapped: true, Escape: true, Brackets: "{}",
}.Check
