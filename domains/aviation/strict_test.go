package aviation

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

const runway = `A2902/25 NOTAMN
Q) ENOR/QMRLC/IV/NBO/A /000/999/6018N00513E005
A) ENBR B) 2506142230 C) 2506190430 EST
D) DAILY 2230-0430, EXC SUN
E) RWY 17/35 CLSD. TWY Y
NOT AVBL.
CREATED: 12 Jun 2025 07:55:00
SOURCE: EUECYIYN
`

const area = `A2866/25 NOTAMR A2790/25
Q) ENOR/QRTCA/IV/BO /W /000/095/6110N00308E015
A) ENOR ENBR B) 2506140530 C) PERM
E) RESTRICTED AREA WITHIN 15NM OF 611034N0031126E.
F) SFC                  G) 9500FT AMSL
CREATED: 10 Jun 2025 14:47:00
SOURCE: EUECYIYN
`

const sample = "BULLETIN OF 14 JUN\n==========\n\n" + runway + "\n-- EN ROUTE --\n\n" + area + "\nEND\n"

func sampleWith(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{"pib.txt": strings.ReplaceAll(sample, was, is)}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a lost notice":                {runway, ""},
		"a repeated notice":            {runway, runway + "\n" + runway},
		"an invented notice":           {runway, runway + "\nA2999/25 NOTAMN\nA) ENBR B) 2506140000\nE) BIRDS.\n"},
		"a false copy ahead":           {runway, strings.ReplaceAll(runway, "CLSD", "OPN") + "\n" + runway},
		"another number":               {"A2902/25", "A2920/25"},
		"another series":               {"A2902/25", "B2902/25"},
		"another type":                 {"A2902/25 NOTAMN", "A2902/25 NOTAMC"},
		"a lost type":                  {"A2902/25 NOTAMN", "A2902/25"},
		"another replaced notice":      {"A2790/25", "A2970/25"},
		"bold identifiers":             {"A2902/25 NOTAMN", "**A2902/25 NOTAMN**"},
		"a list mark before an item":   {"E) RWY", "- E) RWY"},
		"another FIR":                  {"Q) ENOR/QMRLC", "Q) ENOB/QMRLC"},
		"another code":                 {"QMRLC", "QMRLT"},
		"another traffic":              {"QMRLC/IV", "QMRLC/I"},
		"another purpose":              {"NBO", "BO"},
		"another scope":                {"A /000", "AE/000"},
		"another upper level":          {"000/095", "000/085"},
		"another centre":               {"6110N00308E", "6101N00308E"},
		"another radius":               {"00308E015", "00308E051"},
		"a short Q line":               {"/6110N00308E015", ""},
		"another location":             {"A) ENBR", "A) ENBO"},
		"a second location":            {"ENOR ENBR", "ENOR"},
		"another beginning":            {"2506142230", "2506142200"},
		"another end":                  {"2506190430", "2506180430"},
		"an estimated end":             {" EST", ""},
		"PERM":                         {"PERM", "2507140530"},
		"a schedule":                   {"2230-0430,", "2230-0530,"},
		"an exception":                 {", EXC SUN", ""},
		"a negation":                   {"\nNOT AVBL", "\nAVBL"},
		"a runway":                     {"17/35 CLSD", "16/34 CLSD"},
		"the order of sentences":       {"RWY 17/35 CLSD. TWY Y\nNOT AVBL.", "TWY Y NOT AVBL. RWY 17/35 CLSD."},
		"a position in a text":         {"0031126E.", "0031162E."},
		"an upper limit":               {"9500FT", "5900FT"},
		"a unit":                       {"9500FT", "9500M"},
		"limits exchanged":             {"F) SFC                  G) 9500FT AMSL", "F) 9500FT AMSL      G) SFC"},
		"a lost limit":                 {"G) 9500FT AMSL", ""},
		"the time it was made":         {"12 Jun 2025 07:55:00", "12 Jun 2025 07:55:01"},
		"the source":                   {"EUECYIYN\n\nEND", "ENBRYDYX\n\nEND"},
		"a heading":                    {"BULLETIN OF 14 JUN\n", ""},
		"the order of other lines":     {"-- EN ROUTE --\n\n" + area + "\nEND", area + "\nEND\n-- EN ROUTE --"},
		"a remark after the last":      {"END\n", "END\nLet me know if you need more.\n"},
		"a remark after a source":      {runway, runway + "Checked.\n"},
		"texts of notices exchanged":   {"", ""}, // below
		"a text in the wrong item":     {"D) DAILY 2230-0430, EXC SUN\nE) ", "E) DAILY 2230-0430, EXC SUN\n"},
		"a line before the items":      {"NOTAMN\nQ)", "NOTAMN\nchecked\nQ)"},
		"a word on the first line":     {"A2790/25", "A2790/25 PRINTED"},
		"a slip in an identifier":      {"A2902/25 NOTAMN", "A2902-25 NOTAMN"},
		"a lost marker":                {"B) 2506140530", "2506140530"},
		"a word of the source":         {"EUECYIYN\n\n--", "EUECYIYN BY FAX\n\n--"},
		"a second location's spelling": {"ENOR ENBR", "ENOR ENBO"},
	} {
		candidate := sampleWith(t, edit[0], edit[1])
		if edit[0] == "" {
			candidate["pib.txt"] = strings.NewReplacer("RWY 17/35 CLSD. TWY Y\nNOT AVBL.", "RESTRICTED AREA WITHIN 15NM OF 611034N0031126E.",
				"RESTRICTED AREA WITHIN 15NM OF 611034N0031126E.", "RWY 17/35 CLSD. TWY Y\nNOT AVBL.").Replace(sample)
		}
		if score := New().Compare(vfs.Files{"pib.txt": sample}, candidate); score.Strict >= 1 {
			t.Errorf("%s goes unnoticed", rule)
		}
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, candidate := range map[string]vfs.Files{
		"another name":                {"notams.txt": sample},
		"the order of notices":        {"pib.txt": "BULLETIN OF 14 JUN\n\n" + area + "\n-- EN ROUTE --\n\n" + runway + "END\n"},
		"two files":                   {"a.txt": "BULLETIN OF 14 JUN\n" + runway, "b.txt": "-- EN ROUTE --\n" + area + "\nEND"},
		"letter case":                 {"pib.txt": strings.ToLower(sample)},
		"wrapped texts":               sampleWith(t, "TWY Y\nNOT", "TWY\nY NOT"),
		"items on lines of their own": {"pib.txt": strings.NewReplacer(" B) ", "\nB) ", " C) ", "\nC) ", "  G) ", "\nG) ").Replace(sample)},
		"items on one line":           sampleWith(t, "005\nA) ENBR", "005 A) ENBR"),
		"a single blank before G":     sampleWith(t, "SFC                  G)", "SFC G)"),
		"limits after the text":       sampleWith(t, "0031126E.\nF) SFC", "0031126E. F) SFC"),
		"no blanks in the Q line":     sampleWith(t, "BO /W /", "BO/W/"),
		"blanks in a limit":           sampleWith(t, "9500FT AMSL", "9500 FT AMSL"),
		"EST without its blank":       sampleWith(t, " EST", "EST"),
		"empty items":                 sampleWith(t, "C) PERM\n", "C) PERM\nD)\n"),
		"blank lines":                 sampleWith(t, "\n\n", "\n\n\n"),
		"a blank line in a text":      sampleWith(t, "TWY Y\n", "TWY Y\n\n"),
		"rulers":                      sampleWith(t, "==========\n", "----\n"),
		"line ends":                   {"pib.txt": strings.ReplaceAll(sample, "\n", "\r\n")},
		"a code fence":                {"pib.txt": "```text\n" + sample + "```\n"},
		"a byte order mark":           {"pib.txt": "\ufeff" + sample},
		"indentation":                 {"pib.txt": strings.ReplaceAll(sample, "\n", "\n  ")},
	} {
		reference := vfs.Files{"pib.txt": sample}
		if score := New().Compare(reference, candidate); score.Strict != 1 {
			t.Errorf("%s: %v", rule, New().Differences(reference, candidate))
		}
	}
}

