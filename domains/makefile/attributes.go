package makefile

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/edit"
	published "agentd/domains/published/makefile"
	"agentd/internal/lazyregexp"
)

// reference is how a makefile refers to a variable, whose name is in the group.
const reference = `\$[({]([A-Za-z_][\w.-]*)[)}]`

var referred = lazyregexp.New(reference)

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

// commandCount is how many commands a rule's recipe has; a continued one counts once.
func commandCount(part string) string {
	count := 0
	for _, s := range published.Read(part) {
		if s.Kind == published.RecipeLine || s.Rule.HasRecipe {
			count++
		}
	}
	return strconv.Itoa(count)
}

// prerequisites are those of a rule as written, order-only ones last.
func prerequisites(part string) string { return strings.Join(prerequisitesOf(part), " ") }

// prerequisiteCount is how many prerequisites a rule names.
func prerequisiteCount(part string) string { return strconv.Itoa(len(prerequisitesOf(part))) }

func prerequisitesOf(part string) []string {
	var normal, orderOnly []string
	for _, s := range published.Read(part) {
		if s.Kind == published.RuleLine && !slices.Contains(published.SpecialTargets, s.Rule.Targets[0]) {
			normal, orderOnly = append(normal, s.Rule.Prerequisites...), append(orderOnly, s.Rule.OrderOnly...)
		}
	}
	return append(normal, orderOnly...)
}

// usedVariables are the names of the variables that a part refers to, in order and each once.
func usedVariables(part string) string {
	var names []string
	for _, found := range referred.FindAllStringSubmatch(part, -1) {
		names = append(names, found[1])
	}
	slices.Sort(names)
	return strings.Join(slices.Compact(names), ", ")
}
