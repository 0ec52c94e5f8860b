package properties_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"agentd/environments/properties"
	"agentd/vfs"
)

const prose = "The keeper said that he had been to the mainland only once in the winter, and that it was not for him.\n"

func of(t *testing.T, text string) properties.Properties {
	t.Helper()
	p, err := properties.Of(vfs.Files{"x": text})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestDefinitions(t *testing.T) {
	t.Parallel()
	var sixty strings.Builder
	for i := range 60 { // of 60 words the windows of 50 hold 50 types each
		fmt.Fprintf(&sixty, "%c%c ", 'a'+i/26, 'a'+i%26)
	}
	naturalness := func(p properties.Properties) float64 { return p.Naturalness }
	numerical := func(p properties.Properties) float64 { return p.Numerical }
	richness := func(p properties.Properties) float64 { return p.Richness }
	repetitiveness := func(p properties.Properties) float64 { return p.Repetitiveness }
	structure := func(p properties.Properties) float64 { return p.Structure }
	mattr := func(p properties.Properties) float64 { return p.MATTR }
	for name, c := range map[string]struct {
		text    string
		measure func(properties.Properties) float64
		want    float64
	}{
		"prose is natural":               {prose, naturalness, 1},
		"a list of names is not":         {"Anders, Brita, Kaj, Lone, Mads\n", naturalness, 0},
		"one function word of four":      {"Hull keel THE mast\n", naturalness, 0.25 / 0.45},
		"umlauts divide words":           {"für the", naturalness, 1.0 / 3 / 0.45},
		"parts of contractions are none": {"s t d m re ll ve don isn didn won the", naturalness, 1.0 / 12 / 0.45},
		"numbers among tokens":           {"total 12,50 kr", numerical, 1.0 / 3},
		"a digit inside of a token":      {"a1;b c d e", numerical, 0.25},
		"no numbers":                     {"none, here", numerical, 0},
		"a superscript is a digit":       {"m² km", numerical, 0.5},
		"a circled digit is one":         {"step ⑦ ⑩ ⓪", numerical, 0.5},
		"digits of any script":           {"٣ ७ x y", numerical, 0.5},
		"a fraction is none, nor Ⅷ":      {"½ Ⅷ 十 ㉑", numerical, 0},
		"all words differ":               {sixty.String(), richness, 1},
		"one word throughout":            {strings.Repeat("sea ", 100), richness, 0.01},
		"two of four words":              {"the sea The_sea 7", richness, 0.5},
		"fewer than five tokens":         {"a a a a", repetitiveness, 0},
		"one run of two":                 {"a a a a a a", repetitiveness, 0.5},
		"runs a to e, b to f and a to e": {"a b c d e a b c d e", repetitiveness, 1.0 / 6},
		"delimiters and digits":          {"a;7\n", structure, 0.5},
		"separators of units are blanks": {"a\x1f7\x1eb c", numerical, 0.25},
		"and no marks":                   {"a\x1fb\x1c7;", structure, 1.0 / 3},
		"letters of any alphabet":        {"Žuvintas 日本\n", structure, 0},
		"windows of 50 of one word":      {strings.Repeat("sea ", 100), mattr, 1.0 / 50},
		"windows of 50 different words":  {sixty.String(), mattr, 1},
		"a short text is one window":     {"the sea The sea", mattr, 0.5},
	} {
		if got := c.measure(of(t, c.text)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestRepetitiveTextCompresses(t *testing.T) {
	t.Parallel()
	once, often := of(t, prose), of(t, strings.Repeat(prose, 50))
	if often.Deflate < 0.95 || once.Deflate > 0.5 {
		t.Errorf("once %v, fifty times %v", once.Deflate, often.Deflate)
	}
	if random := of(t, "q9#Zx"); random.Deflate != 0 {
		t.Errorf("what does not compress: %v", random.Deflate)
	}
}

func TestAnEmptyDocumentHasNothing(t *testing.T) {
	t.Parallel()
	if p := of(t, ""); p != (properties.Properties{}) {
		t.Errorf("%+v", p)
	}
}

func TestFilesAreJoinedByABlank(t *testing.T) {
	t.Parallel()
	p, err := properties.Of(vfs.Files{"a": "one", "b": "1"})
	if err != nil {
		t.Fatal(err)
	}
	if p.Numerical != 0.5 || p.Structure != 0.2 {
		t.Errorf("%+v", p)
	}
}
