package molecule

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
)

// renumbered gives the records of a candidate the atoms and bonds of the reference's where they
// differ in nothing but the numbers of the atoms: which line an atom stands on means nothing, if
// the bonds lead to the same ones.
func renumbered(reference, candidate []domains.Element) (ref, got []domains.Element) {
	records := map[string]*domains.Element{}
	for i := range reference {
		if e := &reference[i]; e.Kind == counted {
			records[e.Key] = e
		}
	}
	got = candidate
	for i := range candidate {
		was := records[candidate[i].Key]
		if was == nil || candidate[i].Kind != counted || slices.Equal(was.Fields, candidate[i].Fields) {
			continue
		}
		if sameDrawing(was.Fields, candidate[i].Fields) {
			if &got[0] == &candidate[0] {
				got = slices.Clone(candidate)
			}
			others := slices.DeleteFunc(slices.Clone(candidate[i].Fields), isDrawn)
			drawn := slices.DeleteFunc(slices.Clone(was.Fields), func(f domains.Field) bool { return !isDrawn(f) })
			got[i].Fields = append(others, drawn...)
		}
	}
	return reference, got
}

// isDrawn reports whether a field is of an atom or a bond.
func isDrawn(f domains.Field) bool {
	return strings.HasPrefix(f.Name, "atom ") || strings.HasPrefix(f.Name, "bond ")
}

// drawn is a connection table by its fields, the atoms called by symbol and place.
type drawn struct {
	facts []string       // what is said of atoms and bonds, save orders of 1 and 2
	bonds map[string]int // those orders, by the ends
	sums  map[string]int // by the atom
}

// sameDrawing reports whether two tables have the same atoms in the same places with the same
// bonds. Double bonds of a ring may stand the other way round, as long as each atom has as many.
func sameDrawing(a, b []domains.Field) bool {
	was, ok := readDrawn(a)
	if !ok {
		return false
	}
	is, ok := readDrawn(b)
	if !ok || len(was.bonds) != len(is.bonds) || !slices.Equal(was.facts, is.facts) {
		return false
	}
	for ends := range was.bonds {
		if is.bonds[ends] == 0 {
			return false
		}
	}
	return maps.Equal(was.sums, is.sums)
}

// readDrawn is false for a table of which two atoms are in one place, or that cannot be read.
func readDrawn(fields []domains.Field) (*drawn, bool) {
	names, ok := atomNames(fields)
	if !ok {
		return nil, false
	}
	d := &drawn{bonds: map[string]int{}, sums: map[string]int{}}
	for _, f := range fields {
		kind, rest, _ := strings.Cut(f.Name, " ")
		number, what, _ := strings.Cut(rest, " ")
		switch {
		case !isDrawn(f) || what == "place":
		case kind == "atom":
			d.facts = append(d.facts, names[number]+" "+what+": "+f.Value)
		default:
			first, second, _ := strings.Cut(number, "-")
			ends := []string{names[first], names[second]}
			order, err := strconv.Atoi(f.Value)
			if what == "" && err == nil && order <= 2 && ends[0] != "" && ends[1] != "" {
				d.sums[ends[0]] += order
				d.sums[ends[1]] += order
				slices.Sort(ends)
				d.bonds[strings.Join(ends, " to ")] += order
				continue
			}
			value := f.Value
			if text, from, ok := strings.Cut(value, " from "); ok {
				value = text + " from " + names[from]
			}
			slices.Sort(ends)
			d.facts = append(d.facts, strings.Join(ends, " to ")+" "+what+": "+value)
		}
	}
	slices.Sort(d.facts)
	return d, true
}

// atomNames calls each atom by its place from the left lower corner of the drawing.
func atomNames(fields []domains.Field) (names map[string]string, ok bool) {
	var numbers []string
	var places [][3]int64
	for _, f := range fields {
		rest, isAtom := strings.CutPrefix(f.Name, "atom ")
		number, what, _ := strings.Cut(rest, " ")
		switch {
		case !isAtom:
		case what == "":
			at := [3]int64{}
			if len(places) > 0 {
				at = places[len(places)-1]
			}
			numbers, places = append(numbers, number), append(places, at)
		case what == "place":
			for axis, step := range strings.Fields(f.Value) {
				length, err := strconv.ParseFloat(step, 64)
				if err != nil || axis > 2 || len(places) == 0 {
					return nil, false
				}
				places[len(places)-1][axis] += int64(math.Round(length * 1e4))
			}
		}
	}
	corner := [3]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64}
	for _, at := range places {
		for axis := range at {
			corner[axis] = min(corner[axis], at[axis])
		}
	}
	names, taken := map[string]string{}, map[string]bool{}
	for n, at := range places {
		name := fmt.Sprintf("(%d %d %d)", at[0]-corner[0], at[1]-corner[1], at[2]-corner[2])
		if taken[name] {
			return nil, false
		}
		names[numbers[n]], taken[name] = name, true
	}
	return names, len(names) > 0
}
