package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"agentd/harness"
)

const (
	redrawEvery = 200 * time.Millisecond // on a terminal
	reportEvery = time.Minute            // elsewhere
)

// progress shows how far each arm is: lines that are drawn over on a terminal,
// now and then a line for each arm elsewhere.
type progress struct {
	mu       sync.Mutex
	out      io.Writer
	terminal bool
	arms     []*armProgress
	perArm   int // interactions of an arm
	started  time.Time
	drawn    int // lines on the terminal to draw over
	quit     chan struct{}
	ended    sync.WaitGroup
}

// armProgress is one line.
type armProgress struct {
	model, policy string
	before        int // interactions of earlier runs
	done          int
	rs            float64 // sum of the scores
	scored        int
	cost          float64
}

func startProgress(out *os.File, x *harness.Experiment) *progress {
	p := &progress{
		out: out, terminal: term.IsTerminal(int(out.Fd())), started: time.Now(),
		perArm: len(x.Environments) * x.Repeats * x.RoundTrips * 2, quit: make(chan struct{}),
	}
	for _, arm := range x.Arms {
		p.arms = append(p.arms, &armProgress{model: arm.Model, policy: arm.Policy.Name(), before: -1})
	}
	every := reportEvery
	if p.terminal {
		every = redrawEvery
	}
	p.ended.Go(func() {
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				p.draw()
			case <-p.quit:
				return
			}
		}
	})
	return p
}

// add counts an interaction. It is called by one goroutine at a time.
func (p *progress) add(update harness.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, arm := range p.arms {
		if arm.model != update.Relay.Model || arm.policy != update.Relay.Policy {
			continue
		}
		arm.done++
		if score := update.Interaction.Score; score != nil {
			arm.rs += score.Value
			arm.scored++
		}
		if update.Interaction.Cost != nil {
			arm.cost += *update.Interaction.Cost
		}
	}
}

// stop draws a last time and ends the drawing.
func (p *progress) stop() {
	close(p.quit)
	p.ended.Wait()
	p.draw()
}

func (p *progress) draw() {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	if p.terminal && p.drawn > 0 {
		fmt.Fprintf(&b, "\x1b[%dA", p.drawn)
	}
	p.drawn = 0
	for _, arm := range p.arms {
		if arm.done == 0 {
			continue // nothing to do for it, or not yet
		}
		if p.terminal {
			b.WriteString("\x1b[2K")
		}
		b.WriteString(p.line(arm) + "\n")
		p.drawn++
	}
	_, _ = io.WriteString(p.out, b.String()) // progress is no result
}

func (p *progress) line(arm *armProgress) string {
	name := strings.TrimSpace(arm.model + " " + arm.policy)
	line := fmt.Sprintf("%-24s %d of %d interactions", name, arm.done, p.perArm)
	if arm.scored > 0 {
		line += fmt.Sprintf(", RS %.1f", 100*arm.rs/float64(arm.scored))
	}
	line += fmt.Sprintf(", %.2f USD", arm.cost)
	if left := p.perArm - arm.done; left > 0 {
		each := time.Since(p.started) / time.Duration(arm.done)
		line += fmt.Sprintf(", about %v left", (each * time.Duration(left)).Round(time.Second))
	}
	return line
}
