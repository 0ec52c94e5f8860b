package landmarks

import (
	"errors"
	"math"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

// kmlOf wraps placemarks in a document.
func kmlOf(placemarks string) string {
	return `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>` + placemarks + `</Document></kml>`
}

func onlyPlace(t *testing.T, text string) place {
	t.Helper()
	doc, err := Parse(vfs.Files{"a.kml": text})
	if err != nil || doc.problem != "" || len(doc.places) != 1 {
		t.Fatalf("%s: %+v, %v", text, doc, err)
	}
	return doc.places[0]
}

func TestNamesAreCleaned(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"Clock Hall":               "Clock Hall",
		"Notre-Dame Chapel":        "Dame Chapel",
		"poi_1 - Gallery":          "Gallery",
		"a.b–c—d":                  "c—d",
		"Ä1 — x":                   "x",
		"Saint Denis-le-Bas":       "Saint Denis-le-Bas",
		"-x":                       "-x",
		"1602 Gate":                "Gate",
		"16th Gate":                "16th Gate",
		"7-11 shop":                "shop",
		"7 - 11 shop":              "shop",
		"12":                       "12",
		"Clock Hall (north wing)":  "Clock Hall",
		"Hall (a) (b)":             "Hall (a)",
		"Hall (a (b)":              "Hall",
		"Hall (a) x":               "Hall (a) x",
		"Hall )":                   "Hall )",
		"(all)":                    "",
		" Hall\n":                  "Hall",
		"<![CDATA[1602 Gate]]>":    "1602 Gate",
		"1602 Gate<!-- x -->":      "1602 Gate",
		"1602 Gate & Tower &amp; ": "Gate & Tower &",
	} {
		if got := onlyPlace(t, kmlOf("<Placemark><name>"+written+"</name></Placemark>")).name; got != want {
			t.Errorf("%q becomes %q, want %q", written, got, want)
		}
	}
}

func TestPlacemarksAreRead(t *testing.T) {
	t.Parallel()
	const somewhere = "<Point><coordinates>1.5,2.5,3</coordinates></Point>"
	at := place{lon: 1.5, lat: 2.5, located: true}
	for rule, c := range map[string]struct {
		inside string
		want   place
	}{
		"a position":                         {somewhere, at},
		"a position with blanks":             {"<Point><coordinates>\n 1.5, 2.5 \n</coordinates></Point>", at},
		"the first point of a line":          {"<LineString><coordinates>1.5,2.5,0 7,8,0</coordinates></LineString>", at},
		"a line without heights":             {"<LineString><coordinates>1.5,2.5 7,8</coordinates></LineString>", place{lon: 1.5}},
		"only the first coordinates":         {"<Point><coordinates>x</coordinates></Point>" + somewhere, place{}},
		"numbers of Python":                  {"<Point><coordinates>1_5e-1,２.5</coordinates></Point>", at},
		"a field in any case":                {`<SimpleData name="Address"> a </SimpleData>`, place{address: "a"}},
		"the last of two":                    {`<SimpleData name="OVERVIEW">a</SimpleData><SimpleData name="OVERVIEW">b</SimpleData>`, place{overview: "b"}},
		"text up to an element":              {`<SimpleData name="OPENING_HOURS">a<b/>c</SimpleData>`, place{hours: "a"}},
		"a line break is a blank":            {`<SimpleData name="OPENING_HOURS">a<BR />c</SimpleData>`, place{hours: "a c"}},
		"an id in a field":                   {`<SimpleData name="id">7</SimpleData>`, place{id: "7"}},
		"an ampersand in CDATA":              {`<SimpleData name="ADDRESS"><![CDATA[a & b]]></SimpleData>`, place{address: "a &amp; b"}},
		"the misspelt start of CDATA":        {`<SimpleData name="ADDRESS"><![CDATA>a]]></SimpleData>`, place{address: "a"}},
		"attributes in a parenthesis":        {`<SimpleData(name="ADDRESS")>a</SimpleData>`, place{address: "a"}},
		"an entity of HTML":                  {`<SimpleData name="ADDRESS">a&nbsp;b</SimpleData>`, place{address: "a&nbsp;b"}},
		"nothing in another namespace":       {`<SimpleData xmlns="u" name="ADDRESS">a</SimpleData>`, place{}},
		"a name that is no child of its own": {`<Folder><name>a</name></Folder>`, place{}},
	} {
		if got := onlyPlace(t, kmlOf("<Placemark>"+c.inside+"</Placemark>")); got != c.want {
			t.Errorf("%s: %+v, want %+v", rule, got, c.want)
		}
	}
}

func TestWhatLosesAFile(t *testing.T) {
	t.Parallel()
	whole := kmlOf("<Placemark/>")
	for rule, text := range map[string]string{
		"a code fence":                        "```xml\n" + whole + "```\n",
		"a blank line before the declaration": "\n<?xml version='1.0'?>" + whole,
		"text after the root":                 whole + "Done.",
		"a missing end tag":                   strings.Replace(whole, "</Document>", "", 1),
		"an undeclared prefix":                strings.Replace(whole, "<Placemark/>", "<Placemark><gx:a/></Placemark>", 1),
		"a repeated attribute":                strings.Replace(whole, "<Placemark/>", `<Placemark id="a" id="b"/>`, 1),
		"nothing":                             "",
	} {
		doc, err := Parse(vfs.Files{"a.kml": text})
		if err != nil || doc.problem == "" || len(doc.places) > 0 {
			t.Errorf("%s: %+v, %v", rule, doc, err)
		}
	}
	for rule, text := range map[string]string{
		"no namespace":           strings.Replace(whole, ` xmlns="http://www.opengis.net/kml/2.2"`, "", 1),
		"the namespace of 2.1":   strings.Replace(whole, "www.opengis.net/kml/2.2", "earth.google.com/kml/2.1", 1),
		"an unknown XML version": "<?xml version='1.01'?><kml/>",
	} {
		if doc, err := Parse(vfs.Files{"a.kml": text}); err != nil || doc.problem != "" || len(doc.places) > 0 {
			t.Errorf("%s: %+v, %v", rule, doc, err)
		}
	}
}

