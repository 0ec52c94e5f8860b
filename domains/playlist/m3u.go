package playlist

import (
	"strings"

	"agentd/domains"
	"agentd/domains/edit"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/internal/lazyregexp"
)

// What M3U playlists are known by: a directive of the extended form, or nothing but the names and addresses of media.
var (
	extendedM3U = lazyregexp.New(`(?m)\A\s*\x{FEFF}?#EXTM3U|^#EXTINF:`)
	plainM3U    = lazyregexp.New(`\A\x{FEFF}?(?:\s*(?:#[^\n]*|[^\s<][^<\n]*\.(?i:mp3|m4a|aac|ogg|oga|opus|flac|wav|wma|mp4|mkv|avi|ts|m3u8?|pls)(?:[?#][^\n]*)?)\r?(?:\n|\z))+\s*\z`)
)

func isM3U(text string) bool {
	return strings.Contains(text, "#EXT") && extendedM3U.MatchString(text) ||
		!strings.HasPrefix(pytext.StripLeft(text), "<") && plainM3U.MatchString(text)
}

// song is an entry of an M3U playlist: a place where a track is found, with the lines above it that speak of it.
type song struct {
	about    []string // directives and comments
	location string
}

// readM3U reads a playlist: the lines that speak of all of it, its songs, and what stands after the last one.
func readM3U(text string) (head []string, songs []song, rest []string) {
	var about []string
	for _, line := range plain.Lines(strings.TrimPrefix(text, "\ufeff")) {
		line = strings.TrimSpace(line)
		switch {
		case line == "":
		case line == "#EXTM3U" || strings.HasPrefix(line, "#EXTM3U ") || strings.HasPrefix(line, "#PLAYLIST:"):
			head = append(head, line)
		case line[0] == '#':
			about = append(about, line)
		default:
			songs = append(songs, song{about, line})
			about = nil
		}
	}
	return head, songs, about
}

// m3u flattens an M3U playlist.
func (f *flattener) m3u(text string) {
	head, songs, rest := readM3U(text)
	for _, line := range head {
		f.once(domains.Element{Kind: "header", Key: "playlist", Fields: []domains.Field{{Value: pytext.Collapse(line)}}})
	}
	for _, s := range songs {
		f.tracks++
		e := domains.Element{Kind: counted, Key: "track at " + s.location, Position: f.tracks}
		for _, line := range s.about {
			length, title, isInfo := strings.Cut(strings.TrimPrefix(line, "#EXTINF:"), ",")
			if !isInfo || !strings.HasPrefix(line, "#EXTINF:") {
				e.Fields = append(e.Fields, domains.Field{Name: "about", Value: pytext.Collapse(line)})
				continue
			}
			title = strings.TrimSpace(title)
			e.Fields = append(e.Fields, domains.Field{Name: "duration", Value: plain.Number(strings.TrimSpace(length))}, domains.Field{Name: "title", Value: title})
			if title != "" {
				e.Key = title
			}
		}
		e.Fields = append(e.Fields, domains.Field{Name: "location", Value: s.location})
		f.add(e)
	}
	for _, line := range rest {
		f.add(domains.Element{Kind: "comment", Key: "comment", Fields: []domains.Field{{Value: line}}})
	}
}

// withoutM3U leaves out songs with what stands above them.
func withoutM3U(text string, leave func() bool) string {
	head, songs, rest := readM3U(text)
	lines := head
	for _, s := range songs {
		if !leave() {
			lines = append(append(lines, s.about...), s.location)
		}
	}
	return plain.Text(append(lines, rest...))
}

// m3uTracks makes parts of the songs of an M3U playlist.
func m3uTracks() edit.Format {
	return edit.Format{
		Document: "playlist", Part: "track", Parts: "tracks", Cut: edit.Headed(`^#(?:EXT(?:INF|GRP|ALB|ART|IMG|BYT|BIN|VLCOPT)|[^E])`, edit.Starting(`^[^#\s]`, "")),
		Attributes: []edit.Attribute{
			edit.Has("title", "titles", `^#EXTINF:[^,\n]*,[ \t]*([^\n]*\S)`),
			edit.HasNumber("duration", "durations", `^#EXTINF:[ \t]*(-?[\d.]+)`),
			edit.Key("location", "locations", `^([^#\s][^\n]*)$`),
			edit.Has("folder", "folders", `^((?:[^#\s/][^\n/]*/)+)[^\n/]+$`),
		},
	}
}
