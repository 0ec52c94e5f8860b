// Package progress shows on a terminal, or line by line, how far each arm of an
// experiment is, whichever processes work on it.
package progress

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/vbauerster/mpb/v8"
	"golang.org/x/term"

	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/report"
	"agentd/results"
)

const (
	redrawEvery = 500 * time.Millisecond // on a terminal
	reportEvery = time.Minute            // elsewhere
)

// Progress shows how far each arm of an experiment is: a bar on a terminal, a line
// every minute elsewhere.
type Progress struct {
	store      *results.Store
	experiment string
	out        io.Writer
	bars       *mpb.Progress // nil if out is no terminal
	columns    columns       // of the terminal
	rows       []*armRow
	started    time.Time
	quit       context.CancelFunc
	ended      sync.WaitGroup
	restore    func()

	scores *report.Ends
	strict bool          // Strict is shown, not RS
	looked time.Time     // when scores were read
	took   time.Duration // to read them
	done   int           // interactions that were stored then
}

// armRow is an arm as it was when the showing began, and is now.
type armRow struct {
	mu          sync.Mutex
	before, now results.Arm
	end         report.End
	bar         *mpb.Bar
}

// Start begins to show the progress of an experiment. On a terminal, above is called
// with a writer for lines above the bars; the function that it returns is called at the
// end. ends are those of the experiment. Stop must be called.
func Start(ctx context.Context, store *results.Store, experiment string, out *os.File, ends *report.Ends, above func(io.Writer) (restore func())) (*Progress, error) {
	p := &Progress{store: store, experiment: experiment, out: out, scores: ends, strict: ends.ByStrict, started: time.Now(), restore: func() {}}
	arms, err := store.Arms(ctx, experiment)
	if err != nil {
		return nil, err
	}
	every := reportEvery
	if term.IsTerminal(int(out.Fd())) {
		every = redrawEvery
		width, _, err := term.GetSize(int(out.Fd()))
		if err != nil || width <= 0 {
			width = layout.Usual
		}
		p.columns = divide(max(width, layout.Narrowest), arms, nameOf(ends.ByStrict))
		p.bars = mpb.New(mpb.WithOutput(out), mpb.WithAutoRefresh())
		p.restore = above(p.bars)
	}
	for _, arm := range arms {
		row := &armRow{before: arm, now: arm}
		if p.bars != nil {
			row.bar = p.columns.add(p.bars, arm, func() standing { return p.standing(row) })
		}
		p.rows = append(p.rows, row)
	}
	showing, quit := context.WithCancel(context.WithoutCancel(ctx))
	p.quit = quit
	p.ended.Go(func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				p.show(showing)
			case <-showing.Done():
				return
			}
		}
	})
	return p, nil
}

// Wait returns when the experiment is done or cancelled, or when ctx ends, which is not an error:
// watching can be interrupted without loss.
func (p *Progress) Wait(ctx context.Context) error {
	for {
		standing, err := p.store.Standing(ctx, p.experiment)
		if err != nil {
			return err
		}
		if standing.Complete() || standing.State == results.Cancelled {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Second):
		}
	}
}

// Stop shows the progress once more and ends.
func (p *Progress) Stop() {
	p.quit()
	p.ended.Wait()
	p.looked = time.Time{}
	p.show(context.Background())
	if p.bars != nil {
		for _, row := range p.rows {
			row.bar.Abort(false) // those that are done are not affected
		}
		p.bars.Wait()
		p.restore()
	}
}

// show reads the arms from the store and draws them.
func (p *Progress) show(ctx context.Context) {
	arms, err := p.store.Arms(ctx, p.experiment)
	if err != nil || len(arms) < len(p.rows) {
		return // progress does not affect results
	}
	ends := p.ends(ctx, arms)
	for i, row := range p.rows {
		row.mu.Lock()
		row.now = arms[i]
		if ends != nil {
			row.end = ends[[2]string{arms[i].Model, arms[i].Policy}]
		}
		row.mu.Unlock()
		switch {
		case row.bar != nil:
			row.bar.SetCurrent(int64(arms[i].Done))
		case arms[i].Done > row.before.Done: // there is something new to print
			printable.Fprintf(p.out, "%-24s %s\n", armName(arms[i]), p.text(row))
		}
	}
}

// rest limits how often scores are read: after a read, the next one waits this many times as long
// as the read took. So reading takes little of the database's time, whatever the number of scores.
const rest = 20

// ends returns the scores of the arms; nil if there is nothing new, or if it is too early to read
// again.
func (p *Progress) ends(ctx context.Context, arms []results.Arm) map[[2]string]report.End {
	done := 0
	for _, a := range arms {
		done += a.Done
	}
	began := time.Now()
	if done == p.done && !p.looked.IsZero() || began.Sub(p.looked) < rest*p.took {
		return nil
	}
	ends, err := p.scores.Now(ctx)
	if err != nil {
		return nil // progress does not affect results
	}
	p.looked, p.done = time.Now(), done
	p.took = p.looked.Sub(began)
	return ends
}

func armName(arm results.Arm) string { return strings.TrimSpace(arm.Model + " " + arm.Policy) }

// costSoFar is what an arm has cost, as far as that is known.
func costSoFar(arm results.Arm) string {
	switch {
	case arm.InteractionsOfNoPrice == 0:
		return fmt.Sprintf("%.2f USD", arm.Cost)
	case arm.Cost == 0:
		return "cost unknown"
	}
	return fmt.Sprintf("at least %.2f USD", arm.Cost)
}

// text says how far an arm is: relays, interactions, RS after the last round trip so far, the same
// with no-ops as 0 and the share of edits that were carried out if not all were, cost, and the time
// left at the pace since Start. At the end RS is that of the report's tables.
func (p *Progress) text(row *armRow) string {
	s := p.standing(row)
	arm := s.Arm
	line := fmt.Sprintf("%d of %s, %d of %s", arm.Ended, printable.Count(arm.Relays, "relay"), arm.Done, printable.Count(arm.Planned, "interaction"))
	for _, said := range []string{s.score(), s.noOps(), s.done()} {
		if said != "" {
			line += ", " + strings.Join(strings.Fields(said), " ")
		}
	}
	line += ", " + costSoFar(arm)
	if s.left > 0 {
		line += fmt.Sprintf(", about %v left", s.left.Round(time.Second))
	}
	return line
}

// standing is how far an arm is, with the time left at the pace since Start.
func (p *Progress) standing(row *armRow) standing {
	row.mu.Lock()
	defer row.mu.Unlock()
	s := standing{Arm: row.now, end: row.end, strict: p.strict}
	if left, done := s.Planned-s.Done, s.Done-row.before.Done; left > 0 && done > 0 {
		s.left = time.Since(p.started) / time.Duration(done) * time.Duration(left)
	}
	return s
}
