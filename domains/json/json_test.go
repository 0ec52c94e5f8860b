package json

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
	"agentd/domains/internal/jsontext"
	published "agentd/domains/published/json"
	"agentd/vfs"
)

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   domaintest.With(t, New(), "json1"),
		Seed:     domaintest.Seed(t, "json1"),
		Generate: rapid.Custom(drawDocument),
		// A value deep inside weighs less in RS than one at the top.
		RSForgives: 0.3,
	}.Run(t)
}

const (
	pump = `{
  "name": "Bongate",
  "tags": ["hydro", "eden"],
  "limits": {"kw": 97.5, "spill": false, "note": "see {a}, ] and undefined"},
  "bays": [
    {"id": 1, "mm": 40},
    {"id": 2, "mm": 40}
  ],
  "since": "2016-03-01"
}
`
	backup = `# nightly, owner: Jess
defaults: &d
  keep: 7
  compress: on
jobs:
  - name: meters
    <<: *d
    at: "14:30"
  - name: plc
    <<: *d
    keep: 30
mode: 0640
since: 2020-05-17
`
)

// TestStrictSees has changes that the published score gives 1, or nearly.
func TestStrictSees(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ document, was, is string }{
		"a boolean that became a number":         {pump, `false`, `0`},
		"a boolean that became text":             {pump, `false`, `"false"`},
		"a number that became text":              {pump, `97.5`, `"97.5"`},
		"a decimal point that was lost":          {pump, `97.5`, `975`},
		"a comma in front of a bracket":          {pump, `{a}, ]`, `{a} ]`},
		"undefined in a text":                    {pump, `undefined`, `null`},
		"a repeated name":                        {pump, `"name"`, `"name": "Other", "name"`},
		"a null that is not there":               {pump, `"spill": false, `, ``},
		"a member of its own":                    {pump, `"kw"`, `"hp": null, "kw"`},
		"items in another order":                 {pump, `"hydro", "eden"`, `"eden", "hydro"`},
		"values that changed places":             {pump, `"id": 1, "mm": 40`, `"mm": 1, "id": 40`},
		"an item that stands twice":              {pump, `{"id": 1, "mm": 40}`, `{"id": 1, "mm": 40}, {"id": 1, "mm": 40}`},
		"a name with a dot for a nested one":     {pump, `"limits": {"kw": 97.5,`, `"limits.kw": 97.5, "limits": {`},
		"repeated names in another order":        {`{"a": 1, "a": 2}`, `"a": 1, "a": 2`, `"a": 2, "a": 1`},
		"an item that moved to the next list":    {`[[1, 2], [3]]`, `2], [3`, `], [2, 3`},
		"a member that moved to the item before": {`[{"a": 1}, {"b": 2}]`, `}, {"b": 2`, `, "b": 2}, {`},
		"a value with a tag of its own":          {"a:\n  b: !x 1\n", "!x 1", "!x 2"},
		"an empty list for an empty object":      {`{"a": {}}`, `{}`, `[]`},
		"an object around the list":              {`[1, 2]`, `[1, 2]`, `{"items": [1, 2]}`},
		"a list out of its object":               {`{"items": [1, 2]}`, `{"items": [1, 2]}`, `[1, 2]`},
		"a line end in a text":                   {pump, `see {a}`, "see\n{a}"},
		"words around the document":              {pump, "{\n  \"name\"", "Here is the file:\n{\n  \"name\""},
		"a comment in YAML":                      {backup, "Jess", "Owen"},
		"an alias that was written out":          {backup, "<<: *d\n    at", "keep: 7\n    compress: on\n    at"},
		"an anchor of another name":              {backup, "&d", "&e"},
		"an octal number taken for a decimal":    {backup, "0640", "640"},
		"a time without quotes":                  {backup, `"14:30"`, "14:30"},
		"a date in quotes":                       {backup, "2020-05-17", `"2020-05-17"`},
		"a second document":                      {backup, "mode", "---\nmode"},
		"a boolean of YAML taken for a text":     {backup, "on\n", "\"on\"\n"},
		"a name that is a number":                {"codes:\n  404: a\n", "404", `"404"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reference, changed := pair(t, c.document, c.was, c.is)
			if score := New().Compare(reference, changed); score.Strict == 1 {
				t.Errorf("Strict is 1, Value %v", score.RS)
			} else if len(New().Differences(reference, changed)) == 0 {
				t.Error("no difference is named")
			}
		})
	}
}

// TestStrictForgives has changes that leave all information intact, some of
// which the published score gives 0.
func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ document, was, is string }{
		"a code fence":                        {pump, pump, "```json\n" + pump + "```\n"},
		"members in another order":            {pump, `"id": 2, "mm": 40`, `"mm": 40, "id": 2`},
		"a trailing comma":                    {pump, `"mm": 40}`, `"mm": 40,}`},
		"a comma that is missing":             {pump, "\"Bongate\",\n", "\"Bongate\"\n"},
		"a bracket that is missing":           {pump, "  ],\n  \"since\": \"2016-03-01\"\n}\n", "  ],\n  \"since\": \"2016-03-01\"\n"},
		"a comment in JSON, which has none":   {pump, "{\n  \"name\"", "// generated\n{ /* new */\n  \"name\""},
		"a float of the same value":           {pump, "97.5", "9750.0e-2"},
		"escapes":                             {pump, "Bongate", `\u0042ongate`},
		"a byte order mark":                   {pump, pump, "\ufeff" + pump},
		"line ends of another system":         {pump, pump, strings.ReplaceAll(pump, "\n", "\r\n")},
		"single quotes":                       {pump, `"tags": ["hydro", "eden"]`, `'tags': ['hydro', 'eden']`},
		"the words of Python":                 {pump, `"spill": false`, `"spill": False`},
		"names without quotes":                {pump, `"limits"`, `limits`},
		"a quote in a text without backslash": {`{"a": "x \"y\" z"}`, `\"y\"`, `"y"`},
		"another boolean of YAML":             {backup, "on\n", "true\n"},
		"an octal number as a decimal":        {backup, "0640", "416"},
		"quotes that change nothing":          {backup, "name: plc", "name: 'plc'"},
		"merged members after the others":     {backup, "<<: *d\n    keep: 30", "keep: 30\n    <<: *d"},
		"a document marker at the top":        {backup, "# nightly", "---\n# nightly"},
		"blank lines":                         {backup, "mode", "\n\nmode"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			reference, changed := pair(t, c.document, c.was, c.is)
			if differences := New().Differences(reference, changed); len(differences) > 0 {
				t.Errorf("Strict is %v: %v", New().Compare(reference, changed).Strict, differences)
			}
		})
	}
}

