package ratio

import (
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/internal/notes"
)

// A table gives what Of gives, whatever was asked before, and bounds it.
func TestTable(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		texts := rapid.SliceOfN(rapid.StringOf(rapid.SampledFrom([]rune("abcdé "))), 1, 6).Draw(t, "texts")
		table := NewTable(&notes.Notes{})
		for range 2 {
			for _, a := range texts {
				for _, b := range texts {
					x, y := table.Number(a), table.Number(b)
					if got, want := table.Ratio(x, y), Of(a, b); got != want || table.AtMost(x, y) < want {
						t.Errorf("%q, %q: %v, at most %v; want %v", a, b, got, table.AtMost(x, y), want)
					}
				}
			}
		}
	})
}

func TestATableBeyondItsLimit(t *testing.T) {
	t.Parallel()
	var noted notes.Notes
	table := NewTable(&noted)
	a, b := table.Number("abcd"), table.Number("dcba")
	if got := table.Ratio(a, b); got != 0.25 || noted.String() != "" {
		t.Errorf("%v, %q", got, noted.String())
	}
	table = NewTable(&noted)
	table.Most = 15
	if got := table.Ratio(table.Number("abcd"), table.Number("dcba")); got != 1 || noted.String() == "" {
		t.Errorf("beyond the limit: %v, %q", got, noted.String())
	}
	if got := table.Bytes([]int{a, b, a, Empty}); got != 8 {
		t.Errorf("%d bytes", got)
	}
}
