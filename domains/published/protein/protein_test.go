package protein

import (
	"fmt"
	"strings"
	"testing"

	"agentd/vfs"
)

// read lists the atoms that the published reading finds, or why there are none.
func read(text string) string {
	s, err := Parse(vfs.Files{"a.pdb": text})
	if err != nil {
		return err.Error()
	}
	if s.problem != "" {
		return s.problem
	}
	var all []string
	for _, a := range s.atoms {
		all = append(all, fmt.Sprintf("%s%d%s.%s %g", a.key.chain, a.key.number, a.key.residue, a.key.name, a.place[0]))
	}
	return strings.Join(all, ", ")
}

// atomAt is an atom line; site is its columns 13 to 27, x its first coordinate.
func atomAt(record, site, x, occupancy string) string {
	return fmt.Sprintf("%-6s    1 %-15s   %8s   2.000   3.000%6s  5.00           C\n", record, site, x, occupancy)
}

const glycine = "ATOM      1  N   GLY A   1       1.000   2.000   3.000  1.00  5.00           N\n"

func TestAtomsAreReadAsPublished(t *testing.T) {
	t.Parallel()
	alanine := strings.Replace(glycine, "N   GLY", "N   ALA", 1)
	for rule, c := range map[string]struct{ text, want string }{
		"columns":                              {glycine, "A1GLY.N 1"},
		"loose numbers":                        {"ATOM      1  N   GLY A   1    1.0 2 3 1 5 N\n", "A1GLY.N 1"},
		"only three numbers":                   {"ATOM      1  N   GLY A   1    1.0 2 3\n", "A1GLY.N 1"},
		"two numbers":                          {"ATOM      1  N   GLY A   1    1.0 2\n", errColumns.Error()},
		"no residue number":                    {"ATOM      1  N   GLY A         1.0 2 3\n", errColumns.Error()},
		"a line that is cut off":               {"ATOM      1  N\n", errColumns.Error()},
		"an indented line":                     {" " + glycine, ""},
		"a bare word":                          {"ATOM\n", ""},
		"a name with a blank inside":           {atomAt("ATOM", " N B GLY A   1 ", "1.0", "1.00"), "A1GLY. N B 1"},
		"the same atom twice":                  {glycine + strings.Replace(glycine, "1.000", "9.000", 1), "A1GLY.N 1"},
		"names that differ in blanks":          {atomAt("ATOM", " CA  GLY A   1 ", "1.0", "1.00") + atomAt("ATOM", "CA   GLY A   1 ", "2.0", "1.00"), "A1GLY.CA 1, A1GLY.CA   2"},
		"the highest occupancy":                {atomAt("ATOM", " CA AGLY A   1 ", "1.0", "0.40") + atomAt("ATOM", " CA BGLY A   1 ", "2.0", "0.60"), "A1GLY.CA 2"},
		"the first of equal occupancies":       {atomAt("ATOM", " CA AGLY A   1 ", "1.0", "0.50") + atomAt("ATOM", " CA BGLY A   1 ", "2.0", "0.50"), "A1GLY.CA 1"},
		"a location after none":                {atomAt("ATOM", " CA  GLY A   1 ", "1.0", "0.50") + atomAt("ATOM", " CA BGLY A   1 ", "2.0", "0.50"), "A1GLY.CA 2"},
		"no location after one":                {atomAt("ATOM", " CA BGLY A   1 ", "2.0", "0.50") + atomAt("ATOM", " CA  GLY A   1 ", "1.0", "0.90"), "A1GLY.CA 2"},
		"another residue of one number":        {glycine + alanine, "A1GLY.N 1"},
		"two residues with locations":          {atomAt("ATOM", " CA AGLY A   1 ", "1.0", "0.50") + atomAt("ATOM", " CA BSER A   1 ", "2.0", "0.50"), "A1SER.CA 2"},
		"the first of them once more":          {atomAt("ATOM", " CA AGLY A   1 ", "1.0", "0.50") + atomAt("ATOM", " CA BSER A   1 ", "2.0", "0.50") + atomAt("ATOM", " N  AGLY A   1 ", "3.0", "0.50"), "A1GLY.CA 1"},
		"an insertion code":                    {glycine + strings.Replace(alanine, "   1    ", "   1A   ", 1), "A1GLY.N 1, A1ALA.N 1"},
		"a chain that goes on":                 {glycine + strings.Replace(glycine, " A ", " B ", 1) + strings.Replace(glycine, " N ", " CA", 1), "A1GLY.N 1, A1GLY.CA 1, B1GLY.N 1"},
		"a hetero group that goes on":          {atomAt("HETATM", " O   HOH A   1 ", "1.0", "1.00") + glycine + atomAt("HETATM", " H1  HOH A   1 ", "2.0", "1.00"), "A1HOH.O 1, A1GLY.N 1"},
		"the second model":                     {"MODEL        1\n" + glycine + "ENDMDL\nMODEL        2\n" + alanine + "ENDMDL\n", "A1GLY.N 1"},
		"an error in the second model":         {"MODEL        1\n" + glycine + "ENDMDL\nMODEL        2\nATOM  \n", errColumns.Error()},
		"an empty first model":                 {"MODEL        1\nENDMDL\n" + glycine, ""},
		"what follows a padded END":            {"REMARK\n" + glycine + "END   \n" + strings.Replace(glycine, " N ", " CA", 1), "A1GLY.N 1"},
		"what follows a bare END":              {glycine + "END\n" + strings.Replace(glycine, " N ", " CA", 1), "A1GLY.N 1, A1GLY.CA 1"},
		"what follows CONECT":                  {glycine + "CONECT    1\nATOM  \n", "A1GLY.N 1"},
		"text in a tensor":                     {glycine + "ANISOU    1  N   GLY A   1     see supplement\n", errTensor.Error()},
		"a tensor without an atom":             {"MODEL        1\nANISOU    1  N   GLY A   1      100    100    100      0      0      0\n" + glycine, errNoAtom.Error()},
		"a month":                              {"HEADER    A                                       01-JNR-96   1PEN\n" + glycine, errMonth.Error()},
		"a date of revision":                   {"REVDAT   1   01-XXX-96\n" + glycine, errMonth.Error()},
		"a month in small letters":             {"HEADER    A                                       01-jan-96   1PEN\n" + glycine, "A1GLY.N 1"},
		"a month below the first atom":         {glycine + "REVDAT   1   01-XXX-96\n", "A1GLY.N 1"},
		"a source of a molecule of COMPND":     {"COMPND    MOL_ID: 2;\nSOURCE    SYNTHETIC\n" + glycine, errMolecule.Error()},
		"a source of its own":                  {"COMPND    MOL_ID: 2;\nSOURCE    MOL_ID: 2;\nSOURCE   2 SYNTHETIC\n" + glycine, "A1GLY.N 1"},
		"a line for a key of another molecule": {"COMPND    A: B;\nCOMPND   2 MOL_ID: 2;\nSOURCE    MOL_ID: 1;\nSOURCE   2 C: D;\nCOMPND   3 E: F\nSOURCE    MOL_ID: 3\nCOMPND    G\n" + glycine, errMolecule.Error()},
	} {
		if got := read(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", rule, got, c.want)
		}
	}
}

