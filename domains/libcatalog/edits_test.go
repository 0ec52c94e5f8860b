package libcatalog

import (
	"path"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const (
	opening = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<collection xmlns=\"http://www.loc.gov/MARC21/slim\">\n"
	closing = "</collection>\n"

	book = `<record>
<leader>00714cas a2200205 a 4500</leader>
<controlfield tag="001">b17</controlfield>
<controlfield tag="008">840312d19521971enkar p           a0eng d</controlfield>
<datafield tag="245" ind1="0" ind2="4"><subfield code="a">The "mooring" &amp; rope /</subfield><subfield code="c">ed. O. Vik.</subfield></datafield>
<datafield tag="852" ind1="8" ind2=" "><subfield code="c">Bay 2</subfield><subfield code="x">cost $4, used</subfield></datafield>
<datafield tag="650" ind1=" " ind2="0"><subfield code="a">Ropes</subfield></datafield>
<datafield tag="650" ind1=" " ind2="0"><subfield code="a">Boats</subfield></datafield>
<datafield tag="700" ind1="1" ind2=" "><subfield code="a">Vik, O. T.,</subfield><subfield code="e">editor.</subfield></datafield>
</record>
`
	plan = `<record>
<leader>00391cem a2200109 a 4500</leader>
<controlfield tag="001">b18</controlfield>
<controlfield tag="008">840312q190u1912no        a     0   nor d</controlfield>
<datafield tag="100" ind1="1" ind2=" "><subfield code="a">Aas, Åse</subfield></datafield>
<datafield tag="245" ind1="0" ind2="0"><subfield code="a">Havneplan</subfield></datafield>
<datafield tag="650" ind1=" " ind2="0"><subfield code="a">Boats</subfield></datafield>
<datafield tag="856" ind1="4" ind2=" "><subfield code="u">https://kart.no/?a=1&amp;b=2</subfield><subfield code="u">https://kart.no/b</subfield></datafield>
</record>
`
	shelves = opening + book + plan + closing
)

// replaced are records with texts replaced, each pair once.
func replaced(records string, pairs ...string) string {
	for n := 0; n < len(pairs); n += 2 {
		records = strings.Replace(records, pairs[n], pairs[n+1], 1)
	}
	return records
}

const (
	holding = `<datafield tag="852" ind1="8" ind2=" "><subfield code="c">Bay 2</subfield><subfield code="x">cost $4, used</subfield></datafield>` + "\n"
	ropes   = `<datafield tag="650" ind1=" " ind2="0"><subfield code="a">Ropes</subfield></datafield>` + "\n"
	boats   = `<datafield tag="650" ind1=" " ind2="0"><subfield code="a">Boats</subfield></datafield>` + "\n"
	editor  = `<datafield tag="700" ind1="1" ind2=" "><subfield code="a">Vik, O. T.,</subfield><subfield code="e">editor.</subfield></datafield>` + "\n"
)

var forwardResults = map[string]vfs.Files{
	"material_files": {
		"serials.xml": opening + book + closing,
		"maps.xml":    opening + plan + closing,
		"index.csv":   "position,control_number,file\n1,b17,serials.xml\n2,b18,maps.xml\n",
	},
	"holdings_table": {
		"titles.xml": opening + replaced(book, holding, "") + plan + closing,
		"holdings.csv": `control_number,field,indicators,subfields
b17,4,8\,"$cBay 2$xcost {dollar}4, used"
`,
	},
	"mnemonic_text": {"reading_room.mrk": `=LDR  00714cas\a2200205\a\4500
=001  b17
=008  840312d19521971enkar\p\\\\\\\\\\\a0eng\d
=245  04$aThe "mooring" & rope /$ced. O. Vik.
=852  8\$cBay 2$xcost {dollar}4, used
=650  \0$aRopes
=650  \0$aBoats
=700  1\$aVik, O. T.,$eeditor.

=LDR  00391cem\a2200109\a\4500
=001  b18
=008  840312q190u1912no\\\\\\\\a\\\\\0\\\nor\d
=100  1\$aAas, Åse
=245  00$aHavneplan
=650  \0$aBoats
=856  4\$uhttps://kart.no/?a=1&b=2$uhttps://kart.no/b

`},
	"subject_list": {
		"linked_subjects.xml": opening + replaced(book, `"a">Ropes`, `"0">S1`, `"a">Boats`, `"0">S2`) +
			replaced(plan, `"a">Boats`, `"0">S2`) + closing,
		"subjects.json": `[
{"id":"S1","tag":"650","indicators":"\\0","subfields":"$aRopes"},
{"id":"S2","tag":"650","indicators":"\\0","subfields":"$aBoats"}
]
`,
	},
	"display_names": {
		"display_names.xml": opening + replaced(book, "Vik, O. T.,", "O. T. Vik,") + replaced(plan, "Aas, Åse", "Åse Aas") + closing,
		"contributors.csv": `control_number,display,heading
b17,"O. T. Vik,","Vik, O. T.,"
b18,Åse Aas,"Aas, Åse"
`,
	},
	"url_registry": {
		"registered.xml": opening + book + replaced(plan, "https://kart.no/?a=1&amp;b=2", "U1", "https://kart.no/b", "U2") + closing,
		"url_registry.tsv": "id\tcontrol_number\tindicators\turl\n" +
			"U1\tb18\t4\\\thttps://kart.no/?a=1&b=2\nU2\tb18\t4\\\thttps://kart.no/b\n",
	},
	"era_shelves": {
		"by_year.xml": opening +
			replaced(plan, "</record>", `<datafield tag="991" ind1=" " ind2=" "><subfield code="a">1900s</subfield><subfield code="b">125</subfield><subfield code="c">antiquarian</subfield><subfield code="d">2</subfield></datafield>
</record>`) +
			replaced(book, "</record>", `<datafield tag="991" ind1=" " ind2=" "><subfield code="a">1950s</subfield><subfield code="b">73</subfield><subfield code="c">older</subfield><subfield code="d">1</subfield></datafield>
</record>`) + closing,
	},
	"tag_order": {
		"sorted_fields.xml": opening + replaced(book, holding+ropes+boats+editor, boats+ropes+editor+holding) + plan + closing,
		"field_order.json": `[
{"control_number":"b17","places":[1,4,3,5,2]},
{"control_number":"b18","places":[1,2,3,4]}
]
`,
	},
}

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "libcatalog1") }

