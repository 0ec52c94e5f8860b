package foodmenu

import (
	"testing"

	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
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

// TestScore has scores that were worked out by hand from the formula.
func TestScore(t *testing.T) {
	t.Parallel()
	const both = "--- TEAS ---\nMint $1.00 [D]\nMate $2.00\n"
	for rule, c := range map[string]struct {
		reference, candidate string
		value                float64
	}{
		"itself":                      {both, both, 1},
		"nothing in either":           {"prose", "prose", 1},
		"nothing in the candidate":    {both, "", 0},
		"sections alone":              {both, "--- TEAS ---\n", 0.15},
		"half the price":              {both, "--- TEAS ---\nMint $0.50 [D]\nMate $2.00\n", 0.85*(0.6+1)/2 + 0.15},
		"a price of nothing":          {both, "--- TEAS ---\nMint $0.00 [D]\nMate $2.00\n", 0.85*(0.2+1)/2 + 0.15},
		"a code too many":             {both, "--- TEAS ---\nMint $1.00 [D] [G]\nMate $2.00\n", 0.85*(0.65+1)/2 + 0.15},
		"a mark too many":             {both, "--- TEAS ---\nMint $1.00 [D] (A)\nMate $2.00\n", 0.85*(0.8+1)/2 + 0.15},
		"a lost item":                 {both, "--- TEAS ---\nMint $1.00 [D]\n", 0.85*0.5*0.75 + 0.15},
		"an item too many":            {"--- TEAS ---\nMint $1.00\n", "--- TEAS ---\nMint $1.00\nRum $9.00\n", 0.85*0.75 + 0.15},
		"another section":             {both, "--- MORE ---\nMint $1.00 [D]\nMate $2.00\n", 0.85 * 0.4},
		"a description that was lost": {"MINT TEA with honey $1.00", "MINT TEA $1.00", 0.85*0.85 + 0.15},
	} {
		score := New().Compare(vfs.Files{"a.txt": c.reference}, vfs.Files{"a.txt": c.candidate})
		if diff := score.RS - c.value; diff > 1e-12 || diff < -1e-12 {
			t.Errorf("%s: Value %v, want %v", rule, score.RS, c.value)
		}
	}
}
