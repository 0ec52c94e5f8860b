package subtitles

import (
	"strings"

	"agentd/domains/edit"
)

const times = `^\s*\d+:\d\d:\d\d[,.]\d+\s*-->`

var eachCue = edit.Headed(`^\s*\d+\s*$`, edit.Starting(times, ""))

// cues are cut before the line of times, or the number above it. A byte order mark stands before the
// first.
func cues(text string) edit.Pieces {
	bare, marked := strings.CutPrefix(text, "\ufeff")
	p := eachCue(bare)
	if marked {
		p.Before = "\ufeff" + p.Before
	}
	return p
}

func vocabulary() edit.Format {
	const text = `-->[^\n]*\n(?:[^\n]+\n)*?`
	return edit.Format{
		Document: "subtitle file", Part: "cue", Parts: "cues", Cut: cues,
		Attributes: []edit.Attribute{
			edit.Has("first line of text", "first lines of text", `-->[^\n]*\n([^\n]+)`),
			edit.Has("start", "starts", `^\s*(\d+:\d\d:\d\d[,.]\d+)\s*-->`),
			edit.Has("end", "ends", times+`[ \t]*(\d+:\d\d:\d\d[,.]\d+)`),
			edit.ComputedNumber("duration", "durations", duration), edit.ComputedNumber("reading speed", "reading speeds", readingSpeed),
			edit.Computed("kind", "kinds", kind),
			edit.Key("start minute", "start minutes", `^\s*\d+:(\d\d):\d\d[,.]\d+\s*-->`),
			edit.Has("speaker", "speakers", `^(?:<[^>\n]+>|\{[^}\n]+\}|- ?)*([A-Z][A-Z .'-]+):`),
			edit.Has("colour", "colours", `<font color="?([^">\n]+)"?>`),
			edit.Has("sound", "sounds", `[\[(♪][ \t]*([^\s\[\]()♪][^\[\]()♪\n]*?)[ \t]*[\])♪]`),
			edit.Has("second line of text", "second lines of text", `-->[^\n]*\n[^\n]+\n([^\n]+)`),
			edit.Has("first word", "first words", text+`[^\pL\n]*([\pL'’]+)`),
		},
	}
}
