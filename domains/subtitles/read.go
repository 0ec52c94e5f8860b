package subtitles

import (
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/doc"
	"agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/subtitles"
	"agentd/internal/lazyregexp"
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
	start := t.start.String()
	cue := doc.At(line, counted, "cue at "+start)
	if numbered {
		cue.From = index.From
	}
	cue.Fields = []element.Field{{Name: "start", Value: start}, {Name: "end", Value: t.end.String()}, {Name: textField}}
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
	if mayHaveShortTime(line) {
		line = shortTime.ReplaceAllString(line, "${1}00:$2")
	}
	var at int
	t.start, t.end, at, ok = published.ScanTimes(line, 0, zeroDays)
	if ok {
		t.remark = pytext.Strip(line[at:])
	}
	return t, ok
}

// shortTime is a time without hours, as WebVTT has it in the first hour: minutes, seconds and three digits.
var shortTime = lazyregexp.New(`(^|--> *)(\d\d:\d\d[.,]\d{3}\b)`)

// mayHaveShortTime spares the regular expression the lines of SubRip: it looks for a mark that is five bytes after where a time may begin.
func mayHaveShortTime(line string) bool {
	for i := len("00:00"); i < len(line); i++ {
		if begins := i - len("00:00"); (line[i] == '.' || line[i] == ',') && (begins == 0 || line[begins-1] == ' ' || line[begins-1] == '>') {
			return true
		}
	}
	return false
}

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
	return plain.OneLine(lists.Map(text, plain.SingleBlanks))
}

// wellFormed checks that cues are apart by a blank line, each with its times as the format has them, and in SubRip with a number.
// WebVTT is what begins with its name; the name of the file says nothing, since other programs take either.
func wellFormed(_, text string) []domains.Slip {
	var all []domains.Slip
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	isVTT, firstLine := vttHead.MatchString(text), 1
	exact, times := timesExact, "00:00:00,000 --> 00:00:00,000"
	if isVTT {
		exact, times, firstLine = vttExact, "00:00:00.000 --> 00:00:00.000", 2
		if lines = lines[1:]; len(lines) > 0 && timesLike.MatchString(lines[0]) {
			all = append(all, domains.Slip{Line: 2, What: "no blank line stands above a cue", Text: lines[0]})
		}
	}
	if !isVTT && hasTwoDigits(lines) {
		exact, times = twoDigits, "00:00:00,00 --> 00:00:00,00"
	}
	at := func(n int) string {
		if n < 0 || n >= len(lines) {
			return ""
		}
		return strings.TrimSpace(lines[n])
	}
	for n := range lines {
		line := at(n)
		if !timesLike.MatchString(line) {
			continue
		}
		slip := func(what string) {
			all = append(all, domains.Slip{Line: n + firstLine, What: what, Text: line})
		}
		switch {
		case isVTT && at(n-1) != "" && at(n-2) != "":
			slip("no blank line stands above a cue")
		case isVTT:
		case !isDigits(at(n - 1)):
			slip("a cue has no number")
		case at(n-2) != "":
			slip("no blank line stands above a cue")
		}
		switch {
		case !exact.MatchString(line):
			slip("the times are not written as " + times)
		case n+1 >= len(lines):
			slip("the last cue has no text")
		}
	}
	if last := at(len(lines) - 1); isDigits(last) && at(len(lines)-2) == "" && len(lines) > 1 {
		all = append(all, domains.Slip{Line: len(lines) - 1 + firstLine, What: "the last cue has no times"})
	}
	if isVTT {
		return all
	}
	all = append(all, misnumbered(lines)...)
	if first := at(0); first != "" && !isDigits(first) && !timesLike.MatchString(first) {
		all = append(all, domains.Slip{Line: 1, What: "a cue does not begin the file", Text: first})
	}
	return all
}

var (
	timesLike  = lazyregexp.New(`^\S+\s*--+>\s*\S+|^\d+:\d\d\S*\s*-*>?\s*\d+:\d\d\S*$`)
	vttHead    = lazyregexp.New(`^WEBVTT(?:[ \t][^\n]*)?(?:\n|$)`)
	vttExact   = lazyregexp.New(`^(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}[ \t]+-->[ \t]+(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}(?:\s|$)`)
	twoDigits  = lazyregexp.New(`^\d{1,3}:\d{2}:\d{2},\d{2} *--> *\d{1,3}:\d{2}:\d{2},\d{2}(?:\s|$)`)
	timesExact = lazyregexp.New(`^\d{1,3}:\d{2}:\d{2},\d{3} *--> *\d{1,3}:\d{2}:\d{2},\d{3}(?:\s|$)`)
)

// hasTwoDigits reports whether the times of a file have hundredths of a second: two cues or more, and none has a thousandth.
func hasTwoDigits(lines []string) bool {
	two := 0
	for _, line := range lines {
		switch line = strings.TrimSpace(line); {
		case twoDigits.MatchString(line):
			two++
		case timesExact.MatchString(line):
			return false
		}
	}
	return two > 1
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}

// misnumbered finds numbers of SubRip that do not follow while those around them do. Strict knows a cue by its times and passes over
// numbers, but people and programs name cues by them. A cue that is missing, or others in their order, leave no such number.
func misnumbered(lines []string) []domains.Slip {
	type numbered struct{ line, number int }
	var all []numbered
	for n := 1; n < len(lines); n++ {
		if timesLike.MatchString(strings.TrimSpace(lines[n])) {
			if number, err := strconv.Atoi(strings.TrimSpace(lines[n-1])); err == nil {
				all = append(all, numbered{n, number})
			}
		}
	}
	var slips []domains.Slip
	before := false // the number of the cue before is wrong
	for i, cue := range all {
		wrong := false
		switch last := i == len(all)-1; {
		case i == 0:
			wrong = len(all) > 2 && cue.number >= all[1].number && all[2].number == all[1].number+1
		case last:
			wrong = cue.number <= all[i-1].number && !before
		default:
			wrong = cue.number != all[i-1].number+1 && all[i+1].number == all[i-1].number+2
		}
		if before = wrong; wrong {
			slips = append(slips, domains.Slip{Line: cue.line, What: "the number of a cue does not follow", Text: strconv.Itoa(cue.number)})
		}
	}
	return slips
}
