package progress

import (
	"bytes"
	"flag"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/vbauerster/mpb/v8"

	"agentd/internal/layout/layouttest"
	"agentd/report"
	"agentd/results"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The bars and what stands next to them have the same columns in all rows, whatever the width of the terminal.
func TestBarsKeepTheirColumns(t *testing.T) {
	t.Parallel()
	ends := []report.End{{At: 10, RS: new(0.96458), RSNoOpsZero: new(0.953), Work: results.Work{Done: 89, Edits: 90}}, {At: 20, RS: new(1.0), RSNoOpsZero: new(1.0)}, {}}
	arms := []results.Arm{
		{Model: "sim:frontier", Policy: "agentic", Relays: 52, Ended: 9, Planned: 1040, Done: 180, Scored: 90, RSSum: 86.812, Cost: 13.19},
		{Model: "sim:frontier", Policy: "direct", Relays: 52, Ended: 52, Planned: 1040, Done: 1040, Scored: 520, RSSum: 520, Cost: 169.07},
		{Model: "a-model-with-a-rather-long-name", Policy: "agent:codex", Relays: 52, Planned: 1040, InteractionsOfNoPrice: 1},
	}
	for _, width := range []int{40, 80, 120} {
		c := divide(width, arms, nameOf(false))
		var drawn bytes.Buffer
		bars := mpb.New(mpb.WithOutput(&drawn), mpb.WithWidth(width), mpb.WithAutoRefresh())
		for i, arm := range arms {
			bar := c.add(bars, arm, func() standing { return standing{Arm: arm, end: ends[i], left: time.Duration(2-i) * 100 * time.Second} })
			bar.SetCurrent(int64(arm.Done))
			bar.Abort(false)
		}
		bars.Wait()
		lines := regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]").ReplaceAllString(drawn.String(), "")
		all := strings.Split(strings.TrimRight(lines, "\n"), "\n")
		last := all[len(all)-len(arms):]
		begins := func(line string) int {
			before, _, _ := strings.Cut(line, "[")
			return text.StringWidth(before)
		}
		for _, line := range last {
			if begins(line) != begins(last[0]) {
				t.Errorf("at %d columns bars do not stand below each other: %q", width, last)
			}
		}
		layouttest.Golden(t, "bars", width, strings.Join(last, "\n")+"\n", *update)
	}
}

func TestTheScoreThatIsShown(t *testing.T) {
	t.Parallel()
	end := report.End{At: 4, RS: new(0.5), Strict: new(0.75), RSNoOpsZero: new(0.25), StrictNoOpsZero: new(0.375), Work: results.Work{Done: 3, Edits: 4}}
	for strict, want := range map[bool]string{false: "RS@4  50.0 no-ops 0  25.0", true: "Strict@4  75.0 no-ops 0  37.5"} {
		s := standing{end: end, strict: strict}
		if got := s.score() + " " + s.noOps(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A line says how long the rest takes, and nothing of the kind when there is none.
func TestTheTimeLeftEndsWithTheWork(t *testing.T) {
	t.Parallel()
	p := &Progress{started: time.Now().Add(-time.Minute)}
	for done, want := range map[int]bool{10: true, 20: false} {
		row := &armRow{now: results.Arm{Model: "m", Policy: "direct", Relays: 1, Planned: 20, Done: done}}
		if line := p.text(row); strings.Contains(line, "left") != want {
			t.Errorf("%d of 20: %s", done, line)
		}
	}
}
