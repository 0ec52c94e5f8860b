package earncall

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// document is the file that the edits begin and end with.
const document = "wapsie_q3_2024_call.txt"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "sections_json", Forward: toJSON, Backward: fromJSON},
		{Name: "masked_figures", Forward: maskFigures, Backward: unmaskFigures},
		{Name: "euros", Forward: toEuros, Backward: toDollars},
		{Name: "speaker_files", Forward: splitSpeakers, Backward: mergeSpeakers},
		{Name: "questions_by_topic", Forward: splitTopics, Backward: mergeTopics},
		{Name: "roles", Forward: toRoles, Backward: fromRoles},
		{Name: "timed_minutes", Forward: toMinutes, Backward: fromMinutes},
		{Name: "by_length", Forward: toLengths, Backward: fromLengths},
		{Name: "segments", Forward: cutSegments, Backward: joinSegments},
	}
}

// callOf reads a file that must have turns.
func callOf(files vfs.Files, name string) (call, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return call{}, err
	}
	c := read(text)
	if c.count() == 0 {
		return call{}, fmt.Errorf("%s: no turns found", name)
	}
	return c, nil
}

// finished is the document made of the turns that were found in source.
func finished(c call, source string) (vfs.Files, error) {
	if c.count() == 0 {
		return nil, fmt.Errorf("%s: no turns found", source)
	}
	return vfs.Files{document: c.print()}, nil
}

// eachLine changes every line that is said.
func (c *call) eachLine(change func(line string) string) {
	for i := range c.parts {
		for _, t := range c.parts[i].turns {
			for k := range t.lines {
				t.lines[k] = change(t.lines[k])
			}
		}
	}
}

// numberedTurn is a turn with its number in the call, from 1.
type numberedTurn struct {
	turn
	number int
}

func (c *call) numbered() []numberedTurn {
	turns := make([]numberedTurn, 0, c.count())
	for n, t := range c.turns() {
		turns = append(turns, numberedTurn{t, n + 1})
	}
	return turns
}

// frame is a call with a line "[turns 3-17]" in the place of each part's turns.
func (c *call) frame() string {
	f := call{parts: slices.Clone(c.parts)}
	n := 0
	for i := range f.parts {
		p := &f.parts[i]
		if len(p.turns) > 0 {
			p.lines = append(slices.Clone(p.lines), fmt.Sprintf("[turns %d-%d]", n+1, n+len(p.turns)))
		}
		n += len(p.turns)
		p.turns = nil
	}
	return f.print()
}

var places = regexp.MustCompile(`^\[turns ([0-9]{1,9})-([0-9]{1,9})\]$`)

// fill puts turns, in the order of their numbers, in their places in a frame.
// Those without a place stand after those before them.
func fill(frame string, turns []numberedTurn) call {
	slices.SortStableFunc(turns, func(a, b numberedTurn) int { return cmp.Compare(a.number, b.number) })
	c := readBy(plain.Lines(frame), noLabel)
	target := c.last()
	for i := range c.parts {
		p := &c.parts[i]
		lines := p.lines
		p.lines = nil
		for _, line := range lines {
			m := places.FindStringSubmatch(line)
			if m == nil {
				p.lines = append(p.lines, line)
				continue
			}
			first, _ := strconv.Atoi(m[1])
			for len(turns) > 0 && turns[0].number < first {
				target.turns = append(target.turns, turns[0].turn)
				turns = turns[1:]
			}
			target = p
		}
	}
	for _, t := range turns {
		target.turns = append(target.turns, t.turn)
	}
	return c
}

func noLabel(string) (speaker, rest string, ok bool) { return "", "", false }

// oneLine writes lines on one, with " | " between them. A "|" of the text itself
// is doubled, so that a single one always ends a line.
func oneLine(lines []string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.Join(lines, "\n"), "|", "||"), "\n", " | ")
}

// severalLines reads what oneLine writes.
func severalLines(line string) []string {
	if strings.TrimSpace(line) == "" {
		return nil
	}
	lines := strings.Split(line, " | ")
	for i := range lines {
		lines[i] = strings.ReplaceAll(lines[i], "||", "|")
	}
	return lines
}

// wholeNumber reads a cell with a number that is not negative.
func wholeNumber(cell string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(cell))
	return n, err == nil && n >= 0
}
