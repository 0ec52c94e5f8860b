package circuit

import (
	"strings"

	"agentd/domains/internal/wellformed"
)

// wellFormed checks that a netlist ends with .end, and that subcircuits and control sections are closed.
var wellFormed = wellformed.All(
	ended,
	wellformed.Blocks(`(?i)^\s*\.(subckt|control|if)\b`, `(?i)^\s*\.(?:ends()|endc()|endif())\b`, `^\s*\*`),
	wellformed.Code{AtStart: []string{"*"}, Line: []string{";", "$ "}, Brackets: "{}()"}.Check,
)

var endsWithEnd = wellformed.Ends(`(?i)^\.end\s*(?:[;$].*)?$`, ".end is not the last line")

// ended checks that a circuit ends with .end. A library, which has models and subcircuits alone, has none.
func ended(name, text string) []wellformed.Slip {
	if isLibrary(text) {
		return nil
	}
	return endsWithEnd(name, text)
}

// isLibrary reports whether no element stands outside of subcircuits. The first line is the title.
func isLibrary(text string) bool {
	depth, first := 0, true
	for line := range strings.Lines(strings.ToLower(text)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, ".subckt"):
			depth++
		case strings.HasPrefix(line, ".ends"):
			depth--
		case strings.HasPrefix(line, ".end"), strings.HasPrefix(line, ".tran"), strings.HasPrefix(line, ".control"):
			return false
		case !first && depth == 0 && line != "" && line[0] >= 'a' && line[0] <= 'z':
			return false
		}
		first = first && line == ""
	}
	return true
}
