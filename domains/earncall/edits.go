package earncall

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sort"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

// calls says how calls, which are lists of sections, are taken apart and put together.
var calls = exact.Format[call, part]{
	Patterns: []string{"*.txt"},
	Read:     read,
	Print:    func(c call) string { return c.print() },
	Parts:    func(c *call) *[]part { return &c.parts },
	Empty:    errors.New("no turns found"),
	Counts:   func(p *part) bool { return len(p.Turns) > 0 },
	Says:     func(c call) string { return c.print() },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("json", inJSON),
		domains.Taking("take_figures", takeFigures),
		domains.Taking("restate", restate),
		domains.Taking("split_by_speaker", splitBySpeaker),
		domains.Taking("split_by_topic", splitByTopic),
		domains.Taking("roles", inRoles),
		domains.Taking("minutes", inMinutes),
		domains.Taking("sort_by_length", sortByLength),
		domains.Taking("cut_by_words", cutByWords),
	}
}

// eachTurn changes every turn.
func (c *call) eachTurn(change func(*turn)) {
	for i := range c.parts {
		for k := range c.parts[i].Turns {
			change(&c.parts[i].Turns[k])
		}
	}
}

// replaceSaid replaces what an expression matches in the lines that are said.
func (c *call) replaceSaid(find *regexp.Regexp, replace func(string) string) {
	c.eachTurn(func(t *turn) {
		for k := range t.Lines {
			t.Lines[k] = find.ReplaceAllStringFunc(t.Lines[k], replace)
		}
	})
}

// printed are turns as text.
func printed(turns ...turn) string { return (&call{parts: []part{{Turns: turns}}}).print() }

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
		if len(p.Turns) > 0 {
			p.Lines = append(slices.Clone(p.Lines), fmt.Sprintf("[turns %d-%d]", n+1, n+len(p.Turns)))
		}
		n += len(p.Turns)
		p.Turns = nil
	}
	return f.print()
}

var places = regexp.MustCompile(`^\[turns ([0-9]{1,9})-[0-9]{1,9}\]$`)

// fill puts turns, in the order of their numbers, in their places in a frame. Those without a
// place stand after those before them.
func fill(frame string, turns []numberedTurn) call {
	slices.SortStableFunc(turns, func(a, b numberedTurn) int { return a.number - b.number })
	said := func(turns []numberedTurn) []string { return lists.Each(turns, (*numberedTurn).print) }
	lines := plain.Lines(frame)
	for i, line := range slices.Backward(lines) {
		if m := places.FindStringSubmatch(pytext.Strip(line)); m != nil {
			first, _ := strconv.Atoi(m[1])
			from := sort.Search(len(turns), func(n int) bool { return turns[n].number >= first })
			lines = slices.Replace(lines, i, i+1, said(turns[from:])...)
			turns = turns[:from]
		}
	}
	return readBy(plain.Lines(plain.Text(append(lines, said(turns)...))), colonLabel)
}
