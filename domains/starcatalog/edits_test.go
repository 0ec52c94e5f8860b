package starcatalog

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// documentFile is the file of the documents in these tests.
const documentFile = "solar_neighbours.vot"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "starcatalog1") }

const (
	opening = `<?xml version="1.0" encoding="UTF-8"?>
<VOTABLE version="1.3" xmlns="http://www.ivoa.net/xml/VOTable/v1.3">
  <RESOURCE name="near">
    <DESCRIPTION>Near &amp; far</DESCRIPTION>
`
	firstTable = `    <TABLE name="stars">
`
	secondTable = `    <TABLE name="standards">
`
	hip = `      <FIELD ID="h" name="HIP" ucd="meta.id;meta.main" datatype="int" width="6"/>
`
	ra = `      <FIELD name="RAhms" ucd="pos.eq.ra" datatype="char" arraysize="11" unit="&quot;h:m:s&quot;"/>
`
	de = `      <FIELD name="DEdms" ucd="pos.eq.dec" datatype="char" arraysize="11" unit="&quot;d:m:s&quot;"/>
`
	vmag = `      <FIELD name="Vmag" ucd="phot.mag;em.opt.V" datatype="float" width="5" precision="2" unit="mag">
        <DESCRIPTION>Johnson V</DESCRIPTION>
        <VALUES null="99.9"/>
      </FIELD>
`
	spType = `      <FIELD name="SpType" ucd="src.spType" datatype="char" arraysize="*"/>
`
	plxField = `      <FIELD name="Plx" ucd="pos.parallax.trig" datatype="float" unit="mas"/>
`
	bv = `      <FIELD name="B-V" ucd="phot.color" datatype="float"/>
`
	data = `      <DATA>
        <TABLEDATA>
`
	empty     = "      <DATA>\n        <TABLEDATA/>\n      </DATA>\n    </TABLE>\n"
	endOfData = `        </TABLEDATA>
      </DATA>
    </TABLE>
`
	closing = `  </RESOURCE>
</VOTABLE>
`
	tauCeti  = `          <TR><TD>8102</TD><TD>01 44 04.08</TD><TD>3.49</TD><TD>G8.5V</TD><TD>273.96</TD><TD>-15 56 14.9</TD></TR>` + "\n"
	barnard  = `          <TR><TD>87937</TD><TD>17 57 48.50</TD><TD>9.54</TD><TD>sdM4</TD><TD>548.31</TD><TD>+04 41 36.2</TD></TR>` + "\n"
	cygnus   = `          <TR><TD>98298</TD><TD>19 58 21.68</TD><TD>8.84</TD><TD/><TD/><TD>+35 12 05.8</TD></TR>` + "\n"
	sixtyOne = `          <TR><TD>104214</TD><TD>21 06 53.94</TD><TD>5.20</TD><TD>K5V | G</TD><TD>286.82</TD><TD>+38 44 57.9</TD></TR>` + "\n"
	deneb    = `          <TR><TD>102098</TD><TD>0.092</TD></TR>` + "\n"
	kapteyn  = `          <TR><TD>24186</TD><TD>1.543</TD></TR>` + "\n"
	sirius   = `          <TR><TD>32349</TD><TD>0.009</TD></TR>` + "\n"
	others   = secondTable + hip + bv
	standard = others + data + deneb + kapteyn + "          <!-- low -->\n" + sirius + endOfData
	header   = opening + firstTable + hip + ra + vmag + spType + plxField + de
	stars    = header + data + tauCeti + barnard + cygnus + sixtyOne + endOfData + standard + closing
)

