package json

import (
	"slices"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// documentFile is that of the documents in these tests.
const documentFile = "bongate_plant.json"

// The panels of a small dashboard.
const (
	level = `{
      "id": 9, "type": "stat", "title": "Level",
      "datasource": {"type": "prometheus", "uid": "p1"},
      "gridPos": {"h": 5, "w": 6, "x": 12, "y": 0.5},
      "fieldConfig": {"defaults": {
        "unit": "lengthm",
        "thresholds": {"steps": [{"color": "red", "value": null}, {"color": "dark, blue", "value": 1.50}]}
      }},
      "targets": [{"refId": "A", "expr": "level{bay=\"1\"}"}]
    }`
	note   = `{"type": "text", "options": {"content": "on\noff", "calcs": ["min", "last", "max"]}}`
	export = `{
      "id": 2, "type": "stat", "title": "Export",
      "datasource": "Prometheus",
      "fieldConfig": {"defaults": {"unit": "kwatt"}, "overrides": []},
      "targets": [
        {"refId": "A", "query": "from(bucket: \"m\")", "datasource": {"uid": "p1", "type": "prometheus"}},
        {"refId": "B", "expr": ""}
      ]
    }`
	small = `{"title": "Weir", "panels": [` + level + "," + note + "," + export + `], "tags": ["hydro", "eden", 1]}`
)

// laidOut is JSON as the oracles print it.
func laidOut(text string) string {
	root, err := decodeJSON(text)
	if err != nil {
		panic(err)
	}
	return root.printJSON()
}

// smallWith is the small dashboard with texts replaced.
func smallWith(pairs ...string) string { return laidOut(strings.NewReplacer(pairs...).Replace(small)) }

// dashboard is the small dashboard with other panels.
func dashboard(panels string) string {
	return laidOut(`{"title": "Weir", "panels": ` + panels + `, "tags": ["hydro", "eden", 1]}`)
}

// with adds a member at the end of a panel.
func with(panel, member string) string { return strings.TrimSuffix(panel, "}") + "," + member + "}" }

func row(title string) string {
	return `{"type": "row", "title": "` + title + `", "collapsed": false, "panels": []}`
}

var forwardResults = map[string]vfs.Files{
	"split_by_type": {
		"base.json": dashboard(`[{"type": "stat", "index": 0}, {"type": "text", "index": 0}, {"type": "stat", "index": 1}]`),
		"stat.json": laidOut("[" + level + "," + export + "]"),
		"text.json": laidOut("[" + note + "]"),
	},
	"area_rows": {
		"rows.json": dashboard("[" + strings.Join([]string{
			row("River"), with(level, `"listIndex": 0`),
			row("Electrical"), with(export, `"listIndex": 2`),
			row("Other"), with(note, `"listIndex": 1`),
		}, ",") + "]"),
	},
	"query_file": {
		"linked.json": smallWith(`level{bay=\"1\"}`, "@Q1", `from(bucket: \"m\")`, "@Q2", `"expr": ""`, `"expr": "@Q3"`),
		"queries.json": laidOut(`[
			{"id": "Q1", "panel": "Level", "text": "level{bay=\"1\"}"},
			{"id": "Q2", "panel": "Export", "text": "from(bucket: \"m\")"},
			{"id": "Q3", "panel": "Export", "text": ""}
		]`),
	},
	"yaml_form": {"bongate_plant.yaml": `title: Weir
panels:
  - id: 9
    type: stat
    title: Level
    datasource:
      type: prometheus
      uid: p1
    gridPos:
      h: 5
      w: 6
      x: 12
      "y": 0.5
    fieldConfig:
      defaults:
        unit: lengthm
        thresholds:
          steps:
            - color: red
              value: null
            - color: dark, blue
              value: 1.50
    targets:
      - refId: A
        expr: "level{bay=\"1\"}"
  - type: text
    options:
      content: |-
        on
        off
      calcs:
        - min
        - last
        - max
  - id: 2
    type: stat
    title: Export
    datasource: Prometheus
    fieldConfig:
      defaults:
        unit: kwatt
      overrides: []
    targets:
      - refId: A
        query: "from(bucket: \"m\")"
        datasource:
          uid: p1
          type: prometheus
      - refId: B
        expr: ""
tags:
  - hydro
  - eden
  - 1
`},
	"pixel_layout": {
		"pixels.json": smallWith(`"gridPos": {"h": 5, "w": 6, "x": 12, "y": 0.5}`, `"rect": {"height": 190, "width": 480, "left": 960, "top": 19}`),
	},
	"keyed_panels": {
		"keyed.json": laidOut(`{"title": "Weir",
			"panels": {"2": ` + strings.Replace(export, `"id": 2, `, "", 1) + `, "9": ` + strings.Replace(level, `"id": 9, `, "", 1) + `, "#2": ` + note + `},
			"tags": ["hydro", "eden", 1], "panelOrder": ["9", "#2", "2"]}`),
	},
	"datasource_names": {
		"named_sources.json": smallWith(`{"type": "prometheus", "uid": "p1"}`, `"ds1"`, `{"uid": "p1", "type": "prometheus"}`, `"ds1"`),
		"datasources.json":   laidOut(`{"ds1": {"type": "prometheus", "uid": "p1"}}`),
	},
	"sorted_lists": {
		"sorted.json": smallWith(`["min", "last", "max"]`, `["last", "max", "min"]`),
		"moves.json":  laidOut(`{"/panels/1/options/calcs": [1, 2, 0]}`),
	},
	"threshold_table": {
		"no_thresholds.json": smallWith(`[{"color": "red", "value": null}, {"color": "dark, blue", "value": 1.50}]`, "[]"),
		"thresholds.csv":     "panel,step,color,value\n1,1,red,\n1,2,\"dark, blue\",1.50\n",
	},
}

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "json1") }

