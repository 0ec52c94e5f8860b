package slides

import (
	limits "agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
)

const (
	// longestText is the number of bytes of a text that are compared.
	longestText = 16_384
	// mostWork is the product of the lengths of all different texts of both sides up to
	// which any two are compared by their ratio. Two decks of 50,000 tokens have less.
	// Beyond, texts the product of whose lengths is above mostPair are compared by the
	// characters that they share.
	mostWork, mostPair = 1 << 36, 1 << 12
	// mostSteps is the product of the lengths of two lists up to which they are
	// compared by their ratio, and from which by what they share.
	mostSteps = 1 << 26
)

// noText is the number of the empty text.
const noText = 0

// comparison is of two lists of items, the texts of which are entered once.
type comparison struct {
	ref, got []entered
	numbers  map[string]int
	texts    []string
	phrases  []*phrase // by the number of the text, nil until needed
	known    map[[2]int]float64
	large    bool // above mostWork
	noted    *limits.Notes
}

// entered is an item with a number for its text.
type entered struct {
	text, level int
	kind        kind
	at          position
}

// phrase is a text that is compared.
type phrase struct {
	runes   []rune
	profile ratio.Profile
	text    *ratio.Text // nil until needed
}

func newComparison(ref, got []item, noted *limits.Notes) *comparison {
	c := &comparison{numbers: map[string]int{"": noText}, texts: []string{""}, known: map[[2]int]float64{}, noted: noted}
	c.ref, c.got = c.enter(ref), c.enter(got)
	c.large = c.characters(c.ref)*c.characters(c.got) > mostWork
	c.phrases = make([]*phrase, len(c.texts))
	return c
}

func (c *comparison) enter(items []item) []entered {
	all := make([]entered, len(items))
	for i := range items {
		it := &items[i]
		all[i] = entered{text: c.number(it.text), level: it.level, kind: it.kind, at: it.at}
	}
	return all
}

// characters is the number of bytes of the different texts of some items.
func (c *comparison) characters(items []entered) int {
	counted := make([]bool, len(c.texts))
	n := 0
	for i := range items {
		if text := items[i].text; !counted[text] {
			counted[text] = true
			n += len(c.texts[text])
		}
	}
	return n
}

func (c *comparison) number(text string) int {
	c.noted.AddIf(len(text) > longestText, limits.Beginnings)
	text = pytext.Lower(text[:min(len(text), longestText)])
	number, known := c.numbers[text]
	if !known {
		number = len(c.texts)
		c.numbers[text] = number
		c.texts = append(c.texts, text)
	}
	return number
}

func (c *comparison) phrase(number int) *phrase {
	p := c.phrases[number]
	if p == nil {
		runes := []rune(c.texts[number])
		p = &phrase{runes: runes, profile: ratio.ProfileOf(runes)}
		c.phrases[number] = p
	}
	return p
}

// ratio is that of the texts of two numbers, 0 if only one is empty.
func (c *comparison) ratio(ref, got int) float64 {
	switch {
	case ref == got:
		return 1
	case ref == noText || got == noText:
		return 0
	}
	pair := [2]int{ref, got}
	r, known := c.known[pair]
	if !known {
		r = c.newRatio(ref, got)
		c.known[pair] = r
	}
	return r
}

func (c *comparison) newRatio(ref, got int) float64 {
	a, b := c.phrase(ref), c.phrase(got)
	if c.large && len(a.runes)*len(b.runes) > mostPair {
		c.noted.Add(limits.AnyOrder)
		return a.profile.AtMost(&b.profile)
	}
	if b.text == nil {
		b.text = ratio.Prepare(c.texts[got])
	}
	return b.text.RatioRunes(a.runes)
}

// atMost is a number that the ratio does not exceed.
func (c *comparison) atMost(ref, got int) float64 {
	switch {
	case ref == got:
		return 1
	case ref == noText || got == noText:
		return 0
	}
	return c.phrase(ref).profile.AtMost(&c.phrase(got).profile)
}

// order is the ratio of two lists.
func order(ref, got []string, noted *limits.Notes) float64 {
	return ratio.Bounded(ref, got, ratio.Limits{Work: mostSteps}, noted)
}