// want is what the forward steps make of stars.
var want = map[string]vfs.Files{
	"two_hemispheres": {
		"north.vot": header + data + sixtyOne + cygnus + barnard + endOfData + others + data + "          <!-- low -->\n" + deneb + kapteyn + sirius + endOfData + closing,
		"south.vot": header + data + tauCeti + endOfData + others + data + "          <!-- low -->\n" + endOfData + closing,
		"plan.csv": `file,table,row,id,position
north.vot,1,1,104214,4
north.vot,1,2,98298,3
north.vot,1,3,87937,2
north.vot,2,1,102098,1
north.vot,2,2,24186,2
north.vot,2,3,32349,3
south.vot,1,1,8102,1
`,
	},
	"colour_order": {
		"by_colour.vot": header + `      <PARAM name="median_Vmag" datatype="double" unit="mag" value="7.02"/>
      <PARAM name="median_Plx" datatype="double" unit="mas" value="286.82"/>
` + data + tauCeti + barnard + cygnus + sixtyOne + endOfData + others + `      <PARAM name="median_B-V" datatype="double" value="0.092"/>
` + data + "          <!-- low -->\n" + sirius + deneb + kapteyn + endOfData + closing,
		"positions.csv": `table,row,id,position
1,1,8102,1
1,2,87937,2
1,3,98298,3
1,4,104214,4
2,1,32349,3
2,2,102098,1
2,3,24186,2
`,
	},
	"spectral_sheet": {
		"frame.vot": header + empty + standard + closing,
		"stars.md": `# Stars by spectral class

## G

| row | HIP | RAhms | Vmag | SpType | Plx | DEdms |
| --- | --- | --- | --- | --- | --- | --- |
| 1 | 8102 | 01 44 04.08 | 3.49 | G8.5V | 273.96 | -15 56 14.9 |

## K

| row | HIP | RAhms | Vmag | SpType | Plx | DEdms |
| --- | --- | --- | --- | --- | --- | --- |
| 4 | 104214 | 21 06 53.94 | 5.20 | K5V \| G | 286.82 | +38 44 57.9 |

## M

| row | HIP | RAhms | Vmag | SpType | Plx | DEdms |
| --- | --- | --- | --- | --- | --- | --- |
| 2 | 87937 | 17 57 48.50 | 9.54 | sdM4 | 548.31 | +04 41 36.2 |

## unclassified

| row | HIP | RAhms | Vmag | SpType | Plx | DEdms |
| --- | --- | --- | --- | --- | --- | --- |
| 3 | 98298 | 19 58 21.68 | 8.84 | | | +35 12 05.8 |
`,
	},
	"csv_dictionary": {
		"header.vot": opening + firstTable + empty + standard + closing,
		"fields.csv": `name,ID,ucd,datatype,width,arraysize,unit,precision,null,description
HIP,h,meta.id;meta.main,int,6,,,,,
RAhms,,pos.eq.ra,char,,11,"""h:m:s""",,,
Vmag,,phot.mag;em.opt.V,float,5,,mag,2,99.9,Johnson V
SpType,,src.spType,char,,*,,,,
Plx,,pos.parallax.trig,float,,,mas,,,
DEdms,,pos.eq.dec,char,,11,"""d:m:s""",,,
`,
		"stars.csv": `HIP,RAhms,Vmag,SpType,Plx,DEdms
8102,01 44 04.08,3.49,G8.5V,273.96,-15 56 14.9
87937,17 57 48.50,9.54,sdM4,548.31,+04 41 36.2
98298,19 58 21.68,8.84,,,+35 12 05.8
104214,21 06 53.94,5.20,K5V | G,286.82,+38 44 57.9
`,
	},
	"column_groups": {
		"grouped.vot": opening + firstTable + hip + ra + de + plxField + vmag + spType + data +
			`          <TR><TD>8102</TD><TD>01 44 04.08</TD><TD>-15 56 14.9</TD><TD>273.96</TD><TD>3.49</TD><TD>G8.5V</TD></TR>
          <TR><TD>87937</TD><TD>17 57 48.50</TD><TD>+04 41 36.2</TD><TD>548.31</TD><TD>9.54</TD><TD>sdM4</TD></TR>
          <TR><TD>98298</TD><TD>19 58 21.68</TD><TD>+35 12 05.8</TD><TD/><TD>8.84</TD><TD/></TR>
          <TR><TD>104214</TD><TD>21 06 53.94</TD><TD>+38 44 57.9</TD><TD>286.82</TD><TD>5.20</TD><TD>K5V | G</TD></TR>
` + endOfData + standard + closing,
		"columns.csv": `table,column,name,group,place
1,1,HIP,identification,1
1,2,RAhms,position,2
1,3,DEdms,position,6
1,4,Plx,distance,5
1,5,Vmag,photometry,3
1,6,SpType,spectrum,4
2,1,HIP,identification,1
2,2,B-V,photometry,2
`,
	},
	"normal_form": {
		"linked.vot": opening + firstTable + hip + ra + plxField + de + data +
			`          <TR><TD>8102</TD><TD>01 44 04.08</TD><TD>273.96</TD><TD>-15 56 14.9</TD></TR>
          <TR><TD>87937</TD><TD>17 57 48.50</TD><TD>548.31</TD><TD>+04 41 36.2</TD></TR>
          <TR><TD>98298</TD><TD>19 58 21.68</TD><TD/><TD>+35 12 05.8</TD></TR>
          <TR><TD>104214</TD><TD>21 06 53.94</TD><TD>286.82</TD><TD>+38 44 57.9</TD></TR>
` + endOfData + `    <TABLE name="photometry">
      <FIELD name="HIP" ucd="meta.id;meta.main" datatype="int" width="6"/>
` + vmag + spType + data +
			`          <TR><TD>8102</TD><TD>3.49</TD><TD>G8.5V</TD></TR>
          <TR><TD>104214</TD><TD>5.20</TD><TD>K5V | G</TD></TR>
          <TR><TD>98298</TD><TD>8.84</TD><TD/></TR>
          <TR><TD>87937</TD><TD>9.54</TD><TD>sdM4</TD></TR>
` + endOfData + standard + closing,
		"layout.json": `{
  "id": "HIP",
  "fields": [
    "HIP",
    "RAhms",
    "Vmag",
    "SpType",
    "Plx",
    "DEdms"
  ]
}
`,
	},
	"decimal_degrees": {
		"degrees.vot": strings.NewReplacer(
			`"RAhms" ucd="pos.eq.ra" datatype="char" arraysize="11" unit="&quot;h:m:s&quot;"`, `"RAdeg" ucd="pos.eq.ra" datatype="double" width="11" unit="deg"`,
			`"DEdms" ucd="pos.eq.dec" datatype="char" arraysize="11" unit="&quot;d:m:s&quot;"`, `"DEdeg" ucd="pos.eq.dec" datatype="double" width="11" unit="deg"`,
			"01 44 04.08", "26.0170000", "17 57 48.50", "269.4520833", "19 58 21.68", "299.5903333", "21 06 53.94", "316.7247500",
			"-15 56 14.9", "-15.937472", "+04 41 36.2", "+4.693389", "+35 12 05.8", "+35.201611", "+38 44 57.9", "+38.749417").Replace(stars),
	},
	"absolute_magnitude": {
		"absolute.vot": strings.NewReplacer(
			`"Vmag" ucd="phot.mag;em.opt.V" datatype="float" width="5" precision="2"`, `"MV" ucd="phys.magAbs;em.opt.V" datatype="float" width="7" precision="4"`,
			"<TD>3.49</TD>", "<TD>5.6784</TD>", "<TD>9.54</TD>", "<TD>13.2351</TD>", "<TD>8.84</TD>", "<TD/>", "<TD>5.20</TD>", "<TD>7.4880</TD>").Replace(stars),
		"unplaced.csv": "table,row,id,Vmag\n1,3,98298,8.84\n",
	},
}