func TestForwardResults(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{documentFile: laidOut(small)}, forwardResults, domaintest.InMeaning)
}

func TestDocumentsArePrintedWithEachEntryOnALine(t *testing.T) {
	t.Parallel()
	const want = "{\n  \"a\": [\n    1,\n    {\n      \"b/\\\"\": null\n    }\n  ],\n  \"c\": [],\n  \"é\": {}\n}\n"
	if got := laidOut(`{"a":[1,{"b\/\"":null}],"c":[ ],"\u00e9":{}}`); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestOraclesNameWhatIsWrong(t *testing.T) {
	t.Parallel()
	for _, edit := range demonstration(t).Edits() {
		notes, want := `{"panels": 3}`, "no JSON file with a list of panels"
		if slices.Contains([]string{"yaml_form", "datasource_names", "sorted_lists"}, edit.Name) { // of any value
			notes, want = "I could not do that.", "no JSON file"
		}
		if _, err := edit.Forward(vfs.Files{"notes.json": notes}); err == nil || err.Error() != want {
			t.Errorf("%s forward: error %v", edit.Name, err)
		}
		whole := forwardResults[edit.Name]
		for name := range whole {
			if edit.Name == "split_by_type" && name != "base.json" {
				continue // any of the types may be missing
			}
			files := whole.Clone()
			delete(files, name)
			if _, err := edit.Backward(files); err == nil || err.Error() != name+" is missing" {
				t.Errorf("%s backward without %s: error %v", edit.Name, name, err)
			}
			if files[name] = "I could not do that."; strings.HasSuffix(name, ".json") {
				if _, err := edit.Backward(files); err == nil || err.Error() != name+" has no JSON value" {
					t.Errorf("%s backward with prose as %s: error %v", edit.Name, name, err)
				}
			}
		}
	}
}

// TestBackwardStepsTakeDamagedFiles gives them what a model may have left: the
// rest of the document must still come out.
func TestBackwardStepsTakeDamagedFiles(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ edit, file, was, is string }{
		"an entry that points nowhere":      {"split_by_type", "base.json", `"index": 1`, `"index": 7`},
		"a panel that is listed twice":      {"split_by_type", "base.json", `"index": 1`, `"index": 0`},
		"a base without panels":             {"split_by_type", "base.json", `"panels"`, `"panel"`},
		"a panel that lost its place":       {"area_rows", "rows.json", `"listIndex": 0`, `"place": 0`},
		"a place that is no number":         {"area_rows", "rows.json", `"listIndex": 0`, `"listIndex": "0"`},
		"a mark that is not listed":         {"query_file", "linked.json", "@Q1", "@Q9"},
		"a query without text":              {"query_file", "queries.json", `"text"`, `"txt"`},
		"an indentation that is wrong":      {"yaml_form", "bongate_plant.yaml", "tags:\n  - hydro", "tags:\n - hydro\n   - x"},
		"a list that is a text":             {"yaml_form", "bongate_plant.yaml", "tags:", "tags: a"},
		"pixels that make no row":           {"pixel_layout", "pixels.json", "190", "191"},
		"pixels that are a text":            {"pixel_layout", "pixels.json", "190", `"190px"`},
		"an order that lacks a panel":       {"keyed_panels", "keyed.json", "    \"9\",\n", ""},
		"an order of another name":          {"keyed_panels", "keyed.json", "panelOrder", "order"},
		"a source of no name":               {"datasource_names", "named_sources.json", `"ds1"`, `"ds2"`},
		"a position that is out of range":   {"sorted_lists", "moves.json", "2", "5"},
		"a position that stands twice":      {"sorted_lists", "moves.json", "2", "0"},
		"a list that lost a text":           {"sorted_lists", "sorted.json", "          \"last\",\n", ""},
		"a row for a panel that is none":    {"threshold_table", "thresholds.csv", "1,2", "40,2"},
		"a row with words where numbers go": {"threshold_table", "thresholds.csv", "1,1,red,", "one,one,red,none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := forwardResults[c.edit].Clone()
			if files[c.file] = strings.Replace(files[c.file], c.was, c.is, 1); files[c.file] == forwardResults[c.edit][c.file] {
				t.Fatalf("%s has no %q", c.file, c.was)
			}
			got, err := domaintest.Edit(t, demonstration(t), c.edit).Backward(files)
			if err != nil {
				t.Fatal(err)
			}
			if score := New().Compare(vfs.Files{documentFile: small}, got); score.Strict < 0.5 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(vfs.Files{documentFile: small}, got))
			}
		})
	}
}

