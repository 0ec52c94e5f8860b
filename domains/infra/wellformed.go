package infra

import (
	"agentd/domains/internal/wellformed"
)

// wellFormed checks brackets, texts, here-documents and comments.
var wellFormed = wellformed.Code{
	Line: []string{"#", "//"}, Block: [][2]string{{"/*", "*/"}}, Quotes: `"`, Escape: true, Here: true, Brackets: "(){}[]",
}.Check
