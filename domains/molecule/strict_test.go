package molecule

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

const benzoate = `sodium benzoate
  -ISIS-  05141911312D
from the old list
 10  9  0  0  0  0            999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0
    0.7145   -0.4125    0.0000 C   0  0  0  0  0
    0.7145   -1.2375    0.0000 C   0  0  0  0  0
    0.0000   -1.6500    0.0000 C   0  0  0  0  0
   -0.7145   -1.2375    0.0000 C   0  0  0  0  0
   -0.7145   -0.4125    0.0000 C   0  0  0  0  0
    0.0000    0.8250    0.0000 C   0  0  0  0  0
    0.7145    1.2375    0.0000 O   0  0  0  0  0
   -0.7145    1.2375    0.0000 O   0  5  0  0  0
    2.1434    0.8250    0.0000 Na  0  3  0  0  0
  1  2  2  0
  2  3  1  0
  3  4  2  0
  4  5  1  0
  5  6  2  0
  6  1  1  0
  1  7  1  1
  7  8  2  0
  7  9  1  0
M  END
> <ID>
S-3

> <PURITY>
99.50

$$$$
`

var sampleText = ethanol + acetone + benzoate

func differences(t *testing.T, candidate vfs.Files) (float64, string) {
	t.Helper()
	reference := vfs.Files{"a.sdf": sampleText}
	return New().Compare(reference, candidate).Strict, fmt.Sprint(New().Differences(reference, candidate))
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	one := func(was, is string) vfs.Files {
		if !strings.Contains(sampleText, was) {
			t.Fatalf("the sample has no %q", was)
		}
		return vfs.Files{"a.sdf": strings.Replace(sampleText, was, is, 1)}
	}
	for rule, files := range map[string]vfs.Files{
		"the numbers of atoms": one(`    0.0000    0.0000    0.0000 C   0  0  0  0  0
    0.7145    0.4125    0.0000 C   0  0  0  0  0
    1.4289    0.0000    0.0000 O   0  0  0  0  0
  1  2  1  0
  2  3  1  0
`, `    1.4289    0.0000    0.0000 O   0  0  0  0  0
    0.0000    0.0000    0.0000 C   0  0  0  0  0
    0.7145    0.4125    0.0000 C   0  0  0  0  0
  2  3  1  0
  3  1  1  0
`),
		"the program line":                   one("  -ISIS-  05141911202D", "     RDKit          2D"),
		"the comment line":                   one("from the old list", ""),
		"a header line too many":             one("  -ISIS-  05141911202D\n\n", "  -ISIS-  05141911202D\n\nrank 1\n"),
		"header lines that are missing":      one("  -ISIS-  05141911202D\n\n", ""),
		"the other Kekulé structure":         {"a.sdf": ethanol + acetone + strings.NewReplacer("  1  2  2", "  1  2  1", "  2  3  1", "  2  3  2", "  3  4  2", "  3  4  1", "  4  5  1", "  4  5  2", "  5  6  2", "  5  6  1", "  6  1  1", "  6  1  2").Replace(benzoate)},
		"bonds that are written as aromatic": {"a.sdf": ethanol + acetone + strings.NewReplacer("  1  2  2", "  1  2  4", "  2  3  1", "  2  3  4", "  3  4  2", "  3  4  4", "  4  5  1", "  4  5  4", "  5  6  2", "  5  6  4", "  6  1  1", "  6  1  4").Replace(benzoate)},
		"the ends of a plain bond":           one("  2  4  2  0", "  4  2  2  0"),
		"the order of bond lines":            one("  2  3  1  0\n  2  4  2  0\n", "  2  4  2  0\n  2  3  1  0\n"),
		"a drawing elsewhere": one(`    0.0000    0.0000    0.0000 C   0  0  0  0  0
    0.7145    0.4125    0.0000 C   0  0  0  0  0
    1.4289    0.0000    0.0000 O`, `    3.0000   -1.0000    0.0000 C   0  0  0  0  0
    3.7145   -0.5875    0.0000 C   0  0  0  0  0
    4.4289   -1.0000    0.0000 O`),
		"charges in an M line":          {"a.sdf": ethanol + acetone + strings.NewReplacer("O   0  5", "O   0  0", "Na  0  3", "Na  0  0", "M  END", "M  CHG  2   9  -1  10   1\nM  END").Replace(benzoate)},
		"zeros at the end of a line":    one("O   0  0  0  0  0\n  1  2  1  0\n", "O   0  0  0  0  0  0  0  0  0  0  0  0\n  1  2  1  0  0  0  0\n"),
		"a short atom line":             one("0.0000 O   0  0  0  0  0", "0.0000 O"),
		"the order of data fields":      one("> <ID>\nS-1\n\n> <BP>\n78.4\n\n", "> <BP>\n78.4\n\n> <ID>\nS-1\n\n"),
		"blanks in a header":            one("> <BP>", ">  <BP>"),
		"idle zeros":                    one("99.50", "99.5"),
		"a code fence":                  {"a.sdf": "```sdf\n" + sampleText + "```\n"},
		"line ends":                     {"a.sdf": strings.ReplaceAll(sampleText, "\n", "\r\n")},
		"the name of the file":          {"a.mol": sampleText},
		"a file for each, in any order": {"z.sdf": ethanol, "b.sdf": acetone, "a.sdf": benzoate},
		"several files in order":        {"a.sdf": ethanol + acetone, "b.sdf": benzoate},
		"no delimiter at the end":       {"a.sdf": strings.TrimSuffix(sampleText, "\n$$$$\n")},
		"blank lines at the end":        {"a.sdf": sampleText + "\n\n"},
	} {
		if strict, found := differences(t, files); strict != 1 {
			t.Errorf("%s: Strict %v: %s", rule, strict, found)
		}
	}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		was, is string
		names   string // part of the differences
	}{
		"atoms that changed lines": {`    0.7145    0.4125    0.0000 C   0  0  0  0  0
    1.4289    0.0000    0.0000 O   0  0  0  0  0
`, `    1.4289    0.0000    0.0000 O   0  0  0  0  0
    0.7145    0.4125    0.0000 C   0  0  0  0  0
`, "atom 2"},
		"the title":                    {"acetone\n", "Acetone\n", "molecule acetone, title: acetone -> Acetone"},
		"an element":                   {"0.0000 O   0  0  0  0  0\n  1  2  1", "0.0000 S   0  0  0  0  0\n  1  2  1", "molecule ethanol, atom 3: O -> S"},
		"a charge":                     {"O   0  5", "O   0  0", "atom 9 charge: -1 -> (nothing)"},
		"an isotope":                   {"M  END\n> <ID>\nS-1", "M  ISO  1   2  13\nM  END\n> <ID>\nS-1", "atom 2 isotope: (nothing) -> 13"},
		"a radical":                    {"M  END\n> <ID>\nS-1", "M  RAD  1   2   2\nM  END\n> <ID>\nS-1", "atom 2 radical"},
		"a coordinate":                 {"    1.4289    0.0000    0.0000 O", "    1.4289    0.4000    0.0000 O", "atom 3 place"},
		"the order of a bond":          {"  2  4  2  0", "  2  4  1  0", "molecule acetone, bond 2-4: 2 -> 1"},
		"a bond that was lost":         {"  7  9  1  0\n", "", "bond 7-9: 1 -> (nothing)"},
		"a bond to another atom":       {"  7  9  1  0\n", "  8  9  1  0\n", "bond 8-9: (nothing) -> 1"},
		"a wedge":                      {"  1  7  1  1", "  1  7  1  6", "bond 1-7 stereo: up from 1 -> down from 1"},
		"the end a wedge begins at":    {"  1  7  1  1", "  7  1  1  1", "up from 1 -> up from 7"},
		"the chiral flag":              {" 10  9  0  0  0", " 10  9  0  0  1", "chiral flag: (nothing) -> 1"},
		"wrong counts":                 {"  3  2  0", "  3  3  0", "counts line: (nothing) -> 3 atoms, 3 bonds"},
		"an atom that was lost":        {"    0.7145    1.2375    0.0000 O   0  0  0  0  0\n  1  2", "  1  2", "atom 4: O -> (nothing)"},
		"collapsed columns":            {"    0.7145    1.2375    0.0000 O   0  0  0  0  0\n  1  2", " 0.7145 1.2375 0.0000 O 0 0 0 0 0\n  1  2", "atom 4 columns: (nothing) -> out of place"},
		"collapsed columns of a bond":  {"  7  9  1  0\n", " 7 9 1 0\n", "bond 7-9 columns"},
		"an M line":                    {"M  END\n> <ID>\nS-1", "M  STY  1   1 DAT\nM  END\n> <ID>\nS-1", "M  STY: (nothing) -> 1 1 DAT"},
		"an alias":                     {"M  END\n> <ID>\nS-1", "A    3\nOH\nM  END\n> <ID>\nS-1", "alias of atom 3: (nothing) -> OH"},
		"M  END that is missing":       {"M  END\n> <ID>\nS-1", "> <ID>\nS-1", "M  END: (nothing) -> missing"},
		"a number":                     {"78.4", "78.3", "molecule ethanol, BP: 78.4 -> 78.3"},
		"a line of a value":            {"two lines", "two line", "NOTE, line 2: two lines -> two line"},
		"a field that was lost":        {"> <BP>\n78.4\n\n", "", "BP: 78.4 -> (nothing)"},
		"a field that was added":       {"> <BP>\n78.4\n\n", "> <BP>\n78.4\n\n> <MP>\n-114\n\n", "MP: (nothing) -> -114"},
		"a field that is there twice":  {"> <BP>\n78.4\n\n", "> <BP>\n78.4\n\n> <BP>\n78.4\n\n", "BP: (nothing) -> 78.4"},
		"a name":                       {"> <BP>\n78.4", "> <Bp>\n78.4", "Bp: (nothing) -> 78.4"},
		"a header's number":            {"> <BP>\n78.4", "> <BP> (3)\n78.4", "header of BP: (nothing) -> (3)"},
		"the blank line after a value": {"S-1\n\n", "S-1\n", "ID, line 2: (nothing) -> > <BP>"},
		"a delimiter that was lost":    {"78.4\n\n$$$$\n", "78.4\n\n", "end of the record"},
		"a record that was lost":       {acetone, "", "molecule acetone: lost"},
		"a record that was added":      {acetone, acetone + strings.ReplaceAll(acetone, "acetone", "2-propanone"), "molecule 2-propanone: added"},
		"a record that is there twice": {acetone, acetone + acetone, "molecule acetone: added"},
		"the order of records":         {ethanol + acetone, acetone + ethanol, "moved"},
		"a line between records":       {acetone, acetone + "I have left the rest\nas it was.\n", "line in molecule sodium benzoate: added (I have left the rest)"},
		"a line in a block":            {"  2  4  2  0\n", "  2  4  2  0\nthat was the last bond\n", "line in molecule acetone"},
		"a line after a value":         {"78.4\n\n", "78.4\n\nin a vacuum\n\n", "line in molecule ethanol"},
		"text above the first record":  {ethanol, "Here is the file,\nas you\nasked\n" + ethanol, "line in molecule ethanol"},
	} {
		if !strings.Contains(sampleText, c.was) {
			t.Fatalf("%s: the sample has no %q", rule, c.was)
		}
		strict, found := differences(t, vfs.Files{"a.sdf": strings.Replace(sampleText, c.was, c.is, 1)})
		if strict >= 1 || strict < 0.3 || !strings.Contains(found, c.names) {
			t.Errorf("%s: Strict %v, want %q in %s", rule, strict, c.names, found)
		}
	}
}

