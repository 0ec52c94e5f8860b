package geodata

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// documentFile is that of the documents in these tests.
const documentFile = "colden_walkover.geojson"

const survey = `{
  "type": "FeatureCollection",
  "name": "colden",
  "features": [
    {
      "type": "Feature",
      "id": "w1",
      "properties": {"name": "Weir", "kind": "leaky dam", "dims": {"silt": {"m": 1.10}, "n": 2}, "note": "a | b\nc"},
      "geometry": {"type": "LineString", "coordinates": [[-2.05, 53.75], [-2.04, 53.74]]}
    },
    {
      "type": "Feature",
      "properties": {"name": "Board", "kind": "gauge", "top": "12", "read": null},
      "bbox": [-2.04, 53.74, -2.04, 53.74],
      "geometry": {"type": "Point", "coordinates": [-2.04, 53.74, 117.0]}
    },
    {"type": "Feature", "properties": {"name": "Bankfoot", "note": "Refused."}, "geometry": null}
  ],
  "by": ["MS"]
}
`

// surveyWith is the survey with texts replaced, under a name of its own.
func surveyWith(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(survey) }

var forwardResults = map[string]vfs.Files{
	"split_by_kind": {
		"leaky_dam.geojson": `{
  "type": "FeatureCollection",
  "name": "colden",
  "features": [
    {
      "type": "Feature",
      "id": "w1",
      "properties": {"name": "Weir", "kind": "leaky dam", "dims": {"silt": {"m": 1.10}, "n": 2}, "note": "a | b\nc"},
      "geometry": {"type": "LineString", "coordinates": [[-2.05, 53.75], [-2.04, 53.74]]}
    }
  ],
  "by": ["MS"]
}
`,
		"gauge.geojson": `{
  "type": "FeatureCollection",
  "name": "colden",
  "features": [
    {
      "type": "Feature",
      "properties": {"name": "Board", "kind": "gauge", "top": "12", "read": null},
      "bbox": [-2.04, 53.74, -2.04, 53.74],
      "geometry": {"type": "Point", "coordinates": [-2.04, 53.74, 117.0]}
    }
  ],
  "by": ["MS"]
}
`,
		"unsorted.geojson": `{
  "type": "FeatureCollection",
  "name": "colden",
  "features": [
    {"type": "Feature", "properties": {"name": "Bankfoot", "note": "Refused."}, "geometry": null}
  ],
  "by": ["MS"]
}
`,
		"order.csv": "position,file\n1,leaky_dam.geojson\n2,gauge.geojson\n3,unsorted.geojson\n",
	},
	"wkt_table": {
		"features.csv": `id,bbox,properties.name,properties.kind,properties.dims,properties.note,properties.top,properties.read,geometry
w1,,Weir,leaky dam,"{""silt"": {""m"": 1.10}, ""n"": 2}","a | b
c",,,"LINESTRING (-2.05 53.75, -2.04 53.74)"
,"[-2.04, 53.74, -2.04, 53.74]",Board,gauge,,,"""12""",null,POINT Z (-2.04 53.74 117.0)
,,Bankfoot,,,Refused.,,,
`,
		"collection.json": `{"type": "FeatureCollection", "name": "colden", "by": ["MS"]}` + "\n",
	},
	"inspection_round": {
		"round.geojson": `{
  "type": "FeatureCollection",
  "name": "colden",
  "features": [
    {
      "type": "Feature",
      "properties": {"name": "Board", "kind": "gauge", "top": "12", "read": null, "list_no": 2, "stop": 1, "leg_m": 0},
      "bbox": [-2.04, 53.74, -2.04, 53.74],
      "geometry": {"type": "Point", "coordinates": [-2.04, 53.74, 117.0]}
    },
    {
      "type": "Feature",
      "id": "w1",
      "properties": {
        "name": "Weir",
        "kind": "leaky dam",
        "dims": {"silt": {"m": 1.10}, "n": 2},
        "note": "a | b\nc",
        "list_no": 1,
        "stop": 2,
        "leg_m": 1292
      },
      "geometry": {"type": "LineString", "coordinates": [[-2.05, 53.75], [-2.04, 53.74]]}
    },
    {
      "type": "Feature",
      "properties": {"name": "Bankfoot", "note": "Refused.", "list_no": 3, "stop": 3, "leg_m": null},
      "geometry": null
    }
  ],
  "by": ["MS"]
}
`,
	},
	"flat_properties": {
		"flat.geojson": surveyWith(`"dims": {"silt": {"m": 1.10}, "n": 2}`, `"dims.silt.m": 1.10, "dims.n": 2`),
		"nested.json":  `{"dims.silt.m": ["dims", "silt", "m"], "dims.n": ["dims", "n"]}` + "\n",
	},
	"local_grid": {
		"local_grid.geojson": surveyWith(
			"[[-2.05, 53.75], [-2.04, 53.74]]", "[[3000, 2000], [4000, 1000]]",
			"[-2.04, 53.74, -2.04, 53.74]", "[4000, 1000, 4000, 1000]",
			"[-2.04, 53.74, 117.0]", "[4000, 1000, 117.0]",
			`"by": ["MS"]`, `"by": ["MS"],`+"\n"+`  "grid": {"origin": [-2.08, 53.73], "unit": 0.00001}`),
	},
	"bounding_boxes": {
		"with_bbox.geojson": surveyWith(
			`"name": "colden",`, `"name": "colden",`+"\n"+`  "bbox": [-2.05, 53.74, -2.04, 53.75],`,
			"[[-2.05, 53.75], [-2.04, 53.74]]}", "[[-2.05, 53.75], [-2.04, 53.74]]},\n"+`      "bbox": [-2.05, 53.74, -2.04, 53.75]`),
		"had_bbox.json": `{"collection": false, "features": [2]}` + "\n",
	},
	"gazetteer": {
		"numbered.geojson": surveyWith(`"note": "a | b\nc"`, `"gazetteer_no": 2`, `"note": "Refused."`, `"gazetteer_no": 1`),
		"gazetteer.md": `# Gazetteer

| No. | Name | Kind | Note |
| --- | --- | --- | --- |
| 1 | Bankfoot |  | Refused. |
| 2 | Weir | leaky dam | a \| b<br>c |
`,
	},
	"shared_nodes": {
		"by_node.geojson": surveyWith("[[-2.05, 53.75], [-2.04, 53.74]]", "[1, 2]", "[-2.04, 53.74, 117.0]", "3"),
		"nodes.csv":       "node,lon,lat,alt\n1,-2.05,53.75,\n2,-2.04,53.74,\n3,-2.04,53.74,117.0\n",
	},
}

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "geodata1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{documentFile: survey}, forwardResults, domaintest.InMeaning)
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, edit := range demonstration(t).Edits() {
		if _, err := edit.Forward(vfs.Files{"notes.md": "# Notes\n"}); err == nil || err.Error() != "no GeoJSON file with a feature" {
			t.Errorf("%s forward: error %v", edit.Name, err)
		}
		whole := forwardResults[edit.Name]
		for name := range whole {
			if edit.Name == "split_by_kind" && name != "order.csv" {
				continue // any of the collections may be missing
			}
			files := whole.Clone()
			delete(files, name)
			if _, err := edit.Backward(files); err == nil || err.Error() != name+" is missing" {
				t.Errorf("%s backward without %s: error %v", edit.Name, name, err)
			}
		}
	}
}

