// Package protein is the domain of macromolecular structures in the PDB format: annotation, sequence, unit cell and a
// line per atom, all in fixed columns. Atom lines are counted.
//
// The published score reads atoms as Biopython's PDBParser 1.80 does, after a repair of their columns, and compares
// them by chain, residue and name: how many are there, how far they moved, and their B factors. Next to them it looks
// at sequences, helices, strands, disulfide bonds, cell, resolution and title. One line that Biopython cannot read
// loses all atoms; the order of lines, occupancies, elements, serials, minor conformers, later models and most other
// records it passes over.
//
// Strict compares every record by its columns, numbers by value, texts of continued records joined and without letter
// case. Atoms have an order; their numbers after column 30 may stand loosely. Disulfide bonds and links have no first
// partner, END lines mean nothing.
package protein

import (
	"strings"

	"agentd/domains"
	"agentd/domains/internal/wellformed"
	published "agentd/domains/published/protein"
	"agentd/internal/lazyregexp"
)

// New returns the domain. Old files have their name and the number of the line in the last eight columns, of END too.
func New() domains.Domain {
	return domains.New(domains.Spec[*published.Structure]{
		Info: domains.Info{
			Name:     "protein",
			Title:    "macromolecular structure in PDB format",
			Category: "Science & Engineering",
			Patterns: published.Patterns,
			Element:  counted,
			Example:  "ATOM      1  N   MET A   1      27.340  24.430   2.614  1.00  9.67           N",
			Components: []string{
				published.CoveragePart, published.CoordinatePart, published.BFactorPart, published.SequencePart, published.SecondaryPart, published.DisulfidePart, published.MetadataPart,
			},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Form:       wellformed.All(wellformed.Lines(`^[A-Z0-9]{3,6}(?:\s|\d|$)`, "no record begins the line"), columns, wellformed.Ends(`^END(?: {69}.{1,8})?\s*$`, "END is not the last line")),
		Elements:   elements,
		Without:    without,
		Sampling:   domains.Sampling{Not: "a structure without some of its atoms is another model"},
		Vocabulary: vocabulary,
	})
}

// columns finds atoms whose coordinates do not stand in their columns. Readers take a line apart by columns.
func columns(_, text string) []domains.Slip {
	var all []domains.Slip
	n := 0
	for line := range strings.Lines(text) {
		n++
		if (strings.HasPrefix(line, "ATOM  ") || strings.HasPrefix(line, "HETATM")) && !coordinates.MatchString(line) {
			all = append(all, domains.Slip{Line: n, What: "the coordinates of an atom are not in their columns", Text: strings.TrimSpace(line)})
		}
	}
	return all
}

var coordinates = lazyregexp.New(`^.{30}[ \d-]{4}\.\d{3}[ \d-]{4}\.\d{3}[ \d-]{4}\.\d{3}`)
