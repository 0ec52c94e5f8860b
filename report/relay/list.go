package relay

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"agentd/internal/layout"
	"agentd/internal/usage"
	"agentd/report"
	"agentd/results"
)

// Orders in which relays are listed.
const (
	ByNumber = "number"
	ByDrop   = "drop" // the largest drop of one round trip first
	ByRS     = "rs"   // the lowest last RS first
	ByCost   = "cost" // the most expensive first
)

// Orders are the names of all orders.
func Orders() []string { return []string{ByNumber, ByDrop, ByRS, ByCost} }

// Choice selects relays of an experiment and their order.
type Choice struct {
	Sort    string   // one of Orders
	Arms    []string // models, policies or both ("gpt-5.4 direct"), names or patterns; empty for all
	Domains []string // names or patterns; empty for all
}

// summary is a relay with the totals of its interactions.
type summary struct {
	results.Relay
	rs, strict   *float64 // after the last round trip that has a score
	first        drop     // the first critical failure
	worst        drop     // the round trip that lost most, if any lost something
	interactions []results.Interaction
	failed       int
	cost         float64
	costKnown    bool
}

// drop is what a round trip lost of RS; number is that of its backward step, 0 for none.
type drop struct {
	number int
	size   float64
}

func (d drop) String() string {
	if d.number == 0 {
		return "–"
	}
	return fmt.Sprintf("@%d −%.1f", d.number, 100*d.size)
}

// List prints the relays of an experiment: their numbers, last scores, drops, failures and
// cost.
func (t *Printer) List(ctx context.Context, experiment results.Experiment, choice Choice) error {
	all, err := t.summaries(ctx, experiment, choice)
	if err != nil {
		return err
	}
	table := layout.Table{Columns: []layout.Column{
		{Head: "relay", Number: true, Label: true}, {Head: "arm", Label: true}, {Head: "environment", Label: true},
		{Head: "RS", Number: true}, {Head: "Strict", Number: true}, {Head: "first drop", Number: true},
		{Head: "failed", Number: true}, {Head: "USD", Number: true},
	}}
	shown := func(s *summary) drop { return s.first }
	if choice.Sort == ByDrop {
		table.Columns[5].Head = "worst drop"
		shown = func(s *summary) drop { return s.worst }
	}
	for i := range all {
		s := &all[i]
		environment := s.Environment
		if s.Repeat > 1 {
			environment += fmt.Sprintf(" (repeat %d)", s.Repeat)
		}
		cost := "unknown"
		if s.costKnown {
			cost = fmt.Sprintf("%.4f", s.cost)
		}
		table.Row(fmt.Sprint(s.ID), armOf(s.Relay), environment, percent(s.rs), percent(s.strict),
			layout.Together(shown(s).String()), fmt.Sprint(s.failed), cost)
	}
	t.print(t.Screen.Paragraph("Experiment "+experiment.Name, 0))
	if len(all) == 0 {
		t.print(t.Screen.Paragraph("No relay is stored yet.", 0))
		return nil
	}
	t.print(table.String(t.Screen))
	t.print(t.Screen.Paragraph("RS and Strict after the last round trip, in %. First drop: the first round trip that lost 10 points of RS or more, "+
		"by the number of its backward step. agentd trace RELAY lists the steps, agentd trace RELAY STEP shows one, agentd trace worst the worst drop.", 0))
	return nil
}

// Worst prints why interactions of the chosen relays failed, and the interaction with the
// largest drop of RS. If there is no drop, it prints the first interaction that failed for the
// most frequent reason; if none failed either, it says so.
func (t *Printer) Worst(ctx context.Context, experiment results.Experiment, choice Choice) error {
	all, err := t.summaries(ctx, experiment, choice)
	if err != nil {
		return err
	}
	var interactions []results.Interaction
	for i := range all {
		interactions = append(interactions, all[i].interactions...)
	}
	reasons := report.Reasons(interactions)
	if told := report.InOneLine(reasons, report.MostReasons); told != "" {
		t.print(t.Screen.Paragraph("What failed: "+told+".", 0))
	}
	worst := slices.MaxFunc(append(all, summary{}), func(a, b summary) int { return cmp.Compare(a.worst.size, b.worst.size) })
	switch {
	case worst.worst.number == 0 && len(reasons) > 0:
		first, scored := reasons[0], "no round trip has a score"
		if slices.ContainsFunc(all, func(s summary) bool { return s.rs != nil }) {
			scored = "no round trip that has a score lost any RS"
		}
		t.print(t.Screen.Paragraph(fmt.Sprintf("%d of %d interactions failed or changed nothing, and %s. The first of the most frequent kind: agentd trace %d %d",
			report.Failed(reasons), len(interactions), scored, first.Relay, first.Number), 0))
		return t.Interaction(ctx, first.Relay, first.Number)
	case worst.worst.number == 0:
		t.print(t.Screen.Paragraph("Experiment "+experiment.Name+": no round trip lost any RS.", 0))
		return nil
	}
	t.print(t.Screen.Paragraph(fmt.Sprintf("The round trip that lost most RS, %.1f points: agentd trace %d %d", 100*worst.worst.size, worst.ID, worst.worst.number), 0))
	return t.Interaction(ctx, worst.ID, worst.worst.number)
}