func TestOtherRecordsAreReadAsPublished(t *testing.T) {
	t.Parallel()
	s, err := Parse(vfs.Files{"a.pdb": `HEADER    FIRST                                   01-JAN-96   1AAA
HEADER    SECOND                                  01-JAN-96   2BBB
TITLE     ONE
TITLE    2  TWO
REMARK   2
REMARK   3 RESOLUTION. 3.0 ANGSTROMS
remark   2 RESOLUTION. 4.0 ANGSTROMS
REMARK   2 Resolution. 1.50 angstroms.
REMARK   2 RESOLUTION. 2.50 ANGSTROMS.
SEQRES   1 A    3  GLY CYS
SEQRES   1 B    1  ALA
SEQRES   2 A    3  ALA
HELIX    1   1 GLY A    1  ALA A    3  5                                   3
HELIX    2   2 GLY A    x  ALA A    3  5                                   3
HELIX    3   3 GLY A    1  ALA A    3 xx                                   3
SHEET    1   S 1 GLY A   4  ALA A   6  0
SSBOND   1 CYS B   12    CYS A    2
SSBOND   2 CYS B
CRYST1   24.100   24.100   30.500  90.00  90.00
CRYST1   24.100   24.100   30.500  90.00  90.00 120.00 P 31 2 1      6
CRYST1   99.000   24.100   30.500  90.00  90.00 120.00 P 1           1
`, "b.ent": "HELIX    1   1 GLY A    1  ALA A    9  5\n"})
	if err != nil {
		t.Fatal(err)
	}
	want := "SECOND 2BBB ONE TWO 1.5 [A B] map[A:[GLY CYS ALA] B:[ALA]] [{A 1 3}] [{S A 4 6}] [[{A 2} {B 12}]] {[24.1 24.1 30.5 90 90 120] P 31 2 1}"
	if got := fmt.Sprint(s.classification, " ", s.idCode, " ", s.title, " ", s.resolution, " ", s.chains, " ", s.sequence, " ",
		s.helices, " ", s.strands, " ", s.bonds, " ", *s.cell); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if _, err := Parse(vfs.Files{"a.pdb": "SEQRES   1\n"}); err == nil {
		t.Error("a SEQRES line that is cut off was read")
	}
}

func TestRepair(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"ATOM      1  N   GLY A   1    -1.5-2.25+3":          "ATOM      1  N   GLY A   1      -1.500  -2.250   3.000  1.00  0.00",
		"ATOM      1  N   GLY A   1    1 2 3 0.5":            "ATOM      1  N   GLY A   1       1.000   2.000   3.000  0.50  0.00",
		"ATOM      1  N   GLY A   1    1 2":                  "ATOM      1  N   GLY A   1    1 2",
		" HETATM   1  N   GLY A   1    1 2 3":                " HETATM   1  N   GLY A   1    1 2 3",
		"REMARK    1  N   GLY A   1    1 2 3":                "REMARK    1  N   GLY A   1    1 2 3",
		"HETATM    1  N   GLY A   1    12345.6 2 3 4 123456": "HETATM    1  N   GLY A   1    12345.600   2.000   3.000  4.00123456.00",
		"ATOM      1  N   GLY A   1    x=1. y=2.x3 4 5 6 7":  "ATOM      1  N   GLY A   1       1.000   2.000   3.000  4.00  5.00",
	} {
		if got := repaired(line); got != want {
			t.Errorf("%q becomes\n%q, want\n%q", line, got, want)
		}
	}
}
