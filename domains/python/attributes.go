package python

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/edit"
)

// vocabulary makes parts of the functions and classes at the top level, with the decorators and
// comments above them, or of the blocks between blank lines in a program that has few.
func vocabulary() edit.Format {
	attributes := []edit.Attribute{
		edit.Has("called function", "called functions", `\b([A-Za-z_][\w.]*)\(`),
		edit.Has("string in double quotes", "strings in double quotes", `(?:^|[^"\\])"([^"\\\n{}]+)"(?:[^"]|$)`),
		edit.Has("comment", "comments", `(?:^|\s)#[ \t]+([^\n"']*[^\s"'])$`),
		edit.Has("docstring", "docstrings", `"""([^"\\]+)"""`),
		edit.Has("variable that is set", "variables that are set", `^[ \t]*([A-Za-z_]\w*) = `),
		edit.Has("word", "words", `\b[A-Za-z_]\w*\b`),
		edit.ComputedNumber("complexity", "complexities", complexity),
		edit.ComputedNumber("lines", "numbers of lines", lineCount),
	}
	name := edit.Has("name", "names", `^(?:async[ \t]+)?(?:def|class)[ \t]+(\w+)`)
	keyword := edit.Key("keyword", "keywords", `^(async|def|class)[ \t]`)
	first := edit.Has("first word", "first words", `\A[ \t]*(\w+)`)
	return edit.Format{
		Document: "program", Part: "definition", Parts: "definitions", Attributes: append([]edit.Attribute{name, keyword}, attributes...),
		Remark: "# {}", RemarkAt: edit.Above,
		Cut: edit.Whole(edit.Headed(`^[@#]`, edit.Starting(`^(?:async[ \t]+def|def|class)[ \t]`, `^if[ \t(]+__name__`))),
		Finer: &edit.Format{
			Document: "program", Part: "block", Parts: "blocks", Cut: edit.Whole(edit.Blocks("")), Attributes: append([]edit.Attribute{first}, attributes...),
			Finer: &edit.Format{
				Document: "program", Part: "line", Parts: "lines", Cut: edit.Lines(), Attributes: append([]edit.Attribute{first}, attributes...),
			},
		},
	}
}

// deciding are the words that add a path through a function.
var deciding = []string{"if", "elif", "for", "while", "except", "and", "or"}

// complexity is McCabe's, as far as words of the code tell it.
func complexity(code string) string {
	lines, _ := scan(plainSource(code))
	n := 1
	for _, l := range lines {
		for _, t := range l.tokens {
			if t.kind == nameToken && slices.Contains(deciding, t.text) {
				n++
			}
		}
	}
	return strconv.Itoa(n)
}

// lineCount is the number of lines that are not blank.
func lineCount(code string) string {
	n := 0
	for line := range strings.Lines(code) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return strconv.Itoa(n)
}
