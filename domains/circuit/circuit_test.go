package circuit

import (
	"testing"

	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const document = "hydrophone_rx.cir"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "circuit1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:     demonstration(t),
		Seed:       domaintest.Seed(t, "circuit1"),
		Generate:   rapid.Custom(drawNetlist),
		RSForgives: 0.45, // what is left of a cell or of the sources counts as a whole
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "circuit1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "circuit1"))
}

func TestValueOfANetlistWithoutSubcircuits(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"a.cir": "* t\nV1 a 0 1\nR1 a 0 1\n.end\n"}
	score := New().Compare(files, files)
	if score.RS != 0.9 || score.Strict != 1 || score.Elements != (domains.Elements{Reference: 2, Candidate: 2}) {
		t.Errorf("%+v", score)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"10k": "10k", "2.20k": "2.2k", "0.09u": "90n", "10pf": "10p", "1f": "1f", "1meg": "1meg", "1megohm": "1meg",
		"1000": "1k", "1e-9": "1n", "0.5": "500m", "-3.30": "-3.3", "0ns": "0", "100mil": "2.54m", "47µ": "47u",
		"1e15": "1000t", "1e-21": "0.001a", "33%": "33", "5k6": "", "1.2.3": "", "": "", "-": "", "0x1f": "", "1e999": "", "n1": "",
	} {
		got := ""
		if n, ok := readNumber(text); ok {
			got = n.engineering()
		}
		if got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
