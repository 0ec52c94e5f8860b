package subtitles

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/subtitles"
	"agentd/vfs"
)

// cue is a cue as players have it.
type cue struct {
	number     int // its index; one more than the cue before where it has none
	start, end published.Clock
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
	if line = pytext.Strip(line); strings.Contains(line, "-->") {
		line = shortTime.ReplaceAllString(line, "${1}00:$2")
	}
	var at int
	c.start, c.end, at, ok = published.ScanTimes(line, 0, zeroDays)
	if ok {
		c.remark = pytext.Strip(line[at:])
	}
	return c, ok
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
func cutIndex(above *[]string, first bool) (index int, ok bool) {
	lines := withoutBlankEnd(*above)
	last := len(lines) - 1
	if last < 0 {
		return 0, false
	}
	line := pytext.Strip(lines[last])
	alone := last == 0 && first || last > 0 && blank(lines[last-1])
	if published.SkipIndex(line, 0) != len(line) || len(lines) < len(*above) && !alone {
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
