package weaving

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const small = `[CONTENTS]
WARP=true
WEFT COLORS=true

[WEAVING]
Shafts=4
Treadles=2

[COLOR PALETTE]
Range=0,255

[COLOR TABLE]
1=0,128,255

[WARP]
Units=centimeters
Color=1
Spacing=0.25

[WEFT]
Units=inches
Spacing=0.1

[TIEUP]
; feet
1=1,2
2=2,3

[THREADING]
1=1
; centre
2=2,4
14=0

[TREADLING]
1=1
2=1,2

[WARP COLORS]
2=3

[WEFT THICKNESS]
1=0.5
`

// replaced is the small draft with texts replaced, each pair once.
func replaced(t *testing.T, pairs ...string) string {
	t.Helper()
	text := small
	for n := 0; n < len(pairs); n += 2 {
		if !strings.Contains(text, pairs[n]) {
			t.Fatalf("the draft has no %q", pairs[n])
		}
		text = strings.Replace(text, pairs[n], pairs[n+1], 1)
	}
	return text
}

// document is the file of the documents in these tests.
const document = "overshot_runner.wif"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "weaving1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	const ties = "[TIEUP]\n; feet\n1=1,2\n2=2,3\n\n"
	const picks = "[TREADLING]\n1=1\n2=1,2\n\n"
	bare := []string{"1=1\n; centre\n2=2,4\n14=0\n", "; centre\n", "[TREADLING]\n1=1\n2=1,2\n", "[TREADLING]\n"}
	domaintest.Results(t, demonstration(t), vfs.Files{document: small}, map[string]vfs.Files{
		"liftplan": {
			"liftplan.wif": replaced(t, ties, "", picks, "") + "\n[LIFTPLAN]\n1=1,2\n2=1,2,3\n",
			"pedals.wif":   ties + picks,
		},
		"turned_draft": {"turned.wif": replaced(t,
			"WARP=true", "WEFT=true", "WEFT COLORS=true", "WARP COLORS=true",
			"Shafts=4\nTreadles=2", "Treadles=4\nShafts=2",
			"[WARP]", "[W-]", "[WEFT]", "[WARP]", "[W-]", "[WEFT]",
			"1=1,2\n2=2,3\n", "1=1\n2=1,2\n3=2\n",
			"[THREADING]", "[T-]", "[TREADLING]", "[THREADING]", "[T-]", "[TREADLING]",
			"[WARP COLORS]", "[WEFT COLORS]", "[WEFT THICKNESS]", "[WARP THICKNESS]")},
		"section_tables": {
			"loom.wif":      replaced(t, append(bare, "1=0,128,255\n", "")...),
			"threading.csv": "thread,shafts\n1,1\n2,2 4\n14,0\n",
			"treadling.csv": "pick,treadles\n1,1\n2,1 2\n",
			"colors.csv":    "color,red,green,blue\n1,0,128,255\n",
		},
		"bench_sheet": {
			"rest.wif": replaced(t, bare...),
			"bench_sheet.md": "## Threading\n\n| from | numbers |\n| --- | --- |\n| 1 | 1 2+4 . . . . . . . . . . |\n| 13 | . 0 |\n\n" +
				"## Treadling\n\n| from | numbers |\n| --- | --- |\n| 1 | 1 1+2 |\n",
		},
		"rear_count": {
			"rear_count.wif": replaced(t, "1=1,2\n2=2,3", "1=3,4\n2=2,3", "1=1\n; centre\n2=2,4", "1=4\n; centre\n2=1,3"),
			"shafts.csv":     "shaft,was,ends\n1,4,1\n2,3,0\n3,2,1\n4,1,1\n",
		},
		"wide_palette": {
			"wide_palette.wif": replaced(t, "0,255", "0,999", "1=0,128,255", "1=0,501,999"),
			"palette.csv":      "color,red,green,blue\n1,0,128,255\n",
		},
		"yarn_list": {
			"plain_warp.wif": replaced(t, "[WARP COLORS]\n2=3\n", "[WARP COLORS]\n"),
			"warp_yarn.json": `[
  {"color":1,"ends":2,"metres":9,"threads":[]},
  {"color":3,"ends":1,"metres":4.5,"threads":[2]}
]
`,
		},
		"inches": {
			"inches.wif": replaced(t, "centimeters", "inches", "0.25", "0.0984"),
			"units.json": `[
  {"section":"WARP","key":"Spacing","centimeters":"0.25"}
]
`,
		},
	}, domaintest.InMeaning)
}

func TestWhatEditsRefuse(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		edit  string
		pairs []string
	}{
		"a liftplan beside the treadling":    {"liftplan", []string{"[WARP COLORS]", "[LIFTPLAN]\n1=1\n[WARP COLORS]"}},
		"no tie-up":                          {"liftplan", []string{"1=1,2\n2=2,3\n", ""}},
		"a shaft that is tied twice":         {"turned_draft", []string{"1=1,2", "1=1,1"}},
		"a thread with two entries":          {"section_tables", []string{"14=0", "1=3"}},
		"a color of two numbers":             {"section_tables", []string{"128,255", "128"}},
		"a thread beyond any loom":           {"bench_sheet", []string{"14=0", "1400000000=0"}},
		"a shaft that does not exist":        {"rear_count", []string{"2=2,4", "2=2,5"}},
		"no number of shafts":                {"rear_count", []string{"Shafts=4\n", ""}},
		"a palette of another range":         {"wide_palette", []string{"0,255", "0,65535"}},
		"a thread with two colors":           {"yarn_list", []string{"2=3\n", "2=3,4\n"}},
		"lengths that are in inches already": {"inches", []string{"centimeters", "inches"}},
		"a length that is none":              {"inches", []string{"0.25", "wide"}},
	} {
		files := vfs.Files{document: replaced(t, c.pairs...)}
		if got, err := domaintest.Edit(t, demonstration(t), c.edit).Forward(files); err == nil {
			t.Errorf("%s: %s made %v, want an error", rule, c.edit, got)
		}
	}
}

func TestACommentAfterAnEntryStays(t *testing.T) {
	t.Parallel()
	files := vfs.Files{document: replaced(t, "14=0", "14=0 ; spare")}
	for _, edit := range demonstration(t).Edits() {
		there, err := edit.Forward(files)
		if err != nil {
			t.Errorf("%s: %v", edit.Name, err)
			continue
		}
		again, err := edit.Backward(there)
		if err != nil {
			t.Errorf("%s: %v", edit.Name, err)
		} else if differences := New().Differences(files, again); len(differences) > 0 {
			t.Errorf("%s: %v", edit.Name, differences)
		}
	}
}