func TestPanelsWithoutAnIDOfTheirOwnAreKeyedByPlace(t *testing.T) {
	t.Parallel()
	const panels = `{"panels": [{"id": 7, "title": "a"}, {"id": 7, "title": "b"}, {"id": "8", "title": "c"}, {"id": 2.5, "title": "d"}]}`
	got, err := domaintest.Edit(t, demonstration(t), "keyed_panels").Forward(vfs.Files{documentFile: panels})
	if err != nil {
		t.Fatal(err)
	}
	want := laidOut(`{"panels": {"7": {"title": "a"}, "#2": {"id": 7, "title": "b"}, "#3": {"id": "8", "title": "c"}, "#4": {"id": 2.5, "title": "d"}},
		"panelOrder": ["7", "#2", "#3", "#4"]}`)
	if got["keyed.json"] != want {
		t.Errorf("%s, want %s", got["keyed.json"], want)
	}
}

// The parameters say what is edited, and into what.
func TestOtherParameters(t *testing.T) {
	t.Parallel()
	const (
		bread = `{"name": "Bread", "no": 7, "in": {"shop": {"aisle": "b"}}, "cost": {"net": 1.5}, "prices": [{"of": "kg", "eur": 3}, {"of": "pc", "eur": null}]}`
		milk  = `{"name": "Milk", "no": 3, "in": {"shop": {"aisle": "a"}}, "cost": {"net": 2}, "prices": []}`
		tea   = `{"name": "Tea", "in": {"shop": {"aisle": "c"}}, "prices": [{"of": "kg"}]}`
	)
	items := func(texts ...string) string { return laidOut(`{"goods": [` + strings.Join(texts, ",") + `]}`) }
	replaced := func(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(items(bread, milk, tea)) }
	d, document := New(), vfs.Files{"shop.json": items(bread, milk, tea)}
	domaintest.Takes(t, d, document,
		"split_list", `{"document": "shop.json", "list": "goods", "by": "name", "others": "x", "rest": "Milk.json"}`,
		vfs.Files{
			"Milk.json":  items(`{"name": "Bread", "index": 0}`, `{"name": "x", "index": 0}`, `{"name": "Tea", "index": 0}`),
			"Bread.json": laidOut("[" + bread + "]"),
			"x.json":     laidOut("[" + milk + "]"),
			"Tea.json":   laidOut("[" + tea + "]"),
		})
	domaintest.Takes(t, d, document,
		"group_list", `{"document": "shop.json", "to": "aisles.json", "list": "goods", "by": ["in", "shop", "aisle"],
			"groups": [{"name": "Left", "texts": ["c", "a"]}], "others": "Right", "head": "{\"aisle\": \"\", \"open\": true}", "naming": "aisle", "place": "was"}`,
		vfs.Files{"aisles.json": items(`{"aisle": "Left", "open": true}`, with(milk, `"was": 1`), with(tea, `"was": 2`),
			`{"aisle": "Right", "open": true}`, with(bread, `"was": 0`))})
	domaintest.Takes(t, d, document,
		"texts_apart", `{"document": "shop.json", "to": "coded.json", "list": "goods", "within": "prices", "members": ["of"], "mark": "",
			"first": "U08", "item": "good", "title": "name", "texts": "units.json"}`,
		vfs.Files{
			"coded.json": items(strings.NewReplacer("kg", "U08", "pc", "U09").Replace(bread), milk, strings.Replace(tea, "kg", "U10", 1)),
			"units.json": laidOut(`[{"id": "U08", "good": "Bread", "text": "kg"}, {"id": "U09", "good": "Bread", "text": "pc"},
				{"id": "U10", "good": "Tea", "text": "kg"}]`),
		})
	domaintest.Takes(t, d, document,
		"scale_members", `{"document": "shop.json", "to": "gross.json", "list": "goods", "object": "cost", "as": "price",
			"members": [{"name": "net", "as": "gross", "times": 1.07}]}`,
		vfs.Files{"gross.json": replaced(`"cost"`, `"price"`, `"net": 1.5`, `"gross": 1.605`, `"net": 2`, `"gross": 2.14`)})
	domaintest.Takes(t, d, vfs.Files{"shop.json": items(`{"no": 7, "name": "Bread"}`, `{"no": 3}`)},
		"key_list", `{"document": "shop.json", "to": "keyed.json", "list": "goods", "key": "no", "order": "sequence"}`,
		vfs.Files{"keyed.json": laidOut(`{"goods": {"3": {}, "7": {"name": "Bread"}}, "sequence": ["7", "3"]}`)})
	domaintest.Takes(t, d, document,
		"name_objects", `{"document": "shop.json", "to": "named.json", "member": "shop", "first": "S1", "objects": "shops.json"}`,
		vfs.Files{
			"named.json": items(strings.Replace(bread, `{"aisle": "b"}`, `"S1"`, 1), strings.Replace(milk, `{"aisle": "a"}`, `"S2"`, 1),
				strings.Replace(tea, `{"aisle": "c"}`, `"S3"`, 1)),
			"shops.json": laidOut(`{"S1": {"aisle": "b"}, "S2": {"aisle": "a"}, "S3": {"aisle": "c"}}`),
		})
	domaintest.Takes(t, d, document,
		"table_apart", `{"document": "shop.json", "to": "free.json", "list": "goods", "at": ["prices"], "item": "good", "entry": "price",
			"text": "of", "number": "eur", "table": "prices.csv"}`,
		vfs.Files{
			"free.json":  items(strings.Replace(bread, `[{"of": "kg", "eur": 3}, {"of": "pc", "eur": null}]`, "[]", 1), milk, tea),
			"prices.csv": "good,price,of,eur\n1,1,kg,3\n1,2,pc,\n",
		})
	domaintest.Refuses(t, d, "scale_members", `{"document": "a", "to": "b", "list": "goods", "object": "c", "as": "d", "members": [{"name": "e", "as": "f", "times": 0}]}`,
		"e: times must not be 0")
}
