package subtitles

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"agentd/domains/edit"
	"agentd/domains/internal/doc"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/subtitles"
	"agentd/internal/lazyregexp"
)

const timeLine = `^\s*\d+:\d\d:\d\d[,.]\d+\s*-->`

var eachCue = edit.Headed(`^\s*\d+\s*$`, edit.Starting(timeLine, ""))

// cues are cut before the line of times, or the number above it. A byte order mark stands before the first.
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
			edit.Has("end", "ends", timeLine+`[ \t]*(\d+:\d\d:\d\d[,.]\d+)`),
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

// cueOf returns what the first cue of a part says: its times and the lines of its text; false if there is none.
func cueOf(part string) (t times, text []string, ok bool) {
	for _, line := range doc.Lines(part) {
		if ok {
			text = append(text, line.Text)
		} else {
			t, ok = readTimes(line.Text)
		}
	}
	return t, lists.Trim(text, func(line string) bool { return pytext.Strip(line) == "" }), ok
}

// duration is the time on screen of a cue in seconds, as in "3.917"; empty if there is no cue.
func duration(part string) string {
	t, _, ok := cueOf(part)
	if shown := t.shown(); ok && shown >= 0 {
		return fmt.Sprintf("%d.%03d", shown/published.Second, shown%published.Second)
	}
	return ""
}

// readingSpeed is the number of characters of a cue for each second, with one decimal, halves up;
// empty for one that is not shown. Tags and line ends are not read.
func readingSpeed(part string) string {
	t, text, _ := cueOf(part)
	shown, characters := t.shown(), published.Clock(0)
	if shown <= 0 {
		return ""
	}
	for _, line := range text {
		characters += published.Clock(utf8.RuneCountInString(tag.ReplaceAllString(line, "")))
	}
	tenths := (20*published.Second*characters + shown) / (2 * shown)
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}

var (
	tag     = lazyregexp.New(`<[^<>]*>|\{[^{}]*\}`)
	noises  = lazyregexp.New(`^(?:\s*(?:\[[^\]]*\]|♪[^♪]*♪))+\s*$`)
	singing = lazyregexp.New(`^\s*♪`)
)

// kind is sound if all text of a cue stands in square brackets or between ♪, music if it begins with
// ♪ then, and speech otherwise. Tags do not count.
func kind(part string) string {
	_, lines, ok := cueOf(part)
	text := pytext.Strip(tag.ReplaceAllString(strings.Join(lines, " "), ""))
	switch {
	case !ok:
		return ""
	case !noises.MatchString(text):
		return "speech"
	case singing.MatchString(text):
		return "music"
	}
	return "sound"
}
