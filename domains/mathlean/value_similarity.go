package mathlean

import (
	"agentd/domains/internal/notes"
	"agentd/domains/internal/ratio"
)

const (
	// mostWork is the product of the lengths of two texts, in characters, and
	// mostPairs the number of pairs of equal characters that may begin a matching
	// block, above which what the texts share at most stands for their ratio. Two
	// documents of 50,000 tokens have less of both.
	mostWork  = 1 << 35
	mostPairs = 1 << 27
	// mostShortWork is that product for names and signatures, of which there are
	// many.
	mostShortWork = 1 << 24
)

// textSimilarity is the ratio of two documents' texts.
func textSimilarity(ref, got string, noted *notes.Notes) float64 {
	return ratio.Bounded([]rune(ref), []rune(got), ratio.Limits{Work: mostWork, Pairs: mostPairs}, noted)
}
