package json

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"agentd/domains/internal/jsontext"
	"agentd/vfs"
)

// one is a document of one file.
func one(name, text string) vfs.Files { return vfs.Files{name: text} }

func TestValue(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		reference, candidate vfs.Files
		want                 float64
	}{
		"members in another order are equal":             {one("a.json", `{"a":1,"b":2}`), one("a.json", `{"b":2,"a":1}`), 1},
		"numbers and booleans are equal by value":        {one("a.json", `[1, 1.0, true, 0]`), one("a.json", `[true, 1, 1.0, false]`), 1},
		"not a number differs from itself":               {one("a.json", `[NaN, 1]`), one("a.json", `[NaN, 1]`), 0.3 + 0.7/2},
		"a text has no partial credit":                   {one("a.json", `["abc"]`), one("a.json", `["abd"]`), 0.3},
		"a scalar weighs by the names beside it":         {one("a.json", `{"a":{"x":1,"y":2},"b":3}`), one("a.json", `{"a":{"x":1,"y":0},"b":3}`), 0.3 + 0.7*0.75},
		"a list is compared by places":                   {one("a.json", `[1,2,3]`), one("a.json", `[0,1,2,3]`), 0.3 * 3 / 4},
		"an empty list against a full one":               {one("a.json", `{"a":[]}`), one("a.json", `{"a":[1]}`), 0.3 / 2},
		"two empty documents":                            {one("a.json", `{}`), one("a.json", `{}`), 1},
		"an empty list for an empty object":              {one("a.json", `{}`), one("a.json", `[]`), 0.3},
		"the last of repeated names counts":              {one("a.json", `{"a":1}`), one("a.json", `{"a":2,"a":1}`), 1},
		"a name with a dot has the path of a nested one": {one("a.json", `{"a":{"b":1}}`), one("a.json", `{"a":{},"a.b":1}`), 0.3 + 0},
		"a list in an object of one name is unwrapped":   {one("a.json", `{"items":[1,2]}`), one("a.json", `[1,2]`), 1},
		"a list around the candidate's is unwrapped":     {one("a.json", `[1,2]`), one("a.json", `{"x":[1,2]}`), 1},
		"an object of one name that holds no list":       {one("a.json", `[1]`), one("a.json", `{"x":{"y":1}}`), 0},
		"two files":                                   {one("a.json", `1`), vfs.Files{"a.json": "1", "b.json": "1"}, 0},
		"no file":                                     {one("a.json", `1`), vfs.Files{}, 0},
		"undefined is null":                           {one("a.json", `[null]`), one("a.json", `[undefined]`), 1},
		"undefined in a longer word":                  {one("a.json", `["null"]`), one("a.json", `["undefined_"]`), 0.3},
		"a comma in front of a space":                 {one("a.json", `["a]"]`), one("a.json", "[\"a,\u00a0]\",\n]"), 1},
		"only one of two commas goes":                 {one("a.json", `[1]`), one("a.json", `[1,,]`), 0},
		"missing brackets at the end":                 {one("a.json", `[{"a":1}]`), one("a.json", `[{"a":1`), 1},
		"braces in front of brackets":                 {one("a.json", `{"a":[1]}`), one("a.json", `{"a":[1`), 0},
		"brackets count in texts":                     {one("a.json", `["[0,1)"]`), one("a.json", `["[0,1)"]`), 0},
		"no repairs under other names":                {one("a.txt", `[1]`), one("a.txt", `[1,]`), 0},
		"a number from YAML":                          {one("a.json", `{"a":12}`), one("a.yaml", `a: 014`), 1},
		"names of two types":                          {one("a.yaml", "on: 1\nname: 2\n"), one("a.yaml", "on: 1\nname: 2\n"), 0},
		"a number and its text as name":               {one("a.json", `{"404":1}`), one("a.yaml", "404: 1"), 0.3},
		"a line end of another system in a reference": {one("a.json", "[\"a\r\nb\"]"), one("a.json", "[\"a\nb\"]"), 1},
		"a line end of another system in a candidate": {one("a.json", "[\"a\nb\"]"), one("a.json", "[\"a\r\nb\"]"), 0.3},
	} {
		if score := New().Compare(c.reference, c.candidate); math.Abs(score.RS-c.want) > 1e-12 {
			t.Errorf("%s: Value %v, want %v (%s)", name, score.RS, c.want, score.Problem)
		}
	}
}

