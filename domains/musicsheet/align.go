package musicsheet

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
)

// aligned returns what Strict compares. A melody says the same again and again, so elements are paired by where they
// stand: each variable of the candidate is laid next to its partner in the reference, and a longest common sequence
// decides which elements are the same. Names of variables mean nothing if they are used in the same way, nor does the
// order of the variables; added comments are forgiven.
func aligned(reference, candidate []domains.Element) ([]domains.Element, []domains.Element) {
	reference, candidate = element.Harmless{Kind: commentKind}.Forgive(reference, candidate)
	if slices.EqualFunc(reference, candidate, sameElement) {
		return reference, candidate
	}
	a := aligner{
		ref: slices.Clone(reference), got: slices.Clone(candidate), refs: variables(reference), gots: variables(candidate),
	}
	a.findPartners()
	a.rename()
	a.pairAll()
	a.renumber()
	return a.ref, a.got
}

func sameElement(a, b domains.Element) bool {
	return a.Kind == b.Kind && slices.Equal(a.Fields, b.Fields)
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
		name := within(&elements[i])
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

type aligner struct {
	ref, got   []domains.Element
	refs, gots []variable
	partner    []int // of each variable of the candidate its number in the reference, or -1
}

// findPartners gives each variable of the candidate the one of its name, otherwise that of
// its content, otherwise the next that is left if it is alike.
func (a *aligner) findPartners() {
	a.partner = slices.Repeat([]int{-1}, len(a.gots))
	taken := make([]bool, len(a.refs))
	take := func(j, i int) { a.partner[j], taken[i] = i, true }
	byName := make(map[string]int, len(a.refs))
	for i := range a.refs {
		byName[a.refs[i].name] = i
	}
	for j := range a.gots {
		if i, known := byName[a.gots[j].name]; known {
			take(j, i)
		}
	}
	if !slices.Contains(a.partner, -1) {
		return
	}
	byContent := map[string][]int{}
	refs, gots := make([][]uint64, len(a.refs)), make([][]uint64, len(a.gots))
	for i := range a.refs {
		if !taken[i] {
			refs[i] = hashes(a.refs[i].of, a.ref)
			content := fmt.Sprint(refs[i])
			byContent[content] = append(byContent[content], i)
		}
	}
	for j := range a.gots {
		if a.partner[j] >= 0 {
			continue
		}
		gots[j] = hashes(a.gots[j].of, a.got)
		content := fmt.Sprint(gots[j])
		if same := byContent[content]; len(same) > 0 {
			take(j, same[0])
			byContent[content] = same[1:]
		}
	}
	left := 0 // no variable of the reference before it is free
	for j := range a.gots {
		for left < len(taken) && taken[left] {
			left++
		}
		if a.partner[j] < 0 && left < len(taken) && alike(refs[left], gots[j]) {
			take(j, left)
		}
	}
}

// alike reports whether at least half of the elements of the longer variable are in the shorter one, too.
func alike(ref, got []uint64) bool {
	if 2*min(len(ref), len(got)) < max(len(ref), len(got)) {
		return false
	}
	counts := make(map[uint64]int, len(ref))
	for _, h := range ref {
		counts[h]++
	}
	common := 0
	for _, h := range got {
		if counts[h] > 0 {
			counts[h]--
			common++
		}
	}
	return 2*common >= max(len(ref), len(got))
}

// hashes are equal for elements that say the same, in any variable.
func hashes(of []int, elements []domains.Element) []uint64 {
	return lists.Map(of, func(i int) uint64 {
		return element.InOrder(&domains.Element{Kind: elements[i].Kind, Fields: elements[i].Fields[1:]})
	})
}

// rename gives variables of the candidate, and the commands that use them, the names of their partners.
func (a *aligner) rename() {
	names := map[string]string{}
	for j, i := range a.partner {
		if i >= 0 && a.gots[j].name != a.refs[i].name {
			names[a.gots[j].name] = a.refs[i].name
		}
	}
	if len(names) == 0 {
		return
	}
	lost := map[string]bool{} // names of the reference that no variable of the candidate has any more
	for _, name := range names {
		lost[name] = true
	}
	for _, got := range a.gots {
		delete(lost, got.name)
	}
	renamed := func(f domains.Field) string {
		if f.Name == inField {
			return cmp.Or(names[f.Value], f.Value)
		}
		if used, ok := strings.CutPrefix(f.Value, `\`); ok && f.Name == "command" {
			if lost[used] {
				return f.Value + ", which is not defined"
			}
			return `\` + cmp.Or(names[used], used)
		}
		return f.Value
	}
	for j := range a.got {
		e := &a.got[j]
		for n, f := range e.Fields {
			if value := renamed(f); value != f.Value {
				e.Fields = slices.Clone(e.Fields) // other elements may share them
				e.Fields[n].Value = value
			}
		}
	}
}

// pairAll aligns the variables with their partners. Elements that are the same get
// one number on both sides; the others say after which of these they stand.
func (a *aligner) pairAll() {
	numbered := 0
	for j, i := range a.partner {
		if i < 0 {
			continue
		}
		refs, gots := a.refs[i].of, a.gots[j].of
		pairs := lists.Common(hashes(refs, a.ref), hashes(gots, a.got))
		if pairs == nil {
			continue
		}
		after := "at the beginning"
		r, g := 0, 0
		for _, p := range pairs {
			a.gap(refs[r:p.Ref], gots[g:p.Got], after)
			r, g = p.Ref+1, p.Got+1
			same := &a.ref[refs[p.Ref]]
			after = "after " + same.Key
			numbered++
			// One field will do: nothing more is asked of what is the same.
			number := []domains.Field{{Name: "number", Value: strconv.Itoa(numbered)}}
			same.Fields, a.got[gots[p.Got]].Fields = number, number
		}
		a.gap(refs[r:], gots[g:], after)
	}
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
			e.Fields = append(slices.Clip(e.Fields), domains.Field{Name: "place", Value: where})
		}
	}
	note(a.ref, refs)
	note(a.got, gots)
}

// renumber numbers the candidate's elements in the order of the reference's variables.
// Members of a chord keep sharing a position.
func (a *aligner) renumber() {
	number(a.ref, lists.Each(a.refs, func(v *variable) []int { return v.of }))
	of := make([][]int, len(a.refs)+1)
	for j, i := range a.partner {
		if i < 0 {
			i = len(a.refs)
		}
		of[i] = append(of[i], a.gots[j].of...)
	}
	number(a.got, of)
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
