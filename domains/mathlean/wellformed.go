package mathlean

import (
	"agentd/domains/internal/wellformed"
)

// wellFormed checks brackets, texts and comments, and that namespaces and sections are ended.
var wellFormed = wellformed.All(
	wellformed.Code{Line: []string{"--"}, Block: [][2]string{{"/-", "-/"}}, Nested: true, Quotes: "\"", Wrapped: true, Escape: true, Brackets: "(){}[]"}.Check,
	wellformed.Blocks(`^\s*(?:noncomputable\s+)?(namespace|section|mutual)\b`, `^end()\b`, ""),
)
