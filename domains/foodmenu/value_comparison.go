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

// noText is the number of the empty text.
const noText = 0

// comparison is of two lists of items, the texts of which are entered once.
type comparison struct {
	ref, got []entered
	texts    numbering
	lists    numbering // of codes
	phrases  []*phrase // by the number of the text, nil until needed
	codes    [][]string
	known    map[[2]int]float64 // ratios
	large    bool               // above mostWork
	noted    *notes.Notes
}

// entered is an item with numbers for texts.
type entered struct {
	name, description, section, codes int
	price                             float64
	flags                             [3]bool
}

// phrase is a text that is compared.
type phrase struct {
	runes   []rune
	profile ratio.Profile
	text    *ratio.Text // nil until needed
}

// numbering gives each text a number, in the order of their first appearance.
type numbering struct {
	numbers map[string]int
	texts   []string
}

func newNumbering() numbering {
	return numbering{numbers: map[string]int{}, texts: []string{noText: ""}}
}

func (n *numbering) of(text string) int {
	if text == "" {
		return noText
	}
	number, known := n.numbers[text]
	if !known {
		number = len(n.texts)
		n.numbers[text] = number
		n.texts = append(n.texts, text)
	}
	return number
}

func newComparison(ref, got []menuItem, noted *notes.Notes) *comparison {
	c := &comparison{texts: newNumbering(), lists: newNumbering(), known: map[[2]int]float64{}, noted: noted}
	c.codes = [][]string{nil}
	c.ref, c.got = c.enter(ref), c.enter(got)
	c.large = c.characters(c.ref)*c.characters(c.got) > mostWork
	c.phrases = make([]*phrase, len(c.texts.texts))
	return c
}

func (c *comparison) enter(items []menuItem) []entered {
	all := make([]entered, len(items))
	for i := range items {
		item := &items[i]
		e := entered{
			name:        c.texts.of(c.lowered(item.name)),
			description: c.texts.of(c.lowered(item.description)),
			price:       item.price,
			flags:       item.flags,
		}
		if i > 0 && item.section == items[i-1].section {
			e.section = all[i-1].section
		} else {
			e.section = c.texts.of(item.section)
		}
		if len(item.codes) > 0 {
			e.codes = c.lists.of(strings.Join(item.codes, " "))
		}
		if e.codes == len(c.codes) {
			c.codes = append(c.codes, item.codes)
		}
		all[i] = e
	}
	return all
}

// characters is the number of bytes of the different texts of some items.
func (c *comparison) characters(items []entered) int {
	counted := make([]bool, len(c.texts.texts))
	n := 0
	for i := range items {
		for _, text := range [...]int{items[i].name, items[i].description} {
			if !counted[text] {
				counted[text] = true
				n += len(c.texts.texts[text])
			}
		}
	}
	return n
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
		switch strings.Compare(a[0], b[0]) {
		case -1:
			a = a[1:]
		case 1:
			b = b[1:]
		default:
			common++
			a, b = a[1:], b[1:]
		}
	}
	return float64(common) / float64(all-common)
}

func (c *comparison) phrase(number int) *phrase {
	p := c.phrases[number]
	if p == nil {
		runes := []rune(c.texts.texts[number])
		p = &phrase{runes: runes, profile: ratio.ProfileOf(runes)}
		c.phrases[number] = p
	}
	return p
}

// ratio is that of the texts of two numbers.
func (c *comparison) ratio(ref, got int) float64 {
	if ref == got {
		return 1
	}
	pair := [2]int{ref, got}
	if r, known := c.known[pair]; known {
		return r
	}
	a, b := c.phrase(ref), c.phrase(got)
	if c.large && len(a.runes)*len(b.runes) > mostPair {
		c.noted.Add(notes.AnyOrder)
		return a.profile.AtMost(&b.profile)
	}
	if b.text == nil {
		b.text = ratio.Prepare(string(b.runes))
	}
	r := b.text.RatioRunes(a.runes)
	c.known[pair] = r
	return r
}

// atMost is a number that the ratio does not exceed.
func (c *comparison) atMost(ref, got int) float64 {
	if ref == got {
		return 1
	}
	return c.phrase(ref).profile.AtMost(&c.phrase(got).profile)
}
