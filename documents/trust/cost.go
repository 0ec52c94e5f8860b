package trust

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"agentd/harness/experiment"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/results"
)

// Cost estimates what an experiment, or the rest of it, will cost.
type Cost struct {
	Interactions int      // with models that are not free
	USD          float64  // estimated, of the models whose price is known
	Low, High    float64  // range of USD, see experiment.Spread
	Spent        float64  // USD so far
	Unknown      []string // models whose price is not known
	Time         time.Duration
	OnlyNo       string // a note that the answer cannot be a yes, or empty; see Rule.OnlyNo
}

// Estimate estimates the cost of an experiment; concurrency is the number of relays of each model that run at the same
// time. Stand-ins are free.
func Estimate(x *experiment.Experiment, concurrency int) Cost {
	free := map[string]bool{"": true} // a policy without a model
	for _, m := range x.Manifest.Models {
		free[m.Name] = m.StandIn
	}
	c := Cost{Unknown: x.Unpriced(), Time: x.Duration(concurrency)}
	for _, e := range x.Estimates() {
		if free[e.Model] {
			continue
		}
		c.Interactions += e.Interactions
		if e.Cost != nil {
			s := e.Spread()
			c.USD, c.Low, c.High = c.USD+*e.Cost, c.Low+*e.Cost*s.Low, c.High+*e.Cost*s.High
		}
	}
	return c
}

// rest returns the cost that remains after done of the planned edits.
func (c Cost) rest(done, planned int, spent float64) Cost {
	left := float64(max(planned-done, 0)) / float64(max(planned, 1))
	c.Interactions, c.Spent = int(math.Ceil(left*float64(c.Interactions))), spent
	c.USD, c.Low, c.High = left*c.USD, left*c.Low, left*c.High
	c.Time = time.Duration(left * float64(c.Time))
	return c
}

func (c Cost) String() string {
	said := fmt.Sprintf("%s, about %.2f USD (%.2f to %.2f)", counted(c.Interactions, "edit"), c.USD, c.Low, c.High)
	if len(c.Unknown) > 0 {
		said = fmt.Sprintf("%s, of which the price is not known", counted(c.Interactions, "edit"))
	}
	said += ", " + experiment.About(c.Time)
	if c.Spent > 0 {
		said += fmt.Sprintf(", after %.2f USD so far", c.Spent)
	}
	return said
}

// Consent says how a user consents to a cost.
type Consent struct {
	Concurrency int      // relays of each model at a time
	Yes         bool     // accept any cost
	Budget      *float64 // USD, including what was spent before; nil for none
	Rule        Rule     // of the answer that the cost is for
	// Ask puts a question to the user; nil where no user can answer.
	Ask func(question string) bool
}

// Agree returns nil if there is no cost, if Yes is set, if the cost is within the budget, or if the
// user agrees when asked. Otherwise it returns a usage.Error.
func (c Cost) Agree(by Consent) error {
	within := by.Budget != nil && len(c.Unknown) == 0 && c.Spent+c.USD <= *by.Budget
	switch {
	case c.Interactions == 0, by.Yes, within:
		return nil
	case by.Ask == nil:
		return usage.Errorf("this takes %v; agree with --yes, or with a --max-usd that is enough", c)
	case !by.Ask(strings.TrimLeft(fmt.Sprintf("%s This takes %v. Go on? [y/N] ", c.OnlyNo, c), " ")):
		return usage.Errorf("no model was asked anything")
	}
	return nil
}

// AskOnTerminal returns a function that asks on standard error and reads the answer from standard
// input; nil unless both are terminals.
func AskOnTerminal() func(question string) bool {
	if !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil
	}
	return func(question string) bool {
		printable.Fprintf(os.Stderr, "%s", question)
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n') // an unreadable answer is a no
		return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(line)))
	}
}

// estimate estimates what the user is asked to agree to.
func (by Consent) estimate(x *experiment.Experiment) Cost {
	c := Estimate(x, by.Concurrency)
	c.OnlyNo = by.Rule.OnlyNo(len(x.Environments), len(x.Arms), 2*x.RoundTrips, x.Repeats)
	return c
}

// Resume looks for the experiment in a store. begun reports that it is stored; grows, that x differs from it only in
// having more relays for each document. If x has fewer, it gets as many as are stored, so that the answer uses all
// measurements. If work is left, the user must agree to its cost.
func Resume(ctx context.Context, store *results.Store, x *experiment.Experiment, by Consent) (begun, grows bool, err error) {
	record, err := store.Experiment(ctx, x.Name)
	switch {
	case errors.Is(err, results.ErrNotFound):
		return false, false, by.estimate(x).Agree(by)
	case err != nil:
		return false, false, err
	}
	asked := x.Manifest
	x.Manifest.Repeats = record.Manifest.Repeats
	same := len(x.Manifest.Differences(record.Manifest)) == 0
	if grows = same && asked.Repeats > record.Manifest.Repeats; grows || !same {
		x.Manifest = asked
	}
	x.Repeats = x.Manifest.Repeats
	standing, err := store.Standing(ctx, record.ID)
	if err != nil {
		return true, grows, err
	}
	planned := len(x.Arms) * x.Relays() * x.RoundTrips * 2
	return true, grows, by.estimate(x).rest(standing.Done, planned, standing.Cost).Agree(by)
}
