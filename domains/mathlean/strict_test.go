package mathlean

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

const sample = `/-
Copyright (c) 2022 Aoife Brennan
-/
import Mathlib.Order.Lattice
public import Mathlib.Data.Nat.Basic

/-!
# Tides

Two paragraphs on
` + "`a ≤ b`" + `.
-/

namespace Tide

variable {α : Type*} [Lattice α] (a b : α)

section High

open Nat Finset

/-- High water is
above low water. -/
@[simp, norm_cast]
theorem high_low {m n : ℕ} (h : m ≤ n) : ∃ k l : ℕ, m + k = n + l := by
  -- by cases
  obtain ⟨k, rfl⟩ := h
  have e : m ≠ 3 := by
    intro f
    simp [f]
  · exact ⟨k, 0, rfl⟩

lemma low : ∀ x > 0, x < 2 → x = 1 := fun x ↦ by omega

end High

private def springs : ℕ → ℕ
  | 0 => 1
  | n + 1 => 2 * springs n

structure Gauge (β : Type*) extends Station β where
  /-- in metres -/
  zero : ℝ
  name : String := "Howth"
  deriving Repr

example : springs 2 = 4 := rfl

end Tide
`

// change is the sample with texts replaced, each by the one after it.
func change(t *testing.T, oldnew ...string) vfs.Files {
	t.Helper()
	text := sample
	for n := 0; n < len(oldnew); n += 2 {
		if !strings.Contains(text, oldnew[n]) {
			t.Fatalf("the sample has no %q", oldnew[n])
		}
		text = strings.ReplaceAll(text, oldnew[n], oldnew[n+1])
	}
	return vfs.Files{"Tide.lean": text}
}

func TestStrictSees(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][2]string{
		"a number in a statement":           {"x = 1", "x = 2"},
		"a hypothesis that was lost":        {" (h : m ≤ n)", ""},
		"a hypothesis that was added":       {"(h : m ≤ n)", "(h : m ≤ n) (g : m ≠ n)"},
		"the kind of a binder":              {"{m n : ℕ}", "(m n : ℕ)"},
		"the order of binders":              {"{m n : ℕ} (h : m ≤ n)", "(h : m ≤ n) {m n : ℕ}"},
		"an instance that was lost":         {" [Lattice α]", ""},
		"a theorem's name":                  {"high_low", "low_high"},
		"def for abbrev":                    {"private def", "private abbrev"},
		"a modifier that was lost":          {"private def", "def"},
		"a modifier that was added":         {"lemma low", "protected lemma low"},
		"an attribute that was lost":        {"@[simp, norm_cast]", "@[simp]"},
		"an attribute that was added":       {"lemma low", "@[simp] lemma low"},
		"a proof by sorry":                  {"by omega", "sorry"},
		"a step that was lost":              {"    intro f\n", ""},
		"steps in another order":            {"    intro f\n    simp [f]\n", "    simp [f]\n    intro f\n"},
		"a step in another block":           {"    simp [f]\n", "  simp [f]\n"},
		"two steps on one line":             {"intro f\n    simp", "intro f simp"},
		"a doc comment":                     {"above low", "below low"},
		"a doc comment that was lost":       {"/-- High water is\nabove low water. -/\n", ""},
		"the doc of a field":                {"in metres", "in feet"},
		"a field's default":                 {"Howth", "howth"},
		"a field that was lost":             {"  zero : ℝ\n", ""},
		"a deriving clause that was lost":   {"  deriving Repr\n", ""},
		"what a structure extends":          {" extends Station β", ""},
		"an alternative":                    {"| 0 => 1", "| 0 => 0"},
		"a comment":                         {"-- by cases", "-- by induction"},
		"a comment that was lost":           {"  -- by cases\n", ""},
		"the copyright":                     {"Aoife", "Róisín"},
		"a paragraph of the module doc":     {"# Tides", "# Ebb"},
		"a module doc that was lost":        {sample[strings.Index(sample, "/-!"):strings.Index(sample, "namespace")], ""},
		"an import that was lost":           {"import Mathlib.Order.Lattice\n", ""},
		"an import that was added":          {"import Mathlib.Order", "import Mathlib.Tactic\nimport Mathlib.Order"},
		"public that was lost":              {"public import", "import"},
		"a namespace's name":                {"Tide\n", "Ebb\n"},
		"section for namespace":             {"namespace Tide", "section Tide"},
		"an end that was lost":              {"end High\n", ""},
		"an end in another place":           {"end High\n\nprivate def springs : ℕ → ℕ\n  | 0 => 1\n  | n + 1 => 2 * springs n\n", "private def springs : ℕ → ℕ\n  | 0 => 1\n  | n + 1 => 2 * springs n\n\nend High\n"},
		"a namespace that is not opened":    {"open Nat Finset", "open Nat"},
		"an axiom that was added":           {"end High", "axiom oops : False\n\nend High"},
		"a repeated example":                {"example : springs 2 = 4 := rfl", "example : springs 2 = 4 := rfl\nexample : springs 2 = 4 := rfl"},
		"a declaration in a comment":        {"example : springs 2 = 4 := rfl", "/- example : springs 2 = 4 := rfl -/"},
		"prose above":                       {"/-\nCopy", "Here is the file:\n\n/-\nCopy"},
		"a name that is not the same bound": {"x < 2 → x = 1", "x < 2 → y = 1"},
		"the quantifier":                    {"∃ k l", "∀ k l"},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			candidate := change(t, edit[:]...)
			if score := New().Compare(vfs.Files{"Tide.lean": sample}, candidate); score.Strict >= 1 || score.Strict < 0.6 {
				t.Errorf("Strict is %v", score.Strict)
			}
		})
	}
}