// Damage costs in proportion: less than a tenth of a record for one field.
func TestSmallDamageCostsLittle(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]string{
		{"78.4", "87.4"}, {"  2  4  2  0", "  2  4  1  0"}, {"  3  4  2", "  3  4  1"}, {"0.0000 Na", "0.0000 K "}, {"  1  2  2  0", " 1 2 2 0"},
	} {
		strict, found := differences(t, vfs.Files{"a.sdf": strings.Replace(sampleText, c[0], c[1], 1)})
		if strict < 1-0.1/3 || strict == 1 {
			t.Errorf("%s for %s: Strict %v: %s", c[1], c[0], strict, found)
		}
	}
}

func TestStrayLinesLeaveTheHeader(t *testing.T) {
	t.Parallel()
	e := readFile("one\ntwo\n" + strings.Replace(ethanol, "M  END\n", "M  END\nthree\n", 1))[0]
	if diff := cmp.Diff([]string{"one", "two", "three"}, e.stray); diff != "" {
		t.Error(diff)
	}
	if e.title() != "ethanol" {
		t.Errorf("the title is %q", e.title())
	}
}

// turned is ethanol with its atom lines in another order.
var turned = strings.NewReplacer(`    0.0000    0.0000    0.0000 C   0  0  0  0  0
    0.7145    0.4125    0.0000 C   0  0  0  0  0
    1.4289    0.0000    0.0000 O   0  0  0  0  0
  1  2  1  0
  2  3  1  0
`, `    1.4289    0.0000    0.0000 O   0  0  0  0  0
    0.0000    0.0000    0.0000 C   0  0  0  0  0
    0.7145    0.4125    0.0000 C   0  0  0  0  0
  2  3  1  0
  3  1  1  0
`).Replace(ethanol)

