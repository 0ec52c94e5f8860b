package mathlean

import (
	"testing"

	"agentd/domains/domaintest"
)

func BenchmarkContrived(b *testing.B) {
	domaintest.BenchmarkContrived(b, New(), domaintest.Seed(b, "mathlean1"), contrived)
}

// contrived are documents made to be slow to compare.
var contrived = map[string]domaintest.Contrived{
	"bare":         {Record: "def a:=0\n"},
	"numbered":     {Record: "def a%d:=0\n"},
	"seeded":       {Record: "theorem p_succ : %d := rfl\n"},
	"statements":   {Record: "theorem a : p %d = 2378 := rfl\n"},
	"unfinished":   {Record: "def a%d\n"},
	"examples":     {Record: "example : %d := rfl\n"},
	"same":         {Record: "theorem p_zero : p 0 = 0 := rfl\n"},
	"imports":      {Record: "import A%d\n"},
	"sections":     {Record: "section A%d\nend A%d\n"},
	"nested":       {Record: "namespace a\n"},
	"opens":        {Record: "open a in\n"},
	"variables":    {Before: "variable ", Record: "(a%d : b) "},
	"binders":      {Before: "theorem a ", Record: "(a%d : b) ", After: ": c := rfl\n"},
	"names":        {Before: "theorem a (", Record: "a%d ", After: ": b) : c := rfl\n"},
	"steps":        {Before: "theorem a : b := by\n", Record: "  c %d\n"},
	"deeper steps": {Before: "theorem a : b := by\n", Record: "  by\n   by\n"},
	"terms":        {Before: "theorem a : b :=\n ", Record: "f %d "},
	"fields":       {Before: "structure a where\n", Record: "  b%d : c\n"},
	"quantifiers":  {Before: "theorem a : ", Record: "∃ b%d, ", After: "c := rfl\n"},
	"alternatives": {Before: "def a : b\n", Record: "  | %d => c\n"},
	"attributes":   {Before: "@[", Record: "a%d, ", After: "simp] theorem a : b := rfl\n"},
	"open heads":   {Record: "  @[a\n"},
	"docs":         {Record: "/-- %d -/\n"},
	"module docs":  {Record: "/-! %d -/\n"},
	"paragraphs":   {Before: "/-!\n", Record: "%d\n\n", After: "-/\n"},
	"comments":     {Record: "-- %d\n"},
	"added":        {Before: "theorem p_succ : a := by\n", Record: "  -- %d\n"},
	"open comment": {Record: "/- %d\n\n"},
	"quotes":       {Before: "def a := ", Record: "\"\\\" "},
	"characters":   {Before: "def a := ", Record: "'\\"},
	"brackets":     {Before: "def a := ", Record: "(["},
	"closing":      {Before: "def a := ", Record: ")"},
	"blanks":       {Record: "                                        \n"},
	"margin":       {Record: "                                        a\n"},
	"lines":        {Record: "a%d\n"},
	"one line":     {Record: "a%d "},
}
