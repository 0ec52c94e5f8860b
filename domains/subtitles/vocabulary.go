package subtitles

import "agentd/domains/edit"

// vocabulary cuts before the line of times, or the number above it.
func vocabulary() edit.Format {
	const times = `^\s*\d+:\d\d:\d\d[,.]\d+\s*-->`
	const text = `-->[^\n]*\n(?:[^\n]+\n)*?`
	return edit.Format{
		Document: "subtitle file", Part: "cue", Parts: "cues", Cut: edit.Headed(`^\s*\d+\s*$`, edit.Starting(times, "")),
		Attributes: []edit.Attribute{
			edit.Has("first line of text", "first lines of text", `-->[^\n]*\n([^\n]+)`),
			edit.Key("start minute", "start minutes", `^\s*\d+:(\d\d):\d\d[,.]\d+\s*-->`),
			edit.Has("speaker", "speakers", `^(?:<[^>\n]+>|\{[^}\n]+\}|- ?)*([A-Z][A-Z .'-]+):`),
			edit.Has("sound", "sounds", `[\[(♪][ \t]*([^\[\]()♪\n]+?)[ \t]*[\])♪]`),
			edit.Has("second line of text", "second lines of text", `-->[^\n]*\n[^\n]+\n([^\n]+)`),
			edit.Has("first word", "first words", text+`[^\pL\n]*([\pL'’]+)`),
		},
	}
}
