package slides

import (
	"strconv"
	"strings"

	"agentd/domains/edit"
	published "agentd/domains/published/slides"
)

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
			edit.ComputedNumber("bullets", "numbers of bullets", counting(published.BulletPart)),
			edit.ComputedNumber("table rows", "table rows", counting(published.RowPart)),
			edit.ComputedNumber("spoken words", "spoken words", spoken),
		},
	}
}

// words are what is apart by white space on a slide, marks and notes included, as `wc -w` counts.
func words(slide string) string { return strconv.Itoa(len(strings.Fields(slide))) }

// counting makes the number of parts of a kind on a slide.
func counting(kind published.PartKind) func(slide string) string {
	return func(slide string) string {
		n := 0
		for _, p := range read(slide) {
			if p.kind == kind {
				n++
			}
		}
		return strconv.Itoa(n)
	}
}

// spoken is the number of words in the notes of a slide, without the lines that open and close them.
func spoken(slide string) string {
	n := 0
	for _, p := range read(slide) {
		if p.kind != published.NotesPart {
			continue
		}
		for _, line := range p.lines[1:p.own] {
			if !isNotesEnd(strings.TrimSpace(line)) {
				n += len(strings.Fields(line))
			}
		}
	}
	return strconv.Itoa(n)
}
