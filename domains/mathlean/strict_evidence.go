package mathlean

import (
	"slices"

	"agentd/domains"
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
		if isBodiless(e.Value("keyword")) || hasBody(e) {
			found[e.Kind]++
		}
	}
	if found[counted] == 0 && domains.OfKinds(lineElement)(files, elements) > found[otherDeclaration] {
		return 0
	}
	return found[counted] + found[otherDeclaration]
}

func isBodiless(keyword string) bool {
	return keyword == "axiom" || keyword == "structure" || keyword == "inductive"
}

func hasBody(e *domains.Element) bool {
	return slices.ContainsFunc(e.Fields, func(f domains.Field) bool { return f.Name == "body" })
}
