package weaving

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

const sample = `[WIF]
Version=1.1

[CONTENTS]
WARP=true

[TEXT]
Title=Rosepath; first

[NOTES]
1=Sley two to the dent.

[COLOR PALETTE]
Range=0,255

[WEAVING]
Shafts=4
Treadles=2
Rising Shed=true
; sinking in the book

[WARP]
Threads=4
Units=centimeters
Color=1
Spacing=0.125

[COLOR TABLE]
1=20,40,110
2=250,250,240

[TIEUP]
1=1,2
2=3,4

[THREADING]
1=1
2=2
3=3,4
4=0

[TREADLING]
1=1
2=2 ; right foot
3=1

[LIFTPLAN]
1=1,2

[WARP COLORS]
2=2

[WEFT SPACING]
1=0.5

[PRIVATE NOTES]
Loom=Öxabäck
`

// change is the sample with texts replaced, each pair once.
func change(t *testing.T, pairs ...string) vfs.Files {
	t.Helper()
	text := sample
	for n := 0; n < len(pairs); n += 2 {
		if !strings.Contains(text, pairs[n]) {
			t.Fatalf("the sample has no %q", pairs[n])
		}
		text = strings.Replace(text, pairs[n], pairs[n+1], 1)
	}
	return vfs.Files{"draft.wif": text}
}

func TestWhatStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, pairs := range map[string][]string{
		"names of sections in lower case":       {"[THREADING]", "[threading]", "[WARP COLORS]", "[Warp  Colors]"},
		"names of settings in lower case":       {"Rising Shed", "rising shed"},
		"a sign that was lost":                  {"3=3,4", "3 3,4", "1=20,", "1\t20,"},
		"blanks and colons":                     {"2=2\n", "  2 : 2  \n"},
		"another order of entries":              {"1=1\n2=2\n", "2=2\n1=1\n"},
		"another order of sections":             {"[NOTES]\n1=Sley two to the dent.\n\n", "", "[PRIVATE", "[NOTES]\n1=Sley two to the dent.\n\n[PRIVATE"},
		"shafts in another order":               {"3=3,4", "3=4, 3"},
		"an entry that is repeated":             {"3=3,4\n", "3=3,4\n3=3,4\n"},
		"a section in two parts":                {"3=1\n", "[TREADLING]\n3=1\n"},
		"other words for true":                  {"Shed=true", "Shed=Yes", "WARP=true", "WARP=on"},
		"numbers in words":                      {"Shafts=4", "Shafts=four"},
		"other notations of a number":           {"0.125", ".1250", "\n1=20,", "\n01=020,"},
		"nothing for none":                      {"4=0", "4="},
		"a treadle without ties":                {"[TIEUP]\n", "[TIEUP]\n3=0\n"},
		"units in another case":                 {"centimeters", "Centimeters"},
		"an added comment":                      {"4=0", "4=0 ; spare", "[TEXT]\n", "[TEXT]\n# by hand\n"},
		"a comment on a line of its own":        {" ; right foot", "\n;right foot"},
		"code fences and a byte order mark":     {"[WIF]", "\ufeff```ini\n[WIF]", "Loom=Öxabäck\n", "Loom=Öxabäck\n```\n"},
		"carriage returns":                      {"1=1,2\n2=3,4\n", "1=1,2\r\n2=3,4\r\n"},
		"a comment after the name of a section": {"[TIEUP]\n", "[TIEUP] ; lifts\n"},
		"an empty section":                      {"[TEXT]", "[BITMAP FILE]\n[TEXT]"},
	} {
		files := change(t, pairs...)
		if differences := New().Differences(vfs.Files{"a.wif": sample}, files); len(differences) > 0 {
			t.Errorf("%s: %v", rule, differences)
		}
	}
}

func TestADraftMayBeDividedOverFiles(t *testing.T) {
	t.Parallel()
	at := strings.Index(sample, "[THREADING]")
	divided := vfs.Files{"one.wif": sample[:at], "two.txt": "[WIF]\nVersion=1.1\n\n" + sample[at:]}
	if differences := New().Differences(vfs.Files{"a.wif": sample}, divided); len(differences) > 0 {
		t.Error(differences)
	}
	if differences := New().Differences(vfs.Files{"a.wif": sample}, vfs.Files{"a.wif": sample, "b.wif": sample}); len(differences) == 0 {
		t.Error("a copy is not seen")
	}
}