func TestForwardResults(t *testing.T) {
	t.Parallel()
	// A comment between rows moves where they are sorted.
	domaintest.Results(t, demonstration(t), vfs.Files{documentFile: stars}, want, domaintest.InMeaning)
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	replaced := func(was, is string) vfs.Files {
		return vfs.Files{documentFile: strings.Replace(stars, was, is, 1)}
	}
	for _, c := range []struct {
		edit  string
		files vfs.Files
		want  string
	}{
		{"colour_order", vfs.Files{"a.xml": stars, "b.vot": stars}, "several VOTables: a.xml, b.vot"},
		{"colour_order", vfs.Files{"a.xml": "<VOTABLE/>"}, "a.xml has no TABLE"},
		{"colour_order", replaced("<TD>sdM4</TD>", "<TD>sdM4</TD><TD/>"), "table 1: row 2 has 7 cells for 6 fields"},
		{"colour_order", replaced(data, `<PARAM name="median_Vmag"/>`+data), "there are medians already"},
		{"spectral_sheet", replaced(spType, strings.Replace(spType, "SpType", "Type", 1)), "the first table has no SpType"},
		{"spectral_sheet", replaced("<TD>sdM4</TD>", "<TD><!-- sure? -->sdM4</TD>"), "row 2 has more than texts"},
		{"csv_dictionary", replaced(`<TR><TD>8102`, `<TR ID="a"><TD>8102`), "row 1 has more than texts"},
		{"csv_dictionary", replaced(`<VALUES null="99.9"/>`, `<VALUES null="99.9"><MIN value="0"/></VALUES>`), "field Vmag has more"},
		{"normal_form", replaced("<TD>8102<", "<TD>87937<"), "row 2 has no identifier of its own"},
		{"normal_form", replaced("meta.id;meta.main", "meta.id"), "no field has the UCD"},
		{"normal_form", replaced(`"Plx"`, `"Vmag"`), `several fields are called "Vmag"`},
		{"normal_form", replaced(`"standards"`, `"photometry"`), "there is a table photometry already"},
		{"decimal_degrees", replaced("17 57 48.50", "17 57.8"), `table 1, row 2: RAhms is "17 57.8"`},
		{"decimal_degrees", replaced("+04 41 36.2", "04 41 36.2"), `DEdms is "04 41 36.2"`},
		{"decimal_degrees", replaced("+04 41 36.2", "+94 41 36.2"), `DEdms is "+94 41 36.2"`},
		{"decimal_degrees", replaced(` unit="&quot;h:m:s&quot;"`, ""), `RAhms is no text in "h:m:s"`},
		{"decimal_degrees", replaced(`"Vmag"`, `"RAdeg"`), "table 1 has RAdeg already"},
		{"absolute_magnitude", replaced(`"Plx"`, `"plx"`), "no table with Vmag and Plx"},
		{"absolute_magnitude", replaced(`"SpType"`, `"MV"`), "table 1 has MV already"},
	} {
		if _, err := domaintest.Edit(t, d, c.edit).Forward(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.edit, err, c.want)
		}
	}
	for edit, missing := range map[string]string{
		"two_hemispheres": "south.vot", "colour_order": "positions.csv", "spectral_sheet": "stars.md", "csv_dictionary": "stars.csv",
		"column_groups": "columns.csv", "normal_form": "layout.json", "decimal_degrees": "degrees.vot", "absolute_magnitude": "unplaced.csv",
	} {
		files := maps.Clone(want[edit])
		delete(files, missing)
		if _, err := domaintest.Edit(t, d, edit).Backward(files); err == nil || err.Error() != missing+" is missing" {
			t.Errorf("%s: error %v, want that %s is missing", edit, err, missing)
		}
	}
}

