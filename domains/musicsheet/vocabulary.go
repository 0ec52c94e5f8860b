package musicsheet

import "agentd/domains/edit"

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
