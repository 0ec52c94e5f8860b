package crystal

import (
	"strconv"

	"agentd/domains"
	"agentd/vfs"
)

const counted = "atom site"

const itemKind = "item"

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[*structure]{
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
		Parse: func(files vfs.Files) (*structure, error) {
			b, err := parse(files)
			if err != nil {
				return nil, err
			}
			return structureOf(b), nil
		},
		Score:    score,
		Stats:    stats,
		Elements: elements,
		// The cell, the symmetry, geometry and the publication have scores of their own.
		Others:     (*structure).others,
		Evidence:   domains.OfKinds(counted, itemKind),
		Forgives:   turned,
		Without:    without,
		Sampling:   domains.Sampling{Not: "a structure without some of its atoms is another compound"},
		Edits:      edits(),
		Vocabulary: vocabulary,
	})
}

// others is the number of parts with a score that are no atom sites.
func (s *structure) others() int {
	n := len(s.operations) + len(s.aniso) + len(s.bonds) + len(s.angles) + len(s.hydrogen)
	for _, has := range []bool{s.hasCell, s.spaceGroup != "", s.hasPublication} {
		if has {
			n++
		}
	}
	return n
}

func stats(s *structure) domains.Stats {
	all := domains.Stats{Elements: len(s.sites)}
	add := func(name, value string) {
		if value != "" && value != "0" {
			all.Counts = append(all.Counts, domains.Count{Name: name, Value: value})
		}
	}
	add("Atom Sites", strconv.Itoa(len(s.sites)))
	add("Aniso Parameters", strconv.Itoa(len(s.aniso)))
	add("Bonds", strconv.Itoa(len(s.bonds)))
	add("Angles", strconv.Itoa(len(s.angles)))
	add("H-Bonds", strconv.Itoa(len(s.hydrogen)))
	add("Space Group", s.stated[0])
	add("Symm Ops", strconv.Itoa(len(s.operations)))
	add("Formula", s.stated[1])
	return all
}
