// Package foodmenu is the domain of plain-text restaurant menus: a title block, sections of items with a price,
// allergen codes such as [Sh] and marks such as (A) or (VG), and a legend of the codes. The item is what is counted.
//
// The published score pairs items by the likeness of their names and compares price, section, codes, marks and
// description; it does not see the order of items and sections, the title block, the legend, notes, or a price without
// cents, and hardly what was added. Strict compares every part of every item to the cent and to the word, each meaning
// in the legend, the order of sections, items and notes, and each line outside of items. Layout, letter case, leaders,
// bullets, table rows, where a price or a mark stands in its line, and whether a price has its dollar sign mean nothing
// to it.
package foodmenu

import (
	"agentd/domains"
	published "agentd/domains/published/foodmenu"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Menu]{
		Info: domains.Info{
			Name:       "foodmenu",
			Title:      "Restaurant menu",
			Category:   "Everyday",
			Patterns:   []string{"*.txt"},
			Element:    counted,
			Example:    "Pea soup with mint  $6.50",
			Components: []string{"items", "sections"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Elements:   elements,
		Evidence:   evidence,
		Forgives:   forgives,
		Without:    without,
		Sampling:   domains.Sampling{Category: domains.ByField(sectionField)},
		Vocabulary: vocabulary,
	})
}
