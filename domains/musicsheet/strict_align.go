package musicsheet

import (
	"hash/maphash"
	"slices"
	"strconv"

	"agentd/domains"
)

// aligned returns what Strict compares. A melody says the same again and again, so
// elements are paired by where they stand: each variable of the candidate is laid
// next to its partner in the reference, and a longest common sequence decides which
// elements are the same. Names of variables mean nothing if they are used in the same
// way, nor does the order of the variables; added comments are forgiven.
func aligned(reference, candidate []domains.Element) ([]domains.Element, []domains.Element) {
	candidate = withoutAddedComments(reference, candidate)
	if sameElements(reference, candidate) {
		return reference, candidate
	}
	refs, gots := variables(reference), variables(candidate)
	a := aligner{ref: slices.Clone(reference), got: slices.Clone(candidate)}
	partner := partners(refs, gots, reference, candidate)
	a.rename(refs, gots, partner)
	a.pairAll(refs, gots, partner)
	a.place(refs, gots, partner)
	return a.ref, a.got
}

func sameElements(a, b []domains.Element) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Kind != b[i].Kind || !slices.Equal(a[i].Fields, b[i].Fields) {
			return false
		}
	}
	return true
}

// withoutAddedComments leaves out the comments that the reference has not.
func withoutAddedComments(reference, candidate []domains.Element) []domains.Element {
	const comment = "comment"
	said := map[string]int{}
	for i := range reference {
		if reference[i].Kind == comment {
			said[reference[i].Fields[0].Value]++
		}
	}
	adds := false
	kept := make([]domains.Element, 0, len(candidate))
	for i := range candidate {
		if e := &candidate[i]; e.Kind == comment {
			if said[e.Fields[0].Value] == 0 {
				adds = true
				continue
			}
			said[e.Fields[0].Value]--
		}
		kept = append(kept, candidate[i])
	}
	if !adds {
		return candidate
	}
	return kept
}

// variable is the elements of a variable or a score block, in order.
type variable struct {
	name string
	of   []int
}

// variables divides a document's elements. One that is defined twice counts as one.
func variables(elements []domains.Element) []variable {
	var all []variable
	at := map[string]int{}
	last, open := "", -1
	for i := range elements {
		name := place(&elements[i])
		if name == "" {
			continue
		}
		if name != last {
			known := false
			if open, known = at[name]; !known {
				open = len(all)
				at[name] = open
				all = append(all, variable{name: name})
			}
			last = name
		}
		all[open].of = append(all[open].of, i)
	}
	return all
}

// partners gives each variable of the candidate its number in the reference: that
// of its name, otherwise that of its content, otherwise the next that is left. It is -1 for
// what is more.
func partners(refs, gots []variable, reference, candidate []domains.Element) []int {
	byName := make(map[string]int, len(refs))
	for i := range refs {
		byName[refs[i].name] = i
	}
	taken := make([]bool, len(refs))
	partner := make([]int, len(gots))
	var unnamed []int
	for j := range gots {
		i, known := byName[gots[j].name]
		if !known {
			partner[j] = -1
			unnamed = append(unnamed, j)
			continue
		}
		partner[j] = i
		taken[i] = true
	}
	if len(unnamed) == 0 {
		return partner
	}
	byContent := map[uint64][]int{}
	var left []int
	for i := range refs {
		if !taken[i] {
			left = append(left, i)
			c := contentHash(refs[i].of, reference)
			byContent[c] = append(byContent[c], i)
		}
	}
	take := func(j, i int) { partner[j], taken[i] = i, true }
	for _, j := range unnamed {
		c := contentHash(gots[j].of, candidate)
		if same := byContent[c]; len(same) > 0 {
			take(j, same[0])
			byContent[c] = same[1:]
		}
	}
	for _, j := range unnamed {
		for len(left) > 0 && taken[left[0]] {
			left = left[1:]
		}
		if partner[j] < 0 && len(left) > 0 && alike(refs[left[0]].of, gots[j].of, reference, candidate) {
			take(j, left[0])
		}
	}
	return partner
}

// alike reports whether at least half of the elements of the longer variable are in
// the shorter one, too.
func alike(ref, got []int, reference, candidate []domains.Element) bool {
	if 2*min(len(ref), len(got)) < max(len(ref), len(got)) {
		return false
	}
	counts := make(map[uint64]int, len(ref))
	for _, i := range ref {
		counts[elementHash(&reference[i])]++
	}
	common := 0
	for _, j := range got {
		if h := elementHash(&candidate[j]); counts[h] > 0 {
			counts[h]--
			common++
		}
	}
	return 2*common >= max(len(ref), len(got))
}

