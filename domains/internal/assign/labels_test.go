package assign

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains/internal/notes"
)

// numbers is a problem of pairing numbers that are near each other.
func numbers(rows, cols []int) Costs {
	return Costs{Rows: len(rows), Cols: len(cols), Cost: func(i, j int) float64 {
		return math.Abs(float64(rows[i] - cols[j]))
	}}
}

func TestBeyondTheLimitEqualsThenAWindowThenInOrder(t *testing.T) {
	t.Parallel()
	rows := []int{7, 100, 7, 205, 9}
	cols := make([]int, 200_000) // zeros
	last := len(cols) - 1
	cols[3], cols[4] = 206, 101     // in the window, out of order
	cols[last], cols[last-1] = 7, 9 // equal to a row, far after it
	want := []Pair{{0, last}, {1, 4}, {2, 0}, {3, 3}, {4, last - 1}}
	for name, c := range map[string]struct {
		problem  Costs
		row, col []int
		pair     func(Pair) Pair
	}{
		"more columns": {numbers(rows, cols), rows, cols, func(p Pair) Pair { return p }},
		"more rows":    {numbers(cols, rows), cols, rows, func(p Pair) Pair { return Pair{p.Col, p.Row} }},
	} {
		got := map[Pair]bool{}
		for _, p := range MinByLabel(c.problem, func(i int) int { return c.row[i] }, func(j int) int { return c.col[j] }, nil) {
			got[c.pair(p)] = true
		}
		for _, p := range want {
			// Which of the many zeros the second 7 gets means nothing.
			if p.Row != 2 && !got[p] {
				t.Errorf("%s: %v is missing among %v", name, p, got)
			}
		}
		if len(got) != len(rows) {
			t.Errorf("%s: %d pairs, want %d", name, len(got), len(rows))
		}
	}
}

func TestEveryRowOfALargeProblemHasAPartner(t *testing.T) {
	t.Parallel()
	rows, cols := make([]int, 3000), make([]int, 3000)
	for i := range rows {
		rows[i], cols[i] = 10*i, 10*i+5
	}
	var noted notes.Notes
	pairs := MinByLabel(numbers(rows, cols), func(i int) int { return rows[i] }, func(j int) int { return cols[j] }, &noted)
	if noted.String() != notes.Paired {
		t.Errorf("noted is %q", noted.String())
	}
	partner := map[int]bool{}
	for i, p := range pairs {
		if p.Row != i {
			t.Fatalf("pair %d is of row %d", i, p.Row)
		}
		partner[p.Col] = true
	}
	if len(pairs) != len(rows) || len(partner) != len(cols) {
		t.Errorf("%d pairs with %d different columns, want %d", len(pairs), len(partner), len(rows))
	}
}

// Rows and columns of equal label mostly cost nothing, and others may cost nothing, too.
func TestLabelsDoNotChangeThePairs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		labels := rapid.SliceOfN(rapid.IntRange(0, 5), 1, 14)
		rows, cols := labels.Draw(t, "rows"), labels.Draw(t, "cols")
		odd := rapid.IntRange(0, 5).Draw(t, "label that costs something")
		price := rapid.SampledFrom([]float64{0, 0.1, 0.3, 0.7, 1})
		prices := map[Pair]float64{}
		c := Costs{Rows: len(rows), Cols: len(cols), Cost: func(i, j int) float64 {
			if rows[i] == cols[j] && rows[i] != odd {
				return 0
			}
			pair := Pair{rows[i], cols[j]}
			if _, known := prices[pair]; !known {
				prices[pair] = price.Draw(t, "cost")
			}
			return prices[pair]
		}}
		want := Min(c)
		label := func(labels []int) func(int) int { return func(k int) int { return labels[k] } }
		if diff := cmp.Diff(want, MinByLabel(c, label(rows), label(cols), nil)); diff != "" {
			t.Fatal(diff)
		}
		c.Bound = func(i, j int) float64 { return c.Cost(i, j) / 2 }
		if diff := cmp.Diff(want, MinByLabel(c, label(rows), label(cols), nil)); diff != "" {
			t.Fatalf("with a bound: %s", diff)
		}
	})
}
