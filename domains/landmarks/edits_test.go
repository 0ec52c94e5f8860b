package landmarks

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// documentFile is the file of the documents in these tests.
const documentFile = "trieste.kml"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "landmarks1") }

const (
	opening = `<?xml version="1.0" encoding="UTF-8"?>
<kml xmlns="http://www.opengis.net/kml/2.2">
  <Document>
    <name>Town</name>
`
	closing = `  </Document>
</kml>
`
	museumHead = `      <Placemark id="p7">
        <name>Museum</name>
        <ExtendedData>
          <SchemaData schemaUrl="#t">
            <SimpleData name="ADDRESS">Via Roma 4, first floor</SimpleData>
            <SimpleData name="OVERVIEW"><![CDATA[Stones & bones.]]></SimpleData>
            <SimpleData name="OPENING_HOURS">9-17, guided; +39 040 12, a@b.it</SimpleData>
`
	dataEnd     = "          </SchemaData>\n        </ExtendedData>\n"
	museumPoint = "        <Point><coordinates>13.7701,45.65,12</coordinates></Point>\n"
	museum      = museumHead + dataEnd + museumPoint + "      </Placemark>\n"
	pier        = `      <Placemark id="p8">
        <name>Pier</name>
        <ExtendedData>
          <SchemaData schemaUrl="#t">
            <SimpleData name="Address">Via Roma</SimpleData>
          </SchemaData>
        </ExtendedData>
        <Point><coordinates>13.7722,45.6577</coordinates></Point>
      </Placemark>
`
	trail = `      <Placemark>
        <name>Path</name>
        <LineString>
          <coordinates>13.1,45.1 13.2,45.2</coordinates>
        </LineString>
      </Placemark>
`
	centre    = "    <Folder>\n      <name>Centre</name>\n"
	far       = "    <Folder>\n      <name>Far</name>\n"
	folderEnd = "    </Folder>\n"
	town      = opening + centre + museum + pier + folderEnd + far + trail + folderEnd + closing

	stubs0 = opening + centre + `      <Placemark ID>
        <ExtendedData>
          <SchemaData schemaUrl="#t"/>
        </ExtendedData>
      </Placemark>
      <Placemark ID>
        <ExtendedData>
          <SchemaData schemaUrl="#t"/>
        </ExtendedData>
      </Placemark>
` + folderEnd + far + `      <Placemark>
        <LineString>
          <coordinates>13.1,45.1 13.2,45.2</coordinates>
        </LineString>
      </Placemark>
` + folderEnd + closing
)

// stubsWith is what is left of the town, with attributes of the two placemarks
// that have an id.
func stubsWith(first, second string) string {
	return strings.Replace(strings.Replace(stubs0, " ID", first, 1), " ID", second, 1)
}

