package crystal

import (
	"strconv"

	"agentd/domains"
)

const counted = "atom site"

const itemKind = "item"

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
