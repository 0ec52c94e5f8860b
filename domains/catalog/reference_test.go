package catalog

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

// frame is the smallest text around an element that its format needs.
type frame struct {
	file          string // where the first pattern does not name one
	before, after string
}

var frames = map[string]frame{
	"audiosyn":   {before: "<CsoundSynthesizer>\n<CsScore>\n", after: "</CsScore>\n</CsoundSynthesizer>\n"},
	"circuit":    {before: "* a low-pass filter\n", after: ".end\n"},
	"crystal":    {before: "data_lamp\nloop_\n_atom_site_label\n_atom_site_fract_x\n_atom_site_fract_y\n_atom_site_fract_z\n"},
	"edifact":    {before: "UNB+UNOC:3+YARD+SHOP+250614:0900+1'\nUNH+1+ORDERS:D:96A:UN'\nBGM+220+4711+9'\n", after: "UNS+S'\nUNT+6+1'\nUNZ+1+1'\n"},
	"geodata":    {before: `{"type": "FeatureCollection", "features": [`, after: "]}\n"},
	"geotrack":   {before: `<gpx version="1.1" creator="lamp" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>`, after: "</trkseg></trk></gpx>\n"},
	"graphviz":   {before: "digraph plant {\n", after: "}\n"},
	"landmarks":  {before: `<kml xmlns="http://www.opengis.net/kml/2.2"><Document>`, after: "</Document></kml>\n"},
	"latex":      {file: "lamps.bib"},
	"libcatalog": {before: `<collection xmlns="http://www.loc.gov/MARC21/slim">`, after: "</collection>\n"},
	"makefile":   {file: "Makefile"},
	"playlist":   {before: `<playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList>`, after: "</trackList></playlist>\n"},
	"robotics":   {before: `<robot name="lamp">`, after: "</robot>\n"},
	"screenplay": {before: "# DIALOGUE:\n"},
	"starcatalog": {
		before: `<VOTABLE version="1.3"><RESOURCE><TABLE><FIELD name="id" datatype="char"/><FIELD name="ra" datatype="double"/><DATA><TABLEDATA>`,
		after:  "</TABLEDATA></DATA></TABLE></RESOURCE></VOTABLE>\n",
	},
	"transit": {file: "stops.txt"},
	"vector":  {before: `<svg xmlns="http://www.w3.org/2000/svg">`, after: "</svg>\n"},
}

// exampleOf is a document that holds nothing but the example of a domain.
func exampleOf(d domains.Domain) vfs.Files {
	info := d.Info()
	f := frames[info.Name]
	if f.file == "" {
		f.file = strings.ReplaceAll(info.Patterns[0], "*", "small")
	}
	return vfs.Files{f.file: f.before + info.Example + "\n" + f.after}
}

func TestExamplesAreReferences(t *testing.T) {
	t.Parallel()
	for _, d := range All() {
		files := exampleOf(d)
		if err := d.CheckReference(files); err != nil {
			t.Errorf("%s: %v\n%v", d.Info().Name, err, files)
		}
	}
}

