package mathlean

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/domaintest"
	"agentd/vfs"
)

// document is the file of the documents in these tests.
const document = "PellNumbers.lean"

// demonstration is the domain with the edits of the built-in environment.
func demonstration(t testing.TB) domains.Domain { return domaintest.With(t, New(), "mathlean1") }

// ladder is a small document on which every edit has something to do.
const ladder = `import Mathlib.Tactic.Ring

/-! # Ladder -/

namespace Ladder

def side : ℕ → ℕ
  | 0 => 1
  | n + 1 => 12 * side n

section Basic

/-- One step,
by definition. -/
@[simp]
theorem side_succ (n : ℕ) : side (n + 1) = 12 * side n := rfl

end Basic

noncomputable section Values

-- small ones
@[norm_cast] lemma side_two : side 2 = 144 := by
  rw [side_succ]
  rfl -- side_two

private theorem side_pos (n : ℕ) : 0 < side n := by omega

example : side 2 ≠ 0 := (side_pos 2).ne'

end Values

end Ladder
`

// replaced is the ladder with texts replaced, each by the one after it.
func replaced(oldnew ...string) string { return strings.NewReplacer(oldnew...).Replace(ladder) }

const (
	basic = `section Basic

/-- One step,
by definition. -/
@[simp]
theorem side_succ (n : ℕ) : side (n + 1) = 12 * side n := rfl

end Basic`
	values = `noncomputable section Values

-- small ones
@[norm_cast] lemma side_two : side 2 = 144 := by
  rw [side_succ]
  rfl -- side_two

private theorem side_pos (n : ℕ) : 0 < side n := by omega

example : side 2 ≠ 0 := (side_pos 2).ne'

end Values`
)

func marked(section, name, mark string) string { return strings.Replace(section, name, name+mark, 1) }

var forwardResults = map[string]vfs.Files{
	"section_files": {
		"skeleton.lean":       replaced(basic, "-- [section Basic]", values, "-- [section Values]"),
		"section_Basic.lean":  basic + "\n",
		"section_Values.lean": values + "\n",
	},
	"section_sizes": {
		"by_size.lean": replaced(
			basic, marked(values, "section Values", " -- was section 2"),
			values, marked(basic, "section Basic", " -- was section 1")),
	},
	"code_names": {
		"coded.lean": replaced("theorem side_succ", "theorem thm01", "[side_succ]", "[thm01]",
			"lemma side_two", "lemma thm02", "theorem side_pos", "theorem thm03", "(side_pos", "(thm03"),
		"names.csv": `code,name,occurrences
thm01,side_succ,2
thm02,side_two,1
thm03,side_pos,2
`,
	},
	"doc_registry": {
		"registered.lean": replaced("/-- One step,\nby definition. -/", "/-- DOC-01 -/"),
		"DOCS.md":         "# Doc comments\n\n## DOC-01 side_succ\n\nOne step,\nby definition.\n",
	},
	"source_json": {
		"source.json": `[
  {
    "kind": "import",
    "name": "Mathlib.Tactic.Ring",
    "lines": [
      "import Mathlib.Tactic.Ring",
      ""
    ]
  },
  {
    "kind": "doc",
    "lines": [
      "/-! # Ladder -/",
      ""
    ]
  },
  {
    "kind": "namespace",
    "name": "Ladder",
    "lines": [
      "namespace Ladder",
      ""
    ]
  },
  {
    "kind": "def",
    "name": "side",
    "statement": "ℕ → ℕ",
    "lines": [
      "def side : ℕ → ℕ",
      "  | 0 => 1",
      "  | n + 1 => 12 * side n",
      ""
    ]
  },
  {
    "kind": "section",
    "name": "Basic",
    "lines": [
      "section Basic",
      ""
    ]
  },
  {
    "kind": "theorem",
    "name": "side_succ",
    "statement": "side (n + 1) = 12 * side n",
    "lines": [
      "/-- One step,",
      "by definition. -/",
      "@[simp]",
      "theorem side_succ (n : ℕ) : side (n + 1) = 12 * side n := rfl",
      ""
    ]
  },
  {
    "kind": "end",
    "name": "Basic",
    "lines": [
      "end Basic",
      ""
    ]
  },
  {
    "kind": "section",
    "name": "Values",
    "lines": [
      "noncomputable section Values",
      "",
      "-- small ones"
    ]
  },
  {
    "kind": "lemma",
    "name": "side_two",
    "statement": "side 2 = 144",
    "lines": [
      "@[norm_cast] lemma side_two : side 2 = 144 := by",
      "  rw [side_succ]",
      "  rfl -- side_two",
      ""
    ]
  },
  {
    "kind": "theorem",
    "name": "side_pos",
    "statement": "0 < side n",
    "lines": [
      "private theorem side_pos (n : ℕ) : 0 < side n := by omega",
      ""
    ]
  },
  {
    "kind": "example",
    "statement": "side 2 ≠ 0",
    "lines": [
      "example : side 2 ≠ 0 := (side_pos 2).ne'",
      ""
    ]
  },
  {
    "kind": "end",
    "name": "Values",
    "lines": [
      "end Values",
      ""
    ]
  },
  {
    "kind": "end",
    "name": "Ladder",
    "lines": [
      "end Ladder"
    ]
  }
]
`,
	},
	"attribute_table": {
		"unattributed.lean": replaced("@[simp]\n", "", "@[norm_cast] ", ""),
		"attributes.csv": `place,number,declaration,attributes,line
2,3,side_two,norm_cast,same
1,2,side_succ,simp,own
`,
	},
	"proof_archive": {
		"statements.lean": replaced(":= by\n  rw [side_succ]\n  rfl -- side_two", ":= by sorry", "by omega", "by sorry"),
		"proofs.json": `[
  {
    "theorem": "side_two",
    "lines": [
      "",
      "  rw [side_succ]",
      "  rfl -- side_two"
    ]
  },
  {
    "theorem": "side_pos",
    "lines": [
      "omega"
    ]
  }
]
`,
	},
	"constant_table": {
		"marked.lean": replaced("=> 12", "=> «K1»", "= 12", "= «K2»", "144", "«K3»"),
		"constants.csv": `mark,declaration,hex
«K1»,side,C
«K2»,side_succ,C
«K3»,side_two,90
`,
	},
	"uses_index": {
		"annotated.lean": replaced(
			"/-- One", "-- uses: side; depth 0\n/-- One",
			"@[norm_cast]", "-- uses: side, side_succ; depth 1\n@[norm_cast]",
			"private theorem", "-- uses: side; depth 0\nprivate theorem"),
	},
}

