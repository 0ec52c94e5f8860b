package mathlean

import (
	"agentd/domains"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// evidence counts the declarations that have a body as Lean writes it, or need none.
// Python and OpenQASM have the keyword def too. Where all declarations are of a kind
// that the published reader passes over, lines that are no Lean must not outnumber
// them.
func evidence(files vfs.Files, elements []domains.Element) int {
	found := map[string]int{}
	for i := range elements {
		e := &elements[i]
		if bodiless[e.Value("keyword")] || e.Value("body") != "" {
			found[e.Kind]++
		}
	}
	if found[counted] == 0 && domains.OfKinds(lineElement)(files, elements) > found[otherDeclaration] {
		return 0
	}
	return found[counted] + found[otherDeclaration]
}

// bodiless are the keywords of declarations that need no body.
var bodiless = sets.Words("axiom structure inductive")
