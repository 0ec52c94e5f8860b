package geodata

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// documentFile is that of the documents in these tests.
const documentFile = "colden_walkover.geojson"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "geodata1") }

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   demonstration(t),
		Seed:     domaintest.Seed(t, "geodata1"),
		Generate: rapid.Custom(drawCollection),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, demonstration(f), domaintest.Seed(f, "geodata1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "geodata1"))
}

// drawCollection draws a survey of up to twelve features of all geometry types.
func drawCollection(t *rapid.T) vfs.Files {
	d := drawer{t}
	var features []string
	opening := d.one("opening", "{", "{\n")
	for n := range 1 + d.upTo(11, "features") {
		features = append(features, opening+d.feature(n))
	}
	before, after := `"type": "FeatureCollection"`, ""
	if d.sometimes("name") {
		before += `, "name": "survey"`
	}
	if d.sometimes("crs") {
		before += `, "crs": ` + d.one("crs", "null", `{"type": "name", "properties": {"name": "EPSG:4326"}}`)
	}
	if d.sometimes("bbox") {
		before += `, "bbox": [-2.1, 53.7, 0, -2, 53.8, 400.5]`
	}
	if d.sometimes("foreign") {
		after = `, "exported": {"by": ["ms", null], "on": "2024-04-09"}, "licence": "CC0"`
	}
	return vfs.Files{documentFile: "{" + before + `, "features": [` + strings.Join(features, ",\n") + "]" + after + "}\n"}
}

type drawer struct{ *rapid.T }

func (d drawer) upTo(most int, label string) int { return rapid.IntRange(0, most).Draw(d.T, label) }
func (d drawer) sometimes(label string) bool     { return d.upTo(3, label) == 0 }
func (d drawer) one(label string, among ...string) string {
	return rapid.SampledFrom(among).Draw(d.T, label)
}

func (d drawer) feature(n int) string {
	members := []string{`"type": "Feature"`}
	if d.sometimes("feature id") {
		members = append(members, `"id": `+d.one("id", fmt.Sprint(n), fmt.Sprintf(`"%d"`, n), `"way/4.0"`, "0"))
	}
	if d.sometimes("feature bbox") {
		members = append(members, `"bbox": [-2.05, 53.7, -2.04, 53.71]`)
	}
	if d.sometimes("foreign member") {
		members = append(members, `"source": {"survey": [1, "a"], "licence": ""}`)
	}
	return strings.Join(append(members, `"properties": `+d.properties(n), `"geometry": `+d.geometry(2)), ", ") + "}"
}

func (d drawer) properties(n int) string {
	if d.sometimes("no properties") {
		return d.one("none", "null", "{}")
	}
	var all []string
	add := func(name string, values ...string) {
		if !d.sometimes("without " + name) {
			all = append(all, `"`+name+`": `+d.one(name, values...))
		}
	}
	add("id", fmt.Sprintf(`"S%02d"`, n), fmt.Sprint(n), `"S01"`)
	add("name", `"Salmon weir"`, `"St John’s \"Well\""`, `"Überlauf | 2"`, `""`, `"12"`, "null")
	add("kind", `"weir"`, `"leaky dam"`, `"Weir"`, "null", "3")
	add("note", `"dry"`, `"first line\nsecond line"`, `"a | b, \"c\""`, `"null"`, `"see gazetteer"`, "null")
	add("height_m", "1.20", "2", `"c. 2"`, "1e2", "-0.5", "null", "true", `"true"`)
	add("condition", "1", "3", "5", "null")
	add("surveyed", `"2024-03-09"`, `"2024-04-07"`)
	add("by", `"MS"`, `"TA"`, `"MS/TA"`)
	add("urgent", "true", "false")
	add("dims", `{"a": 1, "b": {"c": [1, 2], "d": null}}`, "{}", `{"x.y": "1"}`)
	add("photos", `["a.jpg", "b.jpg"]`, "[]", `[{"file": "a.jpg"}, {"file": "b.jpg"}]`, "[null]")
	return "{" + strings.Join(all, ", ") + "}"
}

