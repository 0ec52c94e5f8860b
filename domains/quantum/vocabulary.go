package quantum

import "agentd/domains/edit"

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
		Cut:        edit.Whole(edit.Headed(`^\s*//`, edit.Statements(0, ";\n", `"[^"\n]*"`, `//.*|/\*(?s:.*?)\*/`))),
		Remark:     "// Computed: {}", RemarkAt: edit.Above,
		Tree: edit.Nested(`\{[ \t]*(?://.*)?$`, `^[ \t]*\}`),
		Finer: &edit.Format{
			Document: "circuit", Part: "line", Parts: "lines", Cut: edit.Lines(),
			Attributes: append([]edit.Attribute{first, text}, attributes...),
		},
	}
}