// extended is extendedEthanol with properties that only the extended form has, and turned the same with other numbers.
var (
	extended       = strings.NewReplacer("0.7145 0.4125 0 0", "0.7145 0.4125 0 0 ATTCHPT=1", "V30 2 1 2 7", "V30 2 1 2 7 RXCTR=4").Replace(extendedEthanol)
	extendedTurned = strings.NewReplacer("M  V30 1 C 0 0 0 0\nM  V30 2 C 0.7145 0.4125 0 0 ATTCHPT=1\n", "M  V30 2 C 0.7145 0.4125 0 0 ATTCHPT=1\nM  V30 1 C 0 0 0 0\n",
		"V30 1 1 1 2\nM  V30 2 1 2 7 RXCTR=4", "V30 8 1 2 7 RXCTR=4\nM  V30 9 1 1 2").Replace(extended)
)

func TestNumbersOfAtomsAreFreeWhateverElseIsSaid(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct{ was, is, from, to string }{
		"a data field that begins like an atom": {ethanol, turned, "<BP>", "<atom count>"},
		"one that is called like an atom":       {ethanol, turned, "<BP>", "<atom 3>"},
		"one that is called like a bond":        {ethanol, turned, "<BP>", "<bond 1-2>"},
		"properties of the extended form":       {extended, extendedTurned, "", ""},
	} {
		reference, candidate := strings.Replace(c.was, c.from, c.to, 1), strings.Replace(c.is, c.from, c.to, 1)
		if reference == candidate {
			t.Fatal(rule)
		}
		strict := func(reference, candidate string) float64 {
			return New().Compare(vfs.Files{"a.sdf": reference}, vfs.Files{"a.sdf": candidate}).Strict
		}
		if got := strict(reference, candidate); got != 1 {
			t.Errorf("%s: Strict %v: %v", rule, got, New().Differences(vfs.Files{"a.sdf": reference}, vfs.Files{"a.sdf": candidate}))
		}
		if c.from != "" && strict(reference, strings.Replace(candidate, "78.4", "78.3", 1)) == 1 ||
			c.from == "" && strict(reference, strings.Replace(candidate, "ATTCHPT=1", "ATTCHPT=2", 1)) == 1 {
			t.Errorf("%s: another value is not seen", rule)
		}
	}
}

