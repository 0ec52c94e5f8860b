package foodmenu

import (
	"strings"

	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
)

const (
	// longestText is the number of bytes of a name or a description that are
	// compared.
	longestText = 16_384
	// mostWork is the product of the lengths of all different texts of both sides up to
	// which any two are compared by their ratio. Two menus of 50,000 tokens have less.
	// Beyond, texts the product of whose lengths is above mostPair are compared by the
	// characters that they share.
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

// jaccard is the share of common codes in the union of two sets, given by their
// numbers.
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
