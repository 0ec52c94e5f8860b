// Package layouttest compares what is printed for terminals of several widths with files
// that a person would want to read.
package layouttest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Golden compares a text that was laid out for a terminal of so many columns with the file
// testdata/NAME.COLUMNS.txt, and fails if a line is wider than the terminal. update writes
// the file.
func Golden(t *testing.T, name string, columns int, got string, update bool) {
	t.Helper()
	Fits(t, columns, got)
	file := filepath.Join("testdata", fmt.Sprintf("%s.%d.txt", name, columns))
	if update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s: -want +got; go test with -update writes it\n%s", file, diff)
	}
}

// Fits fails if a line of a text is wider than a terminal of so many columns.
func Fits(t *testing.T, columns int, got string) {
	t.Helper()
	for line := range strings.Lines(got) {
		if n := text.StringWidth(strings.TrimSuffix(line, "\n")); n > columns {
			t.Errorf("a line of %d columns on a terminal of %d: %s", n, columns, line)
		}
	}
}