func (d drawer) geometry(depth int) string {
	position := d.position
	line := func() string { return "[" + position() + ", " + position() + ", " + position() + "]" }
	ring := func() string {
		first := position()
		return "[" + first + ", " + position() + ", " + position() + ", " + first + "]"
	}
	polygon := func() string {
		if d.sometimes("hole") {
			return "[" + ring() + ", " + ring() + "]"
		}
		return "[" + ring() + "]"
	}
	written := func(name, coordinates string) string {
		return `{"type": "` + name + `", "coordinates": ` + coordinates + `}`
	}
	switch d.upTo(8, "geometry type") {
	case 0:
		return "null"
	case 1:
		return written("LineString", line())
	case 2:
		return written("Polygon", polygon())
	case 3:
		return written("MultiPoint", "["+position()+", "+position()+"]")
	case 4:
		return written("MultiLineString", "["+line()+", "+line()+"]")
	case 5:
		return written("MultiPolygon", "["+polygon()+", "+polygon()+"]")
	case 6:
		if depth > 0 {
			return `{"type": "GeometryCollection", "geometries": [` + d.geometry(depth-1) + ", " + d.geometry(depth-1) + "]}"
		}
	}
	return written("Point", position())
}

func (d drawer) position() string {
	altitude := ""
	if d.sometimes("altitude") {
		altitude = ", " + d.one("altitude", "231", "197.40", "0", "-3.5")
	}
	return fmt.Sprintf("[-2.%05d, 53.%s%s]", d.upTo(99_999, "longitude"), d.one("latitude", "7", "70", "751", "75121", "7512149"), altitude)
}

func TestWithoutCopiesText(t *testing.T) {
	t.Parallel()
	const around = "{ \"type\": \"FeatureCollection\",\n\"features\" :[%s\n ] }\n"
	for rule, c := range map[string]struct{ features, left string }{
		"the first":    {"\n  {\"id\":1},\n  {\"id\":2.0} , {\"id\":3}", "\n  {\"id\":2.0} , {\"id\":3}"},
		"those at end": {"\n  {\"id\":0},\n  {\"id\":1} , {\"id\":1}", "\n  {\"id\":0}"},
		"all":          {"\n  {\"id\":1},\n  {\"id\":1}", ""},
	} {
		text := fmt.Sprintf(around, c.features)
		features := readCollection(text).features
		got := without("", text, func() bool {
			id := features[0].get("id").text
			features = features[1:]
			return id == "1"
		})
		if want := fmt.Sprintf(around, c.left); got != want {
			t.Errorf("%s: %s, want %s", rule, got, want)
		}
	}
}

const sample = `{
  "type": "FeatureCollection",
  "name": "Clough",
  "crs": {"type": "name", "properties": {"name": "EPSG:4326"}},
  "features": [
    {
      "type": "Feature",
      "id": 7,
      "properties": {"id": "W1", "name": "Salmon weir", "height_m": 24, "listed": true, "dims": {"crest": {"m": 6.5}}, "photos": ["a", "b"], "note": "It's 1877"},
      "geometry": {"type": "Point", "coordinates": [-2.05, 53.75, 197]}
    },
    {
      "type": "Feature",
      "properties": {"id": "G1", "name": "Goit", "note": null},
      "geometry": {"type": "LineString", "coordinates": [[-2.05, 53.75], [-2.04, 53.74], [-2.03, 53.74]]}
    },
    {
      "type": "Feature",
      "properties": {"id": "P1", "name": "Dam"},
      "bbox": [0, 0, 10, 10],
      "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [10, 0], [10, 10], [0, 0]], [[5, 2], [6, 3], [6, 2], [5, 2]]]}
    },
    {
      "type": "Feature",
      "properties": {"id": "M1", "name": "Mill"},
      "geometry": {"type": "GeometryCollection", "geometries": [{"type": "Point", "coordinates": [1, 2]}, {"type": "MultiPoint", "coordinates": [[3, 4], [5, 6]]}]}
    },
    {
      "type": "Feature",
      "properties": {"id": "N1", "name": "Nowhere"},
      "geometry": null
    }
  ]
}
`

const sampleFile = "clough.geojson"

