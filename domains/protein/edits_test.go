package protein

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// documentFile is that of the documents in these tests.
const documentFile = "pk7_dimer.pdb"

const small = `TITLE     TWO RESIDUES
REMARK   2 RESOLUTION.    1.20 ANGSTROMS.
SEQRES   1 A    3  ACE CYS ALA
MODRES XXXX CYS A    1  CYS  NOT REALLY
HELIX    1   1 CYS A    1  CYS A    1  5                                   1
CRYST1   20.000   25.000   40.000  90.00  90.00  90.00 P 21 21 21    4
SCALE1      0.050000  0.000000  0.000000        0.00000
SCALE2      0.000000  0.040000  0.000000        0.00000
SCALE3      0.000000  0.000000  0.025000        0.50000
HETATM    1  C   ACE A   0       1.000   2.000   3.000  1.00 12.00           C
ATOM      2  N   CYS A   1       2.000   2.500  -4.000  1.00 10.00           N
ATOM      3  CA  CYS A   1       3.001   2.500  -4.000  1.00 10.00           C
ANISOU    3  CA  CYS A   1     1200   1300   1400      0      1     -1       C
ATOM      4  SG ACYS A   1       4.000   2.500  -4.000  0.60  9.50           S
TER       5      CYS A   1
HETATM    6 ZN    ZN B 101       8.000   2.500  -4.000  1.00  8.00          ZN2+
HETATM    7  O   HOH A 201       8.000   2.500  -1.900  1.00 45.00           O
HETATM    8  O   HOH A 202       8.000   2.500  -1.900  1.00 45.01           O
HETATM    9  O   HOH B 203       8.000   2.500  -1.900  0.49 20.00           O
HETATM   10  O   HOH A 204      11.501   2.500  -4.000  1.00 20.00           O
CONECT    4    6
END
`

// smallLines are some lines of it, counted from 1.
func smallLines(numbers ...int) string {
	all := strings.SplitAfter(small, "\n")
	var b strings.Builder
	for _, n := range numbers {
		b.WriteString(all[n-1])
	}
	return b.String()
}

// with replaces pairs of texts that the small document must have.
func with(text string, pairs ...string) string { return strings.NewReplacer(pairs...).Replace(text) }