// Documents without a counted element, or unlike those that the environments have,
// that are references all the same.
func TestSmallDocumentsAreReferences(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		domain string
		files  vfs.Files
	}{
		"an orchestra without a score":          {"audiosyn", vfs.Files{"a.csd": "<CsoundSynthesizer>\n<CsInstruments>\ninstr 1\na1 oscil 1000, 440\nout a1\nendin\n</CsInstruments>\n</CsoundSynthesizer>\n"}},
		"a netlist without subcircuits":         {"circuit", vfs.Files{"a.cir": "* divider\nV1 in 0 5\nR1 in out 1k\nR2 out 0 1k\n.op\n.end\n"}},
		"a structure without atoms":             {"crystal", vfs.Files{"a.cif": "data_a\n_cell_length_a 5.2\n_cell_length_b 5.2\n_journal_year 2002\n"}},
		"a stage without instructions":          {"docker", vfs.Files{"Dockerfile": "FROM alpine:3.20\n"}},
		"a message without line items":          {"edifact", vfs.Files{"a.edi": "UNB+UNOC:3+YARD+SHOP+250614:0900+1'UNH+1+ORDRSP:D:96A:UN'BGM+231+A-1+29'UNT+3+1'UNZ+1+1'"}},
		"waypoints without tracks":              {"geotrack", vfs.Files{"a.gpx": `<gpx version="1.1" creator="a" xmlns="http://www.topografix.com/GPX/1/1"><wpt lat="1" lon="2"><name>Spring</name></wpt></gpx>`}},
		"a graph of nodes alone":                {"graphviz", vfs.Files{"a.dot": "graph { a; b [shape=box] }\n"}},
		"places in GeoJSON":                     {"landmarks", vfs.Files{"a.geojson": `{"type":"FeatureCollection","features":[{"type":"Feature","properties":{"name":"Old Harbour","address":"Quay 1"},"geometry":{"type":"Point","coordinates":[1,2]}}]}`}},
		"a text without bibliography":           {"latex", vfs.Files{"a.tex": "The lamp is \\emph{out}.\n"}},
		"a makefile that only sets variables":   {"makefile", vfs.Files{"config.mk": "CC := gcc\nCFLAGS ?= -O2\n"}},
		"declarations with modifiers":           {"mathlean", vfs.Files{"a.lean": "private theorem a : 1 = 1 := rfl\n"}},
		"a bare block of music":                 {"musicsheet", vfs.Files{"a.ly": "\\version \"2.24.0\"\ntune = \\relative c' { c4 d e f }\n"}},
		"a cloud of points":                     {"obj3d", vfs.Files{"a.obj": "v 0 0 0\nv 1 0 0.5\n"}},
		"a script without definitions":          {"python", vfs.Files{"a.py": "print(\"hello\")\n"}},
		"a circuit without subroutines":         {"quantum", vfs.Files{"a.qasm": "OPENQASM 3.0;\nqubit[2] q;\nh q[0];\ncx q[0], q[1];\n"}},
		"transmissions without links":           {"robotics", vfs.Files{"a.urdf": `<robot name="a"><transmission name="t"><type>simple</type><joint name="j"/></transmission></robot>`}},
		"a deck without layout marks":           {"slides", vfs.Files{"a.md": "## Plan\n\n- row\n- rest\n"}},
		"a deck with a stray sentence":          {"slides", vfs.Files{"a.md": "---\ntitle: Plan\n---\n\n## Plan\n\nAs agreed:\n\n- row\n- rest\n"}},
		"a table with quoted commas":            {"spreadsheet", vfs.Files{"a.csv": "item,note\nrope,\"blue, new\"\n"}},
		"a log with a name in capitals":         {"hamradio", vfs.Files{"LOG.ADI": "<CALL:5>LB1AB <QSO_DATE:8>20250614 <TIME_ON:4>1412 <EOR>\n"}},
		"a feed of one table":                   {"transit", vfs.Files{"feed/routes.txt": "route_id,route_short_name,route_type\n1,1,3\n"}},
		"a drawing without groups":              {"vector", vfs.Files{"a.svg": `<svg xmlns="http://www.w3.org/2000/svg"><circle r="3"/></svg>`}},
		"a liftplan":                            {"weaving", vfs.Files{"a.wif": "[WIF]\nVersion=1.1\n[THREADING]\n1=1\n2=2\n[LIFTPLAN]\n1=1\n2=2\n"}},
		"a story with dialogue after dashes":    {"fiction", vfs.Files{"a.txt": "Rain\n\n- Are you there? he asked.\n\n- No, said the lamp, which was out.\n"}},
		"a story in another language":           {"fiction", vfs.Files{"a.txt": "Det regnet hele natten.\n\n«Er du der?» spurte hun, men ingen svarte.\n"}},
		"a menu with a note after the price":    {"foodmenu", vfs.Files{"a.txt": "--- SOUPS ---\nPea soup  $6.50 per bowl\n"}},
		"a call with its list of participants":  {"earncall", vfs.Files{"a.txt": "Third Quarter Call\n\nMaria Chen, chief executive\n\nOperator: Good morning.\nMaria Chen: Thank you. Revenue grew.\n"}},
		"a transaction with an elided amount":   {"accounting", vfs.Files{"a.txt": "2024-01-02 Rent\n    Expenses:Rent  500\n    Assets:Bank\n"}},
		"one message of a thread":               {"emails", vfs.Files{"a.eml": "From: a@b.example\n\nYes.\n"}},
		"features with their geometry untyped":  {"geodata", vfs.Files{"a.json": `[{"geometry":{"type":"Point","coordinates":[1,2]},"properties":{"a":1}}]`}},
		"a document beside a book-keeping file": {"recipe", vfs.Files{"soup.txt": "Ingredient 1: 2 l water\nStep 1: Boil it.\n", "order.json": "{}"}},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			d, ok := Lookup(c.domain)
			if !ok {
				t.Fatalf("there is no domain %s", c.domain)
			}
			if err := d.CheckReference(c.files); err != nil {
				t.Error(err)
			}
		})
	}
}

