package infra

import "agentd/domains/edit"

// vocabulary makes parts of the blocks that are in no other, with the comments above each.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "configuration", Part: "top-level block", Parts: "top-level blocks",
		Cut: edit.Headed(`^[ \t]*(?:#|//)`, edit.Statements(0, "\n", `"(?:[^"\\\n]|\\.)*"`, `#.*|//.*|/\*(?s:.*?)\*/`)),
		Attributes: []edit.Attribute{
			edit.Key("block type", "block types", `^(\w+)[^\n={]*\{`),
			edit.Has("first label", "first labels", `^\w+[ \t]+"([^"\n]+)"`),
			edit.Has("last label", "last labels", `^\w+[ \t]+(?:"[^"\n]+"[ \t]+)?"([^"\n]+)"[ \t]*\{`),
			edit.Has("description", "descriptions", `\bdescription[ \t]*=[ \t]*"([^"\n]+)"`),
			edit.HasNumber("number", "numbers", `=[ \t]*(\d+(?:\.\d+)?)[ \t]*(?:#.*)?$`),
			edit.Has("dependency", "dependencies", `\bdepends_on[ \t]*=[ \t]*\[[ \t\n]*([\w.]+)`),
			edit.Has("quoted value", "quoted values", `=[ \t]*"([^"\n$]+)"`),
			edit.Has("comment", "comments", `(?:#|//)[ \t]+([^\s][^\n]*[^\s])`),
		},
	}
}
