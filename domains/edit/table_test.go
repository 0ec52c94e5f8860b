package edit

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"testing"
)

// A cell is found as a pattern would find it, of whatever else the row has.
func TestCellsAreThoseOfAPattern(t *testing.T) {
	t.Parallel()
	const cell = `(?:"(?:[^"]|"")*"|[^"\n\r,]*)`
	random := rand.New(rand.NewPCG(1, 0))
	for k := range 4 {
		pattern := regexp.MustCompile(fmt.Sprintf(`\A(?:%s,){%d}(%s)`, cell, k, cell))
		for range 20_000 {
			row := make([]byte, random.IntN(14))
			for i := range row {
				row[i] = ("ab\"\",,\n\r\xff")[random.IntN(9)]
			}
			var want span
			if at := pattern.FindSubmatchIndex(row); at != nil && at[3] > at[2] {
				want = span{at[2], at[3]}
			}
			got := cellOf(string(row), ',', k)
			if got.to == got.from {
				got = span{}
			}
			if got != want {
				t.Fatalf("cell %d of %q is at %v, want %v", k, row, got, want)
			}
		}
	}
}