var forwardResults = map[string]vfs.Files{
	"zero_based": {"zero_based.pdb": with(small,
		"CYS A    1", "CYS A    0", "CYS A   1", "CYS A   0", "ACE A   0", "ACE A  -1", "B 101", "B 100",
		"A 201", "A 200", "A 202", "A 201", "B 203", "B 202", "A 204", "A 203")},
	"backbone_split": {
		"backbone.pdb": smallLines(1, 2, 3, 4, 5, 6, 7, 8, 9) +
			with(smallLines(11, 12, 13), "ATOM      2", "ATOM      1", "ATOM      3", "ATOM      2", "ANISOU    3", "ANISOU    2") +
			smallLines(15, 21, 22),
		"side_chains.pdb": with(smallLines(10, 14, 16, 17, 18, 19, 20), "ATOM      4", "ATOM      2", "TM    6", "TM    3", "TM    7", "TM    4",
			"TM    8", "TM    5", "TM    9", "TM    6", "TM   10", "TM    7"),
		"serials.csv": `line,serial,file,new_serial
10,1,side_chains.pdb,1
11,2,backbone.pdb,1
12,3,backbone.pdb,2
13,3,backbone.pdb,2
14,4,side_chains.pdb,2
16,6,side_chains.pdb,3
17,7,side_chains.pdb,4
18,8,side_chains.pdb,5
19,9,side_chains.pdb,6
20,10,side_chains.pdb,7
`,
	},
	"chain_split": {
		"frame.pdb":   smallLines(1, 2, 3, 4, 5, 6, 7, 8, 9, 21, 22),
		"chain_A.pdb": smallLines(10, 11, 12, 13, 14, 15, 17, 18, 20),
		"chain_B.pdb": smallLines(16, 19),
		"assembly.csv": `file,first,last
frame.pdb,1,9
chain_A.pdb,10,15
chain_B.pdb,16,16
chain_A.pdb,17,18
chain_B.pdb,19,19
chain_A.pdb,20,20
frame.pdb,21,22
`,
	},
	"paint": {
		"painted.pdb": with(small, " 12.00  ", " 50.00  ", "1.00 10.00", "1.00 10.00", "  9.50  ", " 10.00  ", "1.00  8.00", "1.00 50.00",
			" 45.00 ", " 90.00 ", " 45.01 ", " 90.00 ", "0.49 20.00", "0.49 90.00", "1.00 20.00", "1.00 90.00"),
		"b_factors.csv": `line,serial,b_factor
10,1,12.00
11,2,10.00
12,3,10.00
14,4,9.50
16,6,8.00
17,7,45.00
18,8,45.01
19,9,20.00
20,10,20.00
`,
	},
	"fasta": {
		"sequences.fasta": ">A 1=ACE\nXCA\n",
		"no_seqres.pdb":   with(small, smallLines(3), ""),
	},
	"atom_table": {
		"atoms.tsv": strings.ReplaceAll(`line record serial name altloc residue chain number icode x y z occupancy b_factor segment element charge
18 HETATM 8 O  HOH A 202  8.000 2.500 -1.900 1.00 45.01  O 
17 HETATM 7 O  HOH A 201  8.000 2.500 -1.900 1.00 45.00  O 
19 HETATM 9 O  HOH B 203  8.000 2.500 -1.900 0.49 20.00  O 
20 HETATM 10 O  HOH A 204  11.501 2.500 -4.000 1.00 20.00  O 
10 HETATM 1 C  ACE A 0  1.000 2.000 3.000 1.00 12.00  C 
11 ATOM 2 N  CYS A 1  2.000 2.500 -4.000 1.00 10.00  N 
12 ATOM 3 CA  CYS A 1  3.001 2.500 -4.000 1.00 10.00  C 
14 ATOM 4 SG A CYS A 1  4.000 2.500 -4.000 0.60 9.50  S 
16 HETATM 6 ZN  ZN B 101  8.000 2.500 -4.000 1.00 8.00  ZN 2+
`, " ", "\t"),
		"annotations.pdb": smallLines(1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 15, 21, 22),
	},
	"fractional": {
		"fractional.pdb": with(small,
			"   1.000   2.000   3.000", " 0.05000 0.08000 0.57500", "   2.000   2.500  -4.000", " 0.10000 0.10000 0.40000",
			"   3.001   2.500  -4.000", " 0.15005 0.10000 0.40000", "   4.000   2.500  -4.000", " 0.20000 0.10000 0.40000",
			"   8.000   2.500  -4.000", " 0.40000 0.10000 0.40000", "   8.000   2.500  -1.900", " 0.40000 0.10000 0.45250",
			"  11.501   2.500  -4.000", " 0.57505 0.10000 0.40000"),
		"cartesian.csv": `line,x,y,z
10,1.000,2.000,3.000
11,2.000,2.500,-4.000
12,3.001,2.500,-4.000
14,4.000,2.500,-4.000
16,8.000,2.500,-4.000
17,8.000,2.500,-1.900
18,8.000,2.500,-1.900
19,8.000,2.500,-1.900
20,11.501,2.500,-4.000
`,
	},
	"weak_waters": {
		"trusted.pdb":     with(small, smallLines(18), "", smallLines(19), "", smallLines(20), ""),
		"weak_waters.pdb": smallLines(18, 19, 20),
		"waters.csv":      "line,serial,reason\n18,8,hot\n19,9,partial\n20,10,lonely\n",
	},
}

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), environment) }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{documentFile: small}, forwardResults, domaintest.ToTheLetter)
}

func TestForwardRefuses(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		edit  string
		files vfs.Files
	}{
		"two files":                 {"zero_based", vfs.Files{"a.pdb": small, "b.pdb": small}},
		"an atom out of place":      {"paint", vfs.Files{"a.pdb": with(small, "ATOM      2  N", "ATOM      2 N")}},
		"loose numbers":             {"atom_table", vfs.Files{"a.pdb": with(small, "   2.000   2.500  -4.000", "2.0 2.5 -4.0")}},
		"numbers that do not fit":   {"zero_based", vfs.Files{"a.pdb": with(small, "ACE A   0", "ACE A-999")}},
		"no chain":                  {"chain_split", vfs.Files{"a.pdb": with(small, "ZN B 101", "ZN   101")}},
		"no B factor":               {"paint", vfs.Files{"a.pdb": with(small, "1.00 12.00", "1.00      ")}},
		"another layout of SEQRES":  {"fasta", vfs.Files{"a.pdb": with(small, "A    3", "A    4")}},
		"no SEQRES":                 {"fasta", vfs.Files{"a.pdb": with(small, smallLines(3), "")}},
		"a name in another column":  {"atom_table", vfs.Files{"a.pdb": with(small, "2  N   CYS", "2 N    CYS")}},
		"no SCALE":                  {"fractional", vfs.Files{"a.pdb": with(small, smallLines(8), "")}},
		"coordinates of two places": {"fractional", vfs.Files{"a.pdb": with(small, "   1.000   2.000   3.000", "    1.00   2.000   3.000")}},
	} {
		if got, err := domaintest.Edit(t, demonstration(t), c.edit).Forward(c.files); err == nil {
			t.Errorf("%s: %v", rule, got)
		}
	}
}