// foreign are texts that are no document of any domain, or of one.
var foreign = map[string]struct {
	text string
	of   string // the domain whose document it is; empty if it is of none
}{
	"an empty file": {text: ""},
	"a blank file":  {text: " \n\t\n\r\n"},
	"a README": {text: "# Soup kitchen\n\nA small service that plans menus.\n\n## Install\n\n- clone the repository\n- run `make`\n\n" +
		"1. Open the page\n2. Log in\n\n| key | value |\n| --- | --- |\n| port | 8080 |\n\nContact: Mara Lind <mara@soup.example>, see [docs](docs/index.md).\n"},
	"a recipe in Markdown": {text: "# Pea soup\n\nServes 4\n\n## Ingredients\n\n- 500 g split peas\n- 1 onion, chopped\n\n## Method\n\n" +
		"1. Soak the peas overnight.\n2. Simmer for 90 minutes.\n\nAllergens: celery\n"},
	"Terraform": {of: "infra", text: "terraform {\n  required_version = \">= 1.5\"\n}\n\nresource \"aws_instance\" \"web\" {\n  ami           = \"ami-0abc\"\n" +
		"  instance_type = \"t3.micro\"\n  tags = {\n    Name = \"web\"\n  }\n}\n\n# the bucket\nvariable \"region\" {\n  default = \"eu-north-1\"\n}\n"},
	"JSON": {of: "json", text: "{\n  \"name\": \"soup\",\n  \"version\": 3,\n  \"items\": [\n    {\"id\": 1, \"title\": \"Pea soup\", \"price\": 4.5},\n" +
		"    {\"id\": 2, \"title\": \"Stew\", \"price\": 7}\n  ]\n}\n"},
	"a list of objects in JSON": {of: "json", text: `[{"id": 1, "title": "Pea soup"}, {"id": 2, "title": "Stew"}]`},
	"a table":                   {of: "spreadsheet", text: "id,title,price,date\n1,Pea soup,4.50,2024-01-05\n2,\"Stew, thick\",7.00,2024-01-06\n3,Bread,1.20,2024-01-07\n"},
	"prose": {of: "fiction", text: "The board met on Tuesday. Inga took the minutes; nobody objected to the plan.\n\n" +
		"After lunch the builders returned, and the roof was finished by 4 pm. \"We are late,\" said Olaf.\n"},
	"settings":       {of: "json", text: "server:\n  host: soup.example\n  port: 8080\nusers:\n  - mara\n  - ivo\n"},
	"a log":          {text: "2024-01-05 10:00:01 INFO started\n2024-01-05 10:00:02 WARN pot is hot: 98.5\n    at stove 3\n2024-01-05 10:02:00 INFO stopped\n"},
	"XML of no kind": {text: "<?xml version=\"1.0\"?>\n<pots><pot id=\"1\"><lid/></pot></pots>\n"},
	"a shell script": {text: "#!/bin/sh\nset -e\nfor pot in 1 2 3; do\n  echo \"pot $pot\"\ndone\n"},
}

