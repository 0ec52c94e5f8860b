package mathlean

import "testing"

func TestComputedAttributes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ part, statement, lines string }{
		"a theorem":                      {"/-- Doc. -/\n@[simp]\ntheorem a (n : ℕ) : p n =\n    q n := by\n  rfl\n", "p n = q n", "3"},
		"a definition by cases":          {"def p : ℕ → ℕ\n  | 0 => 0\n  | n + 1 => n", "ℕ → ℕ", "3"},
		"modifiers":                      {"private theorem a : True :=\n  trivial\n", "True", "2"},
		"no statement":                   {"abbrev two := 2\n", "", "1"},
		"what follows is not part of it": {"example : 1 = 1 := rfl\n\nend A\n\nsection B\n", "1 = 1", "1"},
		"comments at the end":            {"lemma a : True := by\n  -- why\n  trivial\n-- next\n", "True", "3"},
		"no declaration":                 {"section B\n", "", ""},
	} {
		if got := stated(c.part); got != c.statement {
			t.Errorf("%s: it says %q, want %q", name, got, c.statement)
		}
		if got := lineCount(c.part); got != c.lines {
			t.Errorf("%s: %s lines, want %s", name, got, c.lines)
		}
	}
}
