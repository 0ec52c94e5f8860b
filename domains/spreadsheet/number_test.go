package spreadsheet

import (
	"strconv"
	"testing"
)

// The short way of a cell without digits, or of few digits alone, is the long one.
func TestTheShortWayOfNumbers(t *testing.T) {
	t.Parallel()
	cells := []string{"", "0", "00", "007", "+1", "-", "+", ".", "Rope", "e", "inf", "nan", "1200", "1000000000", "9999999999", "99999999999", "1e5", "1E5", "12e", "e12", "٣", "１２"}
	for i := range 5000 {
		cells = append(cells, strconv.Itoa(i*i*7919))
	}
	for _, cell := range cells {
		if got, want := plainNumber(cell), canonicalNumber(cell); got != want {
			t.Errorf("%q: %q, want %q", cell, got, want)
		}
	}
	for cell, is := range map[string]bool{
		"+49": true, "1E5": true, "12e3": true, "+": false, "49": false, "+4a": false, "1E": false, "E5": false, "1E+5": false, "1e2e3": false, "": false,
	} {
		if isCodeForm(cell) != is {
			t.Errorf("%q is a code: %v", cell, !is)
		}
	}
}
