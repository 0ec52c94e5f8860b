package edifact

import (
	"agentd/domains/internal/wellformed"
)

// wellFormed checks that an interchange begins with UNA or UNB, ends with UNZ, and that each of its segments is ended.
var wellFormed = wellformed.All(
	wellformed.Begins(`^\s*(?:UNA|UNB)`, "UNA or UNB is not the first segment"),
	wellformed.Ends(`^.*\bUNZ\+[^']*'\s*$|^.*UNZ.{3,80}$`, "UNZ is not the last segment"),
	wellformed.Lines(`^\s*(?:[A-Z]{3}[^\w\s]|[^ ]*')|'`, "the line is no segment"),
)
