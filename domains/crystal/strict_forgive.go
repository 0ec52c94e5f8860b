package crystal

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
)

// bondRow is what a row of the loop of bonds is called.
const bondRow = "bond"

// turned turns those bonds of a candidate around that the reference lists from their other
// end: a bond between two atoms of the list is the same from either. With a symmetry operation
// at an end the two are told apart.
func turned(ref, got []domains.Element) ([]domains.Element, []domains.Element) {
	known := map[string]bool{}
	for i := range ref {
		if ref[i].Kind == bondRow {
			known[text(ref[i].Fields)] = true
		}
	}
	cloned := false
	for i := range got {
		if got[i].Kind != bondRow || known[text(got[i].Fields)] {
			continue
		}
		fields := fromOtherEnd(got[i].Fields)
		if fields == nil || !known[text(fields)] {
			continue
		}
		if !cloned {
			got, cloned = slices.Clone(got), true
		}
		got[i].Fields = fields
	}
	return ref, got
}

// text is equal for rows of equal fields.
func text(fields []domains.Field) string { return fmt.Sprintf("%q", fields) }

// fromOtherEnd are the fields of a bond with its two atoms changed; nil if they may not be.
func fromOtherEnd(fields []domains.Field) []domains.Field {
	fields = slices.Clone(fields)
	var ends []*string
	for i := range fields {
		switch f := &fields[i]; {
		case strings.HasPrefix(f.Name, "_geom_bond_site_symmetry_") && f.Value != "" && f.Value != ".":
			return nil
		case f.Name == bondTags[0] || f.Name == bondTags[1]:
			ends = append(ends, &f.Value)
		}
	}
	if len(ends) != 2 {
		return nil
	}
	*ends[0], *ends[1] = *ends[1], *ends[0]
	return fields
}
