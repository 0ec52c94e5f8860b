// Package musicsheet is the domain of sheet music in LilyPond notation: voices and words in variables, a header, and a
// score block that lays them out. The note is what is counted.
//
// The published score reads variables only. It does not see octaves, rests, slurs, articulations or the score block, and
// takes the pitch of a key signature for a note.
//
// Strict compares what is sung and played: every note with its pitch, octave, real duration and marks, every rest,
// command and syllable, settings and header fields. Relative octaves, transpositions and tuplets are resolved, so notes
// may be written in any way that sounds the same. Variables may change names and places. Because a melody says the same
// again and again, each variable is compared with its partner by a longest common sequence before elements are matched.
package musicsheet

import (
	"sync"

	"agentd/domains"
	"agentd/domains/internal/lists"
	published "agentd/domains/published/musicsheet"
	"agentd/vfs"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[sheet]{
		Info: domains.Info{
			Name:     "musicsheet",
			Title:    "Music in LilyPond notation",
			Category: "Creative & Media",
			Patterns: published.Patterns,
			Element:  counted,
			Example:  "melody = { c'4 d' e' f' }",
			Components: []string{
				"note_sequence_score", "rhythm_score", "dynamics_score", "lyrics_score", "structural_score",
			},
		},
		Parse:      parse,
		Score:      score,
		Stats:      statistics,
		Form:       wellFormed,
		Elements:   elements,
		Comments:   []string{"%"},
		Counted:    func(s sheet) bool { return s.whole },
		Evidence:   domains.Prevailing(counted, chordKind, restKind, syllableKind, headerKind),
		Forgives:   aligned,
		WithoutIn:  without,
		Sampling:   domains.Sampling{Not: "the voices of a piece go side by side, and notes taken out of one leave it out of step"},
		Vocabulary: vocabulary,
	})
}

// sheet is the published reading, with the number of notes by Strict's.
type sheet struct {
	published *published.Sheet
	notes     func() int
	whole     bool // no file has a name of another format
}

func parse(files vfs.Files) (sheet, error) {
	s, err := published.Parse(files)
	music := files.Match(published.Patterns)
	notes := func() int {
		texts := lists.Map(music.Names(), func(name string) string { return music[name] })
		return len(written(texts...))
	}
	return sheet{published: s, notes: sync.OnceValue(notes), whole: len(music) == len(files)}, err
}

func score(reference, candidate sheet, noted *domains.Notes) domains.Reading {
	return published.Score(reference.published, candidate.published, noted)
}

func statistics(s sheet) domains.Stats {
	stats := published.Stats(s.published)
	stats.Elements = s.notes()
	return stats
}

const counted = "note"

// Kinds of elements, other than the counted one, that only music has.
const (
	chordKind    = "chord"
	restKind     = "rest"
	syllableKind = "syllable"
	headerKind   = "header field"
	commentKind  = "comment"
)
