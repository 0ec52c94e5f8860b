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
	item   // without its text
	number int
}

func newComparison(ref, got []item, noted *limits.Notes) *comparison {
	c := &comparison{Table: ratio.NewTable(noted), noted: noted}
	var refTexts, gotTexts []int
	c.ref, refTexts = c.enter(ref)
	c.got, gotTexts = c.enter(got)
	if c.Bytes(refTexts)*c.Bytes(gotTexts) > mostWork {
		c.Most = mostPair
	}
	return c
}

// enter also returns the numbers of all texts.
func (c *comparison) enter(items []item) (all []entered, numbers []int) {
	all, numbers = make([]entered, len(items)), make([]int, len(items))
	for i, it := range items {
		c.noted.AddIf(len(it.text) > longestText, limits.Beginnings)
		numbers[i] = c.Number(pytext.Lower(it.text[:min(len(it.text), longestText)]))
		it.text = ""
		all[i] = entered{it, numbers[i]}
	}
	return all, numbers
}

// order is the ratio of two lists.
func order(ref, got []string, noted *limits.Notes) float64 {
	return ratio.Bounded(ref, got, ratio.Limits{Work: mostSteps}, noted)
}
