// Package element compares documents that were flattened into elements, the same way for every domain: it pairs the
// elements of both sides, names what was lost, added, changed or moved, and computes the strict score from that list.
package element

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"agentd/domains/internal/notes"
	"agentd/domains/internal/plain"
)

// Field is one named value of an element. The fields of an element are a multiset: names may repeat, and their order
// means nothing. Where it does mean something, the name says the place ("line 2").
type Field struct{ Name, Value string }

// Element is a part of a document: a transaction, a cue, a row, a comment.
type Element struct {
	Kind string // only elements of one kind are paired
	// Key is how a practitioner would call the element; it prefixes the differences and makes elements with equal keys
	// likely partners. It is not compared.
	Key    string
	Fields []Field // what is compared, normalised by the format's own rules
	// Position is the element's place among those of its kind where order has meaning. Elements that may change places
	// share a position; where order means nothing all are 0.
	Position int
	// Weightless elements are named where they are lost, added or changed, and cost nothing: they are somebody's words, such as a
	// comment, where labels by practitioners say that the document is the same without them. Harmless sets it, and so do some
	// domains themselves. Elsewhere a comment weighs as any other element.
	Weightless bool
}

// Value returns the first field of that name, "" if there is none.
func (e *Element) Value(name string) string {
	for i := range e.Fields {
		if e.Fields[i].Name == name {
			return e.Fields[i].Value
		}
	}
	return ""
}

// Change is what happened to an element.
type Change uint8

// What can happen to an element.
const (
	Lost    Change = iota // it is in the reference alone
	Added                 // it is in the candidate alone
	Changed               // some of its fields differ
	Moved                 // its fields are the same, its position is not
)

func (c Change) String() string { return [...]string{"lost", "added", "changed", "moved"}[c] }

// Difference is one change, in words: for Lost, Added and Moved of the whole element, for Changed of one of its fields.
type Difference struct {
	Kind  Change
	Where string
	Was   string // empty where there was nothing
	Is    string // empty where there is nothing
	// Gone says of Changed that the field, or a value in it, is there no more and nothing has taken its place.
	Gone bool
}

// Verdict is the kind of the difference for those who ask what is lost: Lost also where an element
// stays and one of its fields is gone.
func (d Difference) Verdict() Change {
	if d.Gone {
		return Lost
	}
	return d.Kind
}

// Part says to what a Difference happened.
type Part struct {
	Element string // the kind of the element, as in "transaction"
	Field   string // of Changed, the name of the field; empty where the field has none
}

func (d Difference) String() string {
	switch d.Kind {
	case Lost:
		return fmt.Sprintf("%s: lost (%s)", d.Where, d.Was)
	case Added:
		return fmt.Sprintf("%s: added (%s)", d.Where, d.Is)
	case Moved:
		return fmt.Sprintf("%s: moved from place %s to %s", d.Where, d.Was, d.Is)
	}
	return fmt.Sprintf("%s: %s -> %s", d.Where, orNothing(d.Was), orNothing(d.Is))
}

func orNothing(s string) string {
	if s == "" {
		return "(nothing)"
	}
	return s
}

// Comparison is the outcome of comparing two documents.
type Comparison struct {
	Differences []Difference
	Parts       []Part // of each of the differences
	// Strict is 1 if there is no difference. An element of the counted kind that was lost, and one that was added, each
	// costs its whole share, a changed one the share of the fields that differ, one that was only moved half its share;
	// so of N elements K lost leave at most 1 - K/N. Damage to elements of other kinds scales what is left, each
	// element having the weight of a counted one, or none (see Element.Weightless).
	Strict float64
}

// movedKeeps is the share of an element's worth that it keeps out of place.
const movedKeeps = 0.5

// Compare pairs the elements of both sides. counted names the kind that the domain counts.
func Compare(reference, candidate []Element, counted string) Comparison {
	return By{Counted: counted}.Compare(reference, candidate)
}

