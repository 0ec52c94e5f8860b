package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"time"

	"agentd/report/statistics"
)

// mostHeadlineArms is how many arms the top of a page shows at most.
const mostHeadlineArms = 8

// headline is the top of a page: the scores after the last interactions, by arm.
type headline struct {
	Interactions int
	Bounded      bool // some arms have an interval
	Arms         []headlineArm
	More         int // arms that only the tables have
}

type headlineArm struct {
	Model, Policy, Strict, NoOps, Done, Failed, Cost string
	Did                                              string // shown instead of the bar of an arm that did too little; otherwise ""
	StandIn, Judged                                  bool   // Judged says that RS includes a judge's opinions
	RS                                               Cell
	// Bar, Low and High are RS and its bounds in percent, for a drawing.
	Bar, Low, High float64
}

// RSText returns the score as displayed.
func (a headlineArm) RSText() string { return a.RS.text(Percent) }

// headline is nil while no round trip is scored, and for several experiments, since their last
// interactions may differ.
func (r *Report) headline() *headline {
	trips := r.trips()
	if trips == 0 || len(r.together) > 0 {
		return nil
	}
	h := &headline{Interactions: 2 * trips}
	for i := range r.Arms {
		a := &r.Arms[i]
		if !a.survives() {
			continue
		}
		if len(h.Arms) == mostHeadlineArms {
			h.More++
			continue
		}
		shown := headlineArm{
			Model: name(a.Model, false), Policy: a.Policy, StandIn: a.StandIn, Judged: a.Judged.Scores > 0, Strict: a.at(a.published().Strict, trips).text(Percent), RS: a.at(a.published().RS, trips),
			NoOps: a.at(a.NoOpsZero.RS, trips).text(Percent),
			Done:  interval(a.Done).text(Percent), Failed: fmt.Sprint(a.Failures), Cost: "unknown",
		}
		if a.Cost != nil {
			shown.Cost = fmt.Sprintf("%.2f USD", *a.Cost)
		}
		if a.Work.TooLittle() {
			shown.Did = a.Work.String()
		}
		if shown.RS.Value != nil {
			shown.Bar = 100 * *shown.RS.Value
		}
		if shown.RS.Low != nil {
			shown.Low, shown.High, h.Bounded = 100**shown.RS.Low, 100**shown.RS.High, true
		}
		h.Arms = append(h.Arms, shown)
	}
	return h
}

// at returns the arm's score after the given number of round trips; empty if it has not got that far.
func (a *Arm) at(scores []statistics.Interval, trips int) Cell {
	c := Cell{}
	if trips > 0 && len(scores) == trips {
		c = interval(scores[trips-1])
		c.Doubtful, c.Ungraded = a.Doubtful(), a.Done.Exists() && a.Done.Estimate < enoughDone
	}
	return c
}

// fact is something that a reader must know about an experiment before its numbers.
type fact struct{ Name, Text string }

// facts describe how the numbers were measured.
func (r *Report) facts() []fact {
	if len(r.together) == 0 {
		return r.ownFacts()
	}
	var all []fact
	for _, one := range r.together {
		all = append(append(all, fact{"Experiment", one.Experiment.Name}), one.ownFacts()...)
	}
	return all
}

func (r *Report) ownFacts() []fact {
	m := r.Experiment.Manifest
	facts := []fact{
		{"Made by", "agentd " + cmp.Or(m.Version, "of an unknown version")},
		{"Begun", r.Experiment.Created.UTC().Format(time.DateOnly)},
		{"Protocol", r.Protocol()},
	}
	var models []string
	for _, model := range m.Models {
		models = append(models, name(model.Name, model.StandIn)+server(model.Spec))
	}
	if len(models) > 0 {
		facts = append(facts, fact{"Models and servers", strings.Join(models, "; ")})
	}
	if len(m.Policies) > 0 {
		facts = append(facts, fact{"Policies", strings.Join(m.Policies, ", ")})
	}
	if m.Judge != nil {
		facts = append(facts, fact{"Judge", m.Judge.Name + server(m.Judge.Spec)})
	}
	facts = append(facts,
		fact{"Work", strings.Join([]string{count(len(m.Environments), "environment"), count(m.RoundTrips, "round trip"), count(m.Repeats, "repeat")}, ", ")},
		fact{"Schedule", fmt.Sprintf("%s, seed %d", scheduled(m), m.Seed)})
	if !m.Distractors {
		facts = append(facts, fact{"Distractors", "none"})
	}
	return facts
}

// server returns a comma and the address of a model's server, if its settings have one. Possible
// secrets are removed from the address.
func server(spec json.RawMessage) string {
	var set struct {
		BaseURL string `json:"base_url"`
		API     string `json:"api"`
	}
	if len(spec) == 0 || json.Unmarshal(spec, &set) != nil {
		return ""
	}
	said := ""
	if at, err := url.Parse(set.BaseURL); err == nil && at.Host != "" {
		said = ", " + (&url.URL{Scheme: at.Scheme, Host: at.Host, Path: at.Path}).String()
	}
	if set.API != "" {
		said += ", API " + set.API
	}
	return said
}
