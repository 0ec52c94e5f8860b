// Package quantum is the domain of OpenQASM 3 programs: constants, registers, extern declarations, gate definitions,
// subroutines and the operations of the program itself. The subroutine (`def`) is what is counted; of a program without
// any, the operation at top level.
//
// The published score reads each file by the grammar of OpenQASM 3.1 and compares declarations and the bodies of gates
// and subroutines in canonical spelling. A file that does not follow the grammar is searched by patterns. The program
// at top level and comments play no part. Strict reads statements with their blocks: every declaration, every operation
// with its angles and qubits in its place, every comment. The order of definitions, layout, and the spelling of what
// means the same are free.
package quantum

import (
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/edit"
	published "agentd/domains/published/quantum"
	"agentd/internal/lazyregexp"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Program]{
		Info: domains.Info{
			Name:       "quantum",
			Title:      "OpenQASM 3 program",
			Category:   "Science & Engineering",
			Patterns:   []string{"*.qasm"},
			Element:    counted,
			Example:    "def clear(qubit[3] q) {\n  reset q;\n}",
			Components: []string{"constants", "registers", "externs", "gates", "subroutines", "multiplier", "text"},
		},
		Parse:    published.Parse,
		Score:    published.Score,
		Stats:    published.Stats,
		Form:     wellFormed,
		Elements: elements,
		Comments: []string{"//", "/*"},
		// Constants, registers and externs have a score of their own.
		Others:     published.Others,
		Evidence:   domains.OfKinds(counted, kinds[published.GateForm], kinds[published.RegisterForm], kinds[published.ExternForm], kinds[published.ConstantForm]),
		Forgives:   forgives,
		WithoutIn:  without,
		Sampling:   domains.Sampling{Not: "a program is one whole: what is left calls the subroutines that are not"},
		Vocabulary: vocabulary,
	})
}

// vocabulary makes parts of the statements at top level, with the comments above them, or of the lines
// of a program that has few.
func vocabulary() edit.Format {
	attributes := []edit.Attribute{
		edit.Has("type", "types", `\b(u?int|bit|qubit|angle|bool|float)\b`),
		edit.Has("applied gate", "applied gates", `^[ \t]+([a-z]\w*)(?:\([^()\n]*\))?[ \t]+[a-z]\w*(?:\[[^\]\n]*\])?[ \t]*[,;]`),
		edit.Has("parameter", "parameters", `\br[xyz]{1,2}\(([^()\n]+)\)`),
		edit.HasNumber("index", "indices", `\w\[(\d+)\]`),
		edit.Has("comment", "comments", `//+[ \t]*([^\s/][^\n]*)`),
	}
	name := edit.Has("name", "names", `^\s*(?:gate|def|defcal|extern|const[ \t]+\w+(?:\[\w+\])?)\s+(\w+)`)
	keyword := edit.Key("keyword", "keywords", `\A(?:\s*//[^\n]*\n)*\s*([A-Za-z]\w*)`)
	first := edit.Has("first word", "first words", `\A[ \t]*([^\s;:({\[]+)`)
	text := edit.Has("statement", "statements", `^[ \t]*([A-Za-z][^;{}\n/]*);`)
	return edit.Format{
		Document: "circuit", Part: "top-level statement", Parts: "top-level statements",
		Attributes: append([]edit.Attribute{name, keyword, text, edit.ComputedNumber("length", "lengths", semicolons)}, attributes...),
		Cut:        edit.Whole(edit.Headed(`^\s*//`, edit.Statements(0, ";\n", edit.RestOfLine("//"), edit.Remark("/*", "*/"), edit.Apart{Open: `"`, Close: `"`, OneLine: true}))),
		Remark:     "// Computed: {}", RemarkAt: edit.Above,
		Tree: edit.Nested(`\{[ \t]*(?://.*)?$`, `^[ \t]*\}`),
		Finer: &edit.Format{
			Document: "circuit", Part: "line", Parts: "lines", Cut: edit.Lines(),
			Attributes: append([]edit.Attribute{first, text}, attributes...),
		},
	}
}

var remark = lazyregexp.New(`//.*|/\*(?s:.*?)\*/|"[^"\n]*"`)

// semicolons is how many statements a block holds, at any depth: its semicolons, comments aside. Empty for
// what is no block.
func semicolons(part string) string {
	part = remark.ReplaceAllString(part, "")
	if !strings.Contains(part, "{") {
		return ""
	}
	return strconv.Itoa(strings.Count(part, ";"))
}