// names are file names that match each pattern of a domain.
func names(d domains.Domain) []string {
	all := make([]string, len(d.Info().Patterns))
	for i, pattern := range d.Info().Patterns {
		var name strings.Builder
		for rest := pattern; rest != ""; {
			at := strings.IndexAny(rest, "*[")
			if at < 0 {
				at = len(rest)
			}
			name.WriteString(rest[:at])
			switch rest = rest[at:]; {
			case strings.HasPrefix(rest, "*"):
				rest = rest[1:]
				if name.Len() == 0 {
					name.WriteString("soup")
				}
			case rest != "":
				name.WriteByte(rest[1])
				rest = rest[strings.IndexByte(rest, ']')+1:]
			}
		}
		all[i] = name.String()
	}
	return all
}

func TestForeignTextsAreNoReferences(t *testing.T) {
	t.Parallel()
	for _, d := range All() {
		if d.Info().AnyText {
			continue // no text is foreign to it
		}
		t.Run(d.Info().Name, func(t *testing.T) {
			t.Parallel()
			for label, f := range foreign {
				for _, name := range names(d) {
					files := vfs.Files{name: f.text}
					if len(files.Match(d.Info().Patterns)) != 1 {
						t.Fatalf("%s fits none of %v", name, d.Info().Patterns)
					}
					err := d.CheckReference(files)
					if isOwn := f.of == d.Info().Name; !isOwn && err == nil {
						t.Errorf("%s as %s is taken", label, name)
					} else if !isOwn {
						expectRefusal(t, d, err, name)
					}
				}
			}
			expectRefusal(t, d, d.CheckReference(vfs.Files{"soup.xyz": d.Info().Example}), "soup.xyz")
			expectRefusal(t, d, d.CheckReference(vfs.Files{}), "no file")
		})
	}
}

// expectRefusal checks that an error names the file and shows the example.
func expectRefusal(t *testing.T, d domains.Domain, err error, name string) {
	t.Helper()
	var refused *domains.ReferenceError
	switch {
	case !errors.As(err, &refused):
		t.Errorf("%s: the error is %v", name, err)
	case !strings.Contains(refused.Problem, name), !strings.Contains(refused.Expected, strings.Split(d.Info().Example, "\n")[0]):
		t.Errorf("%s: the error is %v", name, err)
	}
}

// generic are domains that take the documents of others under a name of their own,
// with the reason.
var generic = map[string]map[string]string{
	"json":        {"geodata": "GeoJSON is JSON"},
	"spreadsheet": {"transit": "the tables of GTFS are comma-separated values"},
}

// The seed of every built-in environment is refused by all other domains, under its
// own names and under names of the other domain.
func TestSeedsAreNoReferencesOfOtherDomains(t *testing.T) {
	t.Parallel()
	all := seeds(t)
	for _, d := range All() {
		if d.Info().AnyText {
			continue // it can be any text's
		}
		t.Run(d.Info().Name, func(t *testing.T) {
			t.Parallel()
			for env, own := range all {
				if own.Info().Name == d.Info().Name {
					if err := own.CheckReference(env.Seed); err != nil {
						t.Errorf("its own seed is refused: %v", err)
					}
					continue
				}
				if d.CheckReference(env.Seed) == nil {
					t.Errorf("the seed of %s is taken", env.Name)
				}
				reason := generic[d.Info().Name][env.Domain]
				if taken := d.CheckReference(renamed(env.Seed, names(d))) == nil; taken != (reason != "") {
					t.Errorf("the seed of %s under other names is taken: %v, where the reason is %q", env.Name, taken, reason)
				}
			}
		})
	}
}

// renamed gives files the names in turn, each in a folder of its own.
func renamed(files vfs.Files, names []string) vfs.Files {
	all := vfs.Files{}
	for i, name := range files.Names() {
		all[fmt.Sprintf("%d/%s", i, names[i%len(names)])] = files[name]
	}
	return all
}
