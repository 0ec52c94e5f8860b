package makefile

import "agentd/domains/edit"

// vocabulary cuts before each target, with the comments and special targets above it. Lines are
// the parts of a file that has few rules.
func vocabulary() edit.Format {
	const variable = `\$[({]([A-Za-z_][\w.-]*)[)}]`
	return edit.Format{
		Document: "makefile", Part: "rule", Parts: "rules",
		Cut: edit.Headed(`^(#|\.[A-Z]+)`, edit.Starting(`^(?:[^\s#=:.!+?]|\.[a-z/])[^#=:]*&?::?(?:[^:=]|$)`, "")),
		Attributes: []edit.Attribute{
			edit.Has("target", "targets", `^([^\s#=:.][^\s=:]*)[^=:\n]*::?(?:[^:=]|$)`),
			edit.Has("first prerequisite", "first prerequisites", `^[^\s#=:.][^#=:\n]*::?[ \t]+([^\s=#|;]+)(?:[ \t]|$)`),
			edit.Has("program", "programs", `^\t[@+-]*([A-Za-z][\w./-]*)`),
			edit.Has("command", "commands", `^\t[@+-]*([^\s][^\n]*)$`),
			edit.Has("referenced variable", "referenced variables", variable),
			edit.Has("comment", "comments", `(?:^|\s)##?[ \t]+([^\n]*\S)`),
		},
		Finer: &edit.Format{
			Document: "makefile", Part: "line", Parts: "lines", Cut: edit.Lines(),
			Attributes: []edit.Attribute{
				edit.Has("first word", "first words", `\A\s*([^\s:=]+)`), edit.Has("assigned variable", "assigned variables", `^([\w.-]+)\s*[:+?!]*=`),
				edit.Has("assigned value", "assigned values", `^[\w.-]+\s*[:+?!]*=[ \t]*([^\n]+)`), edit.Has("referenced variable", "referenced variables", variable),
				edit.Has("command", "commands", `^\t[@+-]*([^\s][^\n]*)$`), edit.Has("comment", "comments", `#+[ \t]*([^\n]*\S)`),
			},
		},
	}
}
