package ratio

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Values were computed with CPython 3.11's difflib.SequenceMatcher.
func TestKnownRatios(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("the quick brown fox ", 15)
	for _, c := range []struct {
		name, a, b  string
		want, plain float64
	}{
		{"both empty", "", "", 1, 1},
		{"one empty", "abc", "", 0, 0},
		{"textbook", "abcd", "bcde", 0.75, 0.75},
		{"not symmetric", "tide", "diet", 0.25, 0.25},
		{"not symmetric, turned", "diet", "tide", 0.5, 0.5},
		{"code points", "naïve café", "naive cafe", 0.8, 0.8},
		{"popular elements cannot start a block", long, "x" + long, 0, 0.9983361064891847},
	} {
		if got := Of(c.a, c.b); got != c.want {
			t.Errorf("%s: Of = %v, want %v", c.name, got, c.want)
		}
		if got := Plain(c.a, c.b, nil); got != c.plain {
			t.Errorf("%s: Plain = %v, want %v", c.name, got, c.plain)
		}
	}
}

func shortText() *rapid.Generator[[]rune] {
	return rapid.SliceOfN(rapid.SampledFrom([]rune("aab cé—")), 0, bitWidth)
}

func TestBitRowsFindTheSameBlocks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := shortText().Draw(t, "a"), shortText().Draw(t, "b")
		got, want := Prepare(string(b)).bits.matched(a), blocks(a, b, true)
		if got != want {
			t.Fatalf("matched %d, want %d", got, want)
		}
	})
}

func TestProfileBoundsTheRatio(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := shortText().Draw(t, "a"), shortText().Draw(t, "b")
		p, q := ProfileOf(a), ProfileOf(b)
		if most, got := p.AtMost(&q), Of(string(a), string(b)); got > most {
			t.Fatalf("ratio %v exceeds its bound %v", got, most)
		}
	})
}

func captions(n int) []string {
	words := strings.Fields("the tide was out and we could see her keel lying over on the bar like a dog asleep")
	random := rand.New(rand.NewPCG(1, 2))
	lines := make([]string, n)
	for i := range lines {
		line := make([]string, 8)
		for k := range line {
			line[k] = words[random.IntN(len(words))]
		}
		lines[i] = strings.Join(line, " ")
	}
	return lines
}

func BenchmarkPair(b *testing.B) {
	lines := captions(64)
	prepared := Prepare(lines[0])
	runes := make([][]rune, len(lines))
	profiles := make([]Profile, len(lines))
	for i, line := range lines {
		runes[i] = []rune(line)
		profiles[i] = ProfileOf(runes[i])
	}
	b.Run("bits", func(b *testing.B) {
		for i := range b.N {
			prepared.RatioRunes(runes[i%len(runes)])
		}
	})
	b.Run("plain", func(b *testing.B) {
		for i := range b.N {
			blocks(runes[i%len(runes)], runes[0], true)
		}
	})
	b.Run("bound", func(b *testing.B) {
		for i := range b.N {
			profiles[i%len(runes)].AtMost(&profiles[0])
		}
	})
}

func TestAPreparedTextCanBeUsedAgain(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("the tender lies off the rock, ", 3) + strings.Repeat("chain 42 ", 20)
	prepared := Prepare(long)
	for _, a := range []string{"chain 42", "the rock", long, "", "off the chain", "chain 42"} {
		if got, want := prepared.Ratio(a), Tokens([]rune(a), []rune(long), true); got != want {
			t.Errorf("ratio of %q is %v, want %v", a, got, want)
		}
	}
}

func TestBlocks(t *testing.T) {
	a, b := strings.Split("x a b c y d", " "), strings.Split("a b c d x", " ")
	var got [][3]int
	Blocks(a, b, true, func(i, j, size int) { got = append(got, [3]int{i, j, size}) })
	if want := [][3]int{{1, 0, 3}, {5, 3, 1}}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