// pair is a document and the same with a text replaced once.
func pair(t *testing.T, document, was, is string) (reference, changed vfs.Files) {
	t.Helper()
	name := "plant.json"
	if strings.Contains(document, ":\n") || strings.HasPrefix(document, "#") {
		name = "plant.yaml"
	}
	replaced := strings.Replace(document, was, is, 1)
	if replaced == document {
		t.Fatalf("the document has no %q", was)
	}
	return vfs.Files{name: document}, vfs.Files{name: replaced}
}

func TestStrictReadsFilesOfAnyName(t *testing.T) {
	t.Parallel()
	var value any
	if err := json.Unmarshal([]byte(pump), &value); err != nil {
		t.Fatal(err)
	}
	minified, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	root, err := published.DecodeJSON(pump)
	if err != nil {
		t.Fatal(err)
	}
	for name, candidate := range map[string]vfs.Files{
		"another name":            {"other.json": pump},
		"another ending":          {"plant.txt": pump},
		"JSON in a YAML file":     {"plant.yml": pump},
		"YAML":                    {"plant.yaml": printYAML(root)},
		"YAML in a JSON file":     {"plant.json": printYAML(root)},
		"one line":                {"plant.json": string(minified)},
		"an empty file beside it": {"plant.json": pump, "layout.json": "{}\n"},
	} {
		if differences := New().Differences(vfs.Files{"plant.json": pump}, candidate); len(differences) > 0 {
			t.Errorf("%s: %v", name, differences)
		}
	}
	halves := vfs.Files{"a.json": `{"name": "Bongate"}`, "b.json": strings.Replace(pump, "  \"name\": \"Bongate\",\n", "", 1)}
	if score := New().Compare(vfs.Files{"plant.json": pump}, halves); score.Strict == 1 || score.Strict < 0.8 {
		t.Errorf("a document divided over two files: Strict %v", score.Strict)
	}
}

func TestWithoutKeepsWhatAliasesName(t *testing.T) {
	t.Parallel()
	got := New().Without(vfs.Files{"a.yaml": "a: &x 1\nb: *x\nc: [*x]\n"}, func(n int) bool { return n == 0 })
	if want := "b: &x 1\nc:\n  - *x\n"; got["a.yaml"] != want {
		t.Errorf("%s, want %s", got["a.yaml"], want)
	}
}

