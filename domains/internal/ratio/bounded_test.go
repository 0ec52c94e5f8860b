package ratio

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"agentd/domains/internal/notes"
)

// Beyond a limit "abcd" and "bcda" have all in common, within them three in order.
func TestBeyondALimitWhatIsSharedCounts(t *testing.T) {
	t.Parallel()
	abcd, bcda := "abcd", "bcda"
	long := strings.Repeat("ab", 100)                // nothing in it is rare enough to begin a block
	short, longer := "ab", "bbbbbbbaaaaaaaaaaaaaaaa" // "ab" of 2 and 23 share two, one of them in order
	for rule, c := range map[string]struct {
		a, b   string
		limits Limits
		want   float64
	}{
		"no limits":                         {abcd, bcda, Limits{}, 0.75},
		"within all":                        {abcd, bcda, Limits{Length: 4, Work: 16, Lopsided: 16, Pairs: 4}, 0.75},
		"length":                            {abcd, bcda, Limits{Length: 3}, 1},
		"work":                              {abcd, bcda, Limits{Work: 15}, 1},
		"pairs":                             {abcd, bcda, Limits{Pairs: 3}, 1},
		"pairs of what may begin no block":  {"c" + long, "d" + long, Limits{Pairs: 1}, 0},
		"long, but not lopsided":            {abcd, bcda, Limits{Lopsided: 1}, 0.75},
		"lopsided":                          {short, longer + "a", Limits{Lopsided: 1}, 4.0 / 26},
		"as lopsided as is allowed":         {short, longer, Limits{Lopsided: 1}, 2.0 / 25},
		"lopsided, but short":               {short, longer + "a", Limits{Lopsided: 48}, 2.0 / 26},
		"equal":                             {abcd, abcd, Limits{Length: 1, Work: 1, Pairs: 1}, 1},
		"equal, all frequent":               {long, long, Limits{Pairs: 1}, 1},
		"both empty":                        {"", "", Limits{Length: 1}, 1},
		"one empty":                         {"", "abcd", Limits{Length: 1}, 0},
		"nothing in common, beyond a limit": {"abcd", "efgh", Limits{Work: 1}, 0},
	} {
		if got := Bounded([]rune(c.a), []rune(c.b), c.limits, nil); got != c.want {
			t.Errorf("%s: %v, want %v", rule, got, c.want)
		}
		if got := BoundedText(c.a, c.b, c.limits, nil); got != c.want {
			t.Errorf("%s, as texts: %v, want %v", rule, got, c.want)
		}
	}
}

// "éa" and "aé" are two code points of three bytes each.
func TestTextsAreMeasuredInBytes(t *testing.T) {
	t.Parallel()
	for limits, want := range map[Limits]float64{
		{Length: 3}: 0.5, {Length: 2}: 1, {Work: 9}: 0.5, {Work: 8}: 1, {Pairs: 2}: 0.5, {Pairs: 1}: 1,
	} {
		if got := BoundedText("éa", "aé", limits, nil); got != want {
			t.Errorf("%+v: %v, want %v", limits, got, want)
		}
	}
}

func TestTheBoundedRatioIsOfWithinItsLimitsAndNoLessBeyond(t *testing.T) {
	t.Parallel()
	text := rapid.StringOfN(rapid.RuneFrom([]rune("aaaabcdé\n")), 0, 300, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		of := Of(a, b)
		var within, beyond notes.Notes
		if got := BoundedText(a, b, Limits{Length: 1000, Work: 1 << 20, Lopsided: 1 << 20, Pairs: 1 << 20}, &within); got != of {
			t.Fatalf("within limits the ratio of %q and %q is %v, want %v", a, b, got, of)
		}
		if got := Bounded([]rune(a), []rune(b), Limits{Work: 1}, &beyond); got < of {
			t.Fatalf("beyond a limit the ratio of %q and %q is %v, less than %v", a, b, got, of)
		}
		if acted := a != b && len([]rune(a))*len([]rune(b)) > 1; within.String() != "" || (beyond.String() != "") != acted {
			t.Fatalf("within limits %q is noted of %q and %q, beyond %q", within.String(), a, b, beyond.String())
		}
	})
}

func TestShareOfLongTextsIsWhatTheyShare(t *testing.T) {
	t.Parallel()
	seed, other := strings.Repeat("ab", 1<<14), strings.Repeat("cb", 1<<17)
	if got, want := Share(seed, other, nil), 2.0*(1<<14)/(1<<15+1<<18); got != want {
		t.Errorf("the share is %v, want %v", got, want)
	}
}

// "abca" and "bcd" share b and c: 4 of 7.
func TestShared(t *testing.T) {
	t.Parallel()
	if got := TallyOf([]rune("abca")).Shared(TallyOf([]rune("bcd"))); got != 4.0/7 {
		t.Errorf("%v", got)
	}
	const letters = "abcdé\n"
	text := rapid.StringOfN(rapid.RuneFrom([]rune(letters)), 0, 300, -1)
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "a"), text.Draw(t, "b")
		common, pairs := 0, 0
		for _, c := range letters {
			n, m := strings.Count(a, string(c)), strings.Count(b, string(c))
			common += min(n, m)
			if length := utf8.RuneCountInString(b); length < 200 || m <= length/100+1 {
				pairs += n * m
			}
		}
		as, bs := tallies([]rune(a), []rune(b))
		for way, got := range map[string]int{
			"counted together": as.common(bs),
			"counted alone":    TallyOf([]rune(a)).common(TallyOf([]rune(b))),
		} {
			if got != common {
				t.Fatalf("%s, %q and %q have %v elements in common, want %v", way, a, b, got, common)
			}
		}
		x, numbers := indexFor([]rune(a), []rune(b), true)
		if got := x.startingPairs(numbers); got != pairs {
			t.Fatalf("%q and %q have %d pairs, want %d", a, b, got, pairs)
		}
	})
}

func TestRunesAreBoundedAsOtherSequences(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.RuneFrom([]rune("abcé")), 0, 300)
		a, b := texts.Draw(t, "a"), texts.Draw(t, "b")
		limits := Limits{Work: rapid.IntRange(0, 1000).Draw(t, "work"), Pairs: rapid.IntRange(0, 1000).Draw(t, "pairs")}
		var noted, runesNoted notes.Notes
		got, want := BoundedRunes(a, b, limits, &runesNoted), Bounded(a, b, limits, &noted)
		if got != want || runesNoted.String() != noted.String() {
			t.Errorf("%v with %q, want %v with %q", got, runesNoted.String(), want, noted.String())
		}
	})
}