var forwardResults = map[string]vfs.Files{
	"indoors_outdoors": {
		"indoors.kml":  opening + centre + museum + folderEnd + far + folderEnd + closing,
		"outdoors.kml": opening + centre + pier + folderEnd + far + trail + folderEnd + closing,
		"split.json": `[
  {
    "id": "p7",
    "name": "Museum",
    "file": "indoors.kml",
    "folder": 1,
    "place": 1
  },
  {
    "id": "p8",
    "name": "Pier",
    "file": "outdoors.kml",
    "folder": 1,
    "place": 2
  },
  {
    "id": "",
    "name": "Path",
    "file": "outdoors.kml",
    "folder": 2,
    "place": 1
  }
]
`,
	},
	"by_distance": {
		"by_distance.kml": opening + centre +
			strings.Replace(pier, "          </SchemaData>", "            <SimpleData name=\"DISTANCE_M\">0</SimpleData>\n          </SchemaData>", 1) +
			strings.Replace(museum, "          </SchemaData>", "            <SimpleData name=\"DISTANCE_M\">872</SimpleData>\n          </SchemaData>", 1) +
			folderEnd + far + trail + folderEnd + closing,
		"order.csv": "folder,place,id,name\n1,2,p8,Pier\n1,1,p7,Museum\n2,1,,Path\n",
	},
	"districts": {
		"districts.kml": opening + "    <Folder>\n      <name>Borgo Teresiano</name>\n" + pier + folderEnd +
			"    <Folder>\n      <name>Cavana e San Giusto</name>\n" + museum + folderEnd +
			"    <Folder>\n      <name>Without position</name>\n" + trail + folderEnd + closing,
		"frame.kml":       opening + centre + folderEnd + far + folderEnd + closing,
		"old_folders.csv": "folder,place,id,name\n1,2,p8,Pier\n1,1,p7,Museum\n2,1,,Path\n",
	},
	"geojson": {
		"places.geojson": `{"type": "FeatureCollection", "features": [
  {"type": "Feature", "properties": {"n": 1, "id": "p7", "name": "Museum", "ADDRESS": "Via Roma 4, first floor", "OVERVIEW": "<![CDATA[Stones & bones.]]>", "OPENING_HOURS": "9-17, guided; +39 040 12, a@b.it", "coord_text": "13.7701,45.65,12"}, "geometry": {"type": "Point", "coordinates": [13.7701, 45.65, 12]}},
  {"type": "Feature", "properties": {"n": 2, "id": "p8", "name": "Pier", "Address": "Via Roma", "coord_text": "13.7722,45.6577"}, "geometry": {"type": "Point", "coordinates": [13.7722, 45.6577]}},
  {"type": "Feature", "properties": {"n": 3, "name": "Path"}, "geometry": null}
]}
`,
		"stubs.kml": stubsWith("", ""),
	},
	"guide": {
		"guide.md": `# Guide

## 1. Museum

- ADDRESS: Via Roma 4, first floor
- OVERVIEW: <![CDATA[Stones & bones.]]>
- OPENING_HOURS: 9-17, guided; +39 040 12, a@b.it

## 3. Path

## 2. Pier

- Address: Via Roma
`,
		"coordinates.csv": "n,id,longitude,latitude,altitude\n1,p7,13.7701,45.65,12\n2,p8,13.7722,45.6577,\n",
		"stubs.kml":       stubsWith(` id="p7"`, ` id="p8"`),
	},
	"contacts": {
		"contacts.kml": strings.Replace(town, "+39 040 12, a@b.it", "[1], [2]", 1),
		"contacts.csv": "marker,id,kind,contact\n[1],p7,phone,+39 040 12\n[2],p7,mail,a@b.it\n",
	},
	"street_codes": {
		"street_codes.kml": strings.ReplaceAll(town, "Via Roma", "S01"),
		"streets.csv":      "code,street,places\nS01,Via Roma,2\n",
	},
	"degrees_minutes": {
		"degrees.kml": strings.NewReplacer(
			"a@b.it</SimpleData>\n", "a@b.it</SimpleData>\n            <SimpleData name=\"COORD_DMS\">45°39'00.000\"N 13°46'12.360\"E</SimpleData>\n",
			">Via Roma</SimpleData>\n", ">Via Roma</SimpleData>\n            <SimpleData name=\"COORD_DMS\">45°39'27.720\"N 13°46'19.920\"E</SimpleData>\n",
			museumPoint, "", "        <Point><coordinates>13.7722,45.6577</coordinates></Point>\n", "").Replace(town),
		"points.csv": "n,lat_decimals,lon_decimals,altitude\n1,2,4,12\n2,4,4,\n",
	},
}

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{documentFile: town}, forwardResults, domaintest.ToTheLetter)
}

func TestForwardTakesADocumentOfSeveralFiles(t *testing.T) {
	t.Parallel()
	document := vfs.Files{
		"a.kml": opening + centre + museum + folderEnd + closing,
		"b.kml": opening + centre + pier + folderEnd + far + trail + folderEnd + closing,
	}
	for _, edit := range demonstration(t).Edits() {
		got, err := edit.Forward(document)
		if err != nil {
			t.Errorf("%s: %v", edit.Name, err)
			continue
		}
		back, err := edit.Backward(got)
		if err != nil {
			t.Errorf("%s: %v", edit.Name, err)
			continue
		}
		if score := New().Compare(document, back); score.Strict != 1 {
			t.Errorf("%s: Strict %v: %v", edit.Name, score.Strict, New().Differences(document, back))
		}
	}
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	backward := func(name string) func(vfs.Files) (vfs.Files, error) { return domaintest.Edit(t, d, name).Backward }
	forward := func(name string) func(vfs.Files) (vfs.Files, error) { return domaintest.Edit(t, d, name).Forward }
	of := func(was, is string) vfs.Files { return vfs.Files{documentFile: strings.Replace(town, was, is, 1)} }
	for _, c := range []struct {
		step  func(vfs.Files) (vfs.Files, error)
		files vfs.Files
		want  string
	}{
		{backward("indoors_outdoors"), vfs.Files{"indoors.kml": town}, "split.json is missing"},
		{backward("indoors_outdoors"), vfs.Files{"indoors.kml": town, "split.json": "[]"}, "outdoors.kml is missing"},
		{backward("by_distance"), vfs.Files{"by_distance.kml": town, "order.csv": "id\n"}, `reading order.csv: no column "place"`},
		{backward("districts"), vfs.Files{"districts.kml": town}, "frame.kml is missing"},
		{backward("geojson"), vfs.Files{"stubs.kml": town, "places.geojson": "{"}, "reading places.geojson"},
		{backward("geojson"), vfs.Files{"stubs.kml": town, "places.geojson": "[]"}, "places.geojson has no features"},
		{backward("guide"), vfs.Files{"stubs.kml": "no places here", "guide.md": ""}, "stubs.kml has no element"},
		{backward("contacts"), vfs.Files{"contacts.kml": town}, "contacts.csv is missing"},
		{backward("street_codes"), vfs.Files{"streets.csv": "code,street\n"}, "street_codes.kml is missing"},
		{backward("degrees_minutes"), vfs.Files{"degrees.kml": town, "points.csv": "n,lat_decimals,lon_decimals,altitude\nx,1,1,\n"}, `"x" is no number`},
		{forward("by_distance"), of("OVERVIEW", "DISTANCE_M"), "there is a field DISTANCE_M"},
		{forward("degrees_minutes"), of("OVERVIEW", "COORD_DMS"), "there is a field COORD_DMS"},
		{forward("contacts"), of("9-17", "[3]"), "there are markers in OPENING_HOURS"},
		{forward("street_codes"), of("Via Roma 4", "S4 1"), "there is a code in ADDRESS"},
	} {
		if _, err := c.step(c.files); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// Damage between the steps is carried over, not multiplied.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for name, files := range forwardResults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			damaged := vfs.Files{}
			for file, text := range files {
				if strings.HasSuffix(file, ".csv") {
					lines := strings.SplitAfter(text, "\n")
					text = strings.Join(lines[:len(lines)-2], "")
				}
				damaged[file] = strings.ReplaceAll(text, "Museum", "Musuem")
			}
			back, err := domaintest.Edit(t, d, name).Backward(damaged)
			if err != nil {
				t.Fatal(err)
			}
			score := d.Compare(vfs.Files{documentFile: town}, back)
			if score.Strict >= 1 || score.Strict < 0.4 || score.Elements.Candidate != 3 {
				t.Errorf("Strict %v, %+v: %v", score.Strict, score.Elements, d.Differences(vfs.Files{documentFile: town}, back))
			}
		})
	}
}

