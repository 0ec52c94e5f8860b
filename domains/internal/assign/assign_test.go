package assign

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func table(costs [][]float64) Costs {
	return Costs{Rows: len(costs), Cols: len(costs[0]), Cost: func(i, j int) float64 { return costs[i][j] }}
}

// The answers are those of SciPy 1.10.1's linear_sum_assignment.
func TestTiesAreResolvedAsSciPyDoes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		costs [][]float64
		want  []Pair
	}{
		"all equal":         {[][]float64{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, []Pair{{0, 0}, {1, 1}, {2, 2}}},
		"more columns":      {[][]float64{{0, 0, 0, 0}, {0, 0, 0, 0}}, []Pair{{0, 0}, {1, 1}}},
		"more rows":         {[][]float64{{0, 0}, {0, 0}, {0, 0}}, []Pair{{0, 0}, {1, 1}}},
		"two optima":        {[][]float64{{1, 0, 1, 0}, {0, 1, 0, 1}, {1, 0, 1, 0}, {0, 1, 0, 1}}, []Pair{{0, 1}, {1, 0}, {2, 3}, {3, 2}}},
		"a row left out":    {[][]float64{{0.5, 0.5}, {0.5, 0.5}, {0.5, 0}}, []Pair{{0, 0}, {2, 1}}},
		"textbook optimum":  {[][]float64{{4, 1, 3}, {2, 0, 5}, {3, 2, 2}}, []Pair{{0, 1}, {1, 0}, {2, 2}}},
		"one row, last tie": {[][]float64{{2, 1, 1}}, []Pair{{0, 1}}},
	} {
		if diff := cmp.Diff(c.want, Min(table(c.costs))); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestNothingToAssign(t *testing.T) {
	t.Parallel()
	for _, c := range []Costs{{Rows: 0, Cols: 3}, {Rows: 3, Cols: 0}, {}} {
		if pairs := Min(c); len(pairs) != 0 {
			t.Errorf("%d × %d: %v", c.Rows, c.Cols, pairs)
		}
	}
}

func TestBoundsDoNotChangeThePairs(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rows, cols := rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(1, 9).Draw(t, "cols")
		level := rapid.IntRange(0, 4) // few levels, many ties
		costs, bounds := make([][]float64, rows), make([][]float64, rows)
		for i := range rows {
			costs[i], bounds[i] = make([]float64, cols), make([]float64, cols)
			for j := range cols {
				costs[i][j] = float64(level.Draw(t, "cost")) / 7
				bounds[i][j] = costs[i][j] * float64(level.Draw(t, "bound")) / 4
			}
		}
		plain := table(costs)
		bounded, asked := plain, map[Pair]bool{}
		bounded.Bound = func(i, j int) float64 { return bounds[i][j] }
		bounded.Cost = func(i, j int) float64 {
			if asked[Pair{i, j}] {
				t.Fatalf("cost %d, %d asked twice", i, j)
			}
			asked[Pair{i, j}] = true
			return costs[i][j]
		}
		if diff := cmp.Diff(Min(plain), Min(bounded)); diff != "" {
			t.Fatal(diff)
		}
	})
}
