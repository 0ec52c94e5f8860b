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
	structure := func(p properties.Properties) float64 { return p.Structure }
	for name, c := range map[string]struct {
		text    string
		measure func(properties.Properties) float64
		want    float64
	}{
		"prose is natural":               {prose, naturalness, 1},
		"a list of names is not":         {"Anders, Brita, Kaj, Lone, Mads\n", naturalness, 0},
		"a label is too short for prose": {"of the sea\n", naturalness, 0},
		"half and half":                  {"a b in the\nHull Keel Mast Stem\n", naturalness, 0.5},
		"numbers among tokens":           {"total 12,50 kr", numerical, 1.0 / 3},
		"a date is one number":           {"2024-03-09 x", numerical, 0.5},
		"no numbers":                     {"none, here", numerical, 0},
		"all words differ":               {sixty.String(), richness, 1},
		"one word throughout":            {strings.Repeat("sea ", 100), richness, 1.0 / 50},
		"a short text is one window":     {"the sea The sea", richness, 0.5},
		"delimiters":                     {"a;b;\n", structure, 0.5},
		"letters of any alphabet":        {"Žuvintas 日本\n", structure, 0},
	} {
		if got := c.measure(of(t, c.text)); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestRepetitiveTextCompresses(t *testing.T) {
	t.Parallel()
	once, often := of(t, prose), of(t, strings.Repeat(prose, 50))
	if often.Repetitiveness < 0.95 || once.Repetitiveness > 0.5 {
		t.Errorf("once %v, fifty times %v", once.Repetitiveness, often.Repetitiveness)
	}
	if random := of(t, "q9#Zx"); random.Repetitiveness != 0 {
		t.Errorf("what does not compress: %v", random.Repetitiveness)
	}
}

func TestAnEmptyDocumentHasNothing(t *testing.T) {
	t.Parallel()
	if p := of(t, ""); p != (properties.Properties{}) {
		t.Errorf("%+v", p)
	}
}

func TestFilesDoNotRunIntoEachOther(t *testing.T) {
	t.Parallel()
	p, err := properties.Of(vfs.Files{"a": "of the", "b": "sea and land"})
	if err != nil {
		t.Fatal(err)
	}
	if p.Naturalness != 0 || p.Richness != 1 {
		t.Errorf("%+v", p)
	}
}
