package foodmenu

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(m Menu) domains.Stats {
	sections := map[string]bool{}
	for i := range m.items {
		sections[m.items[i].section] = true
	}
	delete(sections, "")
	meatless := lists.Count(m.items, func(item *menuItem) bool { return item.flags[vegetarian] })
	withCodes := lists.Count(m.items, func(item *menuItem) bool { return item.codes != "" })
	return domains.Stats{Elements: len(m.items), Counts: []domains.Count{
		{Name: "Menu Items", Value: strconv.Itoa(len(m.items))},
		{Name: "Sections", Value: strconv.Itoa(len(sections))},
		{Name: "Vegetarian", Value: strconv.Itoa(meatless)},
		{Name: "With Allergens", Value: strconv.Itoa(withCodes)},
	}}
}

// Score is 0.85 items + 0.15 sections.
func Score(reference, candidate Menu, noted *notes.Notes) domains.Reading {
	items := similarity(reference.items, candidate.items, noted)
	sections := sets.Jaccard(reference.headers, candidate.headers)
	return domains.Reading{
		RS:         float64(0.85*items) + float64(0.15*sections),
		Components: map[string]float64{"items": items, "sections": sections},
		Elements:   domains.Elements{Reference: len(reference.items), Candidate: len(candidate.items)},
	}
}

// similarity is the mean similarity of the reference's items to their partners,
// less up to half where one side has more items than the other.
func similarity(ref, got []menuItem, noted *notes.Notes) float64 {
	switch {
	case len(ref) == 0 && len(got) == 0:
		return 1
	case len(ref) == 0 || len(got) == 0:
		return 0
	case slices.Equal(ref, got):
		return 1
	}
	c := newComparison(ref, got, noted)
	sum := 0.0
	for _, p := range c.pairs() {
		sum += c.likeness(p.Row, p.Col, c.Ratio)
	}
	shorter, longer := min(len(ref), len(got)), max(len(ref), len(got))
	share := float64(shorter) / float64(longer)
	return sum / float64(len(ref)) * (0.5 + float64(0.5*share))
}

// pairs match the items so that the summed likeness is largest.
func (c *comparison) pairs() []assign.Pair {
	return assign.MinByLabel(assign.Costs{
		Rows: len(c.ref), Cols: len(c.got),
		Cost:  func(i, j int) float64 { return 1 - c.likeness(i, j, c.Ratio) },
		Bound: func(i, j int) float64 { return 1 - c.likeness(i, j, c.AtMost) },
	}, func(i int) entered { return c.ref[i] }, func(j int) entered { return c.got[j] }, c.noted)
}

// likeness is the published similarity of two items, by the ratio of texts that is given.
func (c *comparison) likeness(i, j int, ratio func(ref, got int) float64) float64 {
	ref, got := &c.ref[i], &c.got[j]
	return ratio(ref.name, got.name) *
		lessened(0.8, sets.Quotient(ref.price, got.price)) *
		lessened(0.6, sets.OneIf(ref.section == got.section)) *
		lessened(0.7, c.jaccard(ref.codes, got.codes)) *
		lessened(0.6, sameFlags(ref.flags, got.flags)) *
		lessened(0.3, sameDescription(ref.description, got.description, ratio))
}

// lessened is what a similarity leaves of an item's likeness.
func lessened(severity, similarity float64) float64 { return 1 - float64(severity*(1-similarity)) }

func sameFlags(ref, got [3]bool) float64 {
	same := 0
	for k := range ref {
		if ref[k] == got[k] {
			same++
		}
	}
	return float64(same) / float64(len(ref))
}

func sameDescription(ref, got int, similarity func(ref, got int) float64) float64 {
	switch {
	case ref == ratio.Empty && got == ratio.Empty:
		return 1
	case ref == ratio.Empty || got == ratio.Empty:
		return 0.5
	}
	return similarity(ref, got)
}

const (
	// longestText is the number of bytes of a name or a description that are compared.
	longestText = 16_384
	// mostWork is the product of the lengths of all different texts of both sides up to which any two are compared by
	// their ratio. Two menus of 50,000 tokens have less. Beyond, texts the product of whose lengths is above mostPair
	// are compared by the characters that they share.
	mostWork, mostPair = 1 << 36, 1 << 12
)

// comparison is of two lists of items, the texts of which are entered once.
type comparison struct {
	ref, got []entered
	*ratio.Table
	lists map[string]int // of codes, by what they are together
	codes [][]string     // by their number
	noted *notes.Notes
}

// entered is an item with numbers for texts.
type entered struct {
	name, description, section, codes int
	price                             float64
	flags                             [3]bool
}

func newComparison(ref, got []menuItem, noted *notes.Notes) *comparison {
	c := &comparison{Table: ratio.NewTable(noted), lists: map[string]int{}, noted: noted}
	c.ref, c.got = c.enter(ref), c.enter(got)
	if c.Bytes(texts(c.ref))*c.Bytes(texts(c.got)) > mostWork {
		c.Most = mostPair
	}
	return c
}

// texts are the numbers of all names and descriptions.
func texts(items []entered) []int {
	var all []int
	for i := range items {
		all = append(all, items[i].name, items[i].description)
	}
	return all
}

func (c *comparison) enter(items []menuItem) []entered {
	all := make([]entered, len(items))
	for i := range items {
		item := &items[i]
		all[i] = entered{
			name:        c.Number(c.lowered(item.name)),
			description: c.Number(c.lowered(item.description)),
			section:     c.Number(item.section),
			codes:       c.list(item.codes),
			price:       item.price,
			flags:       item.flags,
		}
	}
	return all
}

func (c *comparison) list(codes string) int {
	number, known := c.lists[codes]
	if !known {
		number = len(c.codes)
		c.lists[codes] = number
		c.codes = append(c.codes, strings.Fields(codes))
	}
	return number
}

func (c *comparison) lowered(text string) string {
	c.noted.AddIf(len(text) > longestText, notes.Beginnings)
	return pytext.Lower(text[:min(len(text), longestText)])
}

// jaccard is the share of common codes in the union of two sets, given by their numbers.
func (c *comparison) jaccard(ref, got int) float64 {
	if ref == got {
		return 1
	}
	a, b := c.codes[ref], c.codes[got]
	common, all := 0, len(a)+len(b)
	for len(a) > 0 && len(b) > 0 {
		order := strings.Compare(a[0], b[0])
		if order == 0 {
			common++
		}
		if order <= 0 {
			a = a[1:]
		}
		if order >= 0 {
			b = b[1:]
		}
	}
	return float64(common) / float64(all-common)
}
