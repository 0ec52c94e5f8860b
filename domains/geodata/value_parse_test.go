package geodata

import (
	"math"
	"strings"
	"testing"

	"agentd/domains/internal/ujson"
	"agentd/vfs"
)

func TestPublishedJSON(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"24": "24", "24.0": "24.0", "01": "1", "-007": "-7", "-0": "0", "-0.0": "-0.0", "-": "0", "1.": "1.0", "-.5": "-0.5",
		"1e5": "100000.0", "1e15": "1000000000000000.0", "1e16": "1e+16", "0.0001": "0.0001", "0.00001": "1e-05", "1e999": "inf",
		"123456789012345678901234567890": "123456789012345678901234567890",
		"NaN":                            "nan", "-Infinity": "-inf", "true": "True", "null": "None",
		`["a", 1.0]`: "['a', 1.0]", `{"k": null}`: "{'k': None}", `["it's"]`: `["it's"]`, `["it's \""]`: `['it\'s "']`,
		"[\"a\nb\"]": `['a\nb']`, `["\u00e9\u200b\ud83d\ude00"]`: `['é\u200b😀']`, `{"b": 1, "a": 2, "b": 3}`: "{'b': 3, 'a': 2}",
		" \t\r\n[] \n": "[]",
	} {
		value, err := ujson.Decode(text)
		if got := pythonText(value); err != nil || got != want {
			t.Errorf("%q reads as %s (%v), want %s", text, got, err, want)
		}
	}
	for _, text := range []string{
		"", " ", "[1,]", `{"a": 1,}`, "[1 2]", "{'a': 1}", "{a: 1}", "// c\n1", "1 // c", "\ufeff1", "```\n1\n```", "1 2", "+1", ".5", "-.",
		"1e", "-e5", "-NaN", `"\x41"`, `"\u12"`, `"\`, "\"a\x00b\"", `"a`, "[", "tru", "\v1", "\xff",
		strings.Repeat("[", 1025) + strings.Repeat("]", 1025),
	} {
		if value, err := ujson.Decode(text); err == nil {
			t.Errorf("%q reads as %s, want an error", text, pythonText(value))
		}
	}
	if _, err := ujson.Decode(strings.Repeat("[", 1024) + strings.Repeat("]", 1024)); err != nil {
		t.Error("1024 levels are too many")
	}
}

func featureJSON(properties, geometry string) string {
	return `{"type": "Feature", "properties": ` + properties + `, "geometry": ` + geometry + "}"
}

func TestFingerprints(t *testing.T) {
	t.Parallel()
	const somewhere = `{"type": "Point", "coordinates": [1.00005, "2", 3]}`
	for rule, c := range map[string]struct{ properties, want string }{
		"an id":                            {`{"id": " W1 "}`, "w1"},
		"an id that is a number":           {`{"id": 24.0}`, "24.0"},
		"an id that is a list":             {`{"id": ["A", 1]}`, "['a', 1]"},
		"an empty id is one of the keys":   {`{"id": "", "b": "B"}`, "b|"},
		"zero is no id":                    {`{"id": 0}`, "0"},
		"the first three keys in order":    {`{"d": 4, "c": "C ", "a": true, "b": 1.50}`, "True|1.5|c"},
		"null among the three":             {`{"a": null, "b": 1, "c": 2, "d": 3}`, "1|2"},
		"texts are cut at 40 characters":   {`{"a": "` + strings.Repeat("é", 50) + `"}`, strings.Repeat("é", 40)},
		"the place without properties":     {"{}", "coord:1.0001,2.0000"},
		"the place if all values are null": {`{"a": null}`, "coord:1.0001,2.0000"},
		"null for properties":              {"null", "coord:1.0001,2.0000"},
	} {
		doc, err := parse(vfs.Files{"a.json": "[" + featureJSON(c.properties, somewhere) + "]"})
		if err != nil || doc.features[0].fingerprint != c.want {
			t.Errorf("%s: %q (%v), want %q", rule, doc.features[0].fingerprint, err, c.want)
		}
	}
	doc, err := parse(vfs.Files{"a.json": "[" + featureJSON("{}", somewhere) + "," + featureJSON("null", "null") + "]"})
	if err != nil || doc.features[1].fingerprint != "idx:1" {
		t.Errorf("without anything: %q (%v)", doc.features[1].fingerprint, err)
	}
}

func TestPublishedReading(t *testing.T) {
	t.Parallel()
	one := "[" + featureJSON("{}", "null") + "]"
	doc, err := parse(vfs.Files{
		"b.geojson": one, "a.json": one, "c.GEOJSON": one, "d.txt": one, "e.json": "7", "f.geojson": "{}", "g.json": "{'a'}",
		"h.json": `{"name": null, "note": 1}`,
	})
	if err != nil || len(doc.features) != 2 || len(doc.metadata) != 3 {
		t.Errorf("%d features, metadata of %d files (%v), want 2 and 3", len(doc.features), len(doc.metadata), err)
	}
	for _, text := range []string{
		`{"features": null}`, `{"features": ["a"]}`, `{"features": {"a": 1}}`, `{"features": "a"}`, "[1]", "[null]",
		"[" + featureJSON("[1]", "null") + "]", "[" + featureJSON("{}", `"here"`) + "]",
	} {
		score := New().Compare(vfs.Files{"a.json": one}, vfs.Files{"a.json": text})
		if score.RS != 0 || !score.Crash || !strings.HasPrefix(score.Problem, "a.json: the published evaluator crashes: feature") {
			t.Errorf("%s: Value %v, problem %q", text, score.RS, score.Problem)
		}
	}
}

func TestValueSimilarity(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		ref, got string
		want     float64
	}{
		"equal numbers":                       {"1", "1.0", 1},
		"true is 1":                           {"true", "1", 1},
		"true is not far from 2":              {"true", "2", 0.5},
		"numbers of either sign":              {"1", "-1", 0},
		"a quarter less":                      {"4", "3", 0.75},
		"null":                                {"null", "0", 0},
		"case, blanks, quotes and dashes":     {`"It’s  A – b "`, `"it's a - B"`, 1},
		"characters":                          {`"abcd"`, `"abce"`, 0.75},
		"other types":                         {"1", `"1"`, 0.5},
		"a list by place":                     {"[1, 2, 3]", "[1, 2]", 2.0 / 3},
		"an object by key":                    {`{"a": 1, "b": null}`, `{"a": 1, "c": null}`, 1.0 / 3},
		"equal objects in another order":      {`{"a": 1, "b": [true]}`, `{"b": [1], "a": 1.0}`, 1},
		"a list and an object are texts":      {"[]", "{}", 0},
		"numbers beyond floats are not alike": {"1e999", "-1e999", 0},
	} {
		ref, err := ujson.Decode(c.ref)
		if err != nil {
			t.Fatal(err)
		}
		got, err := ujson.Decode(c.got)
		if err != nil {
			t.Fatal(err)
		}
		if s := similarity(ref, got); math.Abs(s-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", rule, s, c.want)
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
