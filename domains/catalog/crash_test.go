package catalog

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/vfs"
)

// crash is a pair of documents on which the published evaluator crashes.
type crash struct {
	domain               string
	reference, candidate vfs.Files
	// inPairs says that the candidate crashes the evaluator with the reference alone,
	// and not with itself.
	inPairs bool
}

// crashes has each kind of document that docs/domains.md lists, but for programs:
// domains/python tests those.
func crashes() map[string]crash {
	place := func(properties string) string {
		return `{"type":"FeatureCollection","features":[{"type":"Feature","properties":` + properties +
			`,"geometry":{"type":"Point","coordinates":[4.5,60.1]}}]}`
	}
	score := func(line string) vfs.Files {
		return vfs.Files{"bell.csd": "<CsoundSynthesizer>\n<CsScore>\n" + line + "\n</CsScore>\n</CsoundSynthesizer>\n"}
	}
	netlist := func(line string) vfs.Files {
		return vfs.Files{"lamp.cir": "* lamp\nV1 in 0 5\n" + line + "\n.end\n"}
	}
	feature := func(rule string) vfs.Files {
		return vfs.Files{"lamp.fea": "languagesystem DFLT dflt;\nfeature kern {\n    " + rule + "\n} kern;\n"}
	}
	tune := func(key, notes string) vfs.Files {
		return vfs.Files{"tune.ly": "\\version \"2.24.0\"\nglobal = { \\key " + key + " \\major \\time 4/4 }\nmelody = { " + notes + " }\n"}
	}
	structure := func(sequence string) vfs.Files {
		return vfs.Files{"lamp.pdb": sequence + "\nATOM      1  CA  GLY A   1       1.000   2.000   3.000  1.00 10.00           C  \nEND\n"}
	}
	soup := func(ingredient string) vfs.Files {
		return vfs.Files{"soup.txt": "Ingredient 1: " + ingredient + "\n\nStep 1: Boil it.\n"}
	}
	tree := func(rest string) vfs.Files {
		return vfs.Files{"rain.conllu": "# sent_id = r1\n# text = It rained\n1\tIt\tit\tPRON\t_\t_\t2\tnsubj\t_\t_\n2\trained" + rest + "\n\n"}
	}
	noted := tree("\train\tVERB\t_\t_\t0\troot\t_\t_")
	geojson := vfs.Files{"quay.geojson": place(`{"id":"q1","name":"Quay"}`)}
	return map[string]crash{
		"a score with the word nan":             {domain: "audiosyn", reference: score("i1 0 1"), candidate: score("i1 0 nan")},
		"a score with the word inf":             {domain: "audiosyn", reference: score("i1 0 1"), candidate: score("i1 inf 1")},
		"a line that is no element":             {domain: "circuit", reference: netlist("R1 in 0 1k"), candidate: netlist("R1 in")},
		"a pair without a value":                {domain: "fonteng", reference: feature("pos A V -40;"), candidate: feature("pos A V;")},
		"features that are null":                {domain: "geodata", reference: geojson, candidate: vfs.Files{"quay.geojson": `{"type":"FeatureCollection","features":null}`}},
		"a feature that is a text":              {domain: "geodata", reference: geojson, candidate: vfs.Files{"quay.geojson": `{"features":["quay"]}`}},
		"an attribute id without value":         {domain: "graphviz", reference: vfs.Files{"a.dot": "digraph { a; b; a -> b }\n"}, candidate: vfs.Files{"a.dot": "digraph { x [id]; y; x -> y }\n"}, inPairs: true},
		"names of different types":              {domain: "json", reference: vfs.Files{"a.yaml": "on: 1\nport: 80\n"}, candidate: vfs.Files{"a.yaml": "404: 1\nport: 80\n"}},
		"GeoJSON that is a list":                {domain: "landmarks", reference: geojson, candidate: vfs.Files{"quay.geojson": `["quay"]`}},
		"an id that is a number":                {domain: "landmarks", reference: geojson, candidate: vfs.Files{"quay.geojson": place(`{"id":1,"name":"Quay"}`)}},
		"a key without a known pitch":           {domain: "musicsheet", reference: tune("g", "g4 a b c"), candidate: tune("h", "g4 a b c")},
		"a duration that divides by zero":       {domain: "musicsheet", reference: tune("g", "g4 a b c"), candidate: tune("g", "g4*1/0 a b c")},
		"a sequence that ends before its chain": {domain: "protein", reference: structure("SEQRES   1 A    1  GLY"), candidate: structure("SEQRES   1")},
		"an ingredient that divides by zero":    {domain: "recipe", reference: soup("1/2 l water"), candidate: soup("1/0 l water")},
		"a quantity that is no number":          {domain: "recipe", reference: soup("1.5 l water"), candidate: soup("1.5.2 l water")},
		"a word that ends before its lemma":     {domain: "treebank", reference: noted, candidate: tree("")},
	}
}

// Compare says so, whichever side the document is on, and no such document is a reference.
func TestCrashes(t *testing.T) {
	t.Parallel()
	for rule, c := range crashes() {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			d, _ := Lookup(c.domain)
			want := func(reference, candidate vfs.Files, crash bool) {
				t.Helper()
				score := d.Compare(reference, candidate)
				if score.Crash != crash || crash && (score.RS != 0 || !strings.Contains(score.Problem, domains.ErrCrash.Error())) {
					t.Errorf("crash %v, Value %v, problem %q", score.Crash, score.RS, score.Problem)
				}
			}
			want(c.reference, c.candidate, true)
			want(c.candidate, c.reference, !c.inPairs)
			want(c.candidate, c.candidate, !c.inPairs)
			if err := d.CheckReference(c.candidate); (err == nil) != c.inPairs {
				t.Errorf("as a reference: %v", err)
			}
		})
	}
}

// What is wrong with these documents, the published evaluator notices itself.
func TestNoCrashes(t *testing.T) {
	t.Parallel()
	event := func(times string) vfs.Files {
		return vfs.Files{"a.ics": "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nUID:1\nSUMMARY:Rain\n" + times + "END:VEVENT\nEND:VCALENDAR\n"}
	}
	for rule, c := range map[string]crash{
		"a document without files":        {domain: "recipe", reference: vfs.Files{"soup.txt": "Step 1: Boil it.\n"}, candidate: vfs.Files{}},
		"an event that starts twice":      {domain: "calendar", reference: event("DTSTART:20250101\n"), candidate: event("DTSTART:20250101\nDTSTART:20250102\n")},
		"a graph that is not closed":      {domain: "graphviz", reference: vfs.Files{"a.dot": "digraph { a -> b }\n"}, candidate: vfs.Files{"a.dot": "digraph { a -> b\n"}},
		"JSON that stops":                 {domain: "json", reference: vfs.Files{"a.json": `{"a":1}`}, candidate: vfs.Files{"a.json": `{"a":"`}},
		"a structure without coordinates": {domain: "protein", reference: vfs.Files{"a.pdb": "TITLE     LAMP\n"}, candidate: vfs.Files{"a.pdb": "ATOM      1  CA\n"}},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			d, _ := Lookup(c.domain)
			if score := d.Compare(c.reference, c.candidate); score.Crash || score.RS == 1 {
				t.Errorf("crash %v, Value %v, problem %q", score.Crash, score.RS, score.Problem)
			}
		})
	}
}