const document = "reading_room.xml"

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: shelves}, forwardResults, domaintest.ToTheLetter)
}

func TestWhereARecordIsMissingTheOthersComeBack(t *testing.T) {
	t.Parallel()
	left := vfs.Files{document: opening + book + closing}
	for _, edit := range demonstration(t).Edits() {
		files, err := edit.Forward(left)
		if err != nil {
			t.Errorf("%s: %v", edit.Name, err)
			continue
		}
		for name, content := range forwardResults[edit.Name] {
			if path.Ext(name) != ".xml" && path.Ext(name) != ".mrk" {
				files[name] = content // the tables still know the record
			}
		}
		got, err := edit.Backward(files)
		if err != nil {
			t.Errorf("%s: %v", edit.Name, err)
		} else if diff := cmp.Diff(left, got); diff != "" {
			t.Errorf("%s: %s", edit.Name, diff)
		}
	}
}

func TestPlacesThatTablesDoNotKnow(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for name, c := range map[string]struct {
		edit  string
		files vfs.Files
		want  string
	}{
		"records that the index leaves out come last": {
			"material_files", vfs.Files{"maps.xml": opening + plan + closing, "serials.xml": opening + book + closing, "index.csv": "position,file\n1,serials.xml\n2,lost.xml\n"},
			shelves,
		},
		"a holding after the end of its record comes last": {
			"holdings_table", vfs.Files{"titles.xml": opening + plan + closing, "holdings.csv": "control_number,field,indicators,subfields\nb18,99,8,$jM 3\nb99,1,8,$jM 4\n"},
			opening + replaced(plan, "</record>", `<datafield tag="852" ind1="8" ind2=" "><subfield code="j">M 3</subfield></datafield>`+"\n</record>") + closing,
		},
		"a number without a heading stays": {
			"subject_list", vfs.Files{"linked_subjects.xml": opening + replaced(plan, `"a">Boats`, `"0">S9`) + closing, "subjects.json": "[]"},
			opening + replaced(plan, `"a">Boats`, `"0">S9`) + closing,
		},
		"a name that is not listed stays": {
			"display_names", vfs.Files{"display_names.xml": opening + plan + closing, "contributors.csv": "control_number,display,heading\n"},
			opening + plan + closing,
		},
		"fields without a place come last": {
			"tag_order", vfs.Files{"sorted_fields.xml": opening + book + closing, "field_order.json": `[{"control_number":"b17","places":[2,1]}]`},
			opening + replaced(book, holding, "", `<datafield tag="245"`, holding+`<datafield tag="245"`) + closing,
		},
		"a record of the text form begins with its leader": {
			"mnemonic_text", vfs.Files{"reading_room.mrk": "```\n=LDR  " + `00391cem\a2200109\a\4500` + "\n=001  b18\nAnd now:\n=LDR  x\n"},
			opening + "<record>\n<leader>00391cem a2200109 a 4500</leader>\n<controlfield tag=\"001\">b18</controlfield>\n</record>\n<record>\n<leader>x</leader>\n</record>\n" + closing,
		},
	} {
		got, err := domaintest.Edit(t, d, c.edit).Backward(c.files)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(vfs.Files{document: c.want}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// Other parameters make other files of the same records.
func TestEditsWithOtherParameters(t *testing.T) {
	t.Parallel()
	domaintest.Parameters(t, New(), vfs.Files{"all.xml": shelves}, domaintest.ToTheLetter, []domaintest.Made{
		{
			Edit: "split_by_material", Parameters: `{"document": "all.xml", "kinds": [{"types": "e", "file": "plans.xml"}], "others": "rest.xml", "table": "t.csv"}`,
			Want: vfs.Files{
				"rest.xml": opening + book + closing, "plans.xml": opening + plan + closing,
				"t.csv": "position,control_number,file\n1,b17,rest.xml\n2,b18,plans.xml\n",
			},
		},
		{
			Edit: "move_fields", Parameters: `{"document": "all.xml", "to": "less.xml", "tag": "700", "table": "t.csv"}`,
			Want: vfs.Files{
				"less.xml": opening + replaced(book, editor, "") + plan + closing,
				"t.csv":    "control_number,field,indicators,subfields\nb17,7,1\\,\"$aVik, O. T.,$eeditor.\"\n",
			},
		},
		{
			Edit: "code_subfields", Parameters: `{"document": "all.xml", "to": "less.xml", "tag": "245", "subfield": "a", "first": "T08", "column": "title", "table": "t.tsv"}`,
			Want: vfs.Files{
				"less.xml": opening + replaced(book, `The "mooring" &amp; rope /`, "T08") + replaced(plan, "Havneplan", "T09") + closing,
				"t.tsv":    "id\tcontrol_number\tindicators\ttitle\nT08\tb17\t04\tThe \"mooring\" & rope /\nT09\tb18\t00\tHavneplan\n",
			},
		},
	}...)
}

func TestNamesWithTheForenameFirst(t *testing.T) {
	t.Parallel()
	for heading, want := range map[string]string{
		"Rolt, L. T. C.,":          "L. T. C. Rolt,",
		"Household, Humphrey":      "Humphrey Household",
		"Ó Briain, Caoimhe, Dr.,":  "Caoimhe, Dr. Ó Briain,",
		"Watkins-Pitchford, D. J.": "D. J. Watkins-Pitchford",
		"Plato,":                   "Plato,",
		"Rolt,L.":                  "Rolt,L.",
		"":                         "",
	} {
		if got := displayed(heading); got != want {
			t.Errorf("%q is displayed as %q, want %q", heading, got, want)
		}
	}
}

func TestYears(t *testing.T) {
	t.Parallel()
	for dates, want := range map[string]int{"s1952    ": 1952, "q186u1871": 1860, "nuuuuuuuu": 0, "m||||2012": -1, "s198     ": -1} {
		r := record{fields: []field{{tag: "008", control: true, data: "840312" + dates + "enk"}}}
		got, ok := r.year()
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("dates %q have the year %d, want %d", dates, got, want)
		}
	}
}
