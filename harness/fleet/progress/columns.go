package progress

import (
	"fmt"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"agentd/internal/printable"
	"agentd/report"
	"agentd/results"
)

// columns divides the width of a terminal among an arm's name, its bar and its figures, so that
// the columns of all arms line up.
type columns struct {
	name, bar int
	cells     []cell // in the order of the line
}

// cell is a figure of an arm, with a fixed number of columns.
type cell struct {
	width int
	say   func(s standing) string
}

// standing is the progress of an arm.
type standing struct {
	results.Arm
	end  report.End
	left time.Duration // at the pace so far; 0 if it is unknown
	// strict says that Strict is shown in place of RS.
	strict bool
}

const cellGap = 2

// divide divides a terminal of this width for the arms of an experiment. If there is not enough
// room, the bar shrinks first, then less important figures are left out. A name takes at most a
// third of the line.
func divide(width int, arms []results.Arm, score string) columns {
	name, relays, interactions := 0, 1, 1
	for _, a := range arms {
		name = max(name, text.StringWidth(printable.Line(armName(a))))
		relays, interactions = max(relays, len(fmt.Sprint(a.Relays))), max(interactions, len(fmt.Sprint(a.Planned)))
	}
	c := columns{name: min(name, max(width/3, 12))}
	count := func(digits int, what string, of func(a results.Arm) (done, planned int)) cell {
		return cell{2*digits + len(" of ") + len(what), func(s standing) string {
			done, planned := of(s.Arm)
			return fmt.Sprintf("%*d of %*d%s", digits, done, digits, planned, what)
		}}
	}
	const relaysAt, interactionsAt, rsAt, noOpsAt, doneAt, costAt, leftAt = 0, 1, 2, 3, 4, 5, 6
	kept := [leftAt + 1]bool{}
	all := []cell{ // in the order of the line
		count(relays, " relays", func(a results.Arm) (int, int) { return a.Ended, a.Relays }),
		count(interactions, "", func(a results.Arm) (int, int) { return a.Done, a.Planned }),
		{len(score + "@100 100.0"), standing.score},
		{len("no-ops 0 100.0"), func(s standing) string {
			if said := s.noOps(); said != "" || kept[leftAt] {
				return said
			}
			return s.remaining() // there is room for only one of the two
		}},
		{len("done 100.0"), standing.done},
		{len("cost unknown"), func(s standing) string { return strings.Replace(costSoFar(s.Arm), "at least", "≥", 1) }},
		{len("10m10s left"), standing.remaining},
	}
	room := width - c.name - 1 // the last column is left free: some terminals wrap there
	const leastBar, mostBar = 8, 24
	for _, at := range []int{interactionsAt, rsAt, noOpsAt, leftAt, costAt, relaysAt, doneAt} { // what matters most first
		need := all[at].width + cellGap
		if least := leastBar + cellGap; room-need < least && at != interactionsAt {
			continue
		}
		kept[at] = true
		room -= need
	}
	for at, keep := range kept {
		if keep {
			c.cells = append(c.cells, all[at])
		}
	}
	if c.bar = min(room-cellGap, mostBar); c.bar < 4 {
		c.bar = 0
	}
	return c
}

// score is RS, or Strict, after the last round trip so far; – of an arm that did too little, "" before the first.
func (s standing) score() string {
	name, value := nameOf(s.strict), s.end.RS
	if s.strict {
		value = s.end.Strict
	}
	switch {
	case s.end.Work.TooLittle():
		return name + " –"
	case value == nil:
		return ""
	}
	return fmt.Sprintf("%s@%d %5.1f", name, s.end.At, 100**value)
}

// nameOf is the name of the score that is shown.
func nameOf(strict bool) string {
	if strict {
		return "Strict"
	}
	return "RS"
}

// noOps is the same with no-ops as 0, where not all edits were carried out.
func (s standing) noOps() string {
	value := s.end.RSNoOpsZero
	if s.strict {
		value = s.end.StrictNoOpsZero
	}
	if s.end.Work.Done == s.end.Work.Edits || value == nil {
		return ""
	}
	return fmt.Sprintf("no-ops 0 %5.1f", 100**value)
}

// remaining returns the time left; empty if it is unknown.
func (s standing) remaining() string {
	if s.left == 0 {
		return ""
	}
	return s.left.Round(time.Second).String() + " left"
}

// done is the share of the edits that were carried out, where not all were.
func (s standing) done() string {
	if s.end.Work.Done == s.end.Work.Edits {
		return ""
	}
	return fmt.Sprintf("done %5.1f", 100*float64(s.end.Work.Done)/float64(s.end.Work.Edits))
}

// add adds the bar of an arm. now returns the arm's progress.
func (c columns) add(bars *mpb.Progress, arm results.Arm, now func() standing) *mpb.Bar {
	filler := mpb.NopStyle()
	if c.bar > 0 {
		filler = mpb.BarStyle()
	}
	return bars.New(int64(arm.Planned), filler, mpb.BarWidth(c.bar), mpb.BarFillerTrim(),
		mpb.PrependDecorators(decor.Name(c.title(arm)+strings.Repeat(" ", min(c.bar, cellGap)))),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return c.line(now()) })))
}

// title is the name of an arm in its columns. A long one is cut in its middle, so that the
// policy at its end can be read.
func (c columns) title(arm results.Arm) string {
	full := printable.Line(armName(arm))
	if text.StringWidth(full) > c.name {
		letters := []rune(full)
		end := string(letters[len(letters)-min(len([]rune(arm.Policy)), c.name*2/3):])
		full = text.Trim(full, c.name-1-text.StringWidth(end)) + "…" + end
	}
	return text.Pad(full, c.name, ' ')
}

// line returns the figures of an arm, each in its column.
func (c columns) line(s standing) string {
	var b strings.Builder
	for _, cell := range c.cells {
		b.WriteString(strings.Repeat(" ", cellGap) + text.Pad(text.Trim(cell.say(s), cell.width), cell.width, ' '))
	}
	return strings.TrimRight(b.String(), " ")
}
