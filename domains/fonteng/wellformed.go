package fonteng

import (
	"agentd/domains/internal/wellformed"
)

// wellFormed checks brackets, quotes and comments, and that a block is ended under its own name.
var wellFormed = wellformed.All(
	wellformed.Code{Line: []string{"#"}, Quotes: "\"", Wrapped: true, Brackets: "{}[]()"}.Check,
	wellformed.Blocks(`^\s*(?:feature|lookup|table)\s+(\S+)(?:\s+useExtension)?\s*\{\s*(?:#.*)?$`, `^\s*\}\s*([A-Za-z0-9_./]+)\s*;`, ""),
	wellformed.Not(`^\s*\}\s*[A-Za-z0-9_./]+\s*$`, "a block is ended without a semicolon"),
)
