package musicsheet

import (
	"strconv"

	"agentd/domains/edit"
	published "agentd/domains/published/musicsheet"
)

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
	if all := written(part); len(all) > 0 {
		return strconv.Itoa(len(all))
	}
	return ""
}

// noteRange is the lowest and the highest note of a part as written, in absolute Dutch pitches; empty if it has none.
func noteRange(part string) string {
	all := written(part)
	if len(all) == 0 {
		return ""
	}
	lowest, highest := all[0], all[0]
	for _, p := range all {
		if p.Height() < lowest.Height() {
			lowest = p
		}
		if p.Height() > highest.Height() {
			highest = p
		}
	}
	return absolute(lowest) + " - " + absolute(highest)
}

// written are the notes of texts that follow one another, as they are written.
func written(texts ...string) []published.Pitch {
	var all []published.Pitch
	c := newContext()
	for _, text := range texts {
		for _, k := range tokenize(text, c) {
			if k.kind == noteToken {
				all = append(all, k.tone.pitch)
			}
		}
	}
	return all
}
