package spreadsheet

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"agentd/vfs"
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

// Comments above a table are lines of their own: the header below them names the cells, and no row is too long.
func TestCommentsAboveATable(t *testing.T) {
	t.Parallel()
	const made = "# tides of the pier, by hand, in \"cm\"\n# station: 12, unit: cm\n#\nday;low;high\n1;20;310\n2;22;305\n"
	d := New()
	if slips := d.Slips(vfs.Files{"a.csv": made}); len(slips) > 0 {
		t.Errorf("of the original: %v", slips)
	}
	for _, c := range []struct{ was, is, found string }{
		{"22", "23", "[row 2 (2 22), low: 22 -> 23]"},
		{"station: 12", "station: 13", "station: 13"},
		{"# station: 12, unit: cm\n", "", "station: 12"},
		{"low", "lows", "low -> lows"},
	} {
		after := vfs.Files{"a.csv": strings.Replace(made, c.was, c.is, 1)}
		if found := fmt.Sprint(d.Differences(vfs.Files{"a.csv": made}, after)); !strings.Contains(found, c.found) {
			t.Errorf("%s: %s", c.is, found)
		}
	}
	long := vfs.Files{"a.csv": strings.Replace(made, "2;22;305", "2;22;305;1", 1)}
	if slips := d.Against(vfs.Files{"a.csv": made}).Broken(long); len(slips) != 1 || slips[0].Line != 6 {
		t.Errorf("a row too long: %v", slips)
	}
	rest := d.Without(vfs.Files{"a.csv": made}, func(n int) bool { return n == 0 })["a.csv"]
	if want := strings.Replace(made, "1;20;310\n", "", 1); rest != want {
		t.Errorf("without a row: %q", rest)
	}
}
