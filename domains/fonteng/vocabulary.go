package fonteng

import "agentd/domains/edit"

// vocabulary makes parts of the statements and blocks that are in no other block.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "feature file", Part: "top-level statement", Parts: "top-level statements",
		Cut:    edit.Whole(edit.Headed(`^[ \t]*#`, edit.Statements(0, ";", `"[^"]*"`, `#.*`))),
		Remark: "  # Computed: {}", RemarkAt: edit.End,
		Tree: edit.Nested(`\{[ \t]*(?:#.*)?$`, `^[ \t]*\}`),
		Attributes: []edit.Attribute{
			edit.Key("keyword", "keywords", `^[ \t]*(languagesystem|feature|lookup|table|markClass|anchorDef|valueRecordDef|include)\b`),
			edit.Key("name", "names", `^[ \t]*(?:@|feature[ \t]+|lookup[ \t]+|table[ \t]+|languagesystem[ \t]+\w+[ \t]+)([\w.-]+)`),
			edit.Has("script", "scripts", `\b(?:script|languagesystem)[ \t]+(\w{3,4})\b`),
			edit.Has("alternate glyph", "alternate glyphs", `[\[\s']([a-zA-Z]+\.[a-z]+)\b`),
			edit.Has("class name", "class names", `(?:^|[\s'\[(])@([A-Za-z_][\w.-]*)`),
			edit.ComputedNumber("number of rules", "numbers of rules", rules),
			edit.HasNumber("kerning value", "kerning values", `\bpos[ \t]+[^;\n<]*[ \t](-?\d+)[ \t]*;`),
			edit.Has("comment", "comments", `#[ \t]*([^\s#=-][^\n]*[^\s])`),
		},
	}
}
