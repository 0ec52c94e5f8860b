package molecule

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/shopspring/decimal"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const document = "aroma_standards.sdf"

const (
	sulfide = `Dimethyl sulfide
  -ISIS-  05141911202D

  3  2  0     0  0  0  0  0  0999 V2000
    0.7145    0.4125    0.0000 S   0  0  0  0  0
    0.0000    0.0000    0.0000 C   0  0  0  0  0
    1.4289   -0.0005    0.0000 C   0  0  0  0  0
  2  1  1  0
  1  3  1  0
M  END
> <ID>
AS-1

> <FORMULA>
C2H6S

> <LRI_DB5>
605

> <THRESHOLD_UG_L>
0.3

> <PURITY_PCT>
99.0

$$$$
`
	oxide = `Trimethylamine oxide

redrawn
  5  4  0     1  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0  0  0  0
    0.8250    0.0000    0.0000 N   0  0  0  0  0
    0.8250    0.8250    0.0000 C   0  0  0  0  0
    0.8250   -0.8250    0.0000 O   0  0  0  0  0
    1.6500    0.0000    0.0000 C   0  0  0  0  0
  1  2  1  0
  2  3  1  1
  2  4  1  0
  2  5  1  0
M  CHG  2   2   1   4  -1
M  END
> <ID>
AS-2

> <FORMULA>
C3H9NO

> <PURITY_PCT>
98.0

$$$$
`
	methanol = `Methanol-13C
  -ISIS-  05141911202D

  2  1  0     0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 O   0  0  0  0  0
    0.8250    0.0000    0.0000 C   0  0  0  0  0
  1  2  1  0
M  ISO  1   2  13
M  END
> <ID>
AS-3L

> <FORMULA>
CH4O

> <LRI_DB5>
<600

> <THRESHOLD_UG_L>
10

> <PURITY_PCT>
97.9

> <NOTE>
say "13C",
not 12

$$$$
`
)

// with adds two fields to a record.
func with(record, name, value, entry string) string {
	return strings.Replace(record, "$$$$\n", "> <"+name+">\n"+value+"\n\n> <ENTRY>\n"+entry+"\n\n$$$$\n", 1)
}

// bare is a record without its data fields.
func bare(record string) string { return record[:strings.Index(record, "> <")] + "$$$$\n" }

// flat is a record with its coordinates replaced.
func flat(record string) string {
	lines := strings.SplitAfter(record, "\n")
	for n, line := range lines {
		if isAtom(line) {
			lines[n] = noPlace + line[coordinateColumns:]
		}
	}
	return strings.Join(lines, "")
}

var codes = strings.NewReplacer("<ID>", "<F01>", "<FORMULA>", "<F02>", "<LRI_DB5>", "<F03>",
	"<THRESHOLD_UG_L>", "<F04>", "<PURITY_PCT>", "<F05>", "<NOTE>", "<F06>")