func TestJSONIsReadAsUjsonDoes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`01`: "1", `-0`: "-0", `1.`: "1.", `-`: "0", `-.5`: "-0.5", `[1e5,1E+5]`: "[1e5,1E+5]", `-Infinity`: "-Infinity",
		"\"a\nb\tc\"": `"a\nb\tc"`, `"\ud83d\ude00\/\u00E9"`: `"😀/é"`, `"\ud83dx"`: "\"\xed\xa0\xbdx\"",
		`{"a":1,"a":{}}`: `{"a":1,"a":{}}`, " [ ] ": "[]",
		strings.Repeat("[", 1024) + strings.Repeat("]", 1024): strings.Repeat("[", 1024) + strings.Repeat("]", 1024),
	} {
		n, err := decodeJSON(text)
		if err != nil {
			t.Errorf("%.40s: %v", text, err)
			continue
		}
		if got := n.compact(); got != want && n.text != want {
			t.Errorf("%.40s is %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{
		"", " ", "+1", ".5", "1e", "1e+", "nan", "-NaN", "tru", "nulls", "0x10", "1_000", "--1", "1 2", "'a'", `"a`, `"\x"`, `"\u12"`, `"\`,
		"\"\x00\"", "[1,]", "[,]", "[1 2]", "[1", "[", "{", `{"a"}`, `{"a" 1}`, `{"a":}`, `{1:2}`, `{a:1}`, "// a\n1", "\ufeff1", "1\x0b",
		strings.Repeat("[", 1025), strings.Repeat("9", 4301),
	} {
		if n, err := decodeJSON(text); err == nil {
			t.Errorf("%.40q is %.40s, want an error", text, n.compact())
		}
	}
}

func TestPlainScalarsOfYAML(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]node{
		"":     {kind: nullKind, text: "null"},
		"~":    {kind: nullKind, text: "null"},
		"NULL": {kind: nullKind, text: "null"},
		"nUll": {kind: textKind, text: "nUll"},
		"Yes":  {kind: boolKind, text: "true"},
		"oFF":  {kind: textKind, text: "oFF"},
		"y":    {kind: textKind, text: "y"},
		"014":  {kind: numberKind, text: "12"}, "08": {kind: textKind, text: "08"}, "0o502": {kind: textKind, text: "0o502"},
		"-0x1F": {kind: numberKind, text: "-31"}, "0b101": {kind: numberKind, text: "5"}, "+1_000": {kind: numberKind, text: "1000"},
		"14:00": {kind: numberKind, text: "840"}, "06:00": {kind: textKind, text: "06:00"}, "1:60": {kind: textKind, text: "1:60"},
		"190:20:30": {kind: numberKind, text: "685230"}, "1:30.5": {kind: numberKind, text: "90.5"},
		"1e3": {kind: textKind, text: "1e3"}, "1.0e3": {kind: textKind, text: "1.0e3"}, "1.0e+3": {kind: numberKind, text: "1.0e+3"},
		".5": {kind: numberKind, text: ".5"}, "1.": {kind: numberKind, text: "1."}, "-.inf": {kind: numberKind, text: "-Infinity"}, ".NaN": {kind: numberKind, text: "NaN"},
		"-.nan":      {kind: textKind, text: "-.nan"},
		"2021-03-09": {kind: typedKind, text: "2021-03-09"}, "2021-3-9": {kind: textKind, text: "2021-3-9"},
		"2021-02-30":                {kind: invalidKind, text: `"2021-02-30" is no timestamp`},
		"2001-12-14t21:59:43.10-05": {kind: typedKind, text: "2001-12-15 02:59:43.1Z"},
		"2001-12-14 21:59:43":       {kind: typedKind, text: "2001-12-14 21:59:43"},
		"431-05-17":                 {kind: textKind, text: "431-05-17"},
	} {
		if k, got := plainScalar(text); k != want.kind || got != want.text {
			t.Errorf("%q is %q of kind %d, want %q of kind %d", text, got, k, want.text, want.kind)
		}
	}
}

func TestYAMLIsReadAsPyYAMLDoes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                                      "null",
		"prose, of some words":                  `"prose, of some words"`,
		"a: 1\na: 2":                            `{"a":2}`,
		"d: &d {x: 1, y: 1}\ne: {<<: *d, y: 2}": `{"d":{"x":1,"y":1},"e":{"x":1,"y":2}}`,
		"e: {<<: [{x: 1}, {x: 2, y: 2}]}":       `{"e":{"x":1,"y":2}}`,
		"d: &d {x: 1, <<: *d}":                  `{"d":{"x":1}}`,
		"- &a [1]\n- *a":                        `[[1],[1]]`,
		"a: !!str 12\nb: !!int '3'\nc: !!float 3": `{"a":"12","b":3,"c":3}`,
		"a: ! 12":          `{"a":12}`,
		"a: |\n  x\ty\n":   `{"a":"x\ty\n"}`,
		"---\na: 1\n...\n": `{"a":1}`,
		"1: a\n2.5: b\n":   `{"1":"a","2.5":"b"}`,
		"\ufeffa: 1":       `{"a":1}`,
	} {
		got, err := parse(one("a.yaml", text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		wanted, err := parse(one("a.txt", want))
		if err != nil {
			t.Fatal(err)
		}
		if similarity(wanted, got) != 1 && !strings.HasPrefix(text, "1: ") || len(wanted.paths()) != len(got.paths()) {
			t.Errorf("%q is not %s", text, want)
		}
	}
	for text, reason := range map[string]string{
		"a: 1\n---\nb: 2":            "single document",
		"a: b: c":                    "mapping values are not allowed",
		"\ta: 1":                     "tab",
		"a:\t1":                      "tab",
		"a: !x 1":                    `the tag !x of "1" is unknown`,
		"a: !x [1]":                  "the tag !x is unknown",
		"a: *b":                      "unknown anchor",
		"a: &x 1\nb: &x 2":           "stands twice",
		"a: &x [*x]":                 "stands in its own anchor",
		"? [a]\n: 1":                 "a list or an object as name",
		"a: =":                       "does not read =",
		"a: <<":                      "<< is no value",
		"<<: 1":                      "<< names what is no object",
		"404: a\nb: c":               "names of different types",
		"a: 2021-02-30":              "is no timestamp",
		bomb():                       "stand for too much",
		strings.Repeat("-\n", 1<<20): "too much YAML",
	} {
		if _, err := parse(one("a.yaml", text)); err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%.30q: error %v, want %q in it", text, err, reason)
		}
	}
}

// bomb is a small YAML text that stands for 10^9 values.
func bomb() string {
	var b strings.Builder
	b.WriteString("a0: &a0 x\n")
	for i := range 9 {
		from, to := string(rune('0'+i)), string(rune('1'+i))
		b.WriteString("a" + to + ": &a" + to + " [" + strings.Repeat("*a"+from+", ", 10) + "]\n")
	}
	return b.String()
}

func TestStatistics(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{}`:                        "0 0",
		`{"a": 1}`:                  "1 1",
		`{"a": {}}`:                 "1 1",
		`[[1, 2], {"x": [3]}]`:      "6 3",
		`7`:                         "0 0",
		`{"a": {"b": 1}, "a.b": 2}`: "2 2",
	} {
		stats, err := New().Statistics(one("a.json", text))
		if err != nil {
			t.Fatal(err)
		}
		if got := stats.Counts[0].Value + " " + stats.Counts[1].Value; got != want || strconv.Itoa(stats.Elements) != stats.Counts[0].Value {
			t.Errorf("%s has %s key paths and depth, want %s", text, got, want)
		}
	}
}

func TestNumbersAreComparedExactly(t *testing.T) {
	t.Parallel()
	for _, equal := range [][]string{
		{"0", "-0", "00", "0.0", "0e5"}, {"1000", "1e3", "1.0E+3", "1000.00"}, {"0.5", ".5", "5e-1"}, {"-12.5", "-12.50"},
		{"12345678901234567890123", "12345678901234567890123.0"}, {"1e40", "10e39", "1.0e+40"},
	} {
		for _, other := range equal {
			if jsontext.CanonicalNumber(other) != jsontext.CanonicalNumber(equal[0]) {
				t.Errorf("%s is %s, and %s is %s", equal[0], jsontext.CanonicalNumber(equal[0]), other, jsontext.CanonicalNumber(other))
			}
		}
	}
	if jsontext.CanonicalNumber("0.1") == jsontext.CanonicalNumber("0.10000000000000000001") || jsontext.CanonicalNumber("1e40") == jsontext.CanonicalNumber("1e41") {
		t.Error("different numbers are equal")
	}
}