// TestStrictFallsByWhatWasDamaged keeps Strict near the share of what is left
// where the published reader finds nothing, or where a shift costs it much.
func TestStrictFallsByWhatWasDamaged(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "json1")[documentFile]
	for name, c := range map[string]struct {
		document, was, is string
		least             float64
	}{
		"a line of YAML that cannot be read": {backup, "mode: 0640", "mode: [0640", 0.8},
		"a number of another panel":          {seed, "\"id\": 14,", "\"id\": 5,", 0.99},
		"a sentence in front":                {seed, "{\n  \"annotations\"", "Sure!\n\n{\n  \"annotations\"", 0.99},
		"half of the document":               {seed, seed[len(seed)/2:], "", 0.4},
		"an object around":                   {pump, pump, "{\"plant\": " + pump + "}", 0.4},
	} {
		reference, changed := pair(t, c.document, c.was, c.is)
		if score := New().Compare(reference, changed); score.Strict < c.least || score.Strict == 1 {
			t.Errorf("%s: Strict %v, want at least %v and less than 1", name, score.Strict, c.least)
		}
	}
}

func TestDifferencesNameKeyPaths(t *testing.T) {
	t.Parallel()
	got := New().Differences(vfs.Files{"a.json": pump}, vfs.Files{"a.json": strings.Replace(pump, "97.5", "98", 1)})
	if len(got) != 1 || got[0].String() != "limits.kw: 97.5 -> 98" {
		t.Errorf("differences %v", got)
	}
}

func TestWithoutKeepsWhatAContainerStillHolds(t *testing.T) {
	t.Parallel()
	// The paths are a, a[0], a[0].x, a[0].y, b.
	for left, want := range map[int]string{
		0: `{"a":[{"x":1}],"b":2}`, // a stays for what is in it
		1: `{"a":[{"x":1}],"b":2}`,
		2: `{"a":[{"y":0}],"b":2}`,
		4: `{"a":[{"x":1,"y":0}]}`,
	} {
		got := New().Without(vfs.Files{"a.json": `{"a": [{"x": 1, "y": 0}], "b": 2}`}, func(n int) bool { return n == left })
		root, err := published.DecodeJSON(got["a.json"])
		if err != nil {
			t.Fatal(err)
		}
		if compact(root) != want {
			t.Errorf("without path %d: %s, want %s", left, compact(root), want)
		}
	}
}

func TestScalarsAreCountedAtAnyDepth(t *testing.T) {
	t.Parallel()
	for part, want := range map[string]string{
		`{"id": 1, "tags": ["a", null], "limits": {"kw": 9.5, "spill": false, "none": {}, "never": []}}`: "5",
		"- id: 1\n  tags: [a, b]\n  since: 2016-03-01":                                                   "4",
		`{"id": "x{y"}`: "1",
		`[[], {}]`:      "",
	} {
		if got := scalars(part); got != want {
			t.Errorf("%s: %q, want %q", part, got, want)
		}
	}
}

func TestWithoutPrintsYAMLAsYAML(t *testing.T) {
	t.Parallel()
	got := New().Without(vfs.Files{"backup.yaml": backup}, func(n int) bool { return n == 1 })
	want := `# nightly, owner: Jess
defaults: &d
  compress: true
jobs:
  - name: meters
    <<: *d
    at: "14:30"
  - name: plc
    <<: *d
    keep: 30
mode: 416
since: 2020-05-17
`
	if got["backup.yaml"] != want {
		t.Error(got["backup.yaml"])
	}
}

func TestHostileCandidates(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "json1")
	for name, content := range domaintest.Hostile() {
		for _, file := range []string{documentFile, "plant.yaml", "plant.txt"} {
			score := New().Compare(seed, vfs.Files{file: content})
			if score.RS != 0 || score.Problem == "" || score.Strict > 0.05 {
				t.Errorf("%s as %s: Value %v, Strict %v, problem %q", name, file, score.RS, score.Strict, score.Problem)
			}
			domaintest.Survives(t, New(), seed, file, content)
		}
	}
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, "json1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "json1"))
}

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
		n, err := published.DecodeJSON(text)
		if err != nil {
			t.Errorf("%.40s: %v", text, err)
			continue
		}
		if got := compact(n); got != want && n.Text != want {
			t.Errorf("%.40s is %s, want %s", text, got, want)
		}
	}
	for _, text := range []string{
		"", " ", "+1", ".5", "1e", "1e+", "nan", "-NaN", "tru", "nulls", "0x10", "1_000", "--1", "1 2", "'a'", `"a`, `"\x"`, `"\u12"`, `"\`,
		"\"\x00\"", "[1,]", "[,]", "[1 2]", "[1", "[", "{", `{"a"}`, `{"a" 1}`, `{"a":}`, `{1:2}`, `{a:1}`, "// a\n1", "\ufeff1", "1\x0b",
		strings.Repeat("[", 1025), strings.Repeat("9", 4301),
	} {
		if n, err := published.DecodeJSON(text); err == nil {
			t.Errorf("%.40q is %.40s, want an error", text, compact(n))
		}
	}
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
