package circuit

import (
	"agentd/domains/internal/wellformed"
)

// wellFormed checks that a netlist ends with .end, and that subcircuits and control sections are closed.
var wellFormed = wellformed.All(
	wellformed.Ends(`(?i)^\.end\s*(?:[;$].*)?$`, ".end is not the last line"),
	wellformed.Blocks(`(?i)^\s*\.(subckt|control|if)\b`, `(?i)^\s*\.(?:ends()|endc()|endif())\b`, `^\s*\*`),
	wellformed.Code{AtStart: []string{"*"}, Line: []string{";", "$ "}, Brackets: "{}()"}.Check,
)