func TestNumbersOfEqualValueAreOne(t *testing.T) {
	t.Parallel()
	for was, is := range map[string]string{"0.5": ".5", "12.50": "12.5", "-0.0": "0", "1e3": "1000", "3.": "3"} {
		if plainNumber(was) != plainNumber(is) {
			t.Errorf("%s is %s, and %s is %s", was, plainNumber(was), is, plainNumber(is))
		}
	}
	for _, code := range []string{"0012", "00.5", "+49", "1.2.3", "50-00-0"} {
		if plainNumber(code) != code {
			t.Errorf("the code %s is %s", code, plainNumber(code))
		}
	}
}

// The third line of a record is for somebody's words: another or none is named, and costs nothing. One that was added is free.
func TestCommentsAreNamed(t *testing.T) {
	t.Parallel()
	for title, c := range map[string]struct{ was, is, says string }{
		"other words": {"from the old list", "from the new list", "comment"},
		"no words":    {"from the old list", "", "comment"},
		"more words":  {"  -ISIS-  05141911202D\n\n", "  -ISIS-  05141911202D\ndried\n", ""},
	} {
		changed := strings.Replace(sampleText, c.was, c.is, 1)
		if changed == sampleText {
			t.Fatalf("%s: %q is not there", title, c.was)
		}
		strict, found := differences(t, vfs.Files{"a.sdf": changed})
		if strict != 1 || !strings.Contains(found, c.says) || c.says == "" && len(found) > len("[]") {
			t.Errorf("%s: strict %v, %q", title, strict, found)
		}
	}
}
