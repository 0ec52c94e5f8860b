package quantum

import "agentd/domains/edit"

// vocabulary makes parts of gates and subroutines, with the comments above them, or of the lines
// of a program that has few.
func vocabulary() edit.Format {
	attributes := []edit.Attribute{
		edit.Has("type", "types", `\b(u?int|bit|qubit|angle|bool|float)\b`),
		edit.Has("applied gate", "applied gates", `^[ \t]+([a-z]\w*)(?:\([^()\n]*\))?[ \t]+[a-z]\w*(?:\[[^\]\n]*\])?[ \t]*[,;]`),
		edit.Has("index", "indices", `\w\[([^\[\]\n]+)\]`),
		edit.Has("comment", "comments", `//+[ \t]*([^\s/][^\n]*)`),
	}
	name := edit.Has("name", "names", `^\s*(?:gate|def|defcal)\s+(\w+)`)
	keyword := edit.Key("keyword", "keywords", `^\s*(gate|defcal|def)\s`)
	first := edit.Has("first word", "first words", `\A[ \t]*([^\s;:({\[]+)`)
	text := edit.Has("statement", "statements", `^[ \t]*([A-Za-z][^;{}\n/]*);`)
	return edit.Format{
		Document: "circuit", Part: "definition", Parts: "definitions",
		Attributes: append([]edit.Attribute{name, keyword, text}, attributes...),
		Cut:        edit.Headed(`^\s*//`, edit.Starting(`^(?:gate|def|defcal)\s`, "")),
		Finer: &edit.Format{
			Document: "circuit", Part: "line", Parts: "lines", Cut: edit.Lines(),
			Attributes: append([]edit.Attribute{first, text}, attributes...),
		},
	}
}
