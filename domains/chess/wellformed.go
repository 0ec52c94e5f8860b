package chess

import (
	"agentd/domains/internal/wellformed"
)

// wellFormed checks that comments, variations and the texts of tags are closed, and that a game ends with its result.
var wellFormed = wellformed.All(
	wellformed.Code{Line: []string{";"}, AtStart: []string{"%", "["}, Block: [][2]string{{"{", "}"}}, Brackets: "()"}.Check,
	wellformed.Not(`^\s*\[\w+\s+(?:[^"]|"(?:[^"\\]|\\.)*"?\s*$|"(?:[^"\\]|\\.)*$)`, "a tag is not closed"),
	wellformed.Ends(`(?:1-0|0-1|1/2-1/2|\*)\s*(?:\{[^}]*\}|;.*)?$`, "the last game has no result"),
)
