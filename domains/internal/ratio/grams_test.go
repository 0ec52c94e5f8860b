package ratio

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// repetitive draws texts that share passages of all lengths.
func repetitive(t *rapid.T) []rune {
	parts := rapid.SliceOfN(rapid.OneOf(
		rapid.SampledFrom([]string{"tony i heard it ", "captain yes ", "bradford no ", "aaaaaaaa", "ab", "the sea the sea the sea the sea the "}),
		rapid.StringMatching(`[a-cé ]{1,40}`),
	), 0, 30).Draw(t, "parts")
	return []rune(strings.Join(parts, ""))
}

func TestGramsFindTheBlocksOfThePlainWay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := repetitive(t), repetitive(t)
		if rapid.Bool().Draw(t, "edited") {
			b = append([]rune(nil), a...)
			for range rapid.IntRange(1, 8).Draw(t, "cuts") {
				at := rapid.IntRange(0, len(b)).Draw(t, "at")
				end := rapid.IntRange(at, min(len(b), at+200)).Draw(t, "end")
				b = append(b[:at:at], b[end:]...)
			}
		}
		want := blocks(a, b, false)
		if got := matchedByGrams(a, b, nil); got != want {
			t.Fatalf("%d code points match by grams, want %d, in %q and %q", got, want, string(a), string(b))
		}
		if got := matchedLong(a, b, nil); got != want {
			t.Fatalf("%d code points match, want %d, in %q and %q", got, want, string(a), string(b))
		}
	})
}

func TestEndlessRepetitionIsComparedByWhatIsShared(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("ab ", 10_000), strings.Repeat("ba  ", 10_000)
	if got, want := Plain(a, b, nil), 2*30_000./70_000; got > want || got < want/2 {
		t.Errorf("ratio %v, want at most %v", got, want)
	}
}

func BenchmarkPlainOfADocument(b *testing.B) {
	var text, other strings.Builder
	for n := range 4_000 {
		text.WriteString(strings.Repeat(string(rune('a'+n*n%23)), 1+n%3) + string(rune('a'+n%19)) + " ")
		if n%200 > 8 {
			other.WriteString(strings.Repeat(string(rune('a'+n*n%23)), 1+n%3) + string(rune('a'+n%19)) + " ")
		}
	}
	x, y := text.String(), other.String()
	b.ReportAllocs()
	for b.Loop() {
		Plain(x, y, nil)
	}
}