// TestBackwardStepsTakeDamagedFiles gives them what a model may have left: the
// rest of the document must still come out.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ edit, file, was, is string }{
		"an order without an entry":      {"split_by_kind", "order.csv", "1,leaky_dam.geojson\n", ""},
		"an order with a strange number": {"split_by_kind", "order.csv", "3,", "three,"},
		"a row without cells":            {"wkt_table", "features.csv", "w1,,Weir", "w1"},
		"a geometry that is no text":     {"wkt_table", "features.csv", "POINT Z (", "PINT ("},
		"a collection that is no object": {"wkt_table", "collection.json", "{", "["},
		"a number that was lost":         {"inspection_round", "round.geojson", `"list_no": 2, `, ""},
		"a path that is no array":        {"flat_properties", "nested.json", `["dims", "n"]`, "7"},
		"a grid without unit":            {"local_grid", "local_grid.geojson", `, "unit": 0.00001`, ""},
		"a coordinate that is no number": {"local_grid", "local_grid.geojson", "3000", `"3000"`},
		"a list of boxes that is a word": {"bounding_boxes", "had_bbox.json", "[2]", `"2"`},
		"a table without a row":          {"gazetteer", "gazetteer.md", "| 1 | Bankfoot |  | Refused. |\n", ""},
		"a node that is not listed":      {"shared_nodes", "nodes.csv", "2,-2.04", "22,-2.04"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := forwardResults[c.edit].Clone()
			if files[c.file] = strings.Replace(files[c.file], c.was, c.is, 1); files[c.file] == forwardResults[c.edit][c.file] {
				t.Fatalf("%s has no %q", c.file, c.was)
			}
			for _, edit := range demonstration(t).Edits() {
				if edit.Name != c.edit {
					continue
				}
				got, err := edit.Backward(files)
				if err != nil {
					t.Fatal(err)
				}
				score := New().Compare(vfs.Files{documentFile: survey}, got)
				if score.Strict < 0.5 || score.Elements.Candidate != 3 {
					t.Errorf("Strict is %v, %d features", score.Strict, score.Elements.Candidate)
				}
			}
		})
	}
}

