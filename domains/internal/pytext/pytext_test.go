package pytext

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestFloat(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]float64{
		"1": 1, " 1.50\u00a0": 1.5, "1_000": 1000, "15e-1": 1.5, ".5": 0.5, "5.": 5, "+3": 3,
		"٣": 3, "１２": 12, "-inf": math.Inf(-1), "Infinity": math.Inf(1), "1e999": math.Inf(1),
	} {
		if got, ok := Float(s); !ok || got != want {
			t.Errorf("Float(%q) = %v, %v; want %v", s, got, ok, want)
		}
	}
	for _, s := range []string{"", " ", "0x10", "1__0", "_1", "1_", "1,000", "$5", "infinit", "--1", "1e", "+-inf", "1_e5", "0b1"} {
		if got, ok := Float(s); ok {
			t.Errorf("Float(%q) = %v, want refusal", s, got)
		}
	}
	for _, s := range []string{"nan", "-NaN", "+nan"} {
		if got, ok := Float(s); !ok || !math.IsNaN(got) {
			t.Errorf("Float(%q) = %v, %v; want NaN", s, got, ok)
		}
	}
}

func TestSplitLines(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][]string{
		"":                     nil,
		"a":                    {"a"},
		"a\n":                  {"a"},
		"a\r\nb\rc\n\nd":       {"a", "b", "c", "", "d"},
		"a\u0085b\u2028c\x1cd": {"a", "b", "c", "d"},
	} {
		if diff := cmp.Diff(want, SplitLines(s)); diff != "" {
			t.Errorf("SplitLines(%q): %s", s, diff)
		}
	}
}

func TestStripAndLower(t *testing.T) {
	t.Parallel()
	if got := Strip("\u3000\x1f a\ufeff \u0085"); got != "a\ufeff" {
		t.Errorf("Strip: %q", got)
	}
	if got := UniversalNewlines("a\r\nb\rc"); got != "a\nb\nc" {
		t.Errorf("UniversalNewlines: %q", got)
	}
	for s, want := range map[string]string{"ΟΔΥΣΣΕΥΣ ΣΑΣ.": "οδυσσευς σας.", "İ": "i̇", "ÀB": "àb", "Σ": "σ"} {
		if got := Lower(s); got != want {
			t.Errorf("Lower(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestIsSpace(t *testing.T) {
	t.Parallel()
	for r := range rune(unicode.MaxRune) {
		if got, want := IsSpace(r), unicode.IsSpace(r) || 0x1c <= r && r <= 0x1f; got != want {
			t.Errorf("%U: %v, want %v", r, got, want)
		}
	}
}

func TestFieldsAreDividedByWhiteSpace(t *testing.T) {
	t.Parallel()
	text := rapid.StringOfN(rapid.SampledFrom([]rune("ab \t\n\x1c\x1f\u0085\u3000é")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		if got, want := Fields(s), strings.FieldsFunc(s, IsSpace); !slices.Equal(got, want) {
			t.Fatalf("%q has the fields %q, want %q", s, got, want)
		}
	})
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, r := range "azAZ09_éß漢٣²Ⅷ" {
		if !IsWord(r) {
			t.Errorf("%q is a word character", r)
		}
	}
	for _, r := range " -@[`{.\u00a0\u0301€" {
		if IsWord(r) {
			t.Errorf("%q is no word character", r)
		}
	}
	if got := Collapse(" a\t b\u00a0\nc\u001c"); got != "a b c" {
		t.Errorf("%q", got)
	}
}

// What Python gives. Of two numbers that are as near the even one is taken, but few are so near:
// 2.675 is a little less than it seems.
func TestRound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		x      float64
		places int
		want   float64
	}{
		{2.675, 2, 2.67}, {0.125, 2, 0.12}, {0.375, 2, 0.38}, {2.5, 0, 2}, {3.5, 0, 4}, {-0.5, 0, math.Copysign(0, -1)},
		{1e300, 6, 1e300}, {0.1234567, 4, 0.1235}, {math.Inf(1), 2, math.Inf(1)}, {math.MaxFloat64, 3, math.MaxFloat64},
	} {
		if got := Round(c.x, c.places); got != c.want || math.Signbit(got) != math.Signbit(c.want) {
			t.Errorf("Round(%v, %d) = %v, want %v", c.x, c.places, got, c.want)
		}
	}
	if got := Round(math.NaN(), 2); !math.IsNaN(got) {
		t.Errorf("Round(NaN) = %v", got)
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	if got := Parts(" oak,, \x1c,elm ash\n", ","); !slices.Equal(got, []string{"oak", "elm ash"}) {
		t.Errorf("%q", got)
	}
	if got := Parts("", ","); got != nil {
		t.Errorf("%q", got)
	}
}

func TestFirst(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{"": "", "ab": "ab", "abc": "ab", "éåø": "éå"} {
		if got := First(s, 2); got != want {
			t.Errorf("First(%q, 2) = %q, want %q", s, got, want)
		}
	}
}

func TestSlice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.SampledFrom([]rune("abc é"))).Draw(t, "text")
		from := rapid.IntRange(0, 9).Draw(t, "from")
		to := rapid.IntRange(from, 9).Draw(t, "to")
		runes := []rune(text)
		if got, want := Slice(text, from, to), string(runes[min(from, len(runes)):min(to, len(runes))]); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func TestCollapseIsJoinOfSplit(t *testing.T) {
	t.Parallel()
	text := rapid.StringOf(rapid.SampledFrom([]rune(" \t\n\x1c\u00a0\u0085aé")))
	rapid.Check(t, func(t *rapid.T) {
		s := text.Draw(t, "text")
		if got, want := Collapse(s), strings.Join(Fields(s), " "); got != want {
			t.Fatalf("%q: %q, want %q", s, got, want)
		}
	})
}
