// Package molecule is the domain of SD files: libraries of molecules, each a
// connection table (MDL mol block, V2000 or V3000) with named data fields after
// it. Records are counted.
//
// The published score pairs records by an identifier, and compares their data
// fields, their order, and their structures as RDKit 2022.09 reads them: by the
// largest common connected part after hydrogens were removed and aromatic bonds
// perceived. RDKit drops a record with one bad column or valence; it passes over
// coordinates, geometry, charges, isotopes, titles, added fields and added
// records.
//
// Strict looks at every atom, bond and data field of a record, and at the order
// of records. A drawing may stand anywhere on its sheet, so an atom's place is
// compared by the way from the atom before it. Single and double bonds that take
// turns in aromatic rings are put in one order, charges are the same in atom
// lines and in M lines, numbers have no idle zeros. What the program and comment
// lines say means nothing.
package molecule

import "agentd/domains"

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[*library]{
		Info: domains.Info{
			Name:     "molecule",
			Title:    "Compound library in SD format",
			Category: "Science & Engineering",
			Patterns: patterns,
			Element:  counted,
			Example: "methane\n" +
				"\n" +
				"\n" +
				"  1  0  0  0  0  0            999 V2000\n" +
				"    0.0000    0.0000    0.0000 C   0  0\n" +
				"M  END\n" +
				"$$$$",
			Components: []string{"molecule_coverage", "structure_score", "property_score", "order_score"},
		},
		Parse:      parse,
		Score:      score,
		Stats:      stats,
		Elements:   elements,
		Forgives:   forgives,
		Without:    without,
		Vocabulary: vocabulary,
	})
}
