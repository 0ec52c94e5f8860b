package slides

import "agentd/domains/edit"

// vocabulary cuts before each heading of the first or second level.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "presentation", Part: "slide", Parts: "slides", Cut: edit.Starting(`^##?[ \t]`, ""),
		Attributes: []edit.Attribute{
			edit.Has("title", "titles", `\A##?[ \t]+(\S.*?)[ \t]*(?:\[@[^\n]*)?$`),
			edit.Has("title position", "title positions", `\A##?[^\n]*\[@\((\d+,[ \t]*\d+)\)`),
			edit.Has("bullet", "bullets", `^[ \t]*[-*+][ \t]+(\S.*?)[ \t]*(?:\[@[^\n]*)?$`),
			edit.Has("image", "images", `!?\[IMAGE:[ \t]*([^\s\]]+)`),
			edit.Has("position", "positions", `\[?@\((\d+,[ \t]*\d+)\)`),
			edit.HasNumber("column of a position", "columns of positions", `@\((\d+)`),
			edit.Has("emphasised text", "emphasised texts", `\*+([^*\n]+)\*+`),
		},
	}
}
