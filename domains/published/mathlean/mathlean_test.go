package mathlean

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/vfs"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text string
		want Source
	}{
		"a theorem": {"theorem a (n : ℕ) : n = n := rfl",
			Source{declarations: []statement{{"theorem", "a", "n = n"}}}},
		"the signature stands after the last colon": {"theorem a : ∃ b : ℕ, b = b := ⟨0, rfl⟩",
			Source{declarations: []statement{{"theorem", "a", "ℕ, b = b"}}}},
		"lines are joined": {"  lemma a\n    (n : ℕ) :\n    n\n    = n := by\n  rfl",
			Source{declarations: []statement{{"lemma", "a", "n = n"}}}},
		"a line that opens another discards one": {"def a : ℕ → ℕ\n| 0 => 0\ndef b := 1",
			Source{declarations: []statement{{"def", "b", ""}}}},
		"the name ends where `:=` follows":    {"theorem x:= y", Source{declarations: []statement{{"theorem", "x", ""}}}},
		"an instance without a name":          {"instance : A := b", Source{declarations: []statement{{"instance", ":", ""}}}},
		"a name of `:=` alone":                {"instance := b", Source{}},
		"modifiers and attributes hide":       {"private theorem a : b := c\n@[simp] lemma d : e := f", Source{}},
		"a keyword alone opens nothing":       {"theorem\na : b := c", Source{}},
		"imports in prose, over lines":        {"We import\n  only what\npublic import A.B", Source{imports: []string{"only", "A.B"}}},
		"no boundary before an import":        {"reimport a; imports b", Source{imports: []string{"a;"}}},
		"an import swallows the next word":    {"import import a", Source{imports: []string{"import"}}},
		"sections and namespaces":             {"section A\nend A\nnamespace B.C", Source{sections: []string{"A", "B.C"}}},
		"a section without a name":            {"public section\n\n\nsection Fermat", Source{sections: []string{"section"}}},
		"sections in prose":                   {"-- the last section collects", Source{sections: []string{"collects"}}},
		"Unicode white space divides":         {"import\u00a0A", Source{imports: []string{"A"}}},
		"a fragment at the end of everything": {"import ", Source{}},
	} {
		got, err := Parse(vfs.Files{"A.lean": c.text})
		if err != nil {
			t.Fatal(err)
		}
		c.want.text = c.text + "\n"
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(Source{}, statement{})); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestFilesAreParsedAlone(t *testing.T) {
	t.Parallel()
	got, err := Parse(vfs.Files{"b.lean": ": c := d", "a.lean": "theorem a", "notes.txt": "import X", "C.LEAN": "import Y"})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.declarations) > 0 || len(got.imports) > 0 || got.text != "theorem a\n: c := d\n" {
		t.Errorf("got %+v", got)
	}
}
