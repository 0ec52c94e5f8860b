package subtitles

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// byCue reads a table and files its rows under the cue number in their first column, the first
// row of a number counting.
func byCue(files vfs.Files, name string, columns ...string) (map[int][]string, error) {
	rows, err := plain.Table(files, name, columns...)
	filed := make(map[int][]string, len(rows))
	for _, row := range rows {
		number, ok := wholeNumber(row[0])
		if _, twice := filed[number]; ok && !twice {
			filed[number] = row[1:]
		}
	}
	return filed, err
}

// wholeNumber reads a cell with a number that is not negative.
func wholeNumber(cell string) (int, bool) {
	n, err := strconv.Atoi(strings.TrimSpace(cell))
	return n, err == nil && n >= 0
}

// parseClock reads a cell with a time.
func parseClock(cell string) (clock, bool) {
	cell = strings.TrimSpace(cell)
	c, end := scanTime(cell, 0)
	return c, end == len(cell) && c < endOfClock
}

// clockOr reads a cell with a time; other is for a cell that cannot be read.
func clockOr(cell string, other clock) clock {
	if c, ok := parseClock(cell); ok {
		return c
	}
	return other
}

// number numbers the cues from 1.
func (t *track) number() {
	captionFiles.Number(t, func(c *cue, position int) { c.number = position })
}

// sort sorts the cues by their numbers.
func (t *track) sort() {
	slices.SortStableFunc(t.cues, func(a, b cue) int { return cmp.Compare(a.number, b.number) })
}

func (t *track) eachLine(change func(string) string) {
	for _, c := range t.cues {
		for i := range c.text {
			c.text[i] = change(c.text[i])
		}
	}
}

func (c *cue) eachTime(change func(clock) clock) { c.start, c.end = change(c.start), change(c.end) }