// change is the sample with one text replaced by another.
func change(t *testing.T, was, is string) vfs.Files {
	t.Helper()
	if !strings.Contains(sample, was) {
		t.Fatalf("the sample has no %q", was)
	}
	return vfs.Files{sampleFile: strings.ReplaceAll(sample, was, is)}
}

// mill is the last but one feature of the sample.
var mill = sample[strings.Index(sample, "    {\n      \"type\": \"Feature\",\n      \"properties\": {\"id\": \"M1\""):strings.Index(sample, "    {\n      \"type\": \"Feature\",\n      \"properties\": {\"id\": \"N1\"")]

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a feature that was lost":                     {mill, ""},
		"a feature that was repeated":                 {mill, mill + mill},
		"a second feature with the same id":           {mill, mill + strings.Replace(mill, "[1, 2]", "[1, 9]", 1)},
		"two features in each other's place":          {`"properties": {"id": "G1", "name": "Goit", "note": null},`, `"properties": {"id": "P1", "name": "Dam"},`},
		"the id of a feature":                         {`"id": 7`, `"id": 8`},
		"the type of the id of a feature":             {`"id": 7`, `"id": "7"`},
		"the id of a feature that was lost":           {`"id": 7,`, ""},
		"the case of an id in the properties":         {`"W1"`, `"w1"`},
		"a digit in a long text":                      {"1877", "1878"},
		"a nested property":                           {`"m": 6.5`, `"m": 6.6`},
		"a property that was added":                   {`"name": "Dam"`, `"name": "Dam", "status": "dry"`},
		"a property that was lost":                    {`"listed": true, `, ""},
		"a property that became empty text":           {`"Goit", "note": null`, `"Goit", "note": ""`},
		"true for 1":                                  {`"listed": true`, `"listed": 1`},
		"true for text":                               {`"listed": true`, `"listed": "true"`},
		"a number for text":                           {`"height_m": 24`, `"height_m": "24"`},
		"the order of a list":                         {`["a", "b"]`, `["b", "a"]`},
		"longitude and latitude exchanged":            {"[-2.05, 53.75, 197]", "[53.75, -2.05, 197]"},
		"a point moved by a metre":                    {"-2.05, 53.75, 197", "-2.05001, 53.75, 197"},
		"coordinates as text":                         {"[-2.05, 53.75, 197]", `["-2.05", "53.75", 197]`},
		"an altitude":                                 {"197", "198"},
		"an altitude that was lost":                   {", 197", ""},
		"an invented altitude of zero":                {`"coordinates": [1, 2]`, `"coordinates": [1, 2, 0]`},
		"a vertex of a line":                          {"[-2.04, 53.74]", "[-2.04, 53.84]"},
		"a line in the other direction":               {"[[-2.05, 53.75], [-2.04, 53.74], [-2.03, 53.74]]", "[[-2.03, 53.74], [-2.04, 53.74], [-2.05, 53.75]]"},
		"a ring in the other direction":               {"[0, 0], [10, 0], [10, 10], [0, 0]", "[0, 0], [10, 10], [10, 0], [0, 0]"},
		"a ring that is not closed":                   {"[10, 10], [0, 0]]", "[10, 10]]"},
		"a hole that was lost":                        {", [[5, 2], [6, 3], [6, 2], [5, 2]]", ""},
		"the exterior ring for the hole":              {"[[0, 0], [10, 0], [10, 10], [0, 0]], [[5, 2], [6, 3], [6, 2], [5, 2]]", "[[5, 2], [6, 3], [6, 2], [5, 2]], [[0, 0], [10, 0], [10, 10], [0, 0]]"},
		"a geometry of a collection of geometries":    {"[1, 2]", "[1, 3]"},
		"the type of a geometry":                      {`"LineString"`, `"MultiPoint"`},
		"a geometry that was lost":                    {`"geometry": {"type": "Point", "coordinates": [-2.05, 53.75, 197]}`, `"geometry": null`},
		"an invented geometry":                        {`"geometry": null`, `"geometry": {"type": "Point", "coordinates": [0, 0]}`},
		"the bbox of a feature":                       {"[0, 0, 10, 10]", "[0, 0, 10, 11]"},
		"a bbox of the collection that was added":     {`"name": "Clough",`, `"name": "Clough", "bbox": [0, 0, 1, 1],`},
		"a foreign member of a feature":               {`"id": 7,`, `"id": 7, "layer": "x",`},
		"a foreign member of the collection":          {`"name": "Clough",`, `"name": "Clough", "generator": "manual",`},
		"the name of the collection":                  {`"name": "Clough"`, `"name": "Clough 2"`},
		"a member of the collection under other name": {`"name": "Clough"`, `"title": "Clough"`},
		"the crs":                                {"EPSG:4326", "EPSG:27700"},
		"a null crs, which is not the usual one": {`{"type": "name", "properties": {"name": "EPSG:4326"}}`, "null"},
		"the type of a feature":                  {`"type": "Feature",` + "\n      \"id\": 7", `"type": "feature",` + "\n      \"id\": 7"},
		"a missing type of a feature":            {`"type": "Feature",` + "\n      \"id\": 7", `"id": 7`},
		"the type of the collection":             {"FeatureCollection", "GeometryCollection"},
		"a missing type of the collection":       {`"type": "FeatureCollection",`, ""},
		"a repeated property":                    {`"name": "Dam"`, `"name": "Dam", "name": "Pond"`},
		"text around the JSON":                   {"{\n  \"type\": \"FeatureCollection\"", "Here is the file:\n{\n  \"type\": \"FeatureCollection\""},
		"a comment":                              {`"name": "Clough",`, `"name": "Clough", // checked`},
		"a truncated file":                       {mill[len(mill)/2:] + sample[strings.Index(sample, mill)+len(mill):], ""},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			score := New().Compare(vfs.Files{sampleFile: sample}, change(t, edit[0], edit[1]))
			if score.Strict >= 1 || score.Strict < 0.3 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"trailing zeros":                       {"53.75", "53.7500"},
		"an integer written as a float":        {`"height_m": 24`, `"height_m": 24.0`},
		"an exponent":                          {"6.5", "65e-1"},
		"null for a missing property":          {`"name": "Dam"`, `"name": "Dam", "note": null`},
		"a missing property for null":          {`, "note": null`, ""},
		"a missing geometry for null":          {",\n      \"geometry\": null", ""},
		"a ring from another vertex on":        {"[0, 0], [10, 0], [10, 10], [0, 0]", "[10, 0], [10, 10], [0, 0], [10, 0]"},
		"the points of a MultiPoint reordered": {"[3, 4], [5, 6]", "[5, 6], [3, 4]"},
		"members in another order":             {`"id": "P1", "name": "Dam"`, `"name": "Dam", "id": "P1"`},
		"escapes":                              {"Dam", `D\u0061m`},
		"typographic quotes":                   {"It's", "It’s"},
		"a code fence":                         {"{\n  \"type\": \"FeatureCollection\"", "```json\n{\n  \"type\": \"FeatureCollection\""},
		"a byte order mark":                    {"{\n  \"type\": \"FeatureCollection\"", "\ufeff{\n  \"type\": \"FeatureCollection\""},
		"CRLF":                                 {"\n", "\r\n"},
		"single quotes":                        {`"`, "'"},
		"a trailing comma":                     {"\"geometry\": null\n    }", "\"geometry\": null,\n    },"},
		"a missing comma":                      {`"id": 7,`, `"id": 7`},
		"names without quotes":                 {`"geometry":`, "geometry:"},
		"Python's words":                       {"null", "None"},
		"a closing bracket that is missing":    {"\n  ]\n}", "\n}"},
		"everything on one line":               {"\n", " "},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference, candidate := vfs.Files{sampleFile: sample}, change(t, edit[0], edit[1])
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestStrictReadsFilesOfAnyNameAndForm(t *testing.T) {
	t.Parallel()
	collection := func(features ...string) string {
		return `{"type": "FeatureCollection", "name": "n", "features": [` + strings.Join(features, ",") + "]}"
	}
	bare := func(features ...string) string { return strings.Join(features, "\n") }
	a := `{"type": "Feature", "properties": {"name": "A"}, "geometry": {"type": "Point", "coordinates": [1, 2]}}`
	b := `{"type": "Feature", "properties": {"name": "B"}, "geometry": null}`
	for rule, c := range map[string]struct{ reference, candidate vfs.Files }{
		"another extension":         {vfs.Files{"a.geojson": collection(a, b)}, vfs.Files{"out/a.txt": collection(a, b)}},
		"two files":                 {vfs.Files{"a.geojson": collection(a, b)}, vfs.Files{"a.geojson": collection(a), "b.geojson": collection(b)}},
		"a bare array":              {vfs.Files{"a.geojson": `{"type": "FeatureCollection", "features": [` + a + "," + b + "]}"}, vfs.Files{"a.geojson": "[" + a + "," + b + "]"}},
		"features one on each line": {vfs.Files{"a.geojson": "[" + a + "," + b + "]"}, vfs.Files{"a.geojsonl": bare(a, b)}},
	} {
		if score := New().Compare(c.reference, c.candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(c.reference, c.candidate))
		}
	}
}

