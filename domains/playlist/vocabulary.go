package playlist

import "agentd/domains/edit"

// vocabulary makes parts of tracks.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "playlist", Part: "track", Parts: "tracks", Cut: edit.XML("track"),
		Attributes: []edit.Attribute{
			edit.Has("title", "titles", edit.TextOf("title")),
			edit.Has("creator", "creators", edit.TextOf("creator")),
			edit.Has("album", "albums", edit.TextOf("album")),
			edit.Has("rotation", "rotations", meta("rotation")),
			edit.Has("label", "labels", meta("label")),
			edit.HasNumber("year", "years", meta("year")),
			edit.HasNumber("duration", "durations", edit.TextOf("duration")),
			edit.Has("annotation", "annotations", edit.TextOf("annotation")),
		},
	}
}

// meta is a pattern for the text of a meta element of a kind.
func meta(rel string) string {
	return edit.TextOf(`meta(?:\s[^<>]*)?\srel\s*=\s*["'](?:[^"'<>]*[/#])?` + rel + `["']`)
}
