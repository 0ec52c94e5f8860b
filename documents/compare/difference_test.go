package compare_test

import (
	"encoding/xml"
	"strings"
	"testing"

	"agentd/documents/compare"
	"agentd/domains/catalog"
	"agentd/vfs"
)

// Diff and score name the same differences by the same words, as text and as JUnit.
func TestAPartThatTheOthersPassedHasNoNewPlace(t *testing.T) {
	t.Parallel()
	for is, want := range map[string]string{"2": "moved row 2, past its neighbours", "3": "moved row 2, from place 2 to 3"} {
		d := compare.Difference{Kind: "moved", Where: "row 2", Was: "2", Is: is}
		if got := d.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestDifferencesReadAlike(t *testing.T) {
	t.Parallel()
	before := vfs.Files{"a.csv": "id,name,price\n1,Rope,4\n2,Buoy,12\n3,Plane,48\n4,Mallet,9\n"}
	after := vfs.Files{"a.csv": "id,name,price\n1,Rope,5\n2,Buoy,\n4,Mallet,9\n5,Vice,31\n"}
	d, err := catalog.Find("spreadsheet")
	if err != nil {
		t.Fatal(err)
	}
	report, scored := compare.Compare(before, after, d), scoredOf(t, "spreadsheet", before, after)
	written := func(format string) (diff, score string) {
		var a, b strings.Builder
		if err := report.Write(&a, format, false); err != nil {
			t.Fatal(err)
		}
		if err := scored.Write(&b, format, 1); err != nil {
			t.Fatal(err)
		}
		return a.String(), b.String()
	}
	diff, score := written(compare.Text)
	for _, line := range []string{
		"  changed  row 1 (1 Rope), price: 4 -> 5\n", "  lost     row 2 (2 Buoy), price: 12 -> (nothing)\n",
		"  lost     row 3 (3 Plane) (3 | Plane | 48)\n", "  added    row 4 (5 Vice) (5 | Vice | 31)\n",
	} {
		if !strings.Contains(diff, line) || !strings.Contains(score, line) {
			t.Errorf("%q is missing in\n%s\nor in\n%s", line, diff, score)
		}
	}
	diff, score = written(compare.JUnit)
	var all compare.Suites
	var one compare.Suite
	if err := xml.Unmarshal([]byte(diff), &all); err != nil {
		t.Fatal(err)
	}
	if err := xml.Unmarshal([]byte(score), &one); err != nil {
		t.Fatal(err)
	}
	if a, b := all.Suites[0].Cases[0].Failure.Text, one.Cases[0].Failure.Text; a != b || !strings.Contains(a, "lost row 3 (3 Plane) (3 | Plane | 48)") {
		t.Errorf("%q and %q", a, b)
	}
}

func TestStyles(t *testing.T) {
	t.Parallel()
	warnings := []string{"port 22 is open to everyone"}
	differences := []compare.Difference{
		{Kind: "moved", Element: "cue", Where: "cue 1", Was: "1", Is: "2"},
		{Kind: "changed", Element: "cue", Field: "text", Where: "cue 2, text", Was: "a\x1bb", Is: "the harbour office is closed"},
		{Kind: "lost", Element: "cue", Where: "cue 3", Was: "x"},
	}
	for name, c := range map[string]struct {
		style compare.Style
		most  int
		want  string
	}{
		"plain": {compare.Style{}, compare.All, "  careful  port 22 is open to everyone\n  moved    cue 1, from place 1 to 2\n" +
			"  changed  cue 2, text: a␛b -> the harbour office is closed\n  lost     cue 3 (x)\n"},
		"wrapped in its column": {compare.Style{Width: 40}, 2, "  careful  port 22 is open to everyone\n  moved    cue 1, from place 1 to 2\n" +
			"  changed  cue 2, text: a␛b -> the\n           harbour office is closed\n  and 1 more\n"},
		"coloured": {compare.Style{Coloured: true}, 1, "  \x1b[31;1mcareful\x1b[0m  port 22 is open to everyone\n" +
			"  \x1b[36mmoved  \x1b[0m  cue 1, from place 1 to 2\n  and 2 more\n"},
	} {
		if got := c.style.Text(warnings, differences, c.most); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	want := "careful: port 22 is open to everyone|moved cue 1, from place 1 to 2|and 2 more"
	if got := strings.Join(compare.Lines(warnings, differences, 1), "|"); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Markdown is shown as its author wrote it, and a link by what it was and what it is, with one arrow.
func TestMarkdownIsShownAsWritten(t *testing.T) {
	t.Parallel()
	const before = "# Boats\n\nThe **pilot** goes [here](b.md).\n"
	d, err := catalog.Find("markdown")
	if err != nil {
		t.Fatal(err)
	}
	for after, want := range map[string]string{
		strings.Replace(before, "pilot", "master", 1): `paragraph "The **pilot** goes here.", text: The **pilot** goes here. -> The **master** goes here.`,
		strings.Replace(before, "b.md", "c.md", 1):    `paragraph "The **pilot** goes here.", link: [here](b.md) -> [here](c.md)`,
	} {
		var said strings.Builder
		report := compare.Compare(vfs.Files{"a.md": before}, vfs.Files{"a.md": after}, d)
		if err := report.Write(&said, compare.Text, false); err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(strings.Fields(said.String()), " "); !strings.Contains(got, want) {
			t.Errorf("no %q in %q", want, got)
		}
	}
}