// The parameters say what is edited, and into what.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	d, document := New(), vfs.Files{"a.geojson": survey}
	files, err := domaintest.Edit(t, demonstration(t), "split_by_kind").Forward(document)
	if err != nil {
		t.Fatal(err)
	}
	domaintest.Takes(t, d, document,
		"split_by_property", `{"document": "a.geojson", "property": "top", "others": "rest.geojson", "table": "t.csv"}`,
		vfs.Files{
			"12.geojson": files["gauge.geojson"],
			"rest.geojson": `{
  "type": "FeatureCollection",
  "name": "colden",
  "features": [
    {
      "type": "Feature",
      "id": "w1",
      "properties": {"name": "Weir", "kind": "leaky dam", "dims": {"silt": {"m": 1.10}, "n": 2}, "note": "a | b\nc"},
      "geometry": {"type": "LineString", "coordinates": [[-2.05, 53.75], [-2.04, 53.74]]}
    },
    {"type": "Feature", "properties": {"name": "Bankfoot", "note": "Refused."}, "geometry": null}
  ],
  "by": ["MS"]
}
`,
			"t.csv": "position,file\n1,rest.geojson\n2,12.geojson\n3,rest.geojson\n",
		})
	domaintest.Takes(t, d, document,
		"local_grid", `{"document": "a.geojson", "to": "b.geojson", "origin": [-3, 53.7], "unit": 0.1, "member": "system"}`,
		vfs.Files{"b.geojson": surveyWith(
			"[[-2.05, 53.75], [-2.04, 53.74]]", "[[9.5, 0.5], [9.6, 0.4]]",
			"[-2.04, 53.74, -2.04, 53.74]", "[9.6, 0.4, 9.6, 0.4]",
			"[-2.04, 53.74, 117.0]", "[9.6, 0.4, 117.0]",
			`"by": ["MS"]`, `"by": ["MS"],`+"\n"+`  "system": {"origin": [-3, 53.7], "unit": 0.1}`)})
	domaintest.Takes(t, d, document,
		"number_notes", `{"document": "a.geojson", "to": "b.geojson", "list": "kinds.md", "title": "Kinds", "number": {"head": "#", "property": "of"},
			"beside": [{"head": "Place", "property": "name"}], "note": {"head": "Is", "property": "kind"}}`,
		vfs.Files{
			"b.geojson": surveyWith(`"kind": "leaky dam"`, `"of": 2`, `"kind": "gauge"`, `"of": 1`),
			"kinds.md":  "# Kinds\n\n| # | Place | Is |\n| --- | --- | --- |\n| 1 | Board | gauge |\n| 2 | Weir | leaky dam |\n",
		})
	domaintest.Refuses(t, d, "local_grid", `{"document": "a.geojson", "to": "b.geojson", "origin": [0, 0], "unit": 0.3, "member": "grid"}`, "the unit must be a power of ten")
}
