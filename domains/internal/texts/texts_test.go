package texts

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains/internal/assign"
	"agentd/domains/internal/ratio"
)

func TestPairsAreThoseOfThePlainAssignment(t *testing.T) {
	t.Parallel()
	text := rapid.SampledFrom(strings.Fields("tide tides buoy buoys chain mast keel bar"))
	rapid.Check(t, func(t *rapid.T) {
		reference := rapid.SliceOfN(text, 1, 8).Draw(t, "reference")
		candidate := rapid.SliceOfN(text, 1, 8).Draw(t, "candidate")
		if rapid.Bool().Draw(t, "same") {
			candidate = reference
		}
		want := assign.Min(assign.Costs{
			Rows: len(reference), Cols: len(candidate),
			Cost: func(i, j int) float64 { return 1 - ratio.Of(reference[i], candidate[j]) },
		})
		got := Pair(reference, candidate, nil)
		if diff := cmp.Diff(want, got.Pairs); diff != "" {
			t.Fatal(diff)
		}
		sum := 0.0
		for _, p := range want {
			sum += ratio.Of(reference[p.Row], candidate[p.Col])
		}
		if off := got.Similarity() - sum; off > 1e-12 || off < -1e-12 {
			t.Fatalf("similarity %v, want %v", got.Similarity(), sum)
		}
	})
}
