package geodata

import (
	"math"
	"strings"
	"testing"

	published "agentd/domains/published/geodata"
	"agentd/vfs"
)

func featureJSON(properties, geometry string) string {
	return `{"type": "Feature", "properties": ` + properties + `, "geometry": ` + geometry + "}"
}

func TestPublishedReading(t *testing.T) {
	t.Parallel()
	one := "[" + featureJSON("{}", "null") + "]"
	doc, err := published.Parse(vfs.Files{
		"b.geojson": one, "a.json": one, "c.GEOJSON": one, "d.txt": one, "e.json": "7", "f.geojson": "{}", "g.json": "{'a'}",
		"h.json": `{"name": null, "note": 1}`,
	})
	if err != nil || len(doc.Features) != 2 || len(doc.Metadata) != 3 {
		t.Errorf("%d features, metadata of %d files (%v), want 2 and 3", len(doc.Features), len(doc.Metadata), err)
	}
	for _, text := range []string{
		`{"features": null}`, `{"features": ["a"]}`, `{"features": {"a": 1}}`, `{"features": "a"}`, "[1]", "[null]",
		"[" + featureJSON("[1]", "null") + "]", "[" + featureJSON("{}", `"here"`) + "]",
	} {
		score := New().Compare(vfs.Files{"a.json": one}, vfs.Files{"a.json": text})
		if score.RS != 0 || !score.Crash || !strings.HasPrefix(score.Problem, "a.json: the published evaluator crashes: ") || !strings.Contains(score.Problem, "feature") {
			t.Errorf("%s: Value %v, problem %q", text, score.RS, score.Problem)
		}
	}
}

func TestPublishedScore(t *testing.T) {
	t.Parallel()
	collection := func(features ...string) string {
		return `{"type": "FeatureCollection", "features": [` + strings.Join(features, ",") + "]}"
	}
	at := func(id, coordinates string) string {
		return featureJSON(`{"id": "`+id+`", "name": "n"}`, `{"type": "Point", "coordinates": `+coordinates+"}")
	}
	a, b := at("a", "[1, 2]"), at("b", "[3, 4]")
	reference := collection(a, b)
	third := 1.0 / 3
	for rule, c := range map[string]struct {
		candidate string
		want      float64
	}{
		"itself":                             {reference, 1},
		"a point 1e-5 degrees off":           {collection(a, at("b", "[3.00001, 4]")), 1},
		"a point 5e-4 degrees off":           {collection(a, at("b", "[3, 4.0005]")), math.Sqrt((0.95 + 2) / 3)},
		"a point 5e-3 degrees off":           {collection(a, at("b", "[3, 4.005]")), math.Sqrt((0.75 + 2) / 3)},
		"a point elsewhere":                  {collection(a, at("b", "[4, 3]")), math.Sqrt((0.5 + 2) / 3)},
		"numbers as text":                    {collection(a, at("b", `["3", "4"]`)), 1},
		"a geometry of another type":         {collection(a, strings.Replace(b, "Point", "LineString", 1)), math.Sqrt((0.5 + 2) / 3)},
		"one of two lost":                    {collection(a), 0.25 * math.Sqrt((2+2*third)/3)},
		"a duplicate":                        {collection(a, b, b), math.Sqrt((2 + 0.8) / 3)},
		"the other order":                    {collection(b, a), math.Sqrt((2 + 0.5) / 3)},
		"null instead of a missing property": {collection(a, strings.Replace(b, `"name"`, `"x": null, "name"`, 1)), 1},
		"a property that was lost":           {collection(a, strings.Replace(b, `, "name": "n"`, "", 1)), 0.75},
		"another type of the collection":     {strings.Replace(reference, "FeatureC", "GeometryC", 1), math.Sqrt((2 + 26.0/35) / 3)},
		"a bbox that was added":              {strings.Replace(reference, "{", `{"bbox": [1],`, 1), math.Sqrt(2.5 / 3)},
		"nothing":                            {"", 0},
		"the id in another case":             {collection(a, strings.Replace(b, `"b"`, `"B"`, 1)), 1},
		"nothing shared":                     {collection(at("x", "[1, 2]")), 0},
		"the id of a feature":                {collection(a, strings.Replace(b, "{", `{"id": 1, `, 1)), 1},
	} {
		score := New().Compare(vfs.Files{"a.geojson": reference}, vfs.Files{"a.geojson": c.candidate})
		if math.Abs(score.RS-c.want) > 1e-9 {
			t.Errorf("%s: Value %v (%v), want %v", rule, score.RS, score.Components, c.want)
		}
	}
	for rule, c := range map[string]struct {
		candidate vfs.Files
		want      float64
	}{
		"a renamed file": {vfs.Files{"b.geojson": reference}, math.Sqrt(2.0 / 3)},
		"two files":      {vfs.Files{"a.geojson": collection(a), "b.geojson": collection(b)}, math.Sqrt(2.5 / 3)},
		"no metadata":    {vfs.Files{"a.geojson": `{"features": [` + a + "," + b + "]}"}, math.Sqrt(2.5 / 3)},
	} {
		score := New().Compare(vfs.Files{"a.geojson": reference}, c.candidate)
		if math.Abs(score.RS-c.want) > 1e-9 {
			t.Errorf("%s: Value %v (%v), want %v", rule, score.RS, score.Components, c.want)
		}
	}
}
