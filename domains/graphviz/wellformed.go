package graphviz

import (
	"agentd/domains/internal/wellformed"
)

// wellFormed checks brackets, quotes and comments, and that a graph begins the file.
var wellFormed = wellformed.All(
	wellformed.Code{Line: []string{"//"}, AtStart: []string{"#"}, Block: [][2]string{{"/*", "*/"}}, Quotes: "\"", Wrapped: true, Escape: true, Brackets: "{}[]"}.Check,
	wellformed.Ends(`\}\s*(?:(?://|/\*|#).*)?$|^\s*(?://|/\*|#|\*)|\*/\s*$`, "text after the end of the graph"),
	wellformed.Begins(`(?i)^\s*(?:strict|graph|digraph|//|/\*|#|\{)`, "a graph does not begin the file"),
)