func TestWhatStrictSees(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		was, is string
		want    string // the first difference
	}{
		"another shaft":            {"2=2\n3=3", "2=1\n3=3", "warp thread 2, shaft: 2 -> 1"},
		"a lost pick":              {"3=1\n", "", "pick 3: lost (3 | 1)"},
		"an invented thread":       {"4=0\n", "4=0\n5=1\n", "warp thread 5: added (5 | 1)"},
		"a second, other entry":    {"4=0\n", "4=0\n4=1\n", "warp thread 4: added (4 | 1)"},
		"a shaft less":             {"3=3,4", "3=3", "warp thread 3, shaft: 4 -> (nothing)"},
		"another tie":              {"2=3,4", "2=2,4", "tie-up of treadle 2, shaft: 3 -> 2"},
		"a shade":                  {"250,240", "250,241", "color 2, blue: 240 -> 241"},
		"a lift":                   {"1=1,2\n\n[WARP C", "1=1,3\n\n[WARP C", "liftplan of pick 1, shaft: 2 -> 3"},
		"a thread's colour":        {"2=2\n\n[WEFT", "2=1\n\n[WEFT", "warp colors 2: 2 -> 1"},
		"a thread's place":         {"1=0.5", "1=0.6", "weft spacing 1: 0.5 -> 0.6"},
		"the range of the palette": {"0,255", "0,999", "Range in COLOR PALETTE: 0,255 -> 0,999"},
		"the shed":                 {"Shed=true", "Shed=false", "Rising Shed in WEAVING: true -> false"},
		"a unit":                   {"centimeters", "inches", "Units in WARP: centimeters -> inches"},
		"a declared number":        {"Threads=4", "Threads=5", "Threads in WARP: 4 -> 5"},
		"a title":                  {"; first", "; second", "Title in TEXT: Rosepath; first -> Rosepath; second"},
		"letter case in a text":    {"Loom=Ö", "Loom=ö", "Loom in PRIVATE NOTES: Öxabäck -> öxabäck"},
		"a note":                   {"two to", "three to", "note 1: Sley two to the dent. -> Sley three to the dent."},
		"a lost comment":           {"; sinking in the book\n", "", "comment in WEAVING: lost (sinking in the book | WEAVING)"},
		"another comment":          {"right foot", "left foot", "comment in TREADLING: right foot -> left foot"},
		"a private section":        {"[PRIVATE", "[STUDIO]\nOwner=me\n[PRIVATE", "Owner in STUDIO: added (STUDIO, owner | me)"},
		"prose":                    {"[WIF]", "Here is the draft.\n[WIF]", "line before the first section: added (Here is the draft.)"},
		"a line that is no entry":  {"[TIEUP]\n", "[TIEUP]\nand so on\n", "line in TIEUP: added (and so on)"},
	} {
		files := change(t, c.was, c.is)
		differences := New().Differences(vfs.Files{"a.wif": sample}, files)
		strict := New().Compare(vfs.Files{"a.wif": sample}, files).Strict
		if len(differences) != 1 || differences[0].String() != c.want || strict >= 1 || strict < 0.8 {
			t.Errorf("%s: Strict %.3f, %v, want %s", rule, strict, differences, c.want)
		}
	}
}

func TestWhatIsBeyondTheFirstLinesCountsAsOne(t *testing.T) {
	t.Parallel()
	long := "[TEXT]\n" + strings.Repeat("a\n", mostLines+5)
	elements := New().Elements(vfs.Files{"a.wif": long})
	if len(elements) != mostLines {
		t.Errorf("%d elements, want %d", len(elements), mostLines)
	}
	if last := elements[len(elements)-1]; last.Kind != "line" || !strings.Contains(last.Value(""), "a\na") {
		t.Errorf("the last is %v", domains.Element{Kind: last.Kind})
	}
}
