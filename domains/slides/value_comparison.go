package slides

import (
	"agentd/domains/internal/lists"
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
	item   // without its text
	number int
}

func newComparison(ref, got []item, noted *limits.Notes) *comparison {
	c := &comparison{Table: ratio.NewTable(noted), noted: noted}
	c.ref, c.got = lists.Map(ref, c.enter), lists.Map(got, c.enter)
	number := func(e *entered) int { return e.number }
	if c.Bytes(lists.Each(c.ref, number))*c.Bytes(lists.Each(c.got, number)) > mostWork {
		c.Most = mostPair
	}
	return c
}

// enter gives the text of an item its number.
func (c *comparison) enter(it item) entered {
	c.noted.AddIf(len(it.text) > longestText, limits.Beginnings)
	number := c.Number(pytext.Lower(it.text[:min(len(it.text), longestText)]))
	it.text = ""
	return entered{it, number}
}

// order is the ratio of two lists.
func order(ref, got []string, noted *limits.Notes) float64 {
	return ratio.Bounded(ref, got, ratio.Limits{Work: mostSteps}, noted)
}
