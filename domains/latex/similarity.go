package latex

import (
	"slices"

	"agentd/domains/internal/ratio"
)

const (
	// popularFrom is the length of the second sequence from which what is frequent
	// in it begins no matching block.
	popularFrom = 200
	// mostWork is the product of two lengths, and mostPairs the number of pairs of
	// equal elements that may begin a block, above which the elements that both
	// sequences have stand for those in one order. Documents of 50,000 tokens have
	// less of both.
	mostWork  = 1 << 34
	mostPairs = 1 << 25
	// lopsided is how many times as long as the other one of two long sequences may
	// be for that.
	lopsided = 8
	// mostShortWork and mostShortPairs are that for a field of an entry, of which
	// there are many.
	mostShortWork  = 1 << 24
	mostShortPairs = 1 << 20
)

func textSimilarity(ref, got string) float64 {
	return similarity([]rune(ref), []rune(got), mostWork, mostPairs)
}

func fieldSimilarity(ref, got string) float64 {
	return similarity([]rune(ref), []rune(got), mostShortWork, mostShortPairs)
}

// similarity is the ratio of two sequences. Where it would take too much work it
// is the ratio that they would have if what both have stood in one order.
func similarity[T comparable](ref, got []T, mostWork, mostPairs int) float64 {
	if slices.Equal(ref, got) {
		return 1
	}
	work := len(ref) * len(got)
	if work <= mostPairs {
		return ratio.Tokens(ref, got, true)
	}
	refs, gots := countsOf(ref), countsOf(got)
	pairs, common := 0, 0
	for element, n := range gots {
		common += min(n, refs[element])
		if !isPopular(n, len(got)) {
			pairs += n * refs[element]
		}
	}
	shorter, longer := min(len(ref), len(got)), max(len(ref), len(got))
	if work > mostWork || pairs > mostPairs || longer/lopsided > shorter {
		return 2 * float64(common) / float64(len(ref)+len(got))
	}
	return ratio.Tokens(ref, got, true)
}

// isPopular reports whether an element that occurs n times in a second sequence
// of that length begins no block.
func isPopular(n, length int) bool { return length >= popularFrom && n > length/100+1 }

func countsOf[T comparable](sequence []T) map[T]int {
	counts := map[T]int{}
	for _, element := range sequence {
		counts[element]++
	}
	return counts
}
