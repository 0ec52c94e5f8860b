package landmarks

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const sampleFile = "walk.kml"

const sample = `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">
  <Document>
    <name>Town walk</name>
    <!-- after the flood -->
    <Style id="s">
      <IconStyle>
        <color>ff00aaFF</color>
        <scale>2</scale>
      </IconStyle>
    </Style>
    <Schema name="t" id="t">
      <SimpleField type="string" name="ADDRESS"/>
      <SimpleField type="string" name="HOURS"/>
    </Schema>
    <Folder id="f1">
      <name>Morning</name>
      <Placemark id="t-3">
        <name>Notre-Dame Chapel</name>
        <description><![CDATA[Old <b>note</b>.]]></description>
        <styleUrl>#s</styleUrl>
        <ExtendedData>
          <SchemaData schemaUrl="#t">
            <SimpleData name="ADDRESS">Rue Haute 4</SimpleData>
            <SimpleData name="OVERVIEW">Built by boatmen. Don't miss the roof &amp; the bells.</SimpleData>
          </SchemaData>
        </ExtendedData>
        <Point><coordinates>6.143,46.2,375</coordinates></Point>
      </Placemark>
      <Placemark id="t-1">
        <name>1602 Gate</name>
        <gx:balloonVisibility>1</gx:balloonVisibility>
        <LookAt>
          <range>300</range>
        </LookAt>
        <ExtendedData>
          <SchemaData schemaUrl="#t">
            <SimpleData name="ADDRESS">Rue du Mur</SimpleData>
            <SimpleData name="HOURS">Daily 9-17</SimpleData>
          </SchemaData>
        </ExtendedData>
        <Point><coordinates>6.149,46.201,0</coordinates></Point>
      </Placemark>
    </Folder>
    <Folder>
      <name>Evening</name>
      <visibility>1</visibility>
      <Placemark id="t-2">
        <name>Clock Hall (north wing)</name>
        <ExtendedData>
          <Data name="fee">
            <value>5</value>
          </Data>
        </ExtendedData>
        <LineString><coordinates>6.15,46.205,0 6.16,46.206,0</coordinates></LineString>
      </Placemark>
    </Folder>
  </Document>
</kml>
`

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{sampleFile: strings.ReplaceAll(sample, was, is)}
}

// between returns the part of the sample from one text up to another.
func between(from, to string) string {
	_, rest, _ := strings.Cut(sample, from)
	inside, _, _ := strings.Cut(rest, to)
	return from + inside
}