// Damage between the steps is carried over, not multiplied.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for _, edit := range d.Edits() {
		t.Run(edit.Name, func(t *testing.T) {
			t.Parallel()
			damaged := vfs.Files{}
			for name, text := range want[edit.Name] {
				if name == "plan.csv" || name == "positions.csv" || name == "columns.csv" {
					lines := strings.SplitAfter(text, "\n")
					text = strings.Join(lines[:len(lines)-2], "")
				}
				damaged[name] = strings.ReplaceAll(text, "sdM4", "sdM5")
			}
			back, err := edit.Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			document := vfs.Files{documentFile: stars}
			score := d.Compare(document, back)
			if score.Strict >= 1 || score.Strict < 0.8 || score.Elements.Candidate != 7 {
				t.Errorf("Strict %v, %+v: %v", score.Strict, score.Elements, d.Differences(document, back))
			}
		})
	}
}

func TestAnglesLoseNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := angle{Hours: rapid.Bool().Draw(t, "hours")}
		_, _, most := a.scale()
		text := fmt.Sprintf("%02d %02d %02d", rapid.Int64Range(0, most).Draw(t, "first"),
			rapid.IntRange(0, 59).Draw(t, "minutes"), rapid.IntRange(0, 59).Draw(t, "seconds"))
		if digits := rapid.IntRange(0, 6).Draw(t, "digits"); digits > 0 {
			text += "." + rapid.StringOfN(rapid.RuneFrom([]rune("0123456789")), digits, digits, -1).Draw(t, "fraction")
		}
		if !a.Hours {
			text = rapid.SampledFrom([]string{"+", "-"}).Draw(t, "sign") + text
		}
		decimal, ok := a.toDecimal(text)
		again, okAgain := a.toSexagesimal(decimal)
		if !ok || !okAgain || again != text {
			t.Fatalf("%s becomes %s becomes %s", text, decimal, again)
		}
	})
}

