package starcatalog

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const sample = `<?xml version="1.0" encoding="UTF-8"?>
<VOTABLE version="1.3" xmlns="http://www.ivoa.net/xml/VOTable/v1.3" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.ivoa.net/xml/VOTable/v1.3 votable.xsd">
  <!-- from the dome -->
  <RESOURCE ID="near" name="near/1">
    <DESCRIPTION>Near stars &amp; others</DESCRIPTION>
    <INFO name="cites" value="2007A">parallaxes</INFO>
    <INFO name="reviewed" value="2026"/>
    <COOSYS ID="sys" system="ICRS" epoch="2000.0"/>
    <PARAM name="scale" datatype="float" unit="arcsec/mm" value="22.53"/>
    <TABLE ID="t1" name="stars">
      <DESCRIPTION>Programme</DESCRIPTION>
      <GROUP name="place">
        <FIELDref ref="ra"/>
        <FIELDref ref="de"/>
      </GROUP>
      <FIELD name="HIP" ucd="meta.id;meta.main" datatype="int" width="6"/>
      <FIELD ID="ra" name="RAhms" ucd="pos.eq.ra" datatype="char" arraysize="11" unit="&quot;h:m:s&quot;"/>
      <FIELD ID="de" name="DEdms" ucd="pos.eq.dec" datatype="char" arraysize="11" unit="&quot;d:m:s&quot;"/>
      <FIELD name="Vmag" ucd="phot.mag;em.opt.V" datatype="float" precision="2" unit="mag">
        <DESCRIPTION>Johnson V</DESCRIPTION>
        <VALUES null="99.9"/>
      </FIELD>
      <FIELD name="Plx" ucd="pos.parallax.trig" datatype="float" unit="mas"/>
      <FIELD name="SpType" ucd="src.spType" datatype="char" arraysize="*"/>
      <FIELD name="Var" datatype="boolean"/>
      <LINK href="http://example.org/neighbours"/>
      <DATA>
        <TABLEDATA>
          <TR><TD>8102</TD><TD>01 44 04.08</TD><TD>-15 56 14.9</TD><TD>3.49</TD><TD>273.96</TD><TD>G8.5V</TD><TD>F</TD></TR>
          <TR><TD>87937</TD><TD>17 57 48.50</TD><TD>+04 41 36.2</TD><TD>9.540</TD><TD>548.31</TD><TD>sd M4</TD><TD>T</TD></TR>
          <TR><TD>98298</TD><TD>19 58 21.68</TD><TD>+35 12 05.8</TD><TD>8.84</TD><TD>NaN</TD><TD>O9.7Iab</TD><TD/></TR>
          <TR><TD>32349</TD><TD>06 45 08.92</TD><TD>-16 42 58.0</TD><TD>-1.44</TD><TD>379.21</TD><TD>A1V</TD><TD/></TR>
        </TABLEDATA>
      </DATA>
    </TABLE>
    <TABLE ID="t2" name="standards">
      <FIELD name="HIP" ucd="meta.id;meta.main" datatype="int"/>
      <FIELD name="Vmag" datatype="float"/>
      <DATA>
        <TABLEDATA>
          <TR><TD>102098</TD><TD>1.25</TD></TR>
          <TR><TD>8102</TD><TD>3.49</TD></TR>
        </TABLEDATA>
      </DATA>
    </TABLE>
  </RESOURCE>
</VOTABLE>
`

const sampleFile = "near.vot"

// between returns the part of the sample from one text up to another.
func between(from, to string) string {
	_, rest, _ := strings.Cut(sample, from)
	inside, _, _ := strings.Cut(rest, to)
	return from + inside
}

// changed is the sample with one text replaced by another.
func changed(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{sampleFile: strings.ReplaceAll(sample, was, is)}
}

