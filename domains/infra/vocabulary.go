package infra

import "agentd/domains/edit"

// vocabulary makes parts of the blocks that are in no other, with the comments above each.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "configuration", Part: "top-level block", Parts: "top-level blocks",
		Cut:    edit.Headed(`^[ \t]*(?:#|//)`, edit.Statements(0, "\n", `"(?:[^"\\\n]|\\.)*"`, `#.*|//.*|/\*(?s:.*?)\*/`)),
		Tree:   edit.Nested(`[{\[(]$`, `^[ \t]*[}\])]`),
		Remark: "# Computed: {}", RemarkAt: edit.Above,
		Attributes: []edit.Attribute{
			edit.Key("block type", "block types", `^(\w+)[^\n={]*\{`),
			edit.Has("first label", "first labels", `^\w+[ \t]+"([^"\n]+)"`),
			edit.Has("last label", "last labels", `^\w+[ \t]+(?:"[^"\n]+"[ \t]+)?"([^"\n]+)"[ \t]*\{`),
			edit.Has("description", "descriptions", `\bdescription[ \t]*=[ \t]*"([^"\n]+)"`),
			edit.HasNumber("number", "numbers", `=[ \t]*(\d+(?:\.\d+)?)[ \t]*(?:#.*)?$`),
			edit.Has("dependency", "dependencies", `\bdepends_on[ \t]*=[ \t]*\[[ \t\n]*([\w.]+)`),
			edit.Has("quoted value", "quoted values", `[^=!<>\n]=[ \t]*"((?:[^"\\\n$]|\\.)+)"`),
			edit.Has("comment", "comments", `(?:#|//)[ \t]+([^\s][^\n]*[^\s])`),
			edit.Has("resource name", "resource names", `^(?:resource|data)[ \t]+"[^"\n]+"[ \t]+"([^"\n]+)"`),
			edit.Has("referenced name", "referenced names", `\b[a-z]\w*_\w+\.([A-Za-z][\w-]*)`),
			edit.Has("address range", "address ranges", `\b(\d{1,3}(?:\.\d{1,3}){3}/\d{1,2})\b`),
			edit.Has("second number", "second numbers", `\b10\.(\d{1,3})\.\d{1,3}\.\d{1,3}\b`),
			edit.Computed("address", "addresses", address),
			edit.Computed("references", "lists of references", references),
			edit.ComputedNumber("reference count", "reference counts", referenceCount),
		},
	}
}
