package makefile

import (
	"regexp"

	"agentd/domains/edit"
)

// reference is how a makefile refers to a variable, whose name is in the group.
const reference = `\$[({]([A-Za-z_][\w.-]*)[)}]`

var referred = regexp.MustCompile(reference)

// vocabulary cuts before each target, with the comments and special targets above it. Lines are
// the parts of a file that has few rules.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "makefile", Part: "rule", Parts: "rules",
		Cut:    edit.Headed(`^(#|\.[A-Z]+)`, edit.Starting(`^(?:[^\s#=:.!+?]|\.[a-z/])[^#=:]*&?::?(?:[^:=]|$)`, "")),
		Tree:   edit.Nested(`^(?:if(?:n?def|n?eq)|define)\b`, `^(?:endif|endef)\b`),
		Remark: "# Computed: {}", RemarkAt: edit.Above,
		Attributes: []edit.Attribute{
			edit.Has("target", "targets", `^([^\s#=:.][^\s=:]*)[^=:\n]*::?(?:[^:=]|$)`),
			edit.Has("first prerequisite", "first prerequisites", `^[^\s#=:.][^#=:\n]*::?[ \t]+([^\s=#|;]+)(?:[ \t]|$)`),
			edit.Has("program", "programs", `^\t[@+-]*([A-Za-z][\w./-]*)`),
			edit.Has("command", "commands", `^\t[@+-]*([^\s][^\n]*)$`),
			edit.Has("referenced variable", "referenced variables", reference),
			edit.Has("comment", "comments", `(?:^|\s)##?[ \t]+([^\n]*\S)`),
			edit.Computed("prerequisites", "lists of prerequisites", prerequisites),
			edit.ComputedNumber("prerequisite count", "prerequisite counts", prerequisiteCount),
			edit.ComputedNumber("command count", "command counts", commandCount),
			edit.Computed("used variables", "lists of used variables", usedVariables),
		},
		Finer: &edit.Format{
			Document: "makefile", Part: "line", Parts: "lines", Cut: edit.Lines(),
			Attributes: []edit.Attribute{
				edit.Has("first word", "first words", `\A\s*([^\s:=]+)`), edit.Has("assigned variable", "assigned variables", `^([\w.-]+)\s*[:+?!]*=`),
				edit.Has("assigned value", "assigned values", `^[\w.-]+\s*[:+?!]*=[ \t]*([^\n]+)`), edit.Has("referenced variable", "referenced variables", reference),
				edit.Has("command", "commands", `^\t[@+-]*([^\s][^\n]*)$`), edit.Has("comment", "comments", `#+[ \t]*([^\n]*\S)`),
			},
		},
	}
}
