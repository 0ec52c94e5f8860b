package mathlean

import "agentd/domains/internal/ratio"

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
	// popularFrom is the length of the second text from which frequent characters
	// begin no matching block.
	popularFrom = 200
)

// textSimilarity is the ratio of two documents' texts.
func textSimilarity(ref, got string) float64 {
	if ref == got {
		return 1
	}
	a, b := []rune(ref), []rune(got)
	counts := countsOf(b)
	if len(a)*len(b) > mostWork || startingPairs(countsOf(a), counts, len(b)) > mostPairs {
		return shared(countsOf(a), counts, len(a)+len(b))
	}
	return ratio.Of(ref, got)
}

func countsOf(text []rune) map[rune]int {
	var few [128]int
	counts := map[rune]int{}
	for _, c := range text {
		if c >= 0 && int(c) < len(few) {
			few[c]++
		} else {
			counts[c]++
		}
	}
	for c, n := range few {
		if n > 0 {
			counts[rune(c)] = n
		}
	}
	return counts
}

// isPopular reports whether a character that occurs n times in a second text of
// that length begins no matching block.
func isPopular(n, length int) bool { return length >= popularFrom && n > length/100+1 }

// startingPairs is the number of pairs of equal characters that may begin a
// matching block, length being that of the second text.
func startingPairs(ref, got map[rune]int, length int) int {
	pairs := 0
	for c, n := range got {
		if !isPopular(n, length) {
			pairs += n * ref[c]
		}
	}
	return pairs
}

// shared is the ratio that two texts would have if all their common characters
// stood in one order. lengths is the sum of both.
func shared(ref, got map[rune]int, lengths int) float64 {
	common := 0
	for c, n := range got {
		common += min(n, ref[c])
	}
	return 2 * float64(common) / float64(lengths)
}
