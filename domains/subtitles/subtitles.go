// Package subtitles compares SubRip captions: cues, each with a start and an end time in milliseconds and one or more
// lines of text. The counted element is the cue.
//
// The published score pairs cues by their folded text alone, so it hardly sees a shifted time and does not see case,
// line breaks, speaker labels or an added cue; and a single malformed time line makes it read nothing. Strict reads
// what players read: for every cue its start, its end, what stands after them on their line, and the lines of its text
// as they are, wherever in the files the cue stands. Index numbers, padding, the mark before the milliseconds and blank
// lines between cues carry nothing; a line outside of all cues, such as a heading, is an element of its own.
package subtitles

import (
	"agentd/domains"
	published "agentd/domains/published/subtitles"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[[]published.Caption]{
		Info: domains.Info{
			Name:       "subtitles",
			Title:      "SubRip captions",
			Category:   "Creative & Media",
			Patterns:   []string{"*.srt"},
			Element:    counted,
			Example:    "1\n00:00:04,200 --> 00:00:06,900\nThe tide turns at six.",
			Components: []string{"coverage", "text", "timing", "sequence"},
		},
		Parse:      published.Parse,
		Score:      published.Score,
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   format.Elements,
		Without:    format.Without,
		Vocabulary: vocabulary,
	})
}