func TestEditsWithOtherParameters(t *testing.T) {
	t.Parallel()
	d := domaintest.Making(t, New(), map[string]string{
		"code_streets":     `{"document": "m.kml", "to": "c.kml", "field": "overview", "first": "X9", "table": "c.csv"}`,
		"guide":            `{"document": "m.kml", "to": "g.md", "title": "Walks", "rest": "r.kml", "table": "g.csv"}`,
		"split_by_words":   `{"document": "m.kml", "fields": ["ADDRESS"], "words": ["floor"], "apart": "in.kml", "others": "out.kml", "list": "l.json"}`,
		"sort_by_distance": `{"document": "m.kml", "to": "d.kml", "from": {"longitude": 13.7701, "latitude": 45.65}, "field": "FAR", "table": "d.csv"}`,
		"take_contacts":    `{"document": "m.kml", "to": "t.kml", "field": "OPENING_HOURS", "country": "+43", "table": "t.csv"}`,
		"nearest_folders": `{"document": "m.kml", "to": "n.kml", "folders": [{"name": "All", "longitude": 0, "latitude": 0}], "others": "None",
			"frame": "f.kml", "table": "n.csv"}`,
	})
	field := func(text string) string {
		return "            <SimpleData name=\"FAR\">" + text + "</SimpleData>\n          </SchemaData>"
	}
	list := strings.NewReplacer("indoors", "in", "outdoors", "out").Replace(forwardResults["indoors_outdoors"]["split.json"])
	domaintest.Results(t, d, vfs.Files{"m.kml": town}, map[string]vfs.Files{
		"code_streets": {
			"c.kml": strings.Replace(town, "Stones & bones.", "X9", 1),
			"c.csv": "code,street,places\nX9,Stones & bones.,1\n",
		},
		"guide": {
			"g.md":  strings.Replace(forwardResults["guide"]["guide.md"], "Guide", "Walks", 1),
			"r.kml": forwardResults["guide"]["stubs.kml"],
			"g.csv": forwardResults["guide"]["coordinates.csv"],
		},
		"split_by_words": {
			"in.kml":  forwardResults["indoors_outdoors"]["indoors.kml"],
			"out.kml": forwardResults["indoors_outdoors"]["outdoors.kml"],
			"l.json":  list,
		},
		"sort_by_distance": {
			"d.kml": opening + centre + strings.Replace(museum, "          </SchemaData>", field("0"), 1) +
				strings.Replace(pier, "          </SchemaData>", field("872"), 1) + folderEnd + far + trail + folderEnd + closing,
			"d.csv": "folder,place,id,name\n1,1,p7,Museum\n1,2,p8,Pier\n2,1,,Path\n",
		},
		"take_contacts": {
			"t.kml": strings.Replace(town, "a@b.it", "[1]", 1),
			"t.csv": "marker,id,kind,contact\n[1],p7,mail,a@b.it\n",
		},
		"nearest_folders": {
			"n.kml": opening + "    <Folder>\n      <name>All</name>\n" + museum + pier + folderEnd +
				"    <Folder>\n      <name>None</name>\n" + trail + folderEnd + closing,
			"f.kml": opening + centre + folderEnd + far + folderEnd + closing,
			"n.csv": "folder,place,id,name\n1,1,p7,Museum\n1,2,p8,Pier\n2,1,,Path\n",
		},
	}, domaintest.ToTheLetter)
}