var (
	gate       = between(`      <Placemark id="t-1">`, "    </Folder>")
	chapel     = between(`      <Placemark id="t-3">`, gate)
	evening    = between("    <Folder>\n      <name>Evening", "  </Document>")
	hall       = between(`      <Placemark id="t-2">`, "    </Folder>\n  </Document>")
	chapelData = between(`        <ExtendedData>`, "        <Point>")
)

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a placemark that was lost":           {gate, ""},
		"a placemark that was repeated":       {gate, gate + gate},
		"an invented placemark":               {gate, gate + "<Placemark><name>Tower</name></Placemark>"},
		"two placemarks exchanged":            {chapel + gate, gate + chapel},
		"a placemark in another folder":       {gate + "    </Folder>\n" + evening, "    </Folder>\n" + strings.Replace(evening, hall, gate+hall, 1)},
		"folders exchanged":                   {"<name>Evening", "<name>Morning"},
		"a folder's id":                       {` id="f1"`, ""},
		"folders merged":                      {"    </Folder>\n    <Folder>\n      <name>Evening</name>\n", ""},
		"an empty folder":                     {evening, evening + "<Folder><name>Night</name></Folder>"},
		"an id":                               {"t-3", "t-4"},
		"an id that was lost":                 {` id="t-1"`, ""},
		"a name before a hyphen":              {"Notre-Dame", "Autre-Dame"},
		"a number before a name":              {"1602 Gate", "Gate"},
		"a parenthesis in a name":             {"(north wing)", "(south wing)"},
		"the case of a name":                  {"1602 Gate", "1602 gate"},
		"the sixth decimal of a position":     {"6.143,", "6.143001,"},
		"longitude and latitude exchanged":    {"6.149,46.201", "46.201,6.149"},
		"an altitude":                         {",375", ",376"},
		"an altitude that was added":          {"46.201,0", "46.201,12"},
		"a position that was lost":            {"<Point><coordinates>6.149,46.201,0</coordinates></Point>", ""},
		"a point of a line":                   {" 6.16,46.206,0", ""},
		"the order of a line":                 {"6.15,46.205,0 6.16,46.206,0", "6.16,46.206,0 6.15,46.205,0"},
		"a line that became a point":          {"LineString", "Point"},
		"an address":                          {"Rue Haute 4", "Rue Haute 9"},
		"the case of an address":              {"Rue Haute 4", "rue haute 4"},
		"a sentence that was lost":            {"Built by boatmen. ", ""},
		"sentences exchanged":                 {"Built by boatmen. Don't miss the roof &amp; the bells.", "Don't miss the roof &amp; the bells. Built by boatmen."},
		"a field of no published name":        {"Daily 9-17", "Daily 9-18"},
		"a field that was renamed":            {`Data name="HOURS"`, `Data name="OPEN"`},
		"a field that was added":              {"Rue du Mur</SimpleData>", `Rue du Mur</SimpleData><SimpleData name="BUS">6</SimpleData>`},
		"untyped data":                        {"<value>5", "<value>6"},
		"the name of untyped data":            {`name="fee"`, `name="price"`},
		"a description":                       {"Old <b>note", "New <b>note"},
		"markup in a description":             {"<b>note</b>", "note"},
		"the address of a style":              {"#s", "#x"},
		"the address of the schema":           {chapelData, strings.Replace(chapelData, "#t", "#u", 1)},
		"a style":                             {between("    <Style", "    <Schema"), ""},
		"a colour":                            {"ff00aaFF", "ff00aa00"},
		"a schema field":                      {"      <SimpleField type=\"string\" name=\"HOURS\"/>\n", ""},
		"the type of a schema field":          {`type="string" name="HOURS"`, `type="int" name="HOURS"`},
		"the title":                           {"Town walk", "Town hike"},
		"the range of a view":                 {"<range>300", "<range>30"},
		"a view that was added":               {"<styleUrl>", "<LookAt><tilt>60</tilt></LookAt><styleUrl>"},
		"an extension":                        {"        <gx:balloonVisibility>1</gx:balloonVisibility>\n", ""},
		"the namespace of an extension":       {"kml/ext/2.2", "kml/ext/2.3"},
		"a namespace that was lost":           {` xmlns:gx="http://www.google.com/kml/ext/2.2"`, ""},
		"another version of KML":              {"opengis.net/kml/2.2", "opengis.net/kml/2.3"},
		"a visibility":                        {"<visibility>1", "<visibility>0"},
		"an overlay":                          {evening, evening + "<GroundOverlay><name>plan</name></GroundOverlay>"},
		"a comment that was lost":             {"    <!-- after the flood -->\n", ""},
		"a comment that was added":            {gate, "<!-- check -->" + gate},
		"a line of text between placemarks":   {gate, "and now:\n" + gate},
		"a closing tag that was lost":         {"        </ExtendedData>\n        <Point><coordinates>6.149", "        <Point><coordinates>6.149"},
		"a truncated file":                    {sample[strings.Index(sample, "<SimpleData name=\"HOURS\""):], ""},
		"an attribute without quotes":         {`id="t-1"`, "id=t-1"},
		"the placemarks a second time around": {"</kml>\n", "</kml>\n" + sample},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{sampleFile: sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.25 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	prefixed := strings.NewReplacer("<!", "<!", "<?", "<?", "<gx:", "<gx:", "</gx:", "</gx:", "<b>", "<b>", "</b>", "</b>",
		"</", "</k:", "<", "<k:", `xmlns="`, `xmlns:k="`).Replace(sample)
	for rule, edit := range map[string][2]string{
		"numbers with other zeros":           {"6.143,46.2,375", "6.14300,046.20,375.0"},
		"an altitude of 0 that was left out": {"46.201,0", "46.201"},
		"blanks around coordinates":          {"6.143,46.2,375", "\n 6.143, 46.2, 375\n"},
		"line ends in a line":                {"46.205,0 6.16", "46.205,0\n 6.16"},
		"the case of a field's name":         {`Data name="ADDRESS"`, `Data name="Address"`},
		"typographic quotes":                 {"Don't", "Don’t"},
		"dashes":                             {"9-17", "9–17"},
		"wrapped text":                       {"Built by boatmen. Don't", "Built by\n   boatmen.  Don't"},
		"a line break of HTML":               {"boatmen. Don't", "boatmen.&lt;br&gt;Don't"},
		"no CDATA":                           {"<![CDATA[Old <b>note</b>.]]>", "Old &lt;b&gt;note&lt;/b&gt;."},
		"CDATA":                              {"Rue du Mur", "<![CDATA[Rue du Mur]]>"},
		"markup instead of CDATA":            {"<![CDATA[Old <b>note</b>.]]>", "Old <b>note</b>."},
		"a bare ampersand":                   {"&amp;", "&"},
		"the order of fields":                {"<SimpleData name=\"ADDRESS\">Rue du Mur</SimpleData>\n            <SimpleData name=\"HOURS\">Daily 9-17</SimpleData>", "<SimpleData name=\"HOURS\">Daily 9-17</SimpleData><SimpleData name=\"ADDRESS\">Rue du Mur</SimpleData>"},
		"what KML takes for granted":         {"<visibility>1</visibility>", "<open>0</open>"},
		"another case of colours":            {"ff00aaFF", "ff00aaff"},
		"a prefix for KML":                   {sample, prefixed},
		"another prefix for the extension":   {"gx", "g"},
		"no namespace of KML":                {` xmlns="http://www.opengis.net/kml/2.2"`, ""},
		"no indentation":                     {"  ", ""},
		"CRLF":                               {"\n", "\r\n"},
		"a byte order mark":                  {"<?xml", "\ufeff<?xml"},
		"a code fence":                       {sample, "```xml\n" + sample + "```\n"},
		"text around the document":           {sample, "Here it is:\n" + sample + "Done.\n"},
		"no XML declaration":                 {`<?xml version="1.0" encoding="UTF-8"?>`, ""},
		"attributes in a parenthesis":        {`<SchemaData schemaUrl="#t">`, `<SchemaData(schemaUrl="#t")>`},
		"the misspelt start of CDATA":        {"<![CDATA[", "<![CDATA>"},
		"empty elements":                     {"<styleUrl>", "<Snippet/><phoneNumber></phoneNumber><styleUrl>"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{sampleFile: sample}
			candidate := change(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndNumber(t *testing.T) {
	t.Parallel()
	without := func(part string) string { return strings.Replace(sample, part, "", 1) }
	for rule, candidate := range map[string]vfs.Files{
		"another extension":          {"walk.xml": sample},
		"a file for each folder":     {"a.kml": without(evening), "b.kml": without(between(`    <Folder id="f1">`, evening))},
		"a folder over two files":    {"a.kml": without(gate), "b.kml": strings.Replace(without(chapel), hall, "", 1)},
		"JSON that is no GeoJSON":    {"a.kml": sample, "order.json": `["t-3"]`, "notes.json": `{"order": []}`},
		"a second file that is bare": {"a.kml": sample, "b.kml": "<kml><Document/></kml>"},
	} {
		reference := vfs.Files{sampleFile: sample}
		if score := New().Compare(reference, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(reference, candidate))
		}
	}
}

const features = `{"type": "FeatureCollection", "features": [
  {"type": "Feature", "properties": {"id": "t-3", "name": "Chapel", "address": "Rue Haute 4"}, "geometry": {"type": "Point", "coordinates": [6.143, 46.20, 0.0]}},
  {"type": "Feature", "properties": {"id": "t-1", "name": "Gate"}, "geometry": null}
]}
`

func TestStrictComparesWithGeoJSON(t *testing.T) {
	t.Parallel()
	const kml = `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Town</name><!-- c --><Style id="s"/><Folder><name>A</name>
<Placemark id="t-3"><name>Chapel</name><styleUrl>#s</styleUrl><ExtendedData><SchemaData schemaUrl="#t"><SimpleData name="ADDRESS">Rue Haute 4</SimpleData></SchemaData></ExtendedData><Point><coordinates>6.143,46.2</coordinates></Point></Placemark>
<Placemark id="t-1"><name>Gate</name></Placemark></Folder></Document></kml>`
	reference := vfs.Files{"a.kml": kml}
	for rule, c := range map[string]struct {
		text string
		same bool
	}{
		"the same places":       {features, true},
		"ids that are numbers":  {strings.NewReplacer(`"t-3"`, "3", `"t-1"`, "1").Replace(features), true},
		"another address":       {strings.Replace(features, "Haute 4", "Haute 5", 1), false},
		"another position":      {strings.Replace(features, "46.20", "46.21", 1), false},
		"other ids":             {strings.Replace(features, "t-1", "t-2", 1), false},
		"a feature lost":        {strings.Replace(features, ",\n  {\"type\": \"Feature\", \"properties\": {\"id\": \"t-1\", \"name\": \"Gate\"}, \"geometry\": null}", "", 1), false},
		"a property of its own": {strings.Replace(features, `"name": "Gate"`, `"name": "Gate", "fee": 5`, 1), false},
		"broken after a place":  {strings.Replace(features, "\n]}", "", 1), false},
	} {
		candidate := vfs.Files{"a.geojson": c.text}
		if score := New().Compare(reference, candidate); (score.Strict == 1) != c.same || score.Strict < 0.3 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(reference, candidate))
		}
	}
	both := vfs.Files{"a.kml": kml, "b.geojson": features}
	if score := New().Compare(reference, both); score.Strict > 0.5 || score.Strict < 0.4 {
		t.Errorf("a copy next to the document leaves Strict at %v", score.Strict)
	}
	left := New().Without(vfs.Files{"a.geojson": features}, func(n int) bool { return n == 0 })
	if stats, err := New().Statistics(left); err != nil || stats.Elements != 1 || strings.Contains(left["a.geojson"], "Chapel") {
		t.Errorf("%v, %v", left, err)
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "landmarks1")
	one := vfs.Files{documentFile: strings.Replace(seed[documentFile], "Via Diaz 27", "Via Diaz 72", 1)}
	if score := New().Compare(seed, one); score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong address leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{
		Kind: domains.Changed, Where: "placemark Museo Revoltella, ADDRESS", Was: "Via Diaz 27", Is: "Via Diaz 72",
	}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
	}
	bare := vfs.Files{documentFile: strings.Replace(seed[documentFile], ` xmlns="http://www.opengis.net/kml/2.2"`, "", 1)}
	if score := New().Compare(seed, bare); score.Strict != 1 || score.RS != 0 {
		t.Errorf("a namespace that was lost leaves Strict at %v and Value at %v", score.Strict, score.RS)
	}
}

func TestBadInputIsReadFast(t *testing.T) {
	t.Parallel()
	const size = 1 << 18
	reference := vfs.Files{sampleFile: sample}
	for name, text := range map[string]string{
		"elements that open":   strings.Repeat("<a>", size/3),
		"folders that open":    strings.Repeat("<Folder>", size/8),
		"placemarks that open": strings.Repeat("<Placemark>", size/11),
		"names":                strings.Repeat("<Placemark><name>", size/17),
		"parentheses":          "<a" + strings.Repeat("(", size),
		"bare marks":           strings.Repeat("< & <! ", size/7),
		"broken features":      strings.Repeat(`{"type":"Feature","a":`, size/22),
		"sentences":            "<Placemark><description>" + strings.Repeat("one. ", size/5),
		"positions":            "<Placemark><Point><coordinates>" + strings.Repeat("1,2 ", size/4),
		"commas":               "<Placemark><Point><coordinates>" + strings.Repeat("1, ", size/3),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(reference, vfs.Files{sampleFile: text})
			if score.Problem == "" || score.Strict > 0.1 {
				t.Errorf("%+v", score)
			}
		})
	}
}
