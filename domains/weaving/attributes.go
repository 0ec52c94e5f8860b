package weaving

import (
	"strconv"

	"agentd/domains/edit"
	"agentd/internal/lazyregexp"
)

// vocabulary makes parts of all lines, since most of a draft is a long list of numbered settings; of sections where
// a verb asks for them.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "weaving draft", Part: "line", Parts: "lines", Cut: edit.Lines(), Named: sections,
		Attributes: []edit.Attribute{
			edit.Has("setting", "settings", `\A[ \t]*([^\s=;\[][^=]*?)[ \t]*=`),
			edit.Has("value", "values", `\A[ \t]*[^\s=;\[][^=\n]*=[ \t]*([^\s;][^;\n]*?)[ \t]*(?:;|$)`),
			edit.Has("section name", "section names", `\A[ \t]*\[([^\]\n]+)\]`),
			edit.HasNumber("single number", "single numbers", `=[ \t]*(\d+(?:\.\d+)?)[ \t]*(?:;|$)`),
			edit.HasNumber("thread number", "thread numbers", `\A[ \t]*(\d+)[ \t]*=`),
			edit.Has("pair of numbers", "pairs of numbers", `=[ \t]*(\d+,\d+)[ \t]*(?:;|$)`),
			edit.Has("sentence", "sentences", `\A[ \t]*\d+[ \t]*=[ \t]*([^\d\s][^\n]{9,}[^\s])`),
			edit.Has("comment", "comments", `;[ \t]*(\S[^\n]*)`),
		},
	}
}

func sections(parts string) (edit.Format, bool) {
	return edit.Format{
		Document: "weaving draft", Part: "section", Parts: "sections", Cut: edit.Whole(edit.Starting(`^[ \t]*\[`, "")),
		Attributes: []edit.Attribute{
			edit.Key("section name", "section names", `\A[ \t]*\[([^\]\n]+)\]`), edit.ComputedNumber("number of settings", "numbers of settings", settings),
		},
	}, parts == "sections"
}

var settingLine = lazyregexp.New(`(?m)^[ \t]*[^\s=;\[][^=\n]*=`)

// settings is how many settings a section has.
func settings(part string) string {
	return strconv.Itoa(len(settingLine.FindAllString(part, -1)))
}
