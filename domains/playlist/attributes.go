package playlist

import (
	"fmt"
	"strconv"

	"agentd/domains/edit"
	"agentd/internal/lazyregexp"
)

// vocabulary makes parts of tracks, in XSPF or M3U.
func vocabulary() edit.Format {
	xspf := tracks()
	xspf.Adapt = func(_, text string) edit.Format {
		if isM3U(text) {
			return m3uTracks()
		}
		return tracks()
	}
	return xspf
}

// tracks makes parts of the tracks of an XSPF playlist.
func tracks() edit.Format {
	return edit.Format{
		Document: "playlist", Part: "track", Parts: "tracks", Cut: edit.XML("track"), Tree: edit.XMLTree(),
		Remark: ` <!-- computed: {} -->`, RemarkAt: edit.End,
		Attributes: []edit.Attribute{
			edit.Has("title", "titles", edit.TextOf("title")),
			edit.Has("creator", "creators", edit.TextOf("creator")),
			edit.Has("album", "albums", edit.TextOf("album")),
			edit.Has("rotation", "rotations", meta("rotation")),
			edit.Has("label", "labels", meta("label")),
			edit.HasNumber("year", "years", meta("year")),
			edit.HasNumber("duration", "durations", edit.TextOf("duration")),
			edit.Has("local", "flags of local music", meta("local")),
			edit.Has("request", "flags of requests", meta("request")),
			edit.Has("annotation", "annotations", edit.TextOf("annotation")),
			edit.Computed("decade", "decades", decade),
			edit.Computed("length", "lengths", length),
		},
	}
}

// meta is a pattern for the text of a meta element of a kind.
func meta(rel string) string {
	return edit.TextOf(`meta(?:\s[^<>]*)?\srel\s*=\s*["'](?:[^"'<>]*[/#])?` + rel + `["']`)
}

// What decades and lengths are computed from.
var (
	wholeYear    = lazyregexp.New(meta("year"))
	milliseconds = lazyregexp.New(edit.TextOf("duration"))
)

// decade is that of a track, as in "1960s"; empty if its year is not of four figures.
func decade(track string) string {
	m := wholeYear.FindStringSubmatch(track)
	if m == nil || len(m[1]) != len("1960") {
		return ""
	}
	if _, err := strconv.ParseUint(m[1], 10, 16); err != nil {
		return ""
	}
	return m[1][:3] + "0s"
}

// length is the duration of a track in minutes, seconds and thousandths, as in "3:37.400"; empty if
// it has none in milliseconds.
func length(track string) string {
	m := milliseconds.FindStringSubmatch(track)
	if m == nil {
		return ""
	}
	ms, err := strconv.ParseUint(m[1], 10, 32)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("%d:%02d.%03d", ms/60_000, ms/1000%60, ms%1000)
}
