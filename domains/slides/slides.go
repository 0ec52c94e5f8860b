// Package slides is the domain of slide decks in Markdown: front matter, slides that begin with a "## " title, bullets,
// placeholders of images and charts, pipe tables, speaker notes between "::: {.notes}" and ":::", and marks with a
// position on the slide and a font size, "[@(3,4) | 24pt]". The counted element is any part of a slide, its title
// included.
//
// The published score pairs texts by likeness, position and kind, and compares the titles, the images and the
// positions. It does not see on which slide or in which order things stand, letter case, font sizes, the front matter,
// charts without a position, or lines that are no part of the format. Strict reads the deck as those do who print it:
// every part with its text, place, size and level in the order of the deck, tables cell by cell, notes sentence by
// sentence, the front matter, and each other line with what it stands above.
package slides

import (
	"agentd/domains"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/slides"
)

// New returns the domain.
func New() domains.Domain {
	return slideshow{domains.New(domains.Spec[published.Deck]{
		Fences: true,
		Info: domains.Info{
			Name:       "slides",
			Title:      "Slide deck in Markdown",
			Category:   "Creative & Media",
			Patterns:   []string{"*.md"},
			Element:    counted,
			Example:    "## Results [@(5,5)]\n- Leakage fell by a third",
			Components: []string{"titles", "order", "content", "images", "image order", "positions"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Form:       wellformed.All(wellFormed, wellformed.ListNumbers),
		Elements:   elements,
		Evidence:   evidence,
		Forgives:   placed,
		Without:    without,
		Sampling:   domains.Sampling{Entry: slideKind},
		Vocabulary: vocabulary,
	})}
}
