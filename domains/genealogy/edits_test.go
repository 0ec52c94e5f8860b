package genealogy

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// document is the file of the documents in these tests.
const document = "kroman_marstal.ged"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "genealogy1") }

const small = `0 HEAD
1 CHAR UTF-8
0 @I3@ INDI
1 NAME Hans Olsen /Vik/
1 SEX M
1 BIRT
2 DATE 29 FEB 1880
2 PLAC Vik, Sogn
1 DEAT
2 DATE 28 FEB 1912
2 PLAC Madison
2 NOTE The "big" snow
3 CONT came that night.
1 FAMC @F1@
1 FAMS @F2@
0 @I1@ INDI
1 NAME Ole /Vik/
1 BIRT
2 DATE ABT 1850
2 PLAC Vik, Sogn
1 FAMS @F1@
0 @I7@ INDI
1 NAME Ruth Ann /Vik/
1 SEX F
1 BIRT
2 DATE 3 MAR 1931
1 NOTE @N1@
1 FAMC @F2@
0 @I8@ INDI
1 NAME Mae /Ross/
1 BIRT
2 DATE 05 JUN 1901
1 DEAT
2 DATE 1 JAN 1902
0 @F1@ FAM
1 HUSB @I1@
1 CHIL @I3@
0 @F2@ FAM
1 HUSB @I3@
1 MARR
2 DATE 6 OCT 1929
1 CHIL @I7@
0 @N1@ NOTE See Bible & letters.
0 TRLR
`

var forwardResults = map[string]vfs.Files{
	"json_tree": nil, // TestTreeInJSON
	"male_lines": {
		"line_I1.ged": between("0 @I3@", "0 @I8@") + between("0 @F1@", "0 @N1@"),
		"others.ged":  between("0 @I8@", "0 @F1@"),
		"shared.ged":  between("0 HEAD", "0 @I3@") + between("0 @N1@", ""),
		"order.csv": `position,file
1,shared.ged
2,line_I1.ged
3,line_I1.ged
4,line_I1.ged
5,others.ged
6,line_I1.ged
7,line_I1.ged
8,shared.ged
9,shared.ged
`,
	},
	"generations": {
		"generations.ged": between("0 HEAD", "0 @I3@") +
			between("0 @I1@", "0 @I7@") + "1 _GEN 1\n" +
			between("0 @I8@", "0 @F1@") + "1 _GEN 1\n" +
			between("0 @I3@", "0 @I1@") + "1 _GEN 2\n" +
			between("0 @I7@", "0 @I8@") + "1 _GEN 3\n" +
			between("0 @F1@", ""),
		"individuals.csv": "position,id\n1,@I3@\n2,@I1@\n3,@I7@\n4,@I8@\n",
	},
	"iso_dates": {
		"iso_dates.ged": replaced(
			"DATE 29 FEB 1880", "_ISO 1880-02-29", "DATE 28 FEB 1912", "_ISO 1912-02-28", "DATE 3 MAR 1931", "_ISO 1931-03-03",
			"DATE 1 JAN 1902", "_ISO 1902-01-01", "DATE 6 OCT 1929", "_ISO 1929-10-06"),
	},
	"birth_order": {
		"renumbered.ged":  replaced("@I1@", "@P1@", "@I3@", "@P2@", "@I8@", "@P3@", "@I7@", "@P4@"),
		"pointer_map.csv": "new,old\n@P1@,@I1@\n@P2@,@I3@\n@P3@,@I8@\n@P4@,@I7@\n",
	},
	"place_register": {
		"coded_places.ged": replaced("Vik, Sogn", "L1", "Madison", "L2"),
		"places.csv":       "id,place,uses\nL1,\"Vik, Sogn\",2\nL2,Madison,1\n",
	},
	"ages_at_death": {
		"with_ages.ged": replaced("3 CONT came that night.\n", "3 CONT came that night.\n2 AGE 31y\n"),
		"ages.csv":      "id,age\n@I3@,31y\n",
	},
	"privacy_copy": {
		"public.ged": replaced("1 NAME Ruth Ann /Vik/", "1 NAME Living /Vik/", "1 BIRT\n2 DATE 3 MAR 1931\n1 NOTE @N1@\n", ""),
		"private.json": `{
  "@I7@": [
    "1 NAME Ruth Ann /Vik/",
    "1 SEX F",
    "1 BIRT",
    "2 DATE 3 MAR 1931",
    "1 NOTE @N1@",
    "1 FAMC @F2@"
  ]
}
`,
	},
	"note_records": {
		"referenced.ged": replaced("2 NOTE The \"big\" snow\n3 CONT came that night.\n", "2 NOTE @T1@\n"),
		"notes.ged":      "0 @T1@ NOTE The \"big\" snow\n1 CONT came that night.\n",
	},
}