func TestGeoJSONIsRead(t *testing.T) {
	t.Parallel()
	feature := func(properties, geometry string) string {
		return `{"features": [{"properties": ` + properties + `, "geometry": ` + geometry + `}]}`
	}
	for rule, c := range map[string]struct {
		text string
		want place
	}{
		"names are not cleaned": {feature(`{"id": "p1", "name": " 16 Gate (x) "}`, "null"), place{id: "p1", name: "16 Gate (x)"}},
		"small letters first":   {feature(`{"address": "a", "ADDRESS": "b", "overview": "", "OVERVIEW": "c"}`, "null"), place{address: "a", overview: "c"}},
		"a position":            {feature(`{}`, `{"coordinates": [1.5, 2, 3]}`), place{lon: 1.5, lat: 2, located: true}},
		"one number is none":    {feature(`{}`, `{"coordinates": [1.5]}`), place{}},
		"a bare line end":       {feature("{\"opening_hours\": \"a\nb\"}", "null"), place{hours: "a\nb"}},
		"no properties":         {feature("null", "null"), place{}},
		"a number as a text":    {feature(`{"address": 5}`, "null"), place{address: "5"}},
	} {
		doc, err := Parse(vfs.Files{"a.json": c.text})
		if err != nil || len(doc.places) != 1 || doc.places[0] != c.want {
			t.Errorf("%s: %+v, %v, want %+v", rule, doc, err, c.want)
		}
	}
	for rule, text := range map[string]string{
		"a list": `["t-3"]`, "a text": `"a"`, "an id that is a number": feature(`{"id": 1}`, "null"),
		"a name that is a number": feature(`{"name": 1}`, "null"), "a feature that is a text": `{"features": ["a"]}`,
	} {
		if _, err := Parse(vfs.Files{"a.json": text}); !errors.Is(err, domains.ErrCrash) {
			t.Errorf("%s: error %v", rule, err)
		}
	}
	if doc, err := Parse(vfs.Files{"a.json": "{", "b.json": `{"order": []}`, "c.KML": kmlOf("<Placemark/>")}); err != nil || len(doc.places) > 0 {
		t.Errorf("%+v, %v", doc, err)
	}
}

func TestScoreRules(t *testing.T) {
	t.Parallel()
	named := func(names ...string) []place {
		var places []place
		for _, name := range names {
			places = append(places, place{name: name})
		}
		return places
	}
	at := func(lon float64) []place { return []place{{name: "a", lon: lon, located: true}} }
	long := strings.Repeat("abcdefghij", 20)
	for rule, c := range map[string]struct {
		ref, got  []place
		component string
		want      float64
	}{
		"names in another case":       {named("A b"), named("a B"), "coverage", 1},
		"one of two in common":        {named("a", "b"), named("a", "c"), "coverage", 1.0 / 3},
		"one side empty":              {named("a"), nil, "coverage", 0},
		"both sides empty":            {nil, nil, "accuracy", 1},
		"nothing in common":           {named("a"), named("b"), "accuracy", 0},
		"a field on one side":         {[]place{{name: "a", hours: "x"}}, named("a"), "accuracy", 0.5},
		"typography":                  {[]place{{name: "a", address: "St Andrew’s  – A"}}, []place{{name: "a", address: "st andrew's - a"}}, "accuracy", 1},
		"another address":             {[]place{{name: "a", address: "ab"}}, []place{{name: "a", address: "ac"}}, "accuracy", (1 + 0.7*0.5) / 2},
		"another overview":            {[]place{{name: "a", overview: "ab"}}, []place{{name: "a", overview: "ac"}}, "accuracy", (1 + 0.8*0.5) / 2},
		"a text of common characters": {[]place{{name: "a", hours: "x" + long}}, []place{{name: "a", hours: long}}, "accuracy", 0.5},
		"the last of one name":        {append([]place{{name: "a", hours: "x"}}, named("a")...), named("a"), "accuracy", 1},
		"no names":                    {named(""), named(""), "accuracy", 1},
		"within 0.0001 degrees":       {at(1), at(1.00009), "coordinates", 1},
		"within 0.001 degrees":        {at(1), at(1.0009), "coordinates", 0.9},
		"within 0.01 degrees":         {at(1), at(1.009), "coordinates", 0.5},
		"further":                     {at(1), at(1.01), "coordinates", 0},
		"no position on one side":     {at(1), named("a"), "coordinates", 0},
		"no number is none near":      {at(math.NaN()), at(math.NaN()), "coordinates", 0},
		"numbers in ids, not places":  {[]place{{id: "p10", name: "b"}, {id: "p9", name: "a"}, {name: "c"}}, []place{{id: "x1", name: "a"}, {id: "x02y3", name: "b"}, {name: "c"}}, "ordering", 1},
		"ids exchanged":               {[]place{{id: "1", name: "a"}, {id: "2", name: "b"}}, []place{{id: "2", name: "a"}, {id: "1", name: "b"}}, "ordering", 0.5},
	} {
		got := Score(Document{places: c.ref}, Document{places: c.got}).Components[c.component]
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %s is %v, want %v", rule, c.component, got, c.want)
		}
	}
}