var forwardResults = map[string]vfs.Files{
	"one_file_each": {
		"standard_AS-1.sdf": sulfide, "standard_AS-2.sdf": oxide, "standard_AS-3L.sdf": methanol,
		"library_index.csv": `position,id,title,file
1,AS-1,Dimethyl sulfide,standard_AS-1.sdf
2,AS-2,Trimethylamine oxide,standard_AS-2.sdf
3,AS-3L,Methanol-13C,standard_AS-3L.sdf
`,
	},
	"class_split": {
		"sulfur.sdf": sulfide, "ionic.sdf": oxide, "other.sdf": methanol,
		"classes.csv": `position,title,file
1,Dimethyl sulfide,sulfur.sdf
2,Trimethylamine oxide,ionic.sdf
3,Methanol-13C,other.sdf
`,
	},
	"property_table": {
		"structures.sdf": bare(sulfide) + bare(oxide) + bare(methanol),
		"properties.csv": `record,name,value
1,ID,AS-1
1,FORMULA,C2H6S
1,LRI_DB5,605
1,THRESHOLD_UG_L,0.3
1,PURITY_PCT,99.0
2,ID,AS-2
2,FORMULA,C3H9NO
2,PURITY_PCT,98.0
3,ID,AS-3L
3,FORMULA,CH4O
3,LRI_DB5,<600
3,THRESHOLD_UG_L,10
3,PURITY_PCT,97.9
3,NOTE,"say ""13C"",
not 12"
`,
	},
	"by_weight": {
		"by_weight.sdf": with(methanol, "CALC_MW", "32.042", "3") + with(sulfide, "CALC_MW", "62.130", "1") +
			with(oxide, "CALC_MW", "75.111", "2"),
	},
	"panel": {
		"panel.sdf": with(sulfide, "PANEL", "yes", "1") + with(oxide, "PANEL", "no: index, threshold", "2") +
			with(methanol, "PANEL", "no: index, purity", "3"),
	},
	"picometres": {
		"flat.sdf": flat(sulfide) + flat(oxide) + flat(methanol),
		"coordinates.tsv": `record	atom	x_pm	y_pm	z_pm
1	1	71.45	41.25	0.00
1	2	0.00	0.00	0.00
1	3	142.89	-0.05	0.00
2	1	0.00	0.00	0.00
2	2	82.50	0.00	0.00
2	3	82.50	82.50	0.00
2	4	82.50	-82.50	0.00
2	5	165.00	0.00	0.00
3	1	0.00	0.00	0.00
3	2	82.50	0.00	0.00
`,
	},
	"hill_order": {
		"hill_order.sdf": strings.NewReplacer(
			`    0.7145    0.4125    0.0000 S   0  0  0  0  0
    0.0000    0.0000    0.0000 C   0  0  0  0  0
    1.4289   -0.0005    0.0000 C   0  0  0  0  0
  2  1  1  0
  1  3  1  0
`, `    0.0000    0.0000    0.0000 C   0  0  0  0  0
    1.4289   -0.0005    0.0000 C   0  0  0  0  0
    0.7145    0.4125    0.0000 S   0  0  0  0  0
  1  3  1  0
  3  2  1  0
`,
			`    0.0000    0.0000    0.0000 C   0  0  0  0  0
    0.8250    0.0000    0.0000 N   0  0  0  0  0
    0.8250    0.8250    0.0000 C   0  0  0  0  0
    0.8250   -0.8250    0.0000 O   0  0  0  0  0
    1.6500    0.0000    0.0000 C   0  0  0  0  0
  1  2  1  0
  2  3  1  1
  2  4  1  0
  2  5  1  0
M  CHG  2   2   1   4  -1
`, `    0.0000    0.0000    0.0000 C   0  0  0  0  0
    0.8250    0.8250    0.0000 C   0  0  0  0  0
    1.6500    0.0000    0.0000 C   0  0  0  0  0
    0.8250    0.0000    0.0000 N   0  0  0  0  0
    0.8250   -0.8250    0.0000 O   0  0  0  0  0
  1  4  1  0
  4  2  1  1
  4  5  1  0
  4  3  1  0
M  CHG  2   4   1   5  -1
`,
			`    0.0000    0.0000    0.0000 O   0  0  0  0  0
    0.8250    0.0000    0.0000 C   0  0  0  0  0
  1  2  1  0
M  ISO  1   2  13
`, `    0.8250    0.0000    0.0000 C   0  0  0  0  0
    0.0000    0.0000    0.0000 O   0  0  0  0  0
  2  1  1  0
M  ISO  1   1  13
`).Replace(sulfide + oxide + methanol),
		"atom_numbers.json": "[\n  [2,3,1],\n  [1,3,5,2,4],\n  [2,1]\n]\n",
	},
	"field_codes": {
		"coded.sdf": codes.Replace(sulfide + oxide + methanol),
		"field_codes.tsv": `code	name	records
F01	ID	3
F02	FORMULA	3
F03	LRI_DB5	2
F04	THRESHOLD_UG_L	2
F05	PURITY_PCT	3
F06	NOTE	1
`,
	},
	"as_json": {
		"molecules.json": `[
  {"title":"Dimethyl sulfide","program":"  -ISIS-  05141911202D","comment":"","chiral":0,"atoms":[{"element":"S","x":0.7145,"y":0.4125,"z":0},{"element":"C","x":0,"y":0,"z":0},{"element":"C","x":1.4289,"y":-0.0005,"z":0}],"bonds":[[2,1,1,0],[1,3,1,0]],"charges":[],"isotopes":[],"data":[{"name":"ID","value":"AS-1"},{"name":"FORMULA","value":"C2H6S"},{"name":"LRI_DB5","value":"605"},{"name":"THRESHOLD_UG_L","value":"0.3"},{"name":"PURITY_PCT","value":"99.0"}]},
  {"title":"Trimethylamine oxide","program":"","comment":"redrawn","chiral":1,"atoms":[{"element":"C","x":0,"y":0,"z":0},{"element":"N","x":0.825,"y":0,"z":0},{"element":"C","x":0.825,"y":0.825,"z":0},{"element":"O","x":0.825,"y":-0.825,"z":0},{"element":"C","x":1.65,"y":0,"z":0}],"bonds":[[1,2,1,0],[2,3,1,1],[2,4,1,0],[2,5,1,0]],"charges":[[2,1],[4,-1]],"isotopes":[],"data":[{"name":"ID","value":"AS-2"},{"name":"FORMULA","value":"C3H9NO"},{"name":"PURITY_PCT","value":"98.0"}]},
  {"title":"Methanol-13C","program":"  -ISIS-  05141911202D","comment":"","chiral":0,"atoms":[{"element":"O","x":0,"y":0,"z":0},{"element":"C","x":0.825,"y":0,"z":0}],"bonds":[[1,2,1,0]],"charges":[],"isotopes":[[2,13]],"data":[{"name":"ID","value":"AS-3L"},{"name":"FORMULA","value":"CH4O"},{"name":"LRI_DB5","value":"<600"},{"name":"THRESHOLD_UG_L","value":"10"},{"name":"PURITY_PCT","value":"97.9"},{"name":"NOTE","value":"say \"13C\",\nnot 12"}]}
]
`,
	},
}

