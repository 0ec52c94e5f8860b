package weaving

import "agentd/domains/edit"

// vocabulary makes parts of all lines: most of a draft is a long list of numbered settings.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "weaving draft", Part: "line", Parts: "lines", Cut: edit.Lines(),
		Attributes: []edit.Attribute{
			edit.Has("setting", "settings", `\A[ \t]*([^\s=;\[][^=]*?)[ \t]*=`),
			edit.Has("value", "values", `\A[ \t]*[^\s=;\[][^=\n]*=[ \t]*([^\s;][^;\n]*?)[ \t]*(?:;|$)`),
			edit.Has("section name", "section names", `\A[ \t]*\[([^\]\n]+)\]`),
			edit.HasNumber("single number", "single numbers", `=[ \t]*(\d+(?:\.\d+)?)[ \t]*(?:;|$)`),
			edit.Has("pair of numbers", "pairs of numbers", `=[ \t]*(\d+,\d+)[ \t]*(?:;|$)`),
			edit.Has("comment", "comments", `;[ \t]*(\S[^\n]*)`),
		},
	}
}
