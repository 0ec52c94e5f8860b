package json

import (
	"encoding/json"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentd/domains/domaintest"
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
	root, err := decodeJSON(pump)
	if err != nil {
		t.Fatal(err)
	}
	for name, candidate := range map[string]vfs.Files{
		"another name":            {"other.json": pump},
		"another ending":          {"plant.txt": pump},
		"JSON in a YAML file":     {"plant.yml": pump},
		"YAML":                    {"plant.yaml": root.printYAML()},
		"YAML in a JSON file":     {"plant.json": root.printYAML()},
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
		root, err := decodeJSON(got["a.json"])
		if err != nil {
			t.Fatal(err)
		}
		if root.compact() != want {
			t.Errorf("without path %d: %s, want %s", left, root.compact(), want)
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
