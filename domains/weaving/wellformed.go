package weaving

import (
	"agentd/domains/internal/wellformed"
)

// wellFormed checks that a draft begins with [WIF], and that each line is a section, a key with its value, or a comment.
var wellFormed = wellformed.All(
	wellformed.Begins(`(?i)^\s*\[WIF\]|^\s*;`, "[WIF] is not the first section"),
	wellformed.Lines(`^\s*(?:;|\[[^\]]+\]\s*$|[^=\[][^=]*=)`, "the line is neither a section, a key with a value, nor a comment"),
	wellformed.Once(`^\s*\[([^\]]+)\]`, "a section stands twice"),
)
