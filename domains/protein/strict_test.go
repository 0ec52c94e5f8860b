package protein

import (
	"fmt"
	"strings"
	"testing"

	"agentd/vfs"
)

const sample = `HEADER    PEPTIDE                                 11-SEP-18   XXXX
TITLE     TETRAPEPTIDE WITH ZINC, TRIAL OF THE NEW
TITLE    2 DETECTOR
COMPND    MOL_ID: 1;
COMPND   2 MOLECULE: PEPTIDE H4;
COMPND   3 CHAIN: A, b
KEYWDS    ZINC, PEPTIDE
AUTHOR    L.NYBERG,T.OKORO
JRNL        AUTH   L.NYBERG,T.OKORO
JRNL        TITL   A DETECTOR TRIAL
JRNL        TITL 2 WITH A PEPTIDE
REMARK   2
REMARK   2 RESOLUTION.    1.45 ANGSTROMS.
REMARK   3   R VALUE : 0.151
SEQRES   1 A    3  GLY CYS ALA
HELIX    1   1 GLY A    1  ALA A    3  5                                   3
SHEET    1   S 1 GLY A   1  ALA A   3  0
SSBOND   1 CYS A    2    CYS A   12                          1555   2555  2.04
LINK         SG  CYS A   2                ZN    ZN A 101     1555   1555  2.31
CRYST1   24.100   24.100   30.500  90.00  90.00 120.00 P 31 2 1      6
SCALE1      0.041494  0.023956  0.000000        0.00000
ATOM      1  N   GLY A   1       1.000   2.000   3.000  1.00 10.50           N
ATOM      2  CA  GLY A   1       2.400   2.100   3.200  1.00 11.25           C
ATOM      3  SG ACYS A   2       4.000   1.000  -1.500  0.60  8.00           S
ANISOU    3  SG ACYS A   2     1000   1100   1200    -15     20      0       S
ATOM      4  SG BCYS A   2       4.300   1.200  -1.700  0.40  8.50           S
ATOM      5  CB  ALA A   3A      5.100   0.300   0.200  1.00 12.00           C
TER       6      ALA A   3A
HETATM    7 ZN    ZN A 101       6.000   2.000  -2.000  1.00  9.00          ZN2+
HETATM    8  O   HOH A 201       9.000   9.000  -9.000  1.00 30.00           O
CONECT    3    7
END
`