// between is the part of the document from one text up to another, or to the
// end.
func between(from, to string) string {
	_, rest, _ := strings.Cut(small, from)
	if to == "" {
		return from + rest
	}
	part, _, _ := strings.Cut(rest, to)
	return from + part
}

// replaced is the document with some texts replaced, given in pairs.
func replaced(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(small) }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: small}, forwardResults, domaintest.ToTheLetter)
}

func TestTreeInJSON(t *testing.T) {
	t.Parallel()
	got, err := domaintest.Edit(t, demonstration(t), "json_tree").Forward(vfs.Files{document: "0 HEAD\n1 SOUR A & B\n2 VERS 5\n0 @I1@ INDI\n1 NAME\n2 SURN \"Vik\"\n"})
	if err != nil {
		t.Fatal(err)
	}
	want := `[
{"tag":"HEAD","lines":[{"tag":"SOUR","value":"A & B","lines":[{"tag":"VERS","value":"5"}]}]},
{"pointer":"@I1@","tag":"INDI","lines":[{"tag":"NAME","lines":[{"tag":"SURN","value":"\"Vik\""}]}]}
]
`
	if diff := cmp.Diff(vfs.Files{"tree.json": want}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ born, died, want string }{
		{"5 JUN 1850", "4 JUN 1900", "49y"},
		{"5 JUN 1850", "5 JUN 1900", "50y"},
		{"29 FEB 1880", "28 FEB 1881", "365d"},
		{"29 FEB 1880", "1 MAR 1881", "1y"},
		{"31 DEC 1899", "1 JAN 1900", "1d"},
		{"5 JUN 1850", "5 JUN 1850", "0d"},
	} {
		born, _ := readDay(c.born)
		died, _ := readDay(c.died)
		if got := ageAt(born, died); got != c.want {
			t.Errorf("%s to %s: %s, want %s", c.born, c.died, got, c.want)
		}
	}
	for _, date := range []string{"05 JUN 1850", "5 JUNE 1850", "5 Jun 1850", "5 JUN 850", "JUN 1850", "ABT 5 JUN 1850", "5 JUN 1850 ", "0 JUN 1850", "+5 JUN 1850", ""} {
		if d, ok := readDay(date); ok {
			t.Errorf("%q is read as %v, want no day", date, d)
		}
	}
}