var (
	first  = between("          <TR><TD>8102</TD><TD>01", "          <TR><TD>87937")
	second = between("          <TR><TD>87937", "          <TR><TD>98298")
	table2 = between("    <TABLE ID=\"t2\"", "  </RESOURCE>")
	table1 = between("    <TABLE ID=\"t1\"", "    <TABLE ID=\"t2\"")
	fieldV = between("      <FIELD name=\"Vmag\" ucd", "      <FIELD name=\"Plx\"")
	plx    = between("      <FIELD name=\"Plx\"", "      <FIELD name=\"SpType\"")
)

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a row that was lost":                      {second, ""},
		"a row that was repeated":                  {second, second + second},
		"a contradicting copy":                     {second, strings.Replace(second, "9.540", "1.54", 1) + second},
		"an invented row":                          {second, second + "<TR><TD>1</TD></TR>"},
		"an empty row":                             {second, second + "<TR/>"},
		"two rows exchanged":                       {first + second, second + first},
		"a row in another table":                   {"<TR><TD>102098</TD><TD>1.25</TD></TR>", ""},
		"the same star in the second table":        {"<TR><TD>8102</TD><TD>3.49</TD></TR>", "<TR><TD>8102</TD><TD>3.94</TD></TR>"},
		"a sign of a declination":                  {"+04 41", "-04 41"},
		"a declination without its sign":           {"+04 41", "04 41"},
		"the last digit of a number":               {"548.31", "548.32"},
		"the sign of a number":                     {"-1.44", "1.44"},
		"a cell that was emptied":                  {"<TD>273.96</TD>", "<TD/>"},
		"a cell that was left out":                 {"<TD>273.96</TD>", ""},
		"a cell too many":                          {"<TD>T</TD>", "<TD>T</TD><TD>x</TD>"},
		"another spectral type":                    {"G8.5V", "G8V"},
		"the case of a text":                       {"G8.5V", "g8.5v"},
		"a zero in a text":                         {"04.08", "04.080"},
		"false for true":                           {"<TD>T</TD>", "<TD>F</TD>"},
		"an attribute of a cell":                   {"<TD>T</TD>", `<TD encoding="base64">T</TD>`},
		"an element in a cell":                     {"<TD>T</TD>", "<TD>T<b/></TD>"},
		"text between rows":                        {second, "more\n" + second},
		"a comment that was lost":                  {"  <!-- from the dome -->\n", ""},
		"a comment in a cell":                      {"<TD>T</TD>", "<TD><!-- sure? -->T</TD>"},
		"a field that was lost":                    {plx, ""},
		"two fields exchanged":                     {fieldV + plx, plx + fieldV},
		"the name of a field":                      {`"Plx"`, `"Parallax"`},
		"the UCD of a field":                       {"pos.parallax.trig", "pos.parallax"},
		"the data type of a field":                 {`datatype="float" unit="mas"`, `datatype="double" unit="mas"`},
		"the unit of a field":                      {`unit="mas"`, `unit="arcsec"`},
		"the width of a field":                     {` width="6"`, ""},
		"the precision of a field":                 {`precision="2"`, `precision="3"`},
		"the description of a field":               {"Johnson V", "Johnson B"},
		"a null marker":                            {"99.9", "-99.9"},
		"the value of a parameter":                 {"22.53", "22.35"},
		"the text of an INFO":                      {">parallaxes<", ">positions<"},
		"an INFO that was lost":                    {between("    <INFO name=\"reviewed\"", "    <COOSYS"), ""},
		"the epoch":                                {`epoch="2000.0"`, `epoch="1991.25"`},
		"an equinox that was invented":             {`epoch="2000.0"`, `epoch="2000.0" equinox="J2000"`},
		"a reference in a group":                   {`<FIELDref ref="de"/>`, ""},
		"the name of a group":                      {`"place"`, `"position"`},
		"a link":                                   {between("      <LINK", "      <DATA"), ""},
		"the description of a resource":            {"Near stars", "Nearby stars"},
		"the description of a table":               {"<DESCRIPTION>Programme</DESCRIPTION>", ""},
		"the name of a table":                      {`name="standards"`, `name="zero"`},
		"the ID of a resource":                     {`ID="near"`, `ID="far"`},
		"a table that was lost":                    {table2, ""},
		"two tables exchanged":                     {table1 + table2, table2 + table1},
		"tables in resources of their own":         {table2, "  </RESOURCE>\n  <RESOURCE>\n" + table2},
		"a resource around all":                    {`<RESOURCE ID="near"`, `<RESOURCE><RESOURCE ID="near"`},
		"another version of VOTable":               {`VOTable/v1.3"`, `VOTable/v1.4"`},
		"the version attribute":                    {`version="1.3"`, `version="1.4"`},
		"a declaration that was lost":              {` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"`, ""},
		"text around the document":                 {"<?xml", "Here is the file:\n<?xml"},
		"a bare ampersand":                         {"&amp;", "&"},
		"a closing tag that was lost":              {"</RESOURCE>", ""},
		"an attribute that stands twice":           {`ID="t1"`, `ID="t1" ID="t3"`},
		"a truncated file":                         {sample[strings.Index(sample, "          <TR><TD>32349"):], "          <TR><TD>323"},
		"the document a second time in its file":   {"</VOTABLE>\n", "</VOTABLE>\n" + sample},
		"the order of numbers in an array":         {"<TD>548.31</TD>", "<TD>548.31 1</TD>"},
		"text in place of rows":                    {between("<TR><TD>102098", "        </TABLEDATA>\n      </DATA>\n    </TABLE>\n  </RES"), "two stars"},
		"a description where none belongs":         {"<TABLEDATA>", "<TABLEDATA><DESCRIPTION>x</DESCRIPTION>"},
		"a description after the document":         {"</VOTABLE>\n", "</VOTABLE>\n<DESCRIPTION>x</DESCRIPTION>\n"},
		"an element called row":                    {second, second + "<row/>"},
		"an attribute of a row":                    {"<TR><TD>87937", `<TR ID="r2"><TD>87937`},
		"a field in a group, where none can stand": {`<FIELDref ref="de"/>`, `<FIELD ref="de"/>`},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{sampleFile: sample}, changed(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.25 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	prefixed := strings.NewReplacer("<!", "<!", "<?", "<?", "</", "</v:", "<", "<v:", `xmlns="`, `xmlns:v="`).Replace(sample)
	for rule, edit := range map[string][2]string{
		"numbers with other zeros":         {"9.540", "09.54"},
		"a number with an exponent":        {"548.31", "5.4831e2"},
		"no number in small letters":       {"NaN", "nan"},
		"another spelling of a truth":      {"<TD>T</TD>", "<TD>true</TD>"},
		"blanks around a cell":             {"<TD>273.96</TD>", "<TD>\n 273.96 </TD>"},
		"other blanks in a text":           {"sd M4", "sd  M4"},
		"a last cell that is empty":        {"<TD>A1V</TD><TD/>", "<TD>A1V</TD>"},
		"an empty cell written out":        {"<TD>A1V</TD><TD/>", "<TD>A1V</TD><TD></TD>"},
		"the order of attributes":          {`system="ICRS" epoch="2000.0"`, `epoch='2000.0' system='ICRS'`},
		"the order of INFOs":               {between("    <INFO name=\"cites\"", "    <COOSYS"), between("    <INFO name=\"reviewed\"", "    <COOSYS") + between("    <INFO name=\"cites\"", "    <INFO name=\"rev")},
		"an empty description":             {"      <FIELD name=\"Plx\"", "      <DESCRIPTION/>\n      <FIELD name=\"Plx\""},
		"another prefix for the schema":    {"xsi", "s"},
		"a prefix for the VOTable":         {sample, prefixed},
		"a declaration that is not used":   {` xmlns:xsi=`, ` xmlns:stc="http://www.ivoa.net/xml/STC/v1.30" xmlns:xsi=`},
		"CDATA":                            {"Near stars &amp; others", "<![CDATA[Near stars & others]]>"},
		"character references":             {"G8.5V", "&#71;8.5V"},
		"no line ends":                     {"\n", " "},
		"no indentation":                   {"  ", ""},
		"CRLF":                             {"\n", "\r\n"},
		"a byte order mark":                {"<?xml", "\ufeff<?xml"},
		"a blank line before the XML":      {"<?xml", "\n<?xml"},
		"a code fence":                     {sample, "```xml\n" + sample + "```\n"},
		"a file without XML declaration":   {`<?xml version="1.0" encoding="UTF-8"?>`, ""},
		"another encoding in its place":    {`encoding="UTF-8"`, `encoding="ISO-8859-1"`},
		"a comment in another place":       {between("  <!--", "    <DESCRIPTION>"), between("  <RESOURCE", "    <DESCRIPTION>") + between("  <!--", "  <RESOURCE")},
		"rows that are laid out otherwise": {"</TD><TD>", "</TD>\n            <TD>"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{sampleFile: sample}
			candidate := changed(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	upper := strings.Replace(strings.Replace(sample, table2, "", 1), second, "", 1)
	lower := strings.Replace(strings.Replace(sample, table1, "", 1), "  <!-- from the dome -->\n", "", 1)
	halves := vfs.Files{
		"a.vot": strings.Replace(strings.Replace(sample, second, "", 1), "<TR><TD>8102</TD><TD>3.49</TD></TR>", "", 1),
		"b.vot": strings.Replace(sample, first, "", 1),
	}
	for rule, c := range map[string]struct {
		candidate vfs.Files
		same      bool
	}{
		"another extension":      {vfs.Files{"near.txt": sample}, true},
		"no extension":           {vfs.Files{"out/near": sample}, true},
		"a file for each table":  {vfs.Files{"a.vot": strings.Replace(sample, table2, "", 1), "b.vot": lower}, true},
		"a row less":             {vfs.Files{"a.vot": upper, "b.vot": lower}, false},
		"rows that are repeated": {halves, false},
		"a foreign file beside":  {vfs.Files{sampleFile: sample, "other.xml": "<rows><row/><line/></rows>"}, false},
	} {
		reference := vfs.Files{sampleFile: sample}
		if score := New().Compare(reference, c.candidate); (score.Strict == 1) != c.same {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(reference, c.candidate))
		}
	}
}

func TestStrictJoinsTheRowsOfTablesInSeveralFiles(t *testing.T) {
	t.Parallel()
	third := between("          <TR><TD>98298", "        </TABLEDATA>")
	standard := "<TR><TD>8102</TD><TD>3.49</TD></TR>"
	candidate := vfs.Files{
		"a.vot": strings.Replace(strings.Replace(sample, third, "", 1), standard, "", 1),
		"b.vot": strings.NewReplacer(first+second, "", "<TR><TD>102098</TD><TD>1.25</TD></TR>", "").Replace(sample),
	}
	reference := vfs.Files{sampleFile: sample}
	if score := New().Compare(reference, candidate); score.Strict != 1 {
		t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "starcatalog1")
	one := vfs.Files{documentFile: strings.Replace(seed[documentFile], "10328.12", "10382.12", 1)}
	if score := New().Compare(seed, one); score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong motion leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{Kind: domains.Changed, Where: "HIP 87937, pmDE", Was: "10328.12", Is: "10382.12"}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
	}
	fenced := vfs.Files{documentFile: strings.Replace(seed[documentFile], "&amp;", "&", 1)}
	if score := New().Compare(seed, fenced); score.Strict < 0.98 || score.Strict >= 1 || score.RS != 0 {
		t.Errorf("a bare ampersand leaves Strict at %v and Value at %v", score.Strict, score.RS)
	}
}

func TestDifferencesAreNamedAsAnAstronomerWould(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{sampleFile: sample}
	for edit, want := range map[[2]string]string{
		{"22.53", "22.35"}:       "PARAM scale in RESOURCE 1, value: 22.53 -> 22.35",
		{`"99.9"`, `"-99.9"`}:    "VALUES in FIELD Vmag in TABLE 1, null: 99.9 -> -99.9",
		{"Johnson V", "Cousins"}: "FIELD Vmag in TABLE 1, description: Johnson V -> Cousins",
		{"G8.5V", "G8V"}:         "HIP 8102, SpType: G8.5V -> G8V",
	} {
		differences := New().Differences(reference, changed(t, edit[0], edit[1]))
		if len(differences) != 1 || differences[0].String() != want {
			t.Errorf("%v, want %s", differences, want)
		}
	}
}
