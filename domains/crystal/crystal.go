// Package crystal is the domain of Crystallographic Information Files (CIF): items and loops that describe a crystal
// structure, its cell and symmetry, its atom sites with their displacements, bonds, angles and hydrogen bonds, the
// experiment and the publication. The atom site is what is counted.
//
// The published score reads the first data block after some repairs of the text and compares cell, symmetry, sites,
// displacements, geometry and eight items of the publication within tolerances. Strict reads every item and loop by the
// rules of CIF 1.1 and looks at all values to the digit, standard uncertainties included, at repeated and added rows,
// comments and text that is no CIF. Items, columns and rows may change places, save symmetry operations, which are
// numbered by their order, and authors.
package crystal

import (
	"agentd/domains"
	published "agentd/domains/published/crystal"
	"agentd/vfs"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[*published.Structure]{
		Info: domains.Info{
			Name:     "crystal",
			Title:    "Crystallographic Information File",
			Category: "Science & Engineering",
			Patterns: []string{"*.cif"},
			Element:  counted,
			Example:  "C1 0.1042 0.2217 0.3350",
			Components: []string{
				"cell", "symmetry", "atoms", "recall", "aniso", "bonds", "angles", "hbonds", "publication",
			},
		},
		Parse: func(files vfs.Files) (*published.Structure, error) {
			b, err := published.Parse(files)
			if err != nil {
				return nil, err
			}
			return published.StructureOf(b), nil
		},
		Score:    published.Score,
		Stats:    published.Stats,
		Form:     wellFormed,
		Elements: elements,
		Comments: []string{"#"},
		// The cell, the symmetry, geometry and the publication have scores of their own.
		Others:     (*published.Structure).Others,
		Evidence:   domains.OfKinds(counted, itemKind, "row"),
		Forgives:   turned,
		WithoutIn:  without,
		Sampling:   domains.Sampling{Not: "a structure without some of its atoms is another compound"},
		Vocabulary: vocabulary,
	})
}