func TestGenerationsOfACircleEnd(t *testing.T) {
	t.Parallel()
	records := read("0 @A@ INDI\n1 FAMC @G@\n0 @B@ INDI\n1 FAMC @F@\n0 @F@ FAM\n1 HUSB @A@\n1 CHIL @B@\n0 @G@ FAM\n1 HUSB @B@\n1 CHIL @A@\n")
	if diff := cmp.Diff(map[string]int{"@A@": 2, "@B@": 1}, generationsOf(records)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"@A@": "line_B.ged", "@B@": "line_B.ged"}, lineFiles(records, "line_", "others.ged")); diff != "" {
		t.Error(diff)
	}
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	backward := map[string]func(vfs.Files) (vfs.Files, error){}
	for _, edit := range demonstration(t).Edits() {
		backward[edit.Name] = edit.Backward
	}
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"male_lines", vfs.Files{"others.ged": small}, "order.csv is missing"},
		{"male_lines", vfs.Files{"order.csv": "position,file\n"}, "no .ged file with an individual"},
		{"json_tree", vfs.Files{"tree.json": "[]"}, "tree.json has no record"},
		{"json_tree", vfs.Files{"tree.json": "0 HEAD"}, "reading tree.json"},
		{"generations", vfs.Files{"generations.ged": small}, "individuals.csv is missing"},
		{"iso_dates", vfs.Files{"dates.ged": small}, "iso_dates.ged is missing"},
		{"birth_order", vfs.Files{"renumbered.ged": small, "pointer_map.csv": "new\n"}, `reading pointer_map.csv: no column "old"`},
		{"place_register", vfs.Files{"coded_places.ged": small, "places.csv": ""}, "reading places.csv: no header"},
		{"ages_at_death", vfs.Files{"ages.csv": "id,age\n"}, "with_ages.ged is missing"},
		{"privacy_copy", vfs.Files{"public.ged": small, "private.json": "{"}, "reading private.json"},
		{"note_records", vfs.Files{"referenced.ged": small}, "notes.ged is missing"},
	} {
		if _, err := backward[c.edit](c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
}

// Damage between the steps is carried over, not multiplied: what the damaged
// files still say is in the document.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	reference := vfs.Files{document: small}
	for _, edit := range d.Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			files, err := edit.Forward(reference)
			if err != nil {
				t.Fatal(err)
			}
			damaged := vfs.Files{}
			for name, text := range files {
				if strings.HasSuffix(name, ".csv") && strings.Count(text, "\n") > 2 {
					text = text[:strings.LastIndex(strings.TrimSuffix(text, "\n"), "\n")+1]
				}
				damaged[name] = strings.ReplaceAll(text, "Mae /Ross/", "Mae /Rosse/")
			}
			back, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			score := d.Compare(reference, back)
			if score.Strict >= 1 || score.Strict < 0.8 || score.Elements.Candidate != 4 {
				t.Errorf("Strict %v, %+v: %v", score.Strict, score.Elements, d.Differences(reference, back))
			}
		})
	}
}

func TestEditsWithOtherParameters(t *testing.T) {
	t.Parallel()
	d := domaintest.Making(t, New(), map[string]string{
		"hide_living":        `{"document": "vik.ged", "to": "web.ged", "after": 1950, "name": "Private", "list": "p.json"}`,
		"iso_dates":          `{"document": "vik.ged", "to": "d.ged", "tag": "_DAY"}`,
		"move_notes":         `{"document": "vik.ged", "to": "r.ged", "first": "N08", "notes": "n.ged"}`,
		"number_by_birth":    `{"document": "vik.ged", "to": "b.ged", "first": "X007", "table": "b.csv"}`,
		"split_by_male_line": `{"document": "vik.ged", "begins": "house ", "others": "o.ged", "shared": "o.ged", "table": "o.csv"}`,
	})
	domaintest.Results(t, d, vfs.Files{"vik.ged": small}, map[string]vfs.Files{
		"hide_living": {"web.ged": small, "p.json": "{}\n"},
		"iso_dates": {"d.ged": replaced("DATE 29 FEB 1880", "_DAY 1880-02-29", "DATE 28 FEB 1912", "_DAY 1912-02-28",
			"DATE 3 MAR 1931", "_DAY 1931-03-03", "DATE 1 JAN 1902", "_DAY 1902-01-01", "DATE 6 OCT 1929", "_DAY 1929-10-06")},
		"move_notes": {
			"r.ged": replaced("2 NOTE The \"big\" snow\n3 CONT came that night.\n", "2 NOTE @N08@\n"),
			"n.ged": "0 @N08@ NOTE The \"big\" snow\n1 CONT came that night.\n",
		},
		"number_by_birth": {
			"b.ged": replaced("@I1@", "@X007@", "@I3@", "@X008@", "@I8@", "@X009@", "@I7@", "@X010@"),
			"b.csv": "new,old\n@X007@,@I1@\n@X008@,@I3@\n@X009@,@I8@\n@X010@,@I7@\n",
		},
		"split_by_male_line": {
			"house I1.ged": between("0 @I3@", "0 @I8@") + between("0 @F1@", "0 @N1@"),
			"o.ged":        between("0 HEAD", "0 @I3@") + between("0 @I8@", "0 @F1@") + between("0 @N1@", ""),
			"o.csv": "position,file\n1,o.ged\n2,house I1.ged\n3,house I1.ged\n4,house I1.ged\n5,o.ged\n" +
				"6,house I1.ged\n7,house I1.ged\n8,o.ged\n9,o.ged\n",
		},
	}, domaintest.ToTheLetter)
}
