package progress

import (
	"fmt"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"

	"agentd/internal/printable"
	"agentd/results"
)

// columns is how the width of a terminal is divided among the name of an arm, its bar and what
// is said of it, so that all arms have theirs below each other.
type columns struct {
	name, bar int
	cells     []cell // in the order of the line
}

// cell is something that is said of an arm, in so many columns.
type cell struct {
	width int
	say   func(s standing) string
}

// standing is how far an arm is.
type standing struct {
	results.Arm
	left time.Duration // at the pace so far; 0 if it is not known
}

const cellGap = 2

// divide divides a terminal of so many columns for the arms of an experiment. The bar shrinks
// first, then what matters less is left out; a name has a third of the line at most.
func divide(width int, arms []results.Arm) columns {
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
	all := []cell{ // in the order of the line
		count(relays, " relays", func(a results.Arm) (int, int) { return a.Ended, a.Relays }),
		count(interactions, "", func(a results.Arm) (int, int) { return a.Done, a.Planned }),
		{len("RS 100.0"), func(s standing) string { return share("RS", s.ValueSum, s.Scored) }},
		{len("done 100.0"), func(s standing) string {
			if s.Executed == s.Forwards {
				return ""
			}
			return share("done", float64(s.Executed), s.Forwards)
		}},
		{len("cost unknown"), func(s standing) string { return strings.Replace(costSoFar(s.Arm), "at least", "≥", 1) }},
		{len("10m10s left"), func(s standing) string {
			if s.left == 0 {
				return ""
			}
			return s.left.Round(time.Second).String() + " left"
		}},
	}
	room := width - c.name - 1 // the last column is left free: some terminals wrap there
	const leastBar, mostBar = 8, 24
	kept := make([]bool, len(all))
	for _, at := range []int{1, 2, 5, 4, 0, 3} { // what matters most first
		need := all[at].width + cellGap
		if least := leastBar + cellGap; room-need < least && at != 1 {
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

// share is a part in percent after its name; "" of nothing.
func share(name string, part float64, of int) string {
	if of == 0 {
		return ""
	}
	return fmt.Sprintf("%s %5.1f", name, 100*part/float64(of))
}

// add adds the bar of an arm. now says how far the arm is.
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

// line is what is said of an arm, each thing in its columns.
func (c columns) line(s standing) string {
	var b strings.Builder
	for _, cell := range c.cells {
		b.WriteString(strings.Repeat(" ", cellGap) + text.Pad(text.Trim(cell.say(s), cell.width), cell.width, ' '))
	}
	return strings.TrimRight(b.String(), " ")
}
