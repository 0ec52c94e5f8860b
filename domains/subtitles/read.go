package subtitles

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// cue is a cue as players have it.
type cue struct {
	number     int // its index; one more than the cue before where it has none
	start, end clock
	remark     string   // what stands after the end time on its line
	text       []string // lines, blank ones only between others
}

// track is an SRT file.
type track struct {
	head []string // lines before the first cue; a well-formed file has none
	cues []cue
}

// read reads a file of any name, tolerantly: a line with two times and an arrow begins a cue, regardless of what stands
// around it. A malformed time line is text of the cue before.
func read(text string) track {
	var t track
	above := &t.head // the lines that a next cue's index would end
	for _, line := range plain.Lines(text) {
		next, ok := readTimeLine(line)
		if !ok {
			*above = append(*above, line)
			continue
		}
		index, found := cutIndex(above, len(t.cues) == 0)
		next.number = 1
		if found {
			next.number = index
		} else if len(t.cues) > 0 {
			next.number += t.cues[len(t.cues)-1].number
		}
		*above = lists.Trim(*above, blank)
		t.cues = plain.Append(t.cues, next)
		above = &t.cues[len(t.cues)-1].text
	}
	*above = lists.Trim(*above, blank)
	return t
}

// readTimeLine reads a cue's times and remark.
func readTimeLine(line string) (c cue, ok bool) {
	line = pytext.Strip(line)
	var at int
	c.start, c.end, at, ok = scanTimes(line, 0, zeroDays)
	if ok {
		c.remark = pytext.Strip(line[at:])
	}
	return c, ok
}

// zeroDays skips the first part of a time such as 00:00:00:41,000.
func zeroDays(line string, at int) int {
	if strings.HasPrefix(line[at:], "00:") && fourParts(line[at:]) > 0 {
		return at + len("00:")
	}
	return at
}

// cutIndex takes the index of a cue off the lines above its time line: a number
// directly above it, or one that stands alone with blank lines around it.
func cutIndex(above *[]string, first bool) (index int, ok bool) {
	lines := withoutBlankEnd(*above)
	last := len(lines) - 1
	if last < 0 {
		return 0, false
	}
	line := pytext.Strip(lines[last])
	alone := last == 0 && first || last > 0 && blank(lines[last-1])
	if skipIndex(line, 0) != len(line) || len(lines) < len(*above) && !alone {
		return 0, false
	}
	*above = lines[:last]
	whole, _, _ := strings.Cut(line, ".")
	index, _ = strconv.Atoi(whole)
	return index, true
}

func blank(line string) bool { return pytext.Strip(line) == "" }

