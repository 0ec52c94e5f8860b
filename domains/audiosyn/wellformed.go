package audiosyn

import (
	"agentd/domains/internal/wellformed"
)

// wellFormed checks that the sections, and in them instruments and opcodes, are closed.
var wellFormed = wellformed.All(
	wellformed.Blocks(`^\s*<((?:Cs|csLADSPA)\w+)[^>/]*>`, `^\s*</(\w+)>`, ""),
	wellformed.Blocks(`^\s*(instr|opcode)\b`, `^\s*(?:endin()|endop())\b`, ""),
	wellformed.Code{Line: []string{";", "//"}, Block: [][2]string{{"/*", "*/"}}, Long: []string{"{{"}}.Check,
)
