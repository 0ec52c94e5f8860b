package plain

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPutInGivesEntriesTheirLines(t *testing.T) {
	t.Parallel()
	type placed struct {
		line  int
		entry string
	}
	lines := func(e string) int { return 1 + strings.Count(e, "\n") }
	for name, c := range map[string]struct {
		taken []placed
		rest  []string
		want  []string
	}{
		"at the beginning":        {[]placed{{1, "x"}}, []string{"a", "b"}, []string{"x", "a", "b"}},
		"between":                 {[]placed{{2, "x"}}, []string{"a", "b"}, []string{"a", "x", "b"}},
		"after an entry of lines": {[]placed{{3, "x"}}, []string{"a\na", "b"}, []string{"a\na", "x", "b"}},
		"inside of one":           {[]placed{{2, "x"}}, []string{"a\na", "b"}, []string{"a\na", "x", "b"}},
		"beyond the end":          {[]placed{{9, "x"}}, []string{"a"}, []string{"a", "x"}},
		"without a line":          {[]placed{{0, "y"}, {1, "x"}, {0, "z"}}, []string{"a"}, []string{"x", "a", "y", "z"}},
		"out of order":            {[]placed{{3, "y"}, {1, "x"}}, []string{"a", "b"}, []string{"x", "a", "y", "b"}},
	} {
		got := PutIn(c.taken, c.rest, func(p placed) (int, string) { return p.line, p.entry }, lines)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestPutInCountsEntriesAsLines(t *testing.T) {
	t.Parallel()
	itself := func(entry string) (int, string) { return len(entry), entry }
	got := PutIn([]string{"333"}, []string{"a\na", "b", "c"}, itself, nil)
	if diff := cmp.Diff([]string{"a\na", "b", "333", "c"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestNotesAreTakenInOrder(t *testing.T) {
	t.Parallel()
	n := NotesBy([][]string{{"a", "1"}, {"b", "2"}, {"a", "3"}}, func(row []string) string { return row[0] })
	var got []string
	for _, about := range []string{"a", "c", "a", "a", "b"} {
		if row := n.Take(about); row != nil {
			got = append(got, row[1])
		}
	}
	if diff := cmp.Diff([]string{"1", "3", "2"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestJSONArray(t *testing.T) {
	t.Parallel()
	got, err := JSONArray([]map[string]string{{"a": "<b>"}, {}})
	if want := "[\n  {\"a\":\"<b>\"},\n  {}\n]\n"; got != want || err != nil {
		t.Errorf("%q (%v), want %q", got, err, want)
	}
	if again := WriteJSON(Array[map[string]string]{{"a": "<b>"}, {}}); again != got {
		t.Errorf("%q, want %q", again, got)
	}
	if n := LineNumber(" 7 "); n != 7 || LineNumber("-7") != 0 || LineNumber("x") != 0 {
		t.Error(n)
	}
}

func TestNotesTakeNumbers(t *testing.T) {
	t.Parallel()
	n := NotesBy([][]string{{"7", "a"}, {"x", "a"}}, func(row []string) string { return row[1] })
	for _, want := range []struct {
		number int
		ok     bool
	}{{7, true}, {0, true}, {0, false}} {
		if number, ok := n.TakeNumber("a"); number != want.number || ok != want.ok {
			t.Errorf("%d, %v, want %v", number, ok, want)
		}
	}
}
