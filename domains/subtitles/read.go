package subtitles

import (
	"regexp"
	"strings"

	"agentd/domains/internal/doc"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/subtitles"
)

const (
	counted     = "cue"
	outsideKind = "line"
)

// format finds the cues of a file of any name, tolerantly: a line with two times and an arrow begins one, regardless of
// what stands around it. A malformed time line is text of the cue before. Cues have no order: their times say when they
// are shown.
var format = doc.Format{
	Counted: counted,
	Orders:  map[string]doc.Order{outsideKind: doc.InOrder},
	Read: func(text string) []doc.Part {
		var r reader
		for _, line := range doc.Lines(text) {
			r.take(line)
		}
		r.finish()
		return r.parts
	},
}

type reader struct {
	parts []doc.Part
	begun bool       // the last part is a cue
	below []doc.Line // what was read since its line of times
}

func (r *reader) take(line doc.Line) {
	t, ok := readTimes(line.Text)
	if !ok {
		r.below = append(r.below, line)
		return
	}
	index, numbered := cutIndex(&r.below, !r.begun)
	r.finish()
	cue := doc.At(line, counted, "cue at "+t.start.String())
	if numbered {
		cue.From = index.From
	}
	cue.Fields = []element.Field{{Name: "start", Value: t.start.String()}, {Name: "end", Value: t.end.String()}, {Name: textField}}
	cue.Add("after the times", t.remark)
	r.parts, r.begun, r.below = plain.Append(r.parts, cue), true, nil
}

// finish makes the text of the last cue of what was read below it, or lines outside of cues if there is none.
func (r *reader) finish() {
	lines := lists.Trim(r.below, isBlank)
	text := lists.Map(lines, func(line doc.Line) string { return pytext.StripRight(line.Text) })
	if r.begun {
		cue := &r.parts[len(r.parts)-1]
		for i := range cue.Fields {
			if cue.Fields[i].Name == textField {
				cue.Fields[i].Value = oneLine(text)
			}
		}
		if len(lines) > 0 {
			cue.To = lines[len(lines)-1].To
		}
		return
	}
	for i, line := range lines {
		if text[i] != "" {
			r.parts = append(r.parts, doc.Loose(line, outsideKind, "line outside of cues", text[i]))
		}
	}
}

const textField = "text"

// times are what the line of times of a cue says.
type times struct {
	start, end published.Clock
	remark     string // what stands after the end
}

func (t *times) shown() published.Clock { return t.end - t.start }

func readTimes(line string) (t times, ok bool) {
	if line = pytext.Strip(line); !strings.Contains(line, "-->") {
		return t, false
	}
	line = shortTime.ReplaceAllString(line, "${1}00:$2")
	var at int
	t.start, t.end, at, ok = published.ScanTimes(line, 0, zeroDays)
	if ok {
		t.remark = pytext.Strip(line[at:])
	}
	return t, ok
}

// shortTime is a time without hours, as WebVTT has it in the first hour: minutes, seconds and three digits.
var shortTime = regexp.MustCompile(`(^|--> *)(\d\d:\d\d[.,]\d{3}\b)`)

// zeroDays skips the first part of a time such as 00:00:00:41,000.
func zeroDays(line string, at int) int {
	if strings.HasPrefix(line[at:], "00:") && published.FourParts(line[at:]) > 0 {
		return at + len("00:")
	}
	return at
}

// cutIndex takes the index of a cue off the lines above its time line: a number
// directly above it, or one that stands alone with blank lines around it.
func cutIndex(above *[]doc.Line, first bool) (index doc.Line, ok bool) {
	lines := *above
	for len(lines) > 0 && isBlank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	last := len(lines) - 1
	if last < 0 {
		return index, false
	}
	index = lines[last]
	alone := last == 0 && first || last > 0 && isBlank(lines[last-1])
	if number := pytext.Strip(index.Text); published.SkipIndex(number, 0) != len(number) || len(lines) < len(*above) && !alone {
		return index, false
	}
	*above = lines[:last]
	return index, true
}

func isBlank(line doc.Line) bool { return pytext.Strip(line.Text) == "" }

// oneLine writes a text as plain.OneLine does, with single blanks.
func oneLine(text []string) string {
	return plain.OneLine(lists.Map(text, func(line string) string { return strings.Join(strings.Fields(line), " ") }))
}