func withoutBlankEnd(lines []string) []string {
	for len(lines) > 0 && blank(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return lines
}

func (c clock) String() string {
	return fmt.Sprintf("%02d:%02d:%02d,%03d", c/hour, c/minute%60, c/second%60, c%second)
}

// print writes a cue as read reads it.
func (c *cue) print() string {
	times := c.start.String() + " --> " + c.end.String()
	if c.remark != "" {
		times += " " + c.remark
	}
	return plain.Text(append([]string{strconv.Itoa(c.number), times}, c.text...))
}

func printCues(cues []cue) string {
	return strings.Join(lists.Each(cues, (*cue).print), "\n")
}

// without leaves cues out, counted through all files, and keeps the numbers of the others.
func without(_, text string, leave func() bool) string {
	t := read(text)
	cues := printCues(slices.DeleteFunc(t.cues, func(cue) bool { return leave() }))
	if len(t.head) > 0 {
		return plain.Text(append(t.head, "")) + cues
	}
	return cues
}

// oneLine writes a text as plain.OneLine does, with single blanks.
func oneLine(text []string) string {
	return plain.OneLine(lists.Map(text, func(line string) string { return strings.Join(strings.Fields(line), " ") }))
}

// A scanner function takes a text and a place in it and returns the place
// after what it names, or -1 where that does not stand there.

func skipSpace(s string, at int) int  { return len(s) - len(pytext.StripLeft(s[at:])) }
func skipBlanks(s string, at int) int { return len(s) - len(strings.TrimLeft(s[at:], " ")) }

// skipDigits takes any number of digits, also none.
func skipDigits(s string, at int) int {
	for at < len(s) && s[at] >= '0' && s[at] <= '9' {
		at++
	}
	return at
}

// skipMark takes one of the marks between the parts of a time, full-width ones of East Asian files included.
func skipMark(s string, at int) int {
	r, size := utf8.DecodeRuneInString(s[at:])
	if size > 0 && strings.ContainsRune(",.:，．。：", r) {
		return at + size
	}
	return -1
}

// skipIndex takes a cue's number: "7", "-1", "12.5".
func skipIndex(s string, at int) int {
	if at < len(s) && s[at] == '-' {
		at++
	}
	end := skipDigits(s, at)
	if end == at {
		return -1
	}
	if end < len(s) && s[end] == '.' {
		end = skipDigits(s, end+1)
	}
	return end
}

// skipArrow takes "-->" with the blanks around it, or "- >".
func skipArrow(s string, at int) int {
	at = skipBlanks(s, at)
	if !strings.HasPrefix(s[at:], "--") && !strings.HasPrefix(s[at:], "- ") {
		return -1
	}
	at = skipBlanks(s, at+2)
	if !strings.HasPrefix(s[at:], ">") {
		return -1
	}
	return skipBlanks(s, at+1)
}

// scanTimes reads a start time, an arrow and an end time. begins returns where each
// of them begins. It is false for times from endOfClock on, too.
func scanTimes(s string, at int, begins func(s string, at int) int) (start, end clock, after int, ok bool) {
	if start, at = scanTime(s, begins(s, at)); at < 0 {
		return 0, 0, -1, false
	}
	if at = skipArrow(s, at); at < 0 {
		return 0, 0, -1, false
	}
	end, at = scanTime(s, begins(s, at))
	return start, end, at, at >= 0 && start < endOfClock && end < endOfClock
}

// clock is a time of the film in milliseconds.
type clock int64

const (
	second clock = 1000
	minute       = 60 * second
	hour         = 60 * minute
	// endOfClock is the first time that the published reader cannot hold: 1,000,000,000 days.
	endOfClock = 1_000_000_000 * 24 * hour
)

// scanTime reads hours, minutes, seconds and, if they are there, milliseconds,
// each a run of digits of any length. A time from endOfClock on is endOfClock.
func scanTime(s string, at int) (clock, int) {
	total := clock(0)
	for part, unit := range []clock{hour, minute, second, 1} {
		if part > 0 {
			if mark := skipMark(s, at); mark >= 0 {
				at = mark
			} else if part < 3 {
				return 0, -1
			}
		}
		end := skipDigits(s, at)
		if end == at && part < 3 {
			return 0, -1
		}
		total = min(total+number(s[at:end], endOfClock/unit)*unit, endOfClock)
		at = end
	}
	return total, at
}

// number is the value of a run of digits, at most most.
func number(digits string, most clock) clock {
	value := clock(0)
	for i := range len(digits) {
		if value = value*10 + clock(digits[i]-'0'); value >= most {
			return most
		}
	}
	return value
}

// published is the time as the published evaluator has it: it goes through
// floating-point seconds and cuts off, which can lose a millisecond.
func (c clock) published() float64 { return math.Trunc(float64(c) / 1000 * 1000) }

// counted is the kind of element that is counted.
const counted = "cue"

// elements flattens a document for Strict. Cues have no place: their times say when they are shown.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	foreign := 0
	for _, name := range files.Names() {
		t := read(files[name])
		for _, line := range t.head {
			if line = pytext.StripRight(line); line != "" {
				foreign++
				all = append(all, domains.Element{
					Kind: "line", Key: fmt.Sprintf("line %d outside of cues", foreign),
					Fields: []domains.Field{{Value: line}}, Position: foreign,
				})
			}
		}
		all = slices.Grow(all, len(t.cues))
		for i := range t.cues {
			all = append(all, t.cues[i].element())
		}
	}
	return all
}

func (c *cue) element() domains.Element {
	text := lists.Map(c.text, pytext.StripRight)
	start := c.start.String()
	e := domains.Element{
		Kind: counted, Key: "cue at " + start,
		Fields: []domains.Field{
			{Name: "start", Value: start},
			{Name: "end", Value: c.end.String()},
			{Name: "text", Value: oneLine(text)},
		},
	}
	if c.remark != "" {
		e.Fields = append(e.Fields, domains.Field{Name: "after the times", Value: c.remark})
	}
	return e
}
