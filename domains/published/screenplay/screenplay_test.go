package screenplay

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

// TestPublishedReading has the rules of the published parser: what it makes of
// lines below the heading of the dialogue.
func TestPublishedReading(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		lines      string
		speeches   string
		directions string
	}{
		"a speech":                            {"MRS O'HARA: Yes.", "MRS O'HARA|Yes.", ""},
		"a wrapped speech loses its rest":     {"MATE: One\ntwo.", "MATE|One", ""},
		"a manner":                            {"MATE (aside): One.", "MATE|One.", ""},
		"no blank after a manner":             {"MATE (aside) : One.", "", ""},
		"a blank before the colon":            {"MATE : One.", "MATE|One.", ""},
		"no blank after the colon":            {"MATE:One.", "MATE|One.", ""},
		"parentheticals go":                   {"MATE: One (two) (three)four (five", "MATE|One four (five", ""},
		"nothing but one":                     {"MATE: (nods)", "MATE|", ""},
		"no text":                             {"MATE:", "", ""},
		"one letter":                          {"M: One.", "", ""},
		"dots, digits and accents":            {"DR. LOWE: a\nGUARD 2: b\nÅSE: c\nO’HARA: d\nJEAN-LUC: e", "", ""},
		"a name in bold":                      {"**MATE:** One.", "", ""},
		"a direction":                         {"(He goes.)", "", "He goes."},
		"an empty one":                        {"()", "", "-"},
		"a wrapped direction":                 {"(He\ngoes.)", "", ""},
		"an early colon":                      {"(A note from: him)", "", ""},
		"a late colon":                        {"(A letter is read out: it is his)", "", "A letter is read out: it is his"},
		"a colon at the twentieth place":      {"(012345678901234567:)\n(0123456789012345678:)", "", "0123456789012345678:"},
		"brackets":                            {"[He goes.]", "", "He goes."},
		"numbers":                             {"(SD12: (He goes.))\nSD3:(She, too.)\nSD: (No.)", "SD|", "He goes./She, too."},
		"a label":                             {"(STAGE Direction:  He goes.)", "", "He goes."},
		"a heading that is none of the three": {"# END\nMATE: One.\n[He goes.]\n(She goes.)", "MATE|One.", "She goes."},
		"the dialogue again":                  {"# END\n# DIALOGUE, continued\n[He goes.]", "", "He goes."},
		"a heading without a blank":           {"#END\n[He goes.]", "", "He goes."},
		"another section":                     {"# SCENE TWO\nMATE: One.\n## DIALOGUE\nMATE: Two.", "", ""},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			p, err := Parse(vfs.Files{"a.txt": "MATE: No.\n# DIALOGUE:\n" + c.lines})
			if err != nil {
				t.Fatal(err)
			}
			var speeches []string
			for _, s := range p.speeches {
				speeches = append(speeches, s.speaker+"|"+s.text)
			}
			directions := strings.Join(p.directions, "/")
			if len(p.directions) == 1 && directions == "" {
				directions = "-"
			}
			wantSpeeches, wantDirections := folded(c.speeches), folded(c.directions)
			if got := strings.Join(speeches, "/"); got != wantSpeeches || directions != wantDirections {
				t.Errorf("speeches %q, directions %q, want %q and %q", got, directions, wantSpeeches, wantDirections)
			}
		})
	}
}

// folded folds each of several texts, but for the speaker in front of it.
func folded(all string) string {
	texts := strings.Split(all, "/")
	for i, text := range texts {
		if speaker, said, ok := strings.Cut(text, "|"); ok {
			texts[i] = speaker + "|" + fold(said)
		} else if text != "-" {
			texts[i] = fold(text)
		}
	}
	return strings.Join(texts, "/")
}

func TestPublishedCast(t *testing.T) {
	t.Parallel()
	p, err := Parse(vfs.Files{"a.txt": "# CHARACTERS\n- MATE: a\n-COOK : b\n- MATE: c\n- DR. LOWE: d\n- BOY:\n* OLD MAN: e\n- X: f\n# SCENE\n- GULL: g"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"MATE", "COOK"}, p.characters); diff != "" {
		t.Error(diff)
	}
}

func TestFoldKeepsLettersAndNumbers(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" A–B\tc\u00a0\x1cd_e\n": "ab c d_e", "İ": "i", "½ Ⅳ ٣": "½ ⅳ ٣", "Ne\u0301e!": "nee", "": "", " ": "",
	} {
		if got := fold(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}
