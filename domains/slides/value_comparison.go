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

// comparison is of two lists of items, the texts of which are entered once.
type comparison struct {
	ref, got []entered
	*ratio.Table
	noted *limits.Notes
}

// entered is an item with a number for its text.
type entered struct {
	text, level int
	kind        kind
	at          position
}

func newComparison(ref, got []item, noted *limits.Notes) *comparison {
	c := &comparison{Table: ratio.NewTable(noted), noted: noted}
	c.ref, c.got = c.enter(ref), c.enter(got)
	if c.Bytes(numbers(c.ref))*c.Bytes(numbers(c.got)) > mostWork {
		c.Most = mostPair
	}
	return c
}

// numbers are those of all texts.
func numbers(items []entered) []int {
	all := make([]int, len(items))
	for i := range items {
		all[i] = items[i].text
	}
	return all
}

func (c *comparison) enter(items []item) []entered {
	all := make([]entered, len(items))
	for i := range items {
		it := &items[i]
		all[i] = entered{text: c.number(it.text), level: it.level, kind: it.kind, at: it.at}
	}
	return all
}

func (c *comparison) number(text string) int {
	c.noted.AddIf(len(text) > longestText, limits.Beginnings)
	return c.Number(pytext.Lower(text[:min(len(text), longestText)]))
}

// order is the ratio of two lists.
func order(ref, got []string, noted *limits.Notes) float64 {
	return ratio.Bounded(ref, got, ratio.Limits{Work: mostSteps}, noted)
}
