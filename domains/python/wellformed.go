package python

import "agentd/domains/internal/wellformed"

// wellFormed checks brackets and texts, and that what begins a block ends in a colon.
var wellFormed = wellformed.All(
	wellformed.Code{Line: []string{"#"}, Quotes: `"'`, Long: []string{`"""`, "'''"}, Escape: true, EscapeIn: true, Brackets: "(){}[]"}.Check,
	wellformed.Not(`^\s*(?:(?:async\s+)?def\s+\w+\s*\([^()]*\)(?:\s*->\s*[\w.\[\], ]+)?|class\s+\w+(?:\s*\([^()]*\))?|else|try|finally|(?:if|elif|while|for|with|except)\s[^:#({\[\\"']*)\s*(?:#.*)?$`, "a colon is missing"),
)