func TestDifferencesAreNamed(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "geodata1")
	got := New().Differences(seed, vfs.Files{documentFile: strings.NewReplacer(
		`"crest_m": 6.4`, `"crest_m": 6.5`, "-2.0369, 53.74948]", "-2.0369, 53.74984]", "CRS84", "CRS83",
	).Replace(seed[documentFile])})
	want := []domains.Difference{
		{Kind: domains.Changed, Where: "CW03 Jack Bridge weir, dims/crest_m", Was: "6.4", Is: "6.5"},
		{Kind: domains.Changed, Where: "CW12 Upper Lumb Mill chimney, geometry latitude", Was: "53.74948", Is: "53.74984"},
		{
			Kind: domains.Changed, Where: "member crs, crs/properties/name",
			Was: `"urn:ogc:def:crs:OGC:1.3:CRS84"`, Is: `"urn:ogc:def:crs:OGC:1.3:CRS83"`,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "geodata1")
	for rule, c := range map[string]struct {
		candidate   string
		least, most float64
	}{
		"one wrong number":        {strings.Replace(seed[documentFile], `"crest_m": 6.4`, `"crest_m": 6.5`, 1), 0.99, 0.999},
		"a line of foreign words": {"Done!\n" + seed[documentFile], 0.9, 0.97},
		"half of the text":        {seed[documentFile][:len(seed[documentFile])/2], 0.4, 0.6},
		"a quote that was lost":   {strings.Replace(seed[documentFile], `"Jack Bridge weir"`, `"Jack Bridge weir`, 1), 0.95, 1},
	} {
		score := New().Compare(seed, vfs.Files{documentFile: c.candidate})
		if score.Strict < c.least || score.Strict > c.most {
			t.Errorf("%s: Strict is %v, want %v to %v", rule, score.Strict, c.least, c.most)
		}
	}
}

