package aviation

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

func TestWhereNoticesBegin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text      string
		published []string // identifiers
		strict    []string
	}{
		"an identifier and a type":             {"A1/25 NOTAMN\nQ) a\n", []string{"A1/25"}, []string{"A1/25"}},
		"an indented one":                      {"\n \tA1/25  NOTAMR A2/25\n", []string{"A1/25"}, []string{"A1/25"}},
		"no blank line between":                {"A1/25 NOTAMN\nE) x\nA2/25 NOTAMC A1/25\n", []string{"A1/25", "A2/25"}, []string{"A1/25", "A2/25"}},
		"a heading above":                      {"PIB ENOR\n\nA1/25 NOTAMN\n", []string{"A1/25"}, []string{"A1/25"}},
		"an identifier alone with an item":     {"A1/25\n\nQ) a\n", []string{"A1/25"}, []string{"A1/25"}},
		"an identifier alone within a text":    {"A1/25 NOTAMN\nE) SEE\nA2/25\nTOO\n", []string{"A1/25", "A2/25"}, []string{"A1/25"}},
		"a type of another kind":               {"A1/25 NOTAM\nA) x\n", nil, []string{"A1/25"}},
		"small letters":                        {"a1/25 notamn\nA) x\n", []string{}, []string{"A1/25"}},
		"bold":                                 {"**A1/25 NOTAMN**\nA) x\n", []string{"**A1/25"}, []string{"A1/25"}},
		"a list":                               {"- A1/25 NOTAMN\n- A2/25 NOTAMN\n", nil, []string{"A1/25", "A2/25"}},
		"a slip in the identifier":             {"A1-25 NOTAMN\nA) x\n", []string{"A1-25"}, []string{"A1-25"}},
		"a word in front":                      {"EUROPE NOTAMN LIST\n", []string{"EUROPE"}, nil},
		"digits of another script":             {"A١/٢٥ NOTAMN\nA) x\n", []string{"A١/٢٥"}, nil},
		"a code fence, which the format lacks": {"```\nA1/25 NOTAMN\n```\n", []string{"A1/25"}, []string{"A1/25"}},
	} {
		b, _ := parse(vfs.Files{"a.txt": c.text})
		var published, strict []string
		for _, n := range b {
			published = append(published, n.id)
		}
		for _, e := range readEntries(c.text) {
			if e.kind == noticeEntry {
				strict = append(strict, e.notice.id)
			}
		}
		if len(c.published)+len(published) > 0 && !cmp.Equal(c.published, published) {
			t.Errorf("%s: the published reading has %q, want %q", name, published, c.published)
		}
		if !cmp.Equal(c.strict, strict) {
			t.Errorf("%s: the format's has %q, want %q", name, strict, c.strict)
		}
	}
}

func TestPublishedItems(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body string
		want items
	}{
		"all of them": {
			"Q) ENOR/QMRLC/IV/NBO/A /000/999/6018N00513E005\nA) ENBR B) 2506142230 C) 2506190430 EST\nD) DAILY\n2230-0430\nE) RWY\nCLSD\n" +
				"F) SFC   G) FL95\nCREATED: 12 Jun\nSOURCE: EUECYIYN\n\nBYE",
			items{
				qLine: "ENOR/QMRLC/IV/NBO/A /000/999/6018N00513E005", qCode: "QMRLC", location: "ENBR", from: "2506142230",
				to: "2506190430", schedule: "DAILY\n2230-0430", text: "RWY\nCLSD", lower: "SFC", upper: "FL95",
				created: "12 Jun", source: "EUECYIYN\n\nBYE",
			},
		},
		"a single blank before G":          {"F) SFC G) FL95\nCREATED: 1", items{lower: "SFC G) FL95", upper: "FL95", created: "1"}},
		"limits on two lines":              {"F) SFC\ng) FL95", items{lower: "SFC", upper: "FL95"}},
		"a bracket in a text":              {"E) CLSD (RWY 09 OFF) OK\nF) SFC", items{text: "CLSD (RWY 09 OFF) OK", lower: "OK\nF) SFC"}},
		"a location that is no word":       {"A) - B) 1 (A) EN_1-X", items{location: "EN_1", from: "1"}},
		"no E after D":                     {"D) DAILY\nCREATED: 1", items{created: "1"}},
		"small letters":                    {"q) a\na) b\nb) 1\nd) x\ne) y\nsource: z", items{qLine: "a", text: "y", source: "z"}},
		"an empty item takes the next":     {"E)\nCREATED: 1\nSOURCE: 2", items{text: "CREATED: 1", created: "1", source: "2"}},
		"no slashes to spare":              {"Q) ENOR/QMRLC/IV/NBO", items{qLine: "ENOR/QMRLC/IV/NBO"}},
		"parts that swallow slashes":       {"Q) E/Q/I/a/b/c/d/1/2/x", items{qLine: "E/Q/I/a/b/c/d/1/2/x", qCode: "Q"}},
		"a Q line that begins with a sign": {"Q) -E/Q/I/N/A/1/2/x", items{qLine: "-E/Q/I/N/A/1/2/x"}},
		"letters of a label in other case": {"E) x\ncreated: 1\nſource: 2", items{text: "x", created: "1", source: "2"}},
	} {
		n := notam{body: c.body}
		if got := n.items(); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestFirstLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]notam{
		"A1/25 NOTAMR A2/25 x": {id: "A1/25", kind: "NOTAMR", replaced: "A2/25"},
		"A1/25 NOTAMN":         {id: "A1/25", kind: "NOTAMN"},
		"A1/25 NOTAMNX":        {id: "A1/25", kind: "NOTAMN"},
		"A1/25":                {id: "A1/25"},
	} {
		if got, ok := readNotam(line); !ok || got != want {
			t.Errorf("%q: %+v, want %+v", line, got, want)
		}
	}
	for _, line := range []string{"", "A1/25 x", "A1/", "1/25", "AB1/25", "NOTAMN"} {
		if got, ok := readNotam(line); ok {
			t.Errorf("%q: %+v, want none", line, got)
		}
	}
}

func TestItemsOfTheFormat(t *testing.T) {
	t.Parallel()
	const text = "A1/25 NOTAMN\n" +
		"Q) ENOR/QMRLC A) ENBR\n" +
		"B) 1 C) 2\n" +
		"E) LIST:\nA) one\n\nB) two F) and G\n" +
		"f) SFC G) FL95\n" +
		"SOURCE: X\nfar off\n"
	entries := readEntries(text)
	if len(entries) != 2 || entries[1].kind != textEntry {
		t.Fatalf("%d entries", len(entries))
	}
	want := map[itemName]string{
		itemNone: "", itemQ: " ENOR/QMRLC ", itemA: " ENBR", itemB: " 1 ", itemC: " 2", itemE: " LIST:\nA) one\n\nB) two F) and G",
		itemF: " SFC ", itemG: " FL95", itemSource: " X",
	}
	got := map[itemName]string{}
	for _, at := range entries[0].notice.items {
		got[at.name] = at.text(entries[0].lines)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
