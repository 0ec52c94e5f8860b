package slides

import (
	"slices"

	"agentd/domains"
	"agentd/vfs"
)

// evidence counts the elements of a deck. Other texts in Markdown have headings
// and bullets as well, so a deck needs front matter, a layout mark, notes or a
// placeholder, or it has nothing but titles and what stands on slides. Lines that
// stand on no slide must not outnumber the elements.
func evidence(files vfs.Files, elements []domains.Element) int {
	found := domains.Prevailing(counted)(files, elements)
	foreign := domains.OfKinds(lineKind)(files, elements)
	if foreign > 0 && !slices.ContainsFunc(elements, isOfDecks) {
		return 0
	}
	return found
}

// isOfDecks reports whether an element is one that only decks have.
func isOfDecks(e domains.Element) bool {
	return e.Kind == frontKind || slices.ContainsFunc(e.Fields, func(f domains.Field) bool {
		switch f.Value {
		case names[notesPart], names[imagePart], names[chartPart], names[tablePart]:
			return f.Name == "kind"
		}
		return f.Name == "x"
	})
}