// summaries are the chosen relays of an experiment in their order.
func (t *Printer) summaries(ctx context.Context, experiment results.Experiment, choice Choice) ([]summary, error) {
	relays, err := t.Store.Relays(ctx, experiment.ID)
	if err != nil {
		return nil, err
	}
	if relays, err = choose(relays, choice); err != nil {
		return nil, err
	}
	interactions, err := t.Store.Summaries(ctx, experiment.ID)
	if err != nil {
		return nil, err
	}
	of := map[int64][]results.Interaction{}
	for i := range interactions {
		of[interactions[i].Relay] = append(of[interactions[i].Relay], interactions[i])
	}
	all := make([]summary, len(relays))
	for i, r := range relays {
		all[i] = summarise(r, of[r.ID])
	}
	slices.SortStableFunc(all, orders[cmp.Or(choice.Sort, ByNumber)])
	return all, nil
}

// orders compare relays. What is not known comes last.
var orders = map[string]func(a, b summary) int{
	ByNumber: func(a, b summary) int { return cmp.Compare(a.ID, b.ID) },
	ByDrop:   func(a, b summary) int { return cmp.Compare(b.worst.size, a.worst.size) },
	ByRS: func(a, b summary) int {
		return cmp.Compare(orInfinite(a.rs), orInfinite(b.rs))
	},
	ByCost: func(a, b summary) int { return cmp.Compare(b.cost, a.cost) },
}

func orInfinite(v *float64) float64 {
	if v == nil {
		return math.Inf(1)
	}
	return *v
}

// choose returns the selected relays. If a name fits none, the error is a usage.Error.
func choose(relays []results.Relay, choice Choice) ([]results.Relay, error) {
	if sort := cmp.Or(choice.Sort, ByNumber); orders[sort] == nil {
		return nil, usage.Unknown("order", sort, Orders())
	}
	var arms, domains []string
	for _, r := range relays {
		for _, name := range []string{r.Model, r.Policy, armOf(r)} {
			if name != "" && !slices.Contains(arms, name) {
				arms = append(arms, name)
			}
		}
		if !slices.Contains(domains, r.Domain) {
			domains = append(domains, r.Domain)
		}
	}
	arms, err := usage.Choose("arm", choice.Arms, arms)
	if err != nil {
		return nil, err
	}
	if domains, err = usage.Choose("domain", choice.Domains, domains); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(relays, func(r results.Relay) bool {
		named := slices.Contains(arms, r.Model) || slices.Contains(arms, r.Policy) || slices.Contains(arms, armOf(r))
		return !named || !slices.Contains(domains, r.Domain)
	}), nil
}

// armOf names the arm of a relay.
func armOf(r results.Relay) string { return strings.TrimSpace(r.Model + " " + r.Policy) }

// summarise adds the interactions of a relay up.
func summarise(r results.Relay, interactions []results.Interaction) summary {
	s := summary{Relay: r, costKnown: true, interactions: interactions}
	before := 1.0
	for _, in := range interactions {
		if in.Failure != "" {
			s.failed++
		}
		if in.Cost == nil {
			s.costKnown = false
		} else {
			s.cost += *in.Cost
		}
		if in.Score == nil || in.Direction != results.Backward {
			continue
		}
		s.rs, s.strict = &in.Score.RS, &in.Score.Strict
		lost := drop{in.Number, before - in.Score.RS}
		before = in.Score.RS
		if s.first.number == 0 && report.IsCritical(lost.size) {
			s.first = lost
		}
		if lost.size > s.worst.size {
			s.worst = lost
		}
	}
	return s
}

func percent(share *float64) string {
	if share == nil {
		return "–"
	}
	return fmt.Sprintf("%.1f", 100**share)
}
