package exec

import "strings"

// promptOf puts a task into words: the instruction, the files there are, and those to
// produce. It is what the loops of tool calls say to a model, so that agents are compared
// with them and not with their prompts.
func promptOf(v Values) string {
	var b strings.Builder
	b.WriteString(v.Instruction)
	b.WriteString("\n\nFiles in the workspace:\n")
	for _, name := range v.Files {
		b.WriteString("- " + name + "\n")
	}
	b.WriteString("\nFiles to produce:\n")
	for _, name := range v.Targets {
		b.WriteString("- " + name + "\n")
	}
	return b.String()
}