func TestEdits(t *testing.T) {
	t.Parallel()
	domaintest.Results(t, demonstration(t), vfs.Files{document: ladder}, forwardResults, domaintest.ToTheLetter)
}

func TestEditsRefuse(t *testing.T) {
	t.Parallel()
	d := demonstration(t)
	for rule, c := range map[string]struct{ edit, text string }{
		"a section without an end":         {"section_files", "section A\ntheorem a : b := c\n"},
		"an end of another section":        {"section_files", "section A\ntheorem a : b := c\nend B\n"},
		"two sections of one name":         {"section_files", "section A\ndef a := c\nend A\nsection A\nend A\n"},
		"no section":                       {"section_sizes", "theorem a : b := c\n"},
		"two theorems of one name":         {"code_names", "theorem a : b := c\ntheorem a : b := c\n"},
		"a code name that is taken":        {"code_names", "theorem a : b := thm01\n"},
		"no doc comment":                   {"doc_registry", "theorem a : b := c\n"},
		"a mark in a doc comment":          {"doc_registry", "/-- DOC-01 -/\ntheorem a : b := c\n"},
		"a last line that does not end":    {"source_json", "theorem a : b := c"},
		"a blank line below an attribute":  {"attribute_table", "@[simp]\n\ntheorem a : b := c\n"},
		"a mark that is a name":            {"constant_table", "theorem «K1» : b := 12\n"},
		"a comment on uses":                {"uses_index", "-- uses: b; depth 0\ntheorem a : b := c\n"},
		"a theorem that begins no line":    {"uses_index", "/-! a -/ theorem a : b := c\n"},
		"a document without a declaration": {"uses_index", "-- nothing yet\n"},
	} {
		if got, err := domaintest.Edit(t, d, c.edit).Forward(vfs.Files{document: c.text}); err == nil {
			t.Errorf("%s: %s made %v", rule, c.edit, got)
		}
	}
}

func TestEditsWithOtherParameters(t *testing.T) {
	t.Parallel()
	d := domaintest.Making(t, New(), map[string]string{
		"code_theorems":    `{"document": "a.lean", "to": "b.lean", "first": "fact9", "table": "c.csv"}`,
		"constant_table":   `{"document": "a.lean", "to": "b.lean", "first": "big08", "table": "c.csv"}`,
		"list_uses":        `{"document": "a.lean", "to": "b.lean", "mark": "needs (all)"}`,
		"number_docs":      `{"document": "a.lean", "to": "b.lean", "first": "Text (7", "list": "c.md", "title": "Prose"}`,
		"sort_sections":    `{"document": "a.lean", "to": "b.lean", "remark": "no."}`,
		"split_by_section": `{"document": "a.lean", "begins": "", "rest": "b.lean"}`,
	})
	domaintest.Results(t, d, vfs.Files{"a.lean": ladder}, map[string]vfs.Files{
		"code_theorems": {
			"b.lean": replaced("theorem side_succ", "theorem fact9", "[side_succ]", "[fact9]",
				"lemma side_two", "lemma fact10", "theorem side_pos", "theorem fact11", "(side_pos", "(fact11"),
			"c.csv": "code,name,occurrences\nfact9,side_succ,2\nfact10,side_two,1\nfact11,side_pos,2\n",
		},
		"constant_table": {
			"b.lean": replaced("=> 12", "=> «big08»", "= 12", "= «big09»", "144", "«big10»"),
			"c.csv":  "mark,declaration,hex\n«big08»,side,C\n«big09»,side_succ,C\n«big10»,side_two,90\n",
		},
		"list_uses": {"b.lean": replaced(
			"/-- One", "-- needs (all): side; depth 0\n/-- One",
			"@[norm_cast]", "-- needs (all): side, side_succ; depth 1\n@[norm_cast]",
			"private theorem", "-- needs (all): side; depth 0\nprivate theorem")},
		"number_docs": {
			"b.lean": replaced("/-- One step,\nby definition. -/", "/-- Text (7 -/"),
			"c.md":   "# Prose\n\n## Text (7 side_succ\n\nOne step,\nby definition.\n",
		},
		"sort_sections": {"b.lean": replaced(
			basic, marked(values, "section Values", " -- no. 2"), values, marked(basic, "section Basic", " -- no. 1"))},
		"split_by_section": {
			"b.lean":      replaced(basic, "-- [section Basic]", values, "-- [section Values]"),
			"Basic.lean":  basic + "\n",
			"Values.lean": values + "\n",
		},
	}, domaintest.ToTheLetter)
}
