package slides

import (
	"slices"
	"strings"

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

// isOfDecks reports whether an element is one that decks have and few other texts.
func isOfDecks(e domains.Element) bool { return e.Kind == frontKind || isOfDecksAlone(e) }

// isOfDecksAlone leaves out front matter that any text may have, with a title and an author.
func isOfDecksAlone(e domains.Element) bool {
	return slices.ContainsFunc(e.Fields, func(f domains.Field) bool {
		if e.Kind == frontKind {
			return f.Name == "entry" && isEntryOfDecks(f.Value) ||
				f.Name == "value" && slices.Contains([]string{"beamer", "pptx", "revealjs"}, f.Value)
		}
		switch f.Value {
		case names[notesPart], names[imagePart], names[chartPart], names[tablePart]:
			return f.Name == "kind"
		}
		return f.Name == "x"
	})
}

// isEntryOfDecks tells the names of entries that makers of slides know: total_slides, slide-level,
// and those of Marp and Beamer.
func isEntryOfDecks(name string) bool {
	return strings.Contains(name, "slide") || slices.Contains([]string{"aspectratio", "marp", "paginate"}, name)
}

// slideshow is the domain, which any text of headings and bullets could be of.
type slideshow struct{ domains.Domain }

// MayBeGeneral implements domains.Unsure.
func (s slideshow) MayBeGeneral(files vfs.Files) bool {
	return !slices.ContainsFunc(s.Elements(files), isOfDecksAlone)
}