func TestBackwardRefuses(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct{ edit, file, was, is string }{
		"a line that is none":      {"paint", "b_factors.csv", "10,1,12", "1,1,12"},
		"a number that is none":    {"weak_waters", "waters.csv", "18,8", "x,8"},
		"a water too many":         {"weak_waters", "waters.csv", "18,8,hot\n", ""},
		"a file without the atom":  {"backbone_split", "serials.csv", "11,2,backbone", "11,2,spine"},
		"lines that are not there": {"chain_split", "assembly.csv", "B.pdb,16,16", "B.pdb,16,19"},
		"a cell too long":          {"atom_table", "atoms.tsv", "45.01", "4500.01"},
		"an X without a name":      {"fasta", "sequences.fasta", " 1=ACE", ""},
	} {
		files := vfs.Files{}
		for name, text := range forwardResults[c.edit] {
			files[name] = text
		}
		if !strings.Contains(files[c.file], c.was) {
			t.Fatalf("%s: %s has no %q", rule, c.file, c.was)
		}
		files[c.file] = strings.Replace(files[c.file], c.was, c.is, 1)
		if got, err := domaintest.Edit(t, demonstration(t), c.edit).Backward(files); err == nil {
			t.Errorf("%s: %v", rule, got)
		}
	}
}

// The parameters say what is edited, and into what.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	d, document := New(), vfs.Files{"a.pdb": small}
	domaintest.Takes(t, d, document,
		"shift_residues", `{"document": "a.pdb", "to": "b.pdb", "by": 100}`,
		vfs.Files{"b.pdb": with(small,
			"CYS A    1", "CYS A  101", "CYS A   1", "CYS A 101", "ACE A   0", "ACE A 100", "B 101", "B 201",
			"A 201", "A 301", "A 202", "A 302", "B 203", "B 303", "A 204", "A 304")})
	domaintest.Takes(t, d, document,
		"split_by_chain", `{"document": "a.pdb", "begins": "c", "rest": "cA.pdb", "table": "t.csv"}`,
		vfs.Files{
			"cA.pdb": with(small, smallLines(16), "", smallLines(19), ""),
			"cB.pdb": smallLines(16, 19),
			"t.csv":  "file,first,last\ncA.pdb,1,15\ncB.pdb,16,16\ncA.pdb,17,18\ncB.pdb,19,19\ncA.pdb,20,22\n",
		})
	painted := small
	for _, n := range []int{10, 11, 12, 14, 16, 17, 18, 19, 20} {
		code := map[int]string{10: "  0.00", 11: "  7.50", 12: "  7.50", 14: "  7.50", 16: "  0.00"}[n]
		if code == "" {
			code = "100.00"
		}
		painted = strings.Replace(painted, smallLines(n), replaced(smallLines(n), 61, code), 1)
	}
	domaintest.Takes(t, d, document,
		"paint", `{"document": "a.pdb", "to": "b.pdb", "helix": 7.5, "strand": 1, "water": 100, "others": 0, "table": "b_factors.csv"}`,
		vfs.Files{"b.pdb": painted, "b_factors.csv": forwardResults["paint"]["b_factors.csv"]})
	domaintest.Takes(t, d, document,
		"waters_apart", `{"document": "a.pdb", "limits": {"hottest": 50, "occupancy": 0.4, "reach": 2}, "waters": "w.pdb", "rest": "r.pdb", "table": "t.csv"}`,
		vfs.Files{
			"r.pdb": with(small, smallLines(17), "", smallLines(18), "", smallLines(19), "", smallLines(20), ""),
			"w.pdb": smallLines(17, 18, 19, 20),
			"t.csv": "line,serial,reason\n17,7,lonely\n18,8,lonely\n19,9,lonely\n20,10,lonely\n",
		})
}
