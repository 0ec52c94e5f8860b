package foodmenu

import (
	"testing"

	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
)

const menuFile = "menu.txt"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "foodmenu1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "foodmenu1"),
		Generate: rapid.Custom(drawMenu),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "foodmenu1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "foodmenu1"))
}

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for part, want := range map[string][2]string{
		"  CALDO VERDE potato, shredded kale  $4.50":                                 {"CALDO VERDE", ""},
		"--- PEIXE ---\n\n  As it comes.\n\n  Salmon $9.75  [F] (A) [D] [F]":         {"Salmon", "D, F"},
		"  Vinho verde, NV  $7.50 / $27.00  (A)\n      half bottle when we have any": {"Vinho verde, NV", ""},
		"See the board": {},
	} {
		if got := [2]string{dishName(part), allergens(part)}; got != want {
			t.Errorf("%q: %q, want %q", part, got, want)
		}
	}
}