// By says how documents of a domain are compared.
type By struct {
	Counted string // the kind that the domain counts
	// OneOrder says that a Position is a place among the elements of all kinds: a paragraph that follows a list precedes it no more.
	OneOrder bool
}

// Compare pairs the elements of both sides.
func (b By) Compare(reference, candidate []Element) Comparison {
	c := comparer{By: b, naming: true}
	c.compare(reference, candidate)
	return c.Comparison
}

// Strict is the score of Compare without the list. noted says which limits on work acted.
func (b By) Strict(reference, candidate []Element, noted *notes.Notes) float64 {
	c := comparer{By: b, noted: noted}
	c.compare(reference, candidate)
	return c.Comparison.Strict
}

// Strict is the score of Compare without the list, which of a large document
// costs more than the score. noted says which limits on work acted.
func Strict(reference, candidate []Element, counted string, noted *notes.Notes) float64 {
	return By{Counted: counted}.Strict(reference, candidate, noted)
}

// comparer is a comparison in the making.
type comparer struct {
	By
	Comparison
	naming bool // of the differences
	noted  *notes.Notes
}

// Sides are the elements of a reference and of a candidate that are paired with each other and with no others, as those of
// one file.
type Sides struct{ Reference, Candidate []Element }

// StrictOfSides is Strict, without a counted kind, of elements that stand apart.
func StrictOfSides(all []Sides, noted *notes.Notes) float64 {
	c := comparer{noted: noted}
	var sum tally
	for _, s := range all {
		c.add(s.Reference, s.Candidate, &sum, &sum)
	}
	return scaled(1, sum, sum.total)
}

func (c *comparer) compare(reference, candidate []Element) {
	main, other := tally{}, tally{}
	c.add(reference, candidate, &main, &other)
	c.Comparison.Strict = scaled(main.share(), other, main.total+other.total)
}

// scaled is a share of counted elements, scaled by damage to other elements; all is what both are worth.
func scaled(share float64, other tally, all float64) float64 {
	if damage := other.total - other.kept; damage > 0 {
		share *= 1 - damage/all
	}
	return share
}

// add compares the elements of both sides: those of the counted kind count in main.
func (c *comparer) add(reference, candidate []Element, main, other *tally) {
	kinds, refs := byKind(reference)
	more, gots := byKind(candidate)
	for _, kind := range more {
		if refs[kind] == nil {
			kinds = append(kinds, kind)
		}
	}
	all := make([]matched, len(kinds))
	for n, kind := range kinds {
		m := matched{ref: refs[kind], got: gots[kind]}
		m.pairs = match(m.ref, m.got, c.noted)
		m.moved = movedPairs(m.ref, m.got, m.pairs)
		all[n] = m
	}
	if c.OneOrder {
		movedAmongAll(all)
	}
	for n, kind := range kinds {
		t := other
		if kind == c.Counted {
			t = main
		}
		c.compareKind(&all[n], t)
	}
}

// matched are the elements of a kind, the pairs of them, and which of the reference are out of order.
type matched struct {
	ref, got []Element
	pairs    []pair
	moved    []bool
}

// tally sums what elements were worth and what of it was kept.
type tally struct{ total, kept float64 }

func (t tally) share() float64 {
	if t.total == 0 {
		return 1
	}
	return t.kept / t.total
}

func (c *comparer) compareKind(m *matched, t *tally) {
	ref, got, pairs := m.ref, m.got, m.pairs
	partner, taken := slices.Repeat([]int{-1}, len(ref)), make([]bool, len(got))
	for _, p := range pairs {
		partner[p.ref] = p.got
		taken[p.got] = true
	}
	t.total += float64(len(ref) + len(got) - len(pairs))
	for i := range ref {
		j := partner[i]
		if j < 0 {
			if c.naming {
				c.name(Part{Element: ref[i].Kind}, Difference{Kind: Lost, Where: ref[i].Key, Was: ref[i].summary()})
			}
			if ref[i].Weightless {
				t.total--
			}
			continue
		}
		kept := c.compareFields(&ref[i], &got[j])
		if ref[i].Weightless {
			kept = 1
		}
		if m.moved[i] {
			kept *= movedKeeps
			if c.naming {
				c.name(Part{Element: ref[i].Kind}, Difference{
					Kind: Moved, Where: ref[i].Key,
					Was: fmt.Sprint(ref[i].Position), Is: fmt.Sprint(got[j].Position),
				})
			}
		}
		t.kept += kept
	}
	for j := range got {
		switch {
		case taken[j]:
			continue
		case got[j].Weightless:
			t.total--
		}
		if c.naming {
			c.name(Part{Element: got[j].Kind}, Difference{Kind: Added, Where: got[j].Key, Is: got[j].summary()})
		}
	}
}

