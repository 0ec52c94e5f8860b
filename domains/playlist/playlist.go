// Package playlist is the domain of XSPF playlists, as players and radio stations write them: an ordered list of
// tracks, each with title, creator, album, note, duration, places where it is found, and the station's own values in
// meta elements, such as year, label, rotation class and flags. The track is what is counted.
//
// The published score pairs tracks by title and creator and looks at their album, year, label, rotation, flags and
// annotation, and at the order of the pairs. Strict looks at every element and attribute of a track and of the
// playlist: locations, durations, links, extensions, comments, additions and repeated plays, and the order of all
// tracks. It reads files that a strict parser rejects: under any name, without their namespace, with a closing tag that
// is lost or misspelt, or with sentences around the playlist. Strict alone reads M3U, plain and extended.
package playlist

import (
	"agentd/domains"
	"agentd/domains/internal/element"
	published "agentd/domains/published/playlist"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Document]{
		Info: domains.Info{
			Name:     "playlist",
			Title:    "XSPF playlist",
			Category: "Everyday",
			Patterns: []string{"*" + published.Extension},
			Element:  counted,
			Example: "<track>\n" +
				"  <title>Slow Boat</title>\n" +
				"  <creator>Mara Lind</creator>\n" +
				"</track>",
			Components: []string{"coverage", "metadata", "annotation", "sequence"},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Comments:   []string{"<!--"},
		Forgives:   element.Harmless{MayGo: true}.Forgive,
		Without:    without,
		Vocabulary: vocabulary,
	})
}