func TestStrictForgives(t *testing.T) {
	t.Parallel()
	for rule, edit := range map[string][]string{
		"blank lines":                           {"\n\n", "\n\n\n"},
		"CRLF and blanks at line ends":          {"\n", "  \r\n"},
		"a code fence":                          {"/-\nCopy", "```lean\n/-\nCopy"},
		"a byte order mark":                     {"/-\nCopy", "\ufeff/-\nCopy"},
		"a doc comment that is wrapped":         {"water is\nabove", "water\nis above"},
		"a module doc that is wrapped":          {"paragraphs on\n", "paragraphs\non "},
		"theorem for lemma":                     {"lemma low", "theorem low"},
		"an attribute on the line":              {"norm_cast]\n", "norm_cast] "},
		"attributes in another order":           {"simp, norm_cast", "norm_cast, simp"},
		"attributes in two lists":               {"@[simp, norm_cast]", "@[simp]\n@[norm_cast]"},
		"a binder of two names in two":          {"{m n : ℕ}", "{m : ℕ} {n : ℕ}"},
		"a statement on two lines":              {": ∃ k l", ":\n    ∃ k l"},
		"a proof on the next line":              {"↦ by omega", "↦ by\n  omega"},
		"deeper indentation":                    {"\n    intro f\n    simp [f]", "\n      intro f\n      simp [f]"},
		"blanks around operators":               {"m + k", "m+k"},
		"imports in another order":              {"import Mathlib.Order.Lattice\npublic import Mathlib.Data.Nat.Basic", "public import Mathlib.Data.Nat.Basic\nimport Mathlib.Order.Lattice"},
		"the variables of a quantifier":         {"∃ k l : ℕ, m + k = n + l", "∃ i j : ℕ, m + i = n + j"},
		"the variable of a function":            {"fun x ↦", "fun y ↦"},
		"the names of hypotheses":               {"(h : m", "(hmn : m", ":= h\n", ":= hmn\n"},
		"ASCII for symbols":                     {"ℕ", "Nat", "≤", "<=", "≠", "!=", "→", "->", "∃", "Exists", "∀", "forall", "↦", "=>"},
		"a comment that was added":              {"end High", "-- that is all\nend High"},
		"a comment added beside another":        {"-- by cases", "-- by cases\n  -- on h"},
		"declarations that are indented":        {"lemma low", "  lemma low"},
		"alternatives that are not indented":    {"  | ", "| "},
		"another spelling of a field's default": {"String := ", "String :=\n    "},
	} {
		t.Run(rule, func(t *testing.T) {
			t.Parallel()
			reference := vfs.Files{"Tide.lean": sample}
			candidate := change(t, edit...)
			if score := New().Compare(reference, candidate); score.Strict != 1 {
				t.Errorf("Strict is %v: %v", score.Strict, New().Differences(reference, candidate))
			}
		})
	}
}

func TestFilesHaveNoOrder(t *testing.T) {
	t.Parallel()
	parts := strings.SplitAfter(sample, "variable {α : Type*} [Lattice α] (a b : α)\n")
	section, rest, _ := strings.Cut(parts[1], "private def")
	reference := vfs.Files{"Tide.lean": sample}
	for rule, candidate := range map[string]vfs.Files{
		"another name":                  {"out/Tide.txt": sample},
		"in order":                      {"a.lean": parts[0], "b.lean": section, "c.lean": "private def" + rest},
		"in another order":              {"c.lean": parts[0], "b.lean": section, "a.lean": "private def" + rest},
		"with imports of each other":    {"Tide.lean": "import Tide.High\n" + parts[0], "Tide/High.lean": section, "Tide/Rest.lean": "import Tide.High\nprivate def" + rest},
		"with a copyright in each file": {"a.lean": parts[0], "b.lean": "/-\nCopyright (c) 2022 Aoife Brennan\n-/\n" + section + "private def" + rest},
	} {
		if score := New().Compare(reference, candidate); score.Strict != 1 {
			t.Errorf("%s: Strict is %v: %v", rule, score.Strict, New().Differences(reference, candidate))
		}
	}
}

func TestStrictFallsInProportion(t *testing.T) {
	t.Parallel()
	seed := domaintest.Seed(t, "mathlean1")
	one := vfs.Files{document: strings.Replace(seed[document], "p 12 = 13860", "p 12 = 13680", 1)}
	score := New().Compare(seed, one)
	if score.Strict < 0.99 || score.Strict >= 1 {
		t.Errorf("one wrong number leaves Strict at %v", score.Strict)
	}
	want := []domains.Difference{{
		Kind: domains.Changed, Where: "Pell.p_twelve, statement", Was: "p 12 = 13860", Is: "p 12 = 13680",
	}}
	if diff := cmp.Diff(want, New().Differences(seed, one)); diff != "" {
		t.Error(diff)
	}
}

// A declaration that was lost is one difference, though others stood above it.
func TestALostDeclarationIsOneDifference(t *testing.T) {
	t.Parallel()
	reference := vfs.Files{"Tide.lean": sample}
	start := strings.Index(sample, "/-- High")
	without := sample[:start] + sample[strings.Index(sample, "lemma low"):]
	var lost []string
	for _, d := range New().Differences(reference, vfs.Files{"Tide.lean": without}) {
		if d.Kind != domains.Lost {
			t.Errorf("unexpected difference: %v", d)
		}
		lost = append(lost, d.Where)
	}
	if diff := cmp.Diff([]string{"comment by cases", "Tide.high_low"}, lost); diff != "" {
		t.Error(diff)
	}
}
