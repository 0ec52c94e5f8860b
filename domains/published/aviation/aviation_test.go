package aviation

import "testing"

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
		"letters of a label in other case": {"E) x\ncreated: 1\nsource: 2", items{text: "x", created: "1", source: "2"}},
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
		"A1/25 NOTAMR A2/25 x": {ID: "A1/25", kind: "NOTAMR", replaced: "A2/25"},
		"A1/25 NOTAMN":         {ID: "A1/25", kind: "NOTAMN"},
		"A1/25 NOTAMNX":        {ID: "A1/25", kind: "NOTAMN"},
		"A1/25":                {ID: "A1/25"},
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
