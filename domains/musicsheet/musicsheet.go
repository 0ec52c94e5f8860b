// Package musicsheet is the domain of sheet music in LilyPond notation: voices and words in variables, a header, and a
// score block that lays them out. The note is what is counted.
//
// The published score reads variables only: 0.35 pitch classes in their order + 0.25 durations + 0.15 dynamics + 0.15
// words + 0.10 structure (key and time of the variable global, title, composer and arranger, number of voices). It does not see octaves, rests, slurs, articulations or the score block, and
// takes the pitch of a key signature for a note.
//
// Strict compares what is sung and played: every note with its pitch, octave, real duration and marks, every rest,
// command and syllable, settings and header fields. Relative octaves, transpositions and tuplets are resolved, so notes
// may be written in any way that sounds the same. Variables may change names and places. Because a melody says the same
// again and again, each variable is compared with its partner by a longest common sequence before elements are matched.
package musicsheet

import (
	"strconv"

	"agentd/domains"
	"agentd/domains/edit"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[*sheet]{
		Info: domains.Info{
			Name:     "musicsheet",
			Title:    "Music in LilyPond notation",
			Category: "Creative & Media",
			Patterns: patterns,
			Element:  counted,
			Example:  "melody = { c'4 d' e' f' }",
			Components: []string{
				"note_sequence_score", "rhythm_score", "dynamics_score", "lyrics_score", "structural_score",
			},
		},
		Parse:      parse,
		Score:      score,
		Stats:      stats,
		Form:       wellFormed,
		Elements:   elements,
		Counted:    func(s *sheet) bool { return s.whole },
		Evidence:   domains.Prevailing(counted, chordKind, restKind, syllableKind, headerKind),
		Forgives:   aligned,
		WithoutIn:  without,
		Sampling:   domains.Sampling{Not: "the voices of a piece go side by side, and notes taken out of one leave it out of step"},
		Vocabulary: vocabulary,
	})
}

// vocabulary cuts before each definition and block at the top level, with the comments above it.
// Lines are the parts of a score that has few.
func vocabulary() edit.Format {
	attributes := []edit.Attribute{
		edit.Has("command", "commands", `(?:^|[\s({<])(\\[A-Za-z]+)`),
		edit.Has("note with duration", "notes with durations", `(?:^|[\s(<{])([a-g](?:is|es|s)*[!?]?[',]*(?:1|2|4|8|16|32|64)\.*)`),
		edit.Has("quoted text", "quoted texts", `"([^"\n]+)"`),
		edit.Has("comment", "comments", `%[ \t]*([^\s%{}][^\n]*)`),
		edit.HasNumber("length in millimetres", "lengths in millimetres", `(\d+(?:\.\d+)?)\\mm`),
	}
	name := edit.Has("name", "names", `^\\?([A-Za-z]+)\s*(?:=|\{)`)
	first := edit.Has("first word", "first words", `\A\s*([^\s{}=]+)`)
	text := edit.Has("music or words", "music and words", `\A\s*(\S[^\n]*)`)
	return edit.Format{
		Document: "score", Part: "definition", Parts: "definitions",
		Attributes: append([]edit.Attribute{
			name,
			edit.Has("variable", "variables", `^([A-Za-z]+)\s*=`),
			edit.Has("reference", "references", `\\([A-Za-z]+)`),
			edit.Has("dynamic", "dynamics", `\\(p{1,5}|mp|mf|f{1,5}|fp|sfz?|rfz)\b`),
			edit.Has("line of lyrics", "lines of lyrics", `^[ \t]+([A-Za-z][^|\\{}=#<>\d\n]*)$`),
			edit.ComputedNumber("notes", "numbers of notes", noteCount),
			edit.Computed("range", "ranges", noteRange),
		}, attributes...),
		Remark: "% Computed: {}", RemarkAt: edit.Above,
		Tree: edit.Nested(`(\{|<<)\s*$`, `^\s*(\}|>>)`),
		Cut:  edit.Headed(`^%`, edit.Starting(`^(?:[A-Za-z]+\s*=|\\(?:header|paper|layout|score|book|bookpart|midi)\b)`, "")),
		Finer: &edit.Format{
			Document: "score", Part: "line", Parts: "lines", Cut: edit.Lines(),
			Attributes: append([]edit.Attribute{first, text}, attributes...),
		},
	}
}

// noteCount is how many notes a part writes, those of chords each; empty if it has none.
func noteCount(part string) string {
	if all := notesOf(part); len(all) > 0 {
		return strconv.Itoa(len(all))
	}
	return ""
}

// noteRange is the lowest and the highest note of a part as written, in absolute Dutch pitches; empty if it has none.
func noteRange(part string) string {
	all := notesOf(part)
	if len(all) == 0 {
		return ""
	}
	lowest, highest := all[0], all[0]
	for _, p := range all {
		if p.height() < lowest.height() {
			lowest = p
		}
		if p.height() > highest.height() {
			highest = p
		}
	}
	return lowest.absolute() + " - " + highest.absolute()
}

func notesOf(part string) []pitch {
	var all []pitch
	for _, k := range tokenize(part, newContext()) {
		if k.kind == noteToken {
			all = append(all, k.tone.pitch)
		}
	}
	return all
}

// absolute is a pitch in Dutch and not relative to another.
func (p pitch) absolute() string { return languages[defaultLanguage].print(p) + octaveMarks(p.octave) }
