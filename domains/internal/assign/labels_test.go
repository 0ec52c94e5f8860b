package assign

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

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

func TestUpToTheLimitLabelsAreNotAsked(t *testing.T) {
	t.Parallel()
	rows, cols := []int{1, 2, 3}, []int{3, 1}
	asked := func(int) string {
		t.Error("a label was asked for")
		return fmt.Sprint()
	}
	if diff := cmp.Diff(Min(numbers(rows, cols)), MinByLabel(numbers(rows, cols), asked, asked, nil)); diff != "" {
		t.Error(diff)
	}
}
