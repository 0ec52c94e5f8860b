package latex

import (
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
)

var (
	// limits are those of a document's text and citations. Documents of 50,000 tokens
	// are within them.
	limits = ratio.Limits{Work: 1 << 34, Pairs: 1 << 25, Lopsided: 1 << 25}
	// fieldLimits are those of a field of an entry, of which there are many.
	fieldLimits = ratio.Limits{Work: 1 << 24, Pairs: 1 << 20, Lopsided: 1 << 20}
)

func textSimilarity(ref, got string, noted *notes.Notes) float64 {
	return ratio.Bounded([]rune(ref), []rune(got), limits, noted)
}

func fieldSimilarity(ref, got string, noted *notes.Notes) float64 {
	return ratio.Bounded([]rune(ref), []rune(got), fieldLimits, noted)
}