func TestDamageCostsInProportion(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{"pib.txt": sample}
	for rule, c := range map[string]struct {
		candidate   vfs.Files
		least, most float64
	}{
		"one digit":        {sampleWith(t, "2506190430", "2506180430"), 0.95, 0.99},
		"one notice":       {sampleWith(t, runway, ""), 0.4, 0.5},
		"one copy":         {sampleWith(t, runway, runway+runway), 0.6, 0.7},
		"bold identifiers": {vfs.Files{"pib.txt": strings.NewReplacer("A2902/25 NOTAMN", "**A2902/25 NOTAMN**", "A2866/25 NOTAMR A2790/25", "**A2866/25 NOTAMR A2790/25**").Replace(sample)}, 0.9, 0.97},
		"one heading":      {sampleWith(t, "END\n", ""), 0.7, 0.9},
		"prose":            {vfs.Files{"pib.txt": "All is well.\n"}, 0, 0},
	} {
		if got := New().Compare(reference, c.candidate).Strict; got < c.least || got > c.most {
			t.Errorf("%s: Strict %v, want %v to %v: %v", rule, got, c.least, c.most, New().Differences(reference, c.candidate))
		}
	}
}

func TestNoticesAreNamedByTheirNumber(t *testing.T) {
	t.Parallel()
	got := New().Differences(vfs.Files{"pib.txt": sample}, sampleWith(t, "NOT AVBL", "AVBL"))
	want := domains.Difference{Kind: domains.Changed, Where: "A2902/25, text 2", Was: "TWY Y NOT AVBL.", Is: "TWY Y AVBL."}
	if len(got) != 1 || got[0] != want {
		t.Errorf("%v, want %v", got, want)
	}
}
