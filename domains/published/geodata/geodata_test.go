package geodata

import (
	"math"
	"strings"
	"testing"

	"agentd/domains/internal/ujson"
	"agentd/vfs"
)

func featureJSON(properties, geometry string) string {
	return `{"type": "Feature", "properties": ` + properties + `, "geometry": ` + geometry + "}"
}

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
		doc, err := Parse(vfs.Files{"a.json": "[" + featureJSON(c.properties, somewhere) + "]"})
		if err != nil || doc.Features[0].fingerprint != c.want {
			t.Errorf("%s: %q (%v), want %q", rule, doc.Features[0].fingerprint, err, c.want)
		}
	}
	doc, err := Parse(vfs.Files{"a.json": "[" + featureJSON("{}", somewhere) + "," + featureJSON("null", "null") + "]"})
	if err != nil || doc.Features[1].fingerprint != "idx:1" {
		t.Errorf("without anything: %q (%v)", doc.Features[1].fingerprint, err)
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
