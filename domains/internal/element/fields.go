package element

import (
	"cmp"
	"slices"
	"strings"
)

// fieldPair is a field of both sides, or of one.
type fieldPair struct {
	name, was, is string
	inRef, inGot  bool
}

// fewFields is the number of fields of either side that are paired without a list on the heap.
const fewFields = 64

// partners are the places, from 1, of the fields that those of a reference are paired with; 0 is none.
type partners [fewFields]uint8

// pair pairs fields by name; those of one name by equal value, what is left of them in order. A bit of used is set for each
// field of got that has a partner.
func (p *partners) pair(ref, got []Field) (used uint64) {
	take := func(i, j int) {
		p[i] = uint8(j + 1)
		used |= 1 << j
	}
	next := 0 // the partner mostly stands after that of the field before
	for i := range ref {
		for range got {
			if next >= len(got) {
				next = 0
			}
			j := next
			next++
			if used>>j&1 == 0 && got[j] == ref[i] {
				take(i, j)
				break
			}
		}
	}
	for i := range ref {
		if p[i] != 0 {
			continue
		}
		for j := range got {
			if used>>j&1 == 0 && got[j].Name == ref[i].Name {
				take(i, j)
				break
			}
		}
	}
	return used
}

// aligned reports whether pairFields would pair each field with the one at its place: the names are the same, and
// none of those whose values differ is that of another field.
func aligned(ref, got []Field) bool {
	if len(ref) != len(got) {
		return false
	}
	for k := range ref {
		if ref[k].Name != got[k].Name {
			return false
		}
	}
	looks := 0
	for k := range ref {
		if ref[k].Value == got[k].Value {
			continue
		}
		const mostLooks = 1 << 10 // pairFields takes little longer
		if looks += len(ref); looks > mostLooks {
			return false
		}
		for other := range ref {
			if other != k && ref[other].Name == ref[k].Name {
				return false
			}
		}
	}
	return true
}

// pairFields pairs fields by name; those of one name by equal value, what is left of them in order.
func pairFields(ref, got []Field) []fieldPair {
	if max(len(ref), len(got)) > fewFields {
		return pairMany(ref, got)
	}
	var partner partners
	used := partner.pair(ref, got)
	pairs := make([]fieldPair, len(ref), len(ref)+len(got))
	for i, f := range ref {
		pairs[i] = fieldPair{name: f.Name, was: f.Value, inRef: true}
		if j := int(partner[i]) - 1; j >= 0 {
			pairs[i].is, pairs[i].inGot = got[j].Value, true
		}
	}
	for j, f := range got {
		if used>>j&1 == 0 {
			pairs = append(pairs, fieldPair{name: f.Name, is: f.Value, inGot: true})
		}
	}
	return pairs
}

// pairMany is pairFields in time that grows with the number of fields: both sides are
// sorted and merged, first by name and value, then what is left by name and place.
func pairMany(ref, got []Field) []fieldPair {
	pairs := make([]fieldPair, len(ref), len(ref)+len(got))
	for i, f := range ref {
		pairs[i] = fieldPair{name: f.Name, was: f.Value, inRef: true}
	}
	used := make([]bool, len(got))
	take := func(i, j int) {
		used[j] = true
		pairs[i].is, pairs[i].inGot = got[j].Value, true
	}
	for k := 0; k < min(len(ref), len(got)) && ref[k] == got[k]; k++ {
		take(k, k)
	}
	byValue := func(a, b Field) int {
		if order := strings.Compare(a.Name, b.Name); order != 0 {
			return order
		}
		return strings.Compare(a.Value, b.Value)
	}
	paired := func(i int) bool { return pairs[i].inGot }
	taken := func(j int) bool { return used[j] }
	merge(places(ref, paired, byValue), places(got, taken, byValue), ref, got, byValue, take)
	byName := func(a, b Field) int { return strings.Compare(a.Name, b.Name) }
	merge(places(ref, paired, byName), places(got, taken, byName), ref, got, byName, take)
	for j, f := range got {
		if !used[j] {
			pairs = append(pairs, fieldPair{name: f.Name, is: f.Value, inGot: true})
		}
	}
	return pairs
}

// places are those of the fields that are not done, sorted; equal ones stay in order.
func places(fields []Field, done func(int) bool, order func(a, b Field) int) []int {
	all := make([]int, 0, len(fields))
	for i := range fields {
		if !done(i) {
			all = append(all, i)
		}
	}
	slices.SortFunc(all, func(i, j int) int { return cmp.Or(order(fields[i], fields[j]), i-j) })
	return all
}

// merge takes each pair of equal fields of two sorted lists of places.
func merge(refs, gots []int, ref, got []Field, order func(a, b Field) int, take func(i, j int)) {
	for len(refs) > 0 && len(gots) > 0 {
		switch c := order(ref[refs[0]], got[gots[0]]); {
		case c < 0:
			refs = refs[1:]
		case c > 0:
			gots = gots[1:]
		default:
			take(refs[0], gots[0])
			refs, gots = refs[1:], gots[1:]
		}
	}
}