func TestMagnitudesLoseNothing(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	edit := domaintest.Edit(t, d, "absolute_magnitude")
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.StringMatching(`-?[0-9]{1,2}(\.[0-9]{1,4})?`).Draw(t, "Vmag")
		plx := rapid.StringMatching(`-?[0-9]{1,3}\.[0-9]{2}`).Draw(t, "Plx")
		document := vfs.Files{documentFile: strings.NewReplacer("<TD>9.54<", "<TD>"+v+"<", "<TD>548.31<", "<TD>"+plx+"<").Replace(stars)}
		there, err := edit.Forward(document)
		if err != nil {
			t.Fatal(err)
		}
		again, err := edit.Backward(there)
		if err != nil {
			t.Fatal(err)
		}
		if differences := d.Differences(document, again); len(differences) > 0 {
			t.Fatal(differences)
		}
	})
}

func TestEditsWithOtherParameters(t *testing.T) {
	t.Parallel()
	d := domaintest.Making(t, New(), map[string]string{
		"absolute_magnitude": `{"document": "s.vot", "to": "m.vot", "magnitude": "B-V", "parallax": "HIP", "absolute": "M", "table": "m.csv"}`,
		"decimal_degrees":    `{"document": "s.vot", "to": "d.vot", "columns": [{"sexagesimal": "RAhms", "decimal": "RA", "hours": true}]}`,
		"divide_table":       `{"document": "s.vot", "to": "t.vot", "name": "rest", "keep": ["pos.", "phot."], "by": "HIP", "list": "t.json"}`,
		"group_columns": `{"document": "s.vot", "to": "g.vot", "groups": [{"name": "light", "ucds": ["phot.", "src."]}],
			"others": "else", "table": "g.csv"}`,
		"sheet_by_letter":   `{"document": "s.vot", "to": "s.md", "title": "S", "column": "SpType", "letters": "MK", "others": "?", "by": "HIP", "rest": "r.vot"}`,
		"sort_with_medians": `{"document": "s.vot", "to": "o.vot", "column": "Vmag", "begins": "mid ", "table": "o.csv"}`,
		"split_by_sign":     `{"document": "s.vot", "column": "Vmag", "by": "HIP", "others": "a.vot", "minus": "b.vot", "table": "p.csv"}`,
	})
	wanted := map[string]vfs.Files{
		"absolute_magnitude": nil, "divide_table": nil, "sort_with_medians": nil, "split_by_sign": nil,
		"decimal_degrees": {"d.vot": strings.NewReplacer(
			`"RAhms" ucd="pos.eq.ra" datatype="char" arraysize="11" unit="&quot;h:m:s&quot;"`, `"RA" ucd="pos.eq.ra" datatype="double" width="11" unit="deg"`,
			"01 44 04.08", "26.0170000", "17 57 48.50", "269.4520833", "19 58 21.68", "299.5903333", "21 06 53.94", "316.7247500").Replace(stars)},
		"group_columns": nil, "sheet_by_letter": nil,
	}
	domaintest.Results(t, d, vfs.Files{"s.vot": stars}, wanted, domaintest.InMeaning)
	for edit, c := range map[string]struct{ file, want string }{
		"absolute_magnitude": {"m.csv", "table,row,id,B-V\n"},
		"divide_table":       {"t.vot", `<TABLE name="rest">`},
		"group_columns":      {"g.csv", "1,1,Vmag,light,3\n1,2,SpType,light,4\n1,3,HIP,else,1\n"},
		"sheet_by_letter":    {"s.md", "## K\n\n| row | HIP | RAhms | Vmag | SpType | Plx | DEdms |\n| --- | --- | --- | --- | --- | --- | --- |\n| 4 |"},
		"sort_with_medians":  {"o.csv", "1,2,104214,4\n1,3,98298,3\n"},
		"split_by_sign":      {"p.csv", "a.vot,1,4,104214,4\na.vot,2,1,24186,2\n"},
	} {
		made, err := domaintest.Edit(t, d, edit).Forward(vfs.Files{"any.vot": stars})
		if err != nil || !strings.Contains(made[c.file], c.want) {
			t.Errorf("%s: %v\n%s", edit, err, made[c.file])
		}
	}
}