// TestLargeInputIsFast takes a megabyte each of what is hardest to read: none may
// take more than linear time, a tenth of a second where nothing else runs.
func TestLargeInputIsFast(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	repeated := func(text string) string { return strings.Repeat(text, size/len(text)) }
	inputs := domaintest.Hostile()
	for name, text := range map[string]string{
		"opening brackets":     repeated("["),
		"opening braces":       repeated("{"),
		"objects":              repeated(`{"a":`),
		"prose":                repeated("The quick brown fox isn't \"here\".\n"),
		"single quotes":        "{" + repeated("'a\n"),
		"quotes of both kinds": "{" + repeated("'a\n\"b\n"),
		"a long ring":          `{"type": "Feature", "geometry": {"type": "Polygon", "coordinates": [[` + repeated("[0,0],") + "[0,0]]]}}",
		"many features":        "[" + repeated(`{"type":"Feature","properties":{"a":1},"geometry":null},`) + "1]",
		"comments":             "{" + repeated("/* a */ // b\n"),
		"backslashes":          `["` + repeated(`\`),
		"unknown escapes":      `["` + repeated(`\q`),
	} {
		inputs[name] = text
	}
	seed := domaintest.Seed(t, "geodata1")
	for name, text := range inputs {
		score := New().Compare(seed, vfs.Files{documentFile: text})
		if score.Problem == "" || score.RS > 0 || score.Strict > 0.01 {
			t.Errorf("%s: Value %v, Strict %v, problem %q", name, score.RS, score.Strict, score.Problem)
		}
	}
}
