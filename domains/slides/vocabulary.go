package slides

import "agentd/domains/edit"

// vocabulary cuts before each heading of the first or second level.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "presentation", Part: "slide", Parts: "slides", Cut: edit.Starting(`^##?[ \t]`, ""),
		Remark: "<!-- {} -->",
		Attributes: []edit.Attribute{
			edit.Has("title", "titles", `\A##?[ \t]+(\S.*?)[ \t]*(?:\[@[^\n]*)?$`),
			edit.Has("title position", "title positions", `\A##?[^\n]*\[@\((\d+,[ \t]*\d+)\)`),
			edit.Has("bullet", "bullets", `^[ \t]*[-*+][ \t]+(\S.*?)[ \t]*(?:\[@[^\n]*)?$`),
			edit.Has("image", "images", `!?\[IMAGE:[ \t]*([^\s\]]+)`),
			edit.Has("chart", "charts", `\[CHART:[ \t]*(\S[^@\]\n]*?)[ \t]*[@\]]`),
			edit.Has("notes", "notes", `^:::[ \t]*\{?\.?notes(?s:.)*?^:::[ \t]*$`),
			edit.Has("position", "positions", `\[?@\((\d+,[ \t]*\d+)\)`),
			edit.HasNumber("column of a position", "columns of positions", `@\((\d+)`),
			edit.HasNumber("row of a position", "rows of positions", `@\(\d+,[ \t]*(\d+)`),
			edit.Has("emphasised text", "emphasised texts", `\*+([^*\n]+)\*+`),
			edit.ComputedNumber("words", "words", words),
			edit.ComputedNumber("bullets", "numbers of bullets", counting(bulletPart)),
			edit.ComputedNumber("table rows", "table rows", counting(rowPart)),
			edit.ComputedNumber("spoken words", "spoken words", spoken),
		},
	}
}