var hashSeed = maphash.MakeSeed()

// elementHash is equal for elements that say the same, in any variable.
func elementHash(e *domains.Element) uint64 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	h.WriteString(e.Kind)
	for _, f := range e.Fields {
		if f.Name == inField {
			continue
		}
		h.WriteByte(0)
		h.WriteString(f.Name)
		h.WriteByte(0)
		h.WriteString(f.Value)
	}
	return h.Sum64()
}

func contentHash(of []int, elements []domains.Element) uint64 {
	var h maphash.Hash
	h.SetSeed(hashSeed)
	for _, i := range of {
		maphash.WriteComparable(&h, elementHash(&elements[i]))
	}
	return h.Sum64()
}

type aligner struct{ ref, got []domains.Element }

// rename gives variables of the candidate, and the commands that use them, the names
// of their partners.
func (a *aligner) rename(refs, gots []variable, partner []int) {
	names := map[string]string{}
	for j, i := range partner {
		if i >= 0 && gots[j].name != refs[i].name {
			names[gots[j].name] = refs[i].name
		}
	}
	if len(names) == 0 {
		return
	}
	for j := range a.got {
		e := &a.got[j]
		var fields []domains.Field
		set := func(n int, value string) {
			if fields == nil {
				fields = slices.Clone(e.Fields)
				e.Fields = fields
			}
			fields[n].Value = value
		}
		for n := range e.Fields {
			switch f := e.Fields[n]; {
			case f.Name == inField:
				if to, renamed := names[f.Value]; renamed {
					set(n, to)
				}
			case f.Name == "command" && len(f.Value) > 1 && f.Value[0] == '\\':
				if to, renamed := names[f.Value[1:]]; renamed {
					set(n, `\`+to)
				}
			}
		}
	}
}

// pairAll aligns the variables with their partners. Elements that are the same get
// one number on both sides; the others say after which of these they stand.
func (a *aligner) pairAll(refs, gots []variable, partner []int) {
	numbered := 0
	for j, i := range partner {
		if i < 0 {
			continue
		}
		ref, got := a.hashes(refs[i].of, a.ref), a.hashes(gots[j].of, a.got)
		pairs := common(ref, got)
		if pairs == nil {
			continue
		}
		after := "at the beginning"
		r, g := 0, 0
		for _, p := range pairs {
			a.gap(refs[i].of[r:p.ref], gots[j].of[g:p.got], after)
			r, g = p.ref+1, p.got+1
			same := &a.ref[refs[i].of[p.ref]]
			after = "after " + same.Key
			numbered++
			// One field will do: nothing more is asked of what is the same.
			number := []domains.Field{{Name: "number", Value: strconv.Itoa(numbered)}}
			same.Fields, a.got[gots[j].of[p.got]].Fields = number, number
		}
		a.gap(refs[i].of[r:], gots[j].of[g:], after)
	}
}

func (a *aligner) hashes(of []int, elements []domains.Element) []uint64 {
	all := make([]uint64, len(of))
	for n, i := range of {
		all[n] = elementHash(&elements[i])
	}
	return all
}

// gap notes where elements stand that have no equal partner. Where both sides have
// as many, the first is likely the first, and so on.
func (a *aligner) gap(refs, gots []int, after string) {
	oneByOne := len(refs) == len(gots) && len(refs) > 1
	note := func(elements []domains.Element, of []int) {
		for n, i := range of {
			e, where := &elements[i], after
			if oneByOne {
				where += ", " + strconv.Itoa(n+1)
			}
			fields := make([]domains.Field, 0, len(e.Fields)+1)
			e.Fields = append(append(fields, e.Fields...), domains.Field{Name: "place", Value: where})
		}
	}
	note(a.ref, refs)
	note(a.got, gots)
}

// place numbers the candidate's elements in the order of the reference's variables.
// Members of a chord keep sharing a position.
func (a *aligner) place(refs, gots []variable, partner []int) {
	of := make([][]int, len(refs)+1)
	for j, i := range partner {
		if i < 0 {
			i = len(refs)
		}
		of[i] = append(of[i], gots[j].of...)
	}
	number(a.got, of)
	own := make([][]int, len(refs))
	for i := range refs {
		own[i] = refs[i].of
	}
	number(a.ref, own)
}

func number(elements []domains.Element, order [][]int) {
	position := 0
	for _, of := range order {
		was := 0
		for _, i := range of {
			if elements[i].Position != was {
				position++
			}
			was = elements[i].Position
			elements[i].Position = position
		}
	}
}
