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
	Interactions int      // with models that are paid for
	USD          float64  // of the models whose price is known
	Spent        float64  // USD, so far
	Unknown      []string // models whose price is not known
	Time         time.Duration
}

// Estimate estimates what an experiment will cost if so many relays of each model run at a time. Stand-ins cost nothing.
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
			c.USD += *e.Cost
		}
	}
	return c
}

// rest is what is left to pay after done of the planned edits.
func (c Cost) rest(done, planned int, spent float64) Cost {
	left := float64(max(planned-done, 0)) / float64(max(planned, 1))
	c.Interactions, c.USD, c.Spent = int(math.Ceil(left*float64(c.Interactions))), left*c.USD, spent
	c.Time = time.Duration(left * float64(c.Time))
	return c
}

func (c Cost) String() string {
	said := fmt.Sprintf("%s, about %.2f USD", counted(c.Interactions, "edit"), c.USD)
	if len(c.Unknown) > 0 {
		said = fmt.Sprintf("%s, of which the price is not known", counted(c.Interactions, "edit"))
	}
	said += ", " + experiment.About(c.Time)
	if c.Spent > 0 {
		said += fmt.Sprintf(", after %.2f USD so far", c.Spent)
	}
	return said
}

// Consent says how a user agrees to a cost.
type Consent struct {
	Concurrency int      // relays of each model at a time
	Yes         bool     // to any cost
	Budget      *float64 // USD, with what was spent before; nil for none
	// Ask puts a question to the user; nil where no user can answer.
	Ask func(question string) bool
}

// Agree returns nil if the cost is agreed to: if there is none, or the user has said yes, or it is
// within the budget, or the user agrees when asked. Otherwise it is a usage error.
func (c Cost) Agree(by Consent) error {
	within := by.Budget != nil && len(c.Unknown) == 0 && c.Spent+c.USD <= *by.Budget
	switch {
	case c.Interactions == 0, by.Yes, within:
		return nil
	case by.Ask == nil:
		return usage.Errorf("this takes %v; agree with --yes, or with a --max-usd that is enough", c)
	case !by.Ask(fmt.Sprintf("This takes %v. Go on? [y/N] ", c)):
		return usage.Errorf("no model was asked anything")
	}
	return nil
}

// AskOnTerminal asks on standard error and reads the answer from standard input; nil if one of
// the two is no terminal.
func AskOnTerminal() func(question string) bool {
	if !term.IsTerminal(int(os.Stdin.Fd())) || !term.IsTerminal(int(os.Stderr.Fd())) {
		return nil
	}
	return func(question string) bool {
		printable.Fprintf(os.Stderr, "%s", question)
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n') // what could not be read is no consent
		return slices.Contains([]string{"y", "yes"}, strings.ToLower(strings.TrimSpace(line)))
	}
}

// Resume looks for the experiment in a store. begun says that it is there, and grows that x has more relays
// for a document and is otherwise the same. If x has fewer relays, it gets as many as are stored, so that the
// answer uses all that were measured. If work is left, the user has to agree to its cost.
func Resume(ctx context.Context, store *results.Store, x *experiment.Experiment, by Consent) (begun, grows bool, err error) {
	record, err := store.Experiment(ctx, x.Name)
	switch {
	case errors.Is(err, results.ErrNotFound):
		return false, false, Estimate(x, by.Concurrency).Agree(by)
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
	return true, grows, Estimate(x, by.Concurrency).rest(standing.Done, planned, standing.Cost).Agree(by)
}
