package mathlean

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentd/domains/domaintest"
)

// document is the file of the sources in these tests.
const document = "PellNumbers.lean"

func TestSuite(t *testing.T) {
	t.Parallel()
	domaintest.Suite{
		Domain:   New(),
		Seed:     domaintest.Seed(t, "mathlean1"),
		Generate: rapid.Custom(drawSource),
	}.Run(t)
}

func FuzzCompare(f *testing.F) {
	domaintest.Fuzz(f, New(), domaintest.Seed(f, "mathlean1"))
}

func BenchmarkCompare(b *testing.B) {
	domaintest.BenchmarkCompare(b, New(), domaintest.Seed(b, "mathlean1"))
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
