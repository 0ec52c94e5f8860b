package environments_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/vfs"
	"agentd/vfs/fenced"
)

func TestDerivedEditsAreAddedToTheOwn(t *testing.T) {
	t.Parallel()
	env := builtin(t)[0] // accounting1
	d, _ := catalog.Lookup(env.Domain)
	own := len(env.Edits)
	added, err := env.AddDerived(d, 4, 1)
	if err != nil || added != 4 || len(env.Edits) != own+4 {
		t.Fatalf("%d of %d edits are new, %v", added, len(env.Edits), err)
	}
	// The same again have other names, and none has the name of a distractor.
	first := env.Edits[own]
	for _, target := range first.Targets {
		env.Distractors = vfs.Files{target: "in the way"}
	}
	again, err := env.AddDerived(d, 4, 1)
	if err != nil || again >= 4 {
		t.Errorf("%d edits were added though one would make the distractor %v, %v", again, env.Distractors.Names(), err)
	}
	names := map[string]bool{}
	for _, edit := range env.Edits {
		if names[edit.Name] {
			t.Errorf("two edits are called %s", edit.Name)
		}
		names[edit.Name] = true
		if err := env.Exact(edit, d); err != nil {
			t.Errorf("%s: %v", edit.Name, err)
		}
	}
	other := environments.Environment{Name: "other", Domain: "accounting", Seed: vfs.Files{"a.md": "2026-01-02 Baker\n"}}
	if added, err := other.AddDerived(d, 4, 1); err != nil || added != 0 {
		t.Errorf("of no ledger: %d, %v", added, err)
	}
	// One entry is not enough to move entries around. Its lines and words can be edited.
	tiny := environments.Environment{Name: "tiny", Domain: "accounting", Seed: vfs.Files{"a.ledger": "2026-01-02 Baker\n  Food  3 EUR\n  Cash\n"}}
	if added, err := tiny.AddDerived(d, 4, 1); err != nil || added != 4 {
		t.Errorf("of one entry: %d, %v", added, err)
	}
}

// A track whose end is missing is no XML, so the published evaluator gives every candidate 0. Its
// points can be read, so Strict can say what became of them.
func TestRSIsStrictWhereNothingElseCanBe(t *testing.T) {
	t.Parallel()
	points := func(n int) string {
		var b strings.Builder
		b.WriteString("<?xml version=\"1.0\"?>\n<gpx version=\"1.1\" xmlns=\"http://www.topografix.com/GPX/1/1\"><trk><name>Shore</name><trkseg>\n")
		for i := range n {
			fmt.Fprintf(&b, "<trkpt lat=\"59.9%d\" lon=\"10.7%d\"><ele>%d</ele></trkpt>\n", i, n-i, 10+i%3)
		}
		return b.String()
	}
	whole := "</trkseg></trk></gpx>\n"
	script := "import sys\n\n\ndef area(w, h):\n    return w * h\n\n\ndef edge(w, h):\n    return 2 * (w + h)\n\n\n" +
		"def cube(n):\n    return n ** 3\n\n\ndef half(n):\n    return n / 2\n\n\nprint(area(2, 3), sys.argv)\n"
	for name, test := range map[string]struct {
		domain    string
		documents vfs.Files
		strict    bool
	}{
		"a whole track":           {"geotrack", vfs.Files{"a.gpx": points(9) + whole}, false},
		"a track cut off":         {"geotrack", vfs.Files{"a.gpx": points(9)}, true},
		"a program without tests": {"python", vfs.Files{"a.py": script}, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, documents, err := catalog.Of(test.documents, test.domain)
			if err != nil {
				t.Fatal(err)
			}
			env, err := environments.Own{Name: "own1", Documents: documents, Edits: 6, Seed: 1}.Environment(d)
			if err != nil {
				t.Fatal(err)
			}
			if env.Metadata.RSIsStrict() != test.strict {
				t.Fatalf("the metadata are %v", env.Metadata)
			}
			scoring, ok := env.Scoring(catalog.Lookup)
			if err := env.CheckSeed(catalog.Lookup); err != nil || !ok {
				t.Fatalf("no score can be had: %v", err)
			}
			file := env.Targets[0]
			same, less := scoring.Compare(env.Seed, env.Seed), scoring.Compare(env.Seed, vfs.Files{file: strings.Replace(env.Seed[file], "2", "7", 1)})
			if same.RS != 1 || same.Strict != 1 || less.Strict >= 1 {
				t.Errorf("against itself %+v, damaged %+v", same, less)
			}
			if test.strict && (same.Basis != domains.Own || less.RS != less.Strict || less.Elements.Reference == 0) {
				t.Errorf("RS is not Strict: %+v", less)
			}
		})
	}
	if _, _, err := catalog.Of(vfs.Files{"a.srt": "no cue\n"}, "subtitles"); err == nil {
		t.Error("a text without a cue is taken for subtitles")
	}
}

// A document that ends in a backtick is written in fences of backticks and comes back whole, by every derived edit.
func TestOwnDocumentsThatEndInABacktick(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"a.md":   "# Tides\n\nThe second paragraph is about wind.\n\nThe third is about rain.\n\nThe fourth is about hail.\n\nThe station keeps `high` and `low`",
		"b.txt":  "one two\n\nthree four\n\nfive six\n\nseven eight `x`",
		"c.yaml": "name: Proposal\nbody:\n  - id: a\n    text: one\n  - id: b\n    text: two\n  - id: c\n    text: |\n      ```text\n      example\n      ```",
	} {
		d, documents, err := catalog.Of(vfs.Files{name: text}, "")
		if err != nil {
			t.Fatal(err)
		}
		env, err := environments.Own{Name: "own1", Documents: documents, Edits: 8, Seed: 1}.Environment(d)
		if err != nil {
			t.Fatal(err)
		}
		carried := func(files vfs.Files) vfs.Files { return fenced.Parse(fenced.Format(files, files.Names())) }
		scoring, _ := env.Scoring(catalog.Lookup)
		for _, edit := range env.Edits {
			program, ok := env.OracleFor(edit, scoring)
			if !ok {
				t.Fatalf("%s: no program", edit.Name)
			}
			there, err := program.Forward(env.Seed)
			if err != nil {
				t.Fatal(err)
			}
			back, err := program.Backward(carried(there))
			if err != nil {
				t.Fatal(err)
			}
			if score := scoring.Compare(env.Seed, carried(back)); score.RS != 1 || score.Strict != 1 {
				t.Errorf("%s, %s: RS %.4f, Strict %.4f", name, edit.Name, score.RS, score.Strict)
			}
		}
	}
}

// A pair of instructions without a name is called by what it does.
func TestOwnInstructionsHaveNames(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "ours.yaml")
	text := "- {forward: \"Translate the `remarks` into Welsh, please. Then save.\", backward: Back.}\n" +
		"- {forward: Translate the remarks into Welsh., backward: Into English.}\n" +
		"- {name: mine, forward: Sort it., backward: Undo it.}\n" +
		"- {forward: Sort the ledger., backward: Undo it., oracle: {document: a.ledger, sort_by: payee, table: order.csv}}\n" +
		"- {forward: …, backward: …}\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	edits, err := environments.ReadInstructions(file)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, edit := range edits {
		names = append(names, edit.Name)
	}
	want := []string{"translate_the_remarks_into_welsh", "translate_the_remarks_into_welsh_2", "mine", "sort_by_payee", "edit"}
	if !slices.Equal(names, want) {
		t.Errorf("names %q, want %q", names, want)
	}
}