func (c *comparer) name(p Part, d Difference) {
	c.Parts, c.Differences = append(c.Parts, p), append(c.Differences, d)
}

// compareFields names the fields that differ and returns the share of equal ones.
func (c *comparer) compareFields(ref, got *Element) float64 {
	if slices.Equal(ref.Fields, got.Fields) {
		return 1
	}
	equal, union := 0, 0
	if !c.naming && aligned(ref.Fields, got.Fields) {
		for k := range ref.Fields {
			if ref.Fields[k].Value == got.Fields[k].Value {
				equal++
			}
		}
		return float64(equal) / float64(len(ref.Fields))
	}
	if !c.naming && max(len(ref.Fields), len(got.Fields)) <= fewFields {
		var partner partners
		used := partner.pair(ref.Fields, got.Fields)
		for i := range ref.Fields {
			if j := int(partner[i]) - 1; j >= 0 && ref.Fields[i].Value == got.Fields[j].Value {
				equal++
			}
		}
		return float64(equal) / float64(len(ref.Fields)+len(got.Fields)-bits.OnesCount64(used))
	}
	for _, p := range pairFields(ref.Fields, got.Fields) {
		union++
		if p.inRef && p.inGot && p.was == p.is {
			equal++
			continue
		}
		if !c.naming {
			continue
		}
		where := ref.Key
		if p.name != "" {
			where += ", " + p.name
		}
		c.name(Part{ref.Kind, p.name}, Difference{Kind: Changed, Where: where, Was: p.was, Is: p.is, Gone: p.loses()})
	}
	if union == 0 {
		return 1
	}
	return float64(equal) / float64(union)
}

// summary is the element's values on one line, cut where it gets long.
func (e *Element) summary() string {
	const most = 120
	values := make([]string, 0, len(e.Fields))
	for _, f := range e.Fields {
		if f.Value != "" {
			values = append(values, f.Value)
		}
	}
	line := plain.SingleBlanks(strings.Join(values, " | "))
	if runes := []rune(line); len(runes) > most {
		line = string(runes[:most]) + "…"
	}
	return line
}

// byKind divides elements by kind. The names of the kinds are in the order of their first element.
func byKind(elements []Element) (kinds []string, of map[string][]Element) {
	type extent struct{ first, last, count int }
	extents := map[string]*extent{}
	var e *extent // of the kind in hand
	for i := range elements {
		if kind := elements[i].Kind; i == 0 || kind != elements[i-1].Kind {
			if e = extents[kind]; e == nil {
				e = &extent{first: i}
				extents[kind] = e
				kinds = append(kinds, kind)
			}
		}
		e.last = i
		e.count++
	}
	of = make(map[string][]Element, len(kinds))
	scattered := false
	for kind, e := range extents {
		if e.count == e.last-e.first+1 {
			of[kind] = elements[e.first : e.last+1]
		} else {
			of[kind] = make([]Element, 0, e.count)
			scattered = true
		}
	}
	if !scattered {
		return kinds, of
	}
	for start := 0; start < len(elements); {
		kind, end := elements[start].Kind, start+1
		for end < len(elements) && elements[end].Kind == kind {
			end++
		}
		if e := extents[kind]; e.count < e.last-e.first+1 {
			of[kind] = append(of[kind], elements[start:end]...)
		}
		start = end
	}
	return kinds, of
}
