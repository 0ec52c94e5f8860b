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
		want source
	}{
		"a theorem": {"theorem a (n : ℕ) : n = n := rfl",
			source{declarations: []statement{{"theorem", "a", "n = n"}}}},
		"the signature stands after the last colon": {"theorem a : ∃ b : ℕ, b = b := ⟨0, rfl⟩",
			source{declarations: []statement{{"theorem", "a", "ℕ, b = b"}}}},
		"lines are joined": {"  lemma a\n    (n : ℕ) :\n    n\n    = n := by\n  rfl",
			source{declarations: []statement{{"lemma", "a", "n = n"}}}},
		"a line that opens another discards one": {"def a : ℕ → ℕ\n| 0 => 0\ndef b := 1",
			source{declarations: []statement{{"def", "b", ""}}}},
		"the name ends where `:=` follows":    {"theorem x:= y", source{declarations: []statement{{"theorem", "x", ""}}}},
		"an instance without a name":          {"instance : A := b", source{declarations: []statement{{"instance", ":", ""}}}},
		"a name of `:=` alone":                {"instance := b", source{}},
		"modifiers and attributes hide":       {"private theorem a : b := c\n@[simp] lemma d : e := f", source{}},
		"a keyword alone opens nothing":       {"theorem\na : b := c", source{}},
		"imports in prose, over lines":        {"We import\n  only what\npublic import A.B", source{imports: []string{"only", "A.B"}}},
		"no boundary before an import":        {"reimport a; imports b", source{imports: []string{"a;"}}},
		"an import swallows the next word":    {"import import a", source{imports: []string{"import"}}},
		"sections and namespaces":             {"section A\nend A\nnamespace B.C", source{sections: []string{"A", "B.C"}}},
		"a section without a name":            {"public section\n\n\nsection Fermat", source{sections: []string{"section"}}},
		"sections in prose":                   {"-- the last section collects", source{sections: []string{"collects"}}},
		"Unicode white space divides":         {"import\u00a0A", source{imports: []string{"A"}}},
		"a fragment at the end of everything": {"import ", source{}},
	} {
		got, err := parse(vfs.Files{"A.lean": c.text})
		if err != nil {
			t.Fatal(err)
		}
		c.want.text = c.text + "\n"
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(source{}, statement{})); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestFilesAreParsedAlone(t *testing.T) {
	t.Parallel()
	got, err := parse(vfs.Files{"b.lean": ": c := d", "a.lean": "theorem a", "notes.txt": "import X", "C.LEAN": "import Y"})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.declarations) > 0 || len(got.imports) > 0 || got.text != "theorem a\n: c := d\n" {
		t.Errorf("got %+v", got)
	}
}

func TestCommands(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		text string
		want []string // each command's text
	}{
		"doc, attributes and modifiers belong to it": {"/-- a -/\n@[simp]\nprivate theorem b : c := d\nend",
			[]string{"/-- a -/\n@[simp]\nprivate theorem b : c := d", "end"}},
		"what is said for one alone":              {"open A in\n-- why\nset_option b 1 in\ndef c := d", []string{"open A in\n-- why\nset_option b 1 in\ndef c := d"}},
		"comments between are of none":            {"-- a\ndef b := c\n-- d\ndef e := f -- g\n/- def h := i -/", []string{"def b := c", "def e := f -- g"}},
		"nested comments":                         {"/- a /- b -/ def c := d -/\ndef e := f", []string{"def e := f"}},
		"a comment that is not closed":            {"/-- a\n\ndef b := c", []string{"/-- a\n\ndef b := c"}},
		"indented declarations":                   {"  theorem a : b := by\n    open C in\n    simp\n  theorem d : e := f", []string{"theorem a : b := by\n    open C in\n    simp", "theorem d : e := f"}},
		"docs of fields":                          {"structure A where\n  /-- b -/\n  b : C\n  @[d] e : F\ndef g := h", []string{"structure A where\n  /-- b -/\n  b : C\n  @[d] e : F", "def g := h"}},
		"alternatives at the margin":              {"def a : B\n| 0 => c\n| 1 => d\ntermination_by e", []string{"def a : B\n| 0 => c\n| 1 => d\ntermination_by e"}},
		"prose after a declaration":               {"def a := b\n\nI hope this helps.", []string{"def a := b", "I hope this helps."}},
		"a proof at the margin":                   {"theorem a : b := by\nsimp", []string{"theorem a : b := by\nsimp"}},
		"keywords in texts, names and characters": {"def a := \"\\\"\ndef\" ++ x.end ++ 'e'", []string{"def a := \"\\\"", "def\" ++ x.end ++ 'e'"}},
	} {
		f := lex(c.text)
		var got []string
		for _, c := range f.commands() {
			got = append(got, f.text[f.tokens[c.first].start:f.tokens[c.last-1].end])
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}

func TestItems(t *testing.T) {
	t.Parallel()
	for rule, c := range map[string]struct {
		body string
		want []string
	}{
		"a term":                     {":=\n  f a\n    b", []string{"f a b"}},
		"a proof on one line":        {":= by simp", []string{"by", "simp"}},
		"a proof on lines":           {":= by\n  intro n\n  simp\n    [a]", []string{"by", "intro n", "simp [a]"}},
		"a block within":             {":= by\n  have a : b := by\n    c\n    d\n  e", []string{"by", "have a : b := by c", "> d", "e"}},
		"bullets":                    {":= by\n  · a\n    b\n  · c", []string{"by", "· a", "> b", "· c"}},
		"alternatives":               {":= by\n  cases n with\n  | zero => a\n  | succ n =>\n    b\n    c", []string{"by", "cases n with", "| zero => a", "| succ n => b", "> c"}},
		"lines within brackets":      {":= ⟨a,\n  b\n  c⟩", []string{"⟨a, b c⟩"}},
		"fields":                     {"where\n  a := b\n  c := d", []string{"where", "a := b", "c := d"}},
		"steps of a calculation":     {":= by\n  calc a = b := c\n    _ = d := e", []string{"by", "calc a = b := c", "_ = d := e"}},
		"comments are none":          {":= by\n  a -- b\n  /- c -/\n  d", []string{"by", "a", "d"}},
		"an indentation that is odd": {":= by\n      a\n      b\n  c", []string{"by", "a", "b c"}},
	} {
		f := lex(c.body)
		if diff := cmp.Diff(c.want, f.items(0, len(f.tokens))); diff != "" {
			t.Errorf("%s: %s", rule, diff)
		}
	}
}
