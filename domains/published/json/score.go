package json

import (
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/sets"
)

// Stats counts key paths and depth.
func Stats(root *Value) domains.Stats {
	paths := len(root.paths())
	return domains.Stats{Elements: paths, Counts: []domains.Count{
		{Name: "Key Paths", Value: strconv.Itoa(paths)},
		{Name: "Max Depth", Value: strconv.Itoa(root.depth())},
	}}
}

// depth is the number of members and items from the outermost value to the innermost list or object.
func (v *Value) depth() int {
	deepest := 0
	for _, item := range v.items {
		deepest = max(deepest, 1+item.depth())
	}
	for _, m := range v.members {
		deepest = max(deepest, 1+m.value.depth())
	}
	return deepest
}

// Score is 0.3 coverage + 0.7 values, or 1 if all values are equal.
func Score(reference, candidate *Value) domains.Reading {
	refs, gots := reference.paths(), candidate.paths()
	counts := domains.Elements{Reference: len(refs), Candidate: len(gots)}
	if inner := unwrapped(reference, candidate); inner != reference {
		reference, refs = inner, inner.paths()
	}
	if inner := unwrapped(candidate, reference); inner != candidate {
		candidate, gots = inner, inner.paths()
	}
	coverage, values := sets.Jaccard(refs, gots), similarity(reference, candidate)
	total := 1.0
	if values < 1 {
		// The conversions keep the products from being fused into the sum.
		total = float64(0.3*coverage) + float64(0.7*values)
	}
	return domains.Reading{
		RS:         total,
		Components: map[string]float64{"coverage": coverage, "values": values},
		Elements:   counts,
	}
}

// unwrapped is the list that is the only member of an object, where the other side is a list.
func unwrapped(v, other *Value) *Value {
	if other.kind == listValue && v.kind == objectValue && len(v.members) == 1 && v.members[0].value.kind == listValue {
		return v.members[0].value
	}
	return v
}

// similarity is the mean over the members of an object, over the items of a
// list by their places, and all or nothing for a scalar.
func similarity(a, b *Value) float64 {
	if a.kind != b.kind {
		return 0
	}
	switch a.kind {
	case listValue:
		return sets.InPlace(a.items, b.items, func(a, b **Value) float64 { return similarity(*a, *b) })
	case objectValue:
		return memberSimilarity(a.members, b.members)
	}
	return sets.OneIf(a.scalar == b.scalar && (a.kind != numberValue || a.scalar != notANumber))
}

func memberSimilarity(a, b []valueMember) float64 {
	sum, union := 0.0, 0
	for len(a) > 0 || len(b) > 0 {
		union++
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].key < b[0].key:
			a = a[1:]
		case len(a) == 0 || b[0].key < a[0].key:
			b = b[1:]
		default:
			sum += similarity(a[0].value, b[0].value)
			a, b = a[1:], b[1:]
		}
	}
	if union == 0 {
		return 1
	}
	return sum / float64(union)
}

// path stands for the text of a key path, such as panels[0].title: its 64-bit
// FNV-1a hash. Texts would grow with the square of the depth.
type path uint64

const emptyPath path = 14695981039346656037

func (p path) with(text string) path {
	const prime = 1099511628211
	for i := range len(text) {
		p = (p ^ path(text[i])) * prime
	}
	return p
}

// paths returns the key paths of a document in order, each once.
func (v *Value) paths() []path {
	if v.known != nil {
		return *v.known
	}
	all := v.pathsBelow(nil, emptyPath)
	slices.Sort(all)
	return slices.Compact(all)
}

func (v *Value) pathsBelow(all []path, at path) []path {
	var digits [20]byte
	for i, item := range v.items {
		p := at.with("[").with(string(strconv.AppendInt(digits[:0], int64(i), 10))).with("]")
		all = item.pathsBelow(append(all, p), p)
	}
	for _, m := range v.members {
		p := at
		if p != emptyPath {
			p = p.with(".")
		}
		p = p.with(m.path)
		all = m.value.pathsBelow(append(all, p), p)
	}
	return all
}