func compared(t *testing.T, reference string, candidate vfs.Files) (float64, string) {
	t.Helper()
	files := vfs.Files{"a.pdb": reference}
	return New().Compare(files, candidate).Strict, fmt.Sprint(New().Differences(files, candidate))
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	one := func(was, is string) vfs.Files {
		if !strings.Contains(sample, was) {
			t.Fatalf("the sample has no %q", was)
		}
		return vfs.Files{"a.pdb": strings.Replace(sample, was, is, 1)}
	}
	lines := strings.SplitAfter(sample, "\n")
	for rule, files := range map[string]vfs.Files{
		"blanks at line ends":               {"a.pdb": strings.ReplaceAll(sample, "\n", "    \n")},
		"line ends":                         {"a.pdb": strings.ReplaceAll(sample, "\n", "\r\n")},
		"letter case of a title":            one("WITH ZINC", "with Zinc"),
		"the division of a title":           one("NEW\nTITLE    2 DETECTOR", "NEW DETECTOR"),
		"the division of a citation":        one("TRIAL\nJRNL        TITL 2 WITH", "TRIAL WITH\nJRNL        TITL 2"),
		"the division of a compound":        one("PEPTIDE H4;\nCOMPND   3 CHAIN", "PEPTIDE H4; CHAIN"),
		"the order of keywords":             one("ZINC, PEPTIDE", "PEPTIDE, ZINC"),
		"the order of chains":               one("A, b", "b, A"),
		"the partners of a disulfide":       one("CYS A    2    CYS A   12                          1555   2555", "CYS A   12    CYS A    2                          2555   1555"),
		"the partners of a link":            one(" SG  CYS A   2                ZN    ZN A 101 ", "ZN    ZN A 101                 SG  CYS A   2 "),
		"the order of annotation":           one(lines[6]+lines[7], lines[7]+lines[6]),
		"loose numbers after column 30":     one("1.000   2.000   3.000  1.00 10.50           N", "1.0 2.0 3.0 1.0 10.5 N"),
		"idle zeros":                        one(" 24.100   24.100", "   24.1     24.1"),
		"letter case of an element":         one("ZN2+", "Zn2+"),
		"a blank remark":                    one("REMARK   2\n", ""),
		"no end":                            one("END\n", ""),
		"a code fence":                      {"a.pdb": "```pdb\n" + sample + "```\n"},
		"the name of the file":              {"b.ent": sample},
		"two files":                         {"a.pdb": strings.Join(lines[:25], "") + "END\n", "b.pdb": strings.Join(lines[25:], "")},
		"blank lines":                       one("CRYST1", "\n\nCRYST1"),
		"white space in a remark":           one("R VALUE : 0.151", "R  VALUE :  0.151"),
		"letter case of the classification": one("PEPTIDE    ", "Peptide    "),
	} {
		if strict, found := compared(t, sample, files); strict != 1 {
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
		"a coordinate":              {"1.000   2.000", "1.001   2.000", "atom N of GLY A 1, x: 1 -> 1.001"},
		"an occupancy":              {"0.60  8.00", "0.50  8.00", "atom SG of CYS A 2, location A, occupancy: 0.6 -> 0.5"},
		"a B factor":                {"10.50", "10.05", "B factor: 10.5 -> 10.05"},
		"an element":                {"11.25           C", "11.25           N", "element: C -> N"},
		"a charge":                  {"ZN2+", "ZN", "charge: 2+ -> (nothing)"},
		"a serial":                  {"ATOM      2", "ATOM     12", "serial: 2 -> 12"},
		"the record":                {"HETATM    7", "ATOM      7", "record: HETATM -> ATOM"},
		"a name":                    {" CA  GLY", " CB  GLY", "name:  CA ->  CB"},
		"the place of a name":       {"HETATM    7 ZN  ", "HETATM    7  ZN ", "name: ZN ->  ZN"},
		"a location":                {" SG BCYS", " SG CCYS", "location: B -> C"},
		"an insertion code":         {"ALA A   3A   ", "ALA A   3    ", "insertion: A -> (nothing)"},
		"a chain":                   {"HOH A 201", "HOH B 201", "chain: A -> B"},
		"a displacement":            {"1100", "1010", "ANISOU U22: 1100 -> 1010"},
		"a displacement lost":       {"ANISOU    3  SG ACYS A   2     1000   1100   1200    -15     20      0       S\n", "", "U11: 1000 -> (nothing)"},
		"a displacement elsewhere":  {"ANISOU    3", "ANISOU    4", "line: added (ANISOU 4 SG"},
		"an atom lost":              {"ATOM      2  CA  GLY A   1       2.400   2.100   3.200  1.00 11.25           C\n", "", "atom CA of GLY A 1: lost"},
		"an atom twice":             {"TER ", "ATOM      5  CB  ALA A   3A      5.100   0.300   0.200  1.00 12.00           C\nTER ", "atom CB of ALA A 3A: added"},
		"a blank lost":              {"ATOM      1  N   GLY", "ATOM      1 N   GLY", "columns: (nothing) -> out of place"},
		"an indented atom":          {"ATOM      1", " ATOM      1", "columns: (nothing) -> out of place"},
		"no residue number":         {"GLY A   1       1.000", "GLY A           1.000", "number: 1 -> (nothing)"},
		"an atom that was cut off":  {"   9.000  -9.000  1.00 30.00           O", "", "z: -9 -> (nothing)"},
		"small letters":             {"ATOM      1", "atom      1", "line: added (atom 1 N"},
		"the end of a chain lost":   {"TER       6      ALA A   3A\n", "", "TER ALA A 3: lost"},
		"the residue of an end":     {"TER       6      ALA", "TER       6      GLY", "residue: ALA -> GLY"},
		"a model":                   {"ATOM      1", "MODEL        1\nATOM      1", "model 1: added"},
		"a residue in the sequence": {"GLY CYS ALA", "GLY SER ALA", "SEQRES 1 A, residue 2: CYS -> SER"},
		"a length":                  {"SEQRES   1 A    3", "SEQRES   1 A    4", "length: 3 -> 4"},
		"a helix class":             {"ALA A    3  5", "ALA A    3  1", "helix 1, class: 5 -> 1"},
		"a strand's sense":          {"ALA A   3  0", "ALA A   3 -1", "strand 1 S, sense: 0 -> -1"},
		"a bond's length":           {"2.04", "2.05", "length: 2.04 -> 2.05"},
		"a bond's partner":          {"CYS A   12  ", "CYS A   13  ", "partner: CYS A 12 2555 -> CYS A 13 2555"},
		"a cell edge":               {"24.100   24.100", "24.100   24.110", "unit cell, b: 24.1 -> 24.11"},
		"a space group":             {"P 31 2 1", "P 32 2 1", "space group: P 31 2 1 -> P 32 2 1"},
		"a matrix":                  {"0.023956", "0.023965", "first row of SCALE, 2nd: 0.023956 -> 0.023965"},
		"a shifted record":          {"CRYST1   24", "CRYST1 24", "unit cell"},
		"a date":                    {"11-SEP-18", "12-SEP-18", "header, date: 11-SEP-18 -> 12-SEP-18"},
		"a title":                   {"DETECTOR\nCOMPND", "DETECTORS\nCOMPND", "TITLE: TETRAPEPTIDE"},
		"a title out of columns":    {"TITLE     TETRA", "TITLE TETRA", "columns: (nothing) -> out of place"},
		"a molecule's name":         {"PEPTIDE H4", "PEPTIDE H5", "COMPND of molecule 1, MOLECULE: PEPTIDE H4 -> PEPTIDE H5"},
		"letter case of a chain":    {"A, b", "A, B", "CHAIN: b -> B"},
		"a keyword":                 {"ZINC, PEPTIDE", "ZINC", "keyword: PEPTIDE -> (nothing)"},
		"the order of authors":      {"AUTHOR    L.NYBERG,T.OKORO", "AUTHOR    T.OKORO,L.NYBERG", "AUTHOR: lost"},
		"a citation":                {"A DETECTOR TRIAL", "THE DETECTOR TRIAL", "JRNL TITL: A DETECTOR"},
		"a remark":                  {"R VALUE : 0.151", "R VALUE : 0.115", "REMARK 3, text"},
		"an invented remark":        {"SEQRES", "REMARK   3 MADE UP\nSEQRES", "REMARK 3: added (MADE UP | 3)"},
		"a bonded atom":             {"CONECT    3    7", "CONECT    3    8", "CONECT 3, to: 7 -> 8"},
		"text after a record":       {"P 31 2 1      6", "P 31 2 1      6          checked", "other columns: (nothing) -> checked"},
		"prose":                     {"CRYST1", "I have left the rest as it was.\nCRYST1", "line: added (I have left"},
		"an unknown record":         {"CRYST1", "USER  tidied\nCRYST1", "line: added (USER tidied)"},
	} {
		if !strings.Contains(sample, c.was) {
			t.Fatalf("%s: the sample has no %q", rule, c.was)
		}
		strict, found := compared(t, sample, vfs.Files{"a.pdb": strings.Replace(sample, c.was, c.is, 1)})
		if strict >= 1 || strict < 0.8 || !strings.Contains(found, c.names) {
			t.Errorf("%s: Strict %v, want %q in %s", rule, strict, c.names, found)
		}
	}
}

func TestStrictSeesOrder(t *testing.T) {
	t.Parallel()
	lines := strings.SplitAfter(sample, "\n")
	for _, begin := range []string{"ATOM      1", "REMARK   2 RES"} {
		for n, line := range lines {
			if !strings.HasPrefix(line, begin) {
				continue
			}
			swapped := strings.Join(lines[:n], "") + lines[n+1] + line + strings.Join(lines[n+2:], "")
			if strict, found := compared(t, sample, vfs.Files{"a.pdb": swapped}); strict >= 1 || !strings.Contains(found, "moved") {
				t.Errorf("%q: Strict %v: %s", line, strict, found)
			}
		}
	}
}

func TestStrictSeesModels(t *testing.T) {
	t.Parallel()
	atom := "ATOM      1  N   GLY A   1       1.000   2.000   3.000  1.00 10.50           N\n"
	models := "MODEL        1\n" + atom + "ENDMDL\nMODEL        2\n" + atom + "ENDMDL\n"
	for rule, c := range map[string]struct{ candidate, names string }{
		"a model lost":             {strings.Join(strings.SplitAfter(models, "\n")[:3], ""), "atom N of GLY A 1 in model 2: lost"},
		"its line lost":            {strings.Replace(models, "MODEL        2\n", "", 1), "model: 2 -> (nothing)"},
		"its end lost":             {strings.Replace(models, "ENDMDL\n", "", 1), "model 1, ENDMDL: (nothing) -> missing"},
		"its number":               {strings.Replace(models, "MODEL        2", "MODEL        3", 1), "model 3: added"},
		"an end that ends nothing": {models + "ENDMDL\n", "line: added (ENDMDL)"},
	} {
		if strict, found := compared(t, models, vfs.Files{"a.pdb": c.candidate}); strict >= 1 || !strings.Contains(found, c.names) {
			t.Errorf("%s: Strict %v: %s", rule, strict, found)
		}
	}
}
