package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"agentd/harness"
	"agentd/results"
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
	before, done  int     // interactions of earlier runs, of this one
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
		p.arms = append(p.arms, &armProgress{model: arm.Model, policy: arm.Policy.Name()})
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

// addStored counts an interaction of an earlier run.
func (p *progress) addStored(relay results.Relay, in *results.Interaction) {
	p.count(relay, in, func(arm *armProgress) { arm.before++ })
}

// add counts an interaction of this run.
func (p *progress) add(relay results.Relay, in *results.Interaction) {
	p.count(relay, in, func(arm *armProgress) { arm.done++ })
}

func (p *progress) count(relay results.Relay, in *results.Interaction, raise func(*armProgress)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.IndexFunc(p.arms, func(a *armProgress) bool { return a.model == relay.Model && a.policy == relay.Policy })
	arm := p.arms[at]
	raise(arm)
	if in.Score != nil {
		arm.rs += in.Score.Value
		arm.scored++
	}
	if in.Cost != nil {
		arm.cost += *in.Cost
	}
}

// below makes the next drawing begin below what was printed meanwhile.
func (p *progress) below() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drawn = 0
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
	line := fmt.Sprintf("%-24s %d of %d interactions", name, arm.before+arm.done, p.perArm)
	if arm.scored > 0 {
		line += fmt.Sprintf(", RS %.1f", 100*arm.rs/float64(arm.scored))
	}
	line += fmt.Sprintf(", %.2f USD", arm.cost)
	if left := p.perArm - arm.before - arm.done; left > 0 {
		each := time.Since(p.started) / time.Duration(arm.done)
		line += fmt.Sprintf(", about %v left", (each * time.Duration(left)).Round(time.Second))
	}
	return line
}