func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), environment) }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	files := vfs.Files{document: sulfide + oxide + methanol}
	domaintest.Results(t, demonstration(t), files, forwardResults, domaintest.ToTheLetter)
}

func TestMolarMass(t *testing.T) {
	t.Parallel()
	weights := map[string]decimal.Decimal{}
	for symbol, weight := range map[string]float64{
		"H": 1.008, "D": 2.014, "C": 12.011, "N": 14.007, "O": 15.999, "S": 32.06, "Cl": 35.45, "I": 126.904,
	} {
		weights[symbol] = decimal.NewFromFloat(weight)
	}
	for formula, want := range map[string]string{"C5H6OS": "114.162", "C7H5D3O2": "127.157", "C6H8IN": "221.041", "CDCl3": "120.375"} {
		if got, err := molarMass(formula, weights); err != nil || got.StringFixed(3) != want {
			t.Errorf("%s: %s, %v, want %s", formula, got.StringFixed(3), err, want)
		}
	}
	for _, formula := range []string{"", "C6H8IN.", "Uuq", "c6", "2H2O", "C5 H6"} {
		if got, err := molarMass(formula, weights); err == nil {
			t.Errorf("%s: %s, want an error", formula, got)
		}
	}
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	damaged := func(was, is string) vfs.Files {
		return vfs.Files{document: strings.Replace(sulfide+oxide, was, is, 1)}
	}
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"one_file_each", damaged("AS-2", "AS-1"), "two records have the ID AS-1"},
		{"one_file_each", damaged("> <ID>\nAS-1\n\n", ""), `the record "Dimethyl sulfide" has no ID`},
		{"class_split", damaged("$$$$\n", "$$$$\nso far\nthe first\n"), `a line that is no part of a record: "so far"`},
		{"property_table", damaged("> <ID>", "> <ID> (1)"), `the header "> <ID> (1)" is not only a name`},
		{"by_weight", damaged("C2H6S", "C2H6X"), `no atomic weight for X in the formula "C2H6X"`},
		{"by_weight", damaged("> <ID>", "> <ENTRY>"), "has a field ENTRY already"},
		{"picometres", damaged("    0.7145    0.4125    0.0000 S", " 0.7145 0.4125 0.0000 S"), "out of its columns or counts"},
		{"hill_order", damaged("M  CHG", "M  STY"), "cannot be renumbered"},
		{"hill_order", damaged("  2  1  1  0", "  2  7  1  0"), "has a bond to an atom that is not there"},
		{"field_codes", damaged("> <ID>", "> ID"), "has a field without a name"},
		{"as_json", vfs.Files{document: extendedEthanol}, `the record "ethanol" is in V3000 format`},
		{"as_json", damaged("S   0  0  0", "S   0  0  2"), "has numbers after the charge of atom 1"},
	} {
		edit := domaintest.Edit(t, demonstration(t), c.edit)
		if _, err := edit.Forward(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"one_file_each", vfs.Files{"standard_AS-1.sdf": sulfide}, "library_index.csv is missing"},
		{"class_split", vfs.Files{"classes.csv": "position,file\n1,other.sdf\n"}, "no .sdf file with a record"},
		{"property_table", vfs.Files{"structures.sdf": bare(sulfide), "properties.csv": "name\nID\n"}, `reading properties.csv: no column "record"`},
		{"by_weight", vfs.Files{"by_weight.sdf": "none"}, "reading by_weight.sdf: a line that is no part of a record"},
		{"panel", vfs.Files{"panel.sdf": ""}, "no .sdf file with a record"},
		{"picometres", vfs.Files{"flat.sdf": sulfide, "coordinates.tsv": "1\t1\ta\t0\t0\n"}, `"a" is no number`},
		{"hill_order", vfs.Files{"hill_order.sdf": sulfide, "atom_numbers.json": "[[1,1,2]]"}, "list 1 is no order of numbers"},
		{"as_json", vfs.Files{"molecules.json": "[]"}, "no .sdf file with a record"},
	} {
		edit := domaintest.Edit(t, demonstration(t), c.edit)
		if _, err := edit.Backward(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// Damage between the steps is carried over, not multiplied.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	domaintest.DamagedSteps(t, demonstration(t), domaintest.Seed(t, environment), 0.75, "internal standard", "standard", "cooked potato", "raw potato")
}

// Limits of another library.
func TestOtherLimits(t *testing.T) {
	t.Parallel()
	edit, err := domaintest.Edit(t, New(), "sort_by_limits").With(`{"document": "lib.sdf", "to": "sorted.sdf", "field": "OK",
		"position": "AT", "limits": [{"name": "pure", "field": "PURITY_PCT", "most": 98.5}]}`)
	if err != nil {
		t.Fatal(err)
	}
	made, err := edit.Forward(vfs.Files{"lib.sdf": sulfide + oxide})
	ended := func(record, said string) string {
		return strings.TrimSuffix(record, "$$$$\n") + "> <OK>\n" + said + "\n\n$$$$\n"
	}
	want := strings.NewReplacer("yes\n\n", "yes\n\n> <AT>\n2\n\n", "pure\n\n", "pure\n\n> <AT>\n1\n\n").
		Replace(ended(oxide, "yes") + ended(sulfide, "no: pure"))
	if diff := cmp.Diff(vfs.Files{"sorted.sdf": want}, made); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	back, err := edit.Backward(made)
	if diff := cmp.Diff(vfs.Files{"lib.sdf": sulfide + oxide}, back); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
}
