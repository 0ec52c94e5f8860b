package plain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestColumnsAreFoundByNameInAnyOrder(t *testing.T) {
	t.Parallel()
	got, err := Columns("cue, end ,start\n1,b,a\n2, d\n", "start", "end")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{{"a", "b"}, {"", " d"}}, got); diff != "" {
		t.Error(diff)
	}
}

func TestColumnsNamesTheMissingOne(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":           "want the columns cue, end",
		"cue\n1\n":   `no column "end" among cue`,
		"\n\nx\ny\n": `no column "cue" among x`,
	} {
		if _, err := Columns(text, "cue", "end"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Columns(%q) gave error %v, want %q in it", text, err, want)
		}
	}
}

func TestByNumberOrdersByTheFirstCell(t *testing.T) {
	t.Parallel()
	rows := [][]string{{" 10 "}, {"9"}, {"none"}, {"2"}}
	slices.SortStableFunc(rows, ByNumber)
	if got := fmt.Sprint(rows); got != "[[none] [2] [9] [ 10 ]]" {
		t.Error(got)
	}
}
