package viewer

import (
	"context"
	"html/template"
	"net/http"
	"slices"
	"strings"

	"agentd/report"
	"agentd/results"
)

// progress is the progress of an experiment, summed over its arms.
type progress struct {
	results.Experiment
	Models, Policies []string
	Stored, Planned  int // interactions
	Failed           int
	Work             results.Work
	ends
	Cost      float64 // USD, of models; WouldCost of stand-ins, for which nothing is paid
	WouldCost float64
	StandIns  bool // all models are stand-ins
	Unpriced  int  // interactions of unknown cost
	Complete  bool // no interaction is left to do
	GivenUp   int  // interactions that will never be done because a service failed
	Active    bool // a process works on it
}

func (p progress) Runs() bool { return p.Active && p.State == results.Running && !p.Complete }

// Condition describes the state of the experiment in words.
func (p progress) Condition() string {
	switch {
	case p.Complete && p.GivenUp > 0:
		return "ended early: a service failed"
	case p.Complete:
		return "finished"
	case p.State == results.Spent:
		return "stopped: its limit of cost is reached"
	case p.State == results.Running && !p.Active:
		return "interrupted"
	}
	return string(p.State)
}

// Done is the share of forward steps that were carried out; nil if none is stored.
func (p progress) Done() *float64 {
	if p.Work.Edits == 0 {
		return nil
	}
	return new(float64(p.Work.Done) / float64(p.Work.Edits))
}

func (v *Viewer) progress(ctx context.Context, e results.Experiment, active map[string]bool) (progress, error) {
	arms, err := v.store.Arms(ctx, e.ID)
	if err != nil {
		return progress{}, err
	}
	standIns := map[string]bool{}
	for _, m := range e.Manifest.Models {
		standIns[m.Name] = m.StandIn
	}
	p := progress{Experiment: e, Active: active[e.ID], Complete: true}
	for _, a := range arms {
		if !slices.Contains(p.Models, a.Model) && a.Model != "" {
			p.Models = append(p.Models, a.Model)
		}
		if !slices.Contains(p.Policies, a.Policy) {
			p.Policies = append(p.Policies, a.Policy)
		}
		p.Stored += a.Done
		p.Planned += a.Planned
		p.Failed += a.Failed
		p.GivenUp += a.GivenUp
		p.Work.Done, p.Work.Edits = p.Work.Done+a.Executed, p.Work.Edits+a.Forwards
		if standIns[a.Model] {
			p.WouldCost += a.Cost
		} else {
			p.Cost += a.Cost
		}
		p.Unpriced += a.InteractionsOfNoPrice
		p.Complete = p.Complete && a.Complete()
	}
	p.Complete = p.Complete && p.Planned > 0
	p.StandIns = len(p.Models) > 0 && !slices.ContainsFunc(p.Models, func(name string) bool { return !standIns[name] })
	o, err := v.overviews.get(ctx, e, p.Stored)
	if err != nil {
		return progress{}, err
	}
	p.ends = o.ends
	return p, nil
}

// ends holds mean scores over the arms of an experiment, at their last round trips.
type ends struct {
	At         int      // interactions, where all arms are at the same; 0 else
	RS, Strict *float64 // of the arms that have one and did not do too little
	NoOpsZero  *float64 // of all arms that have one: RS with no-ops as 0
	TooLittle  []string // arms that did too little: what they did, by name
}

func endsOf(arms []results.Arm, all map[[2]string]report.End) (e ends) {
	var rs, strict, noOps []float64
	at := map[int]bool{}
	for _, a := range arms {
		end := all[[2]string{a.Model, a.Policy}]
		if end.At > 0 {
			at[end.At] = true
			e.At = end.At
		}
		if end.RSNoOpsZero != nil {
			noOps = append(noOps, *end.RSNoOpsZero)
		}
		switch {
		case end.Work.TooLittle():
			e.TooLittle = append(e.TooLittle, arm(a.Model, a.Policy)+" "+end.Work.String())
		case end.RS != nil:
			rs, strict = append(rs, *end.RS), append(strict, *end.Strict)
		}
	}
	if len(at) > 1 {
		e.At = 0
	}
	e.RS, e.Strict, e.NoOpsZero = mean(rs), mean(strict), mean(noOps)
	return e
}

// mean returns nil for an empty list.
func mean(all []float64) *float64 {
	if len(all) == 0 {
		return nil
	}
	sum := 0.0
	for _, v := range all {
		sum += v
	}
	return new(sum / float64(len(all)))
}

// experiments is the page of all experiments, the newest first.
func (v *Viewer) experiments(r *http.Request) (view, error) {
	all, err := v.store.Experiments(r.Context())
	if err != nil {
		return view{}, err
	}
	slices.Reverse(all)
	active, err := v.store.Active(r.Context())
	if err != nil {
		return view{}, err
	}
	shown := view{Template: "experiments", Title: "Experiments"}
	var rows []progress
	for _, e := range all {
		p, err := v.progress(r.Context(), e, active)
		if err != nil {
			return view{}, err
		}
		shown.Live = shown.Live || p.Runs()
		rows = append(rows, p)
	}
	shown.Data = rows
	return shown, nil
}

var experimentsLink = link{"/", "Experiments"}

// named returns the experiment that a request names, and its progress.
func (v *Viewer) named(r *http.Request) (progress, error) {
	e, err := v.store.Experiment(r.Context(), r.PathValue("name"))
	if err != nil {
		return progress{}, err
	}
	active, err := v.store.Active(r.Context())
	if err != nil {
		return progress{}, err
	}
	return v.progress(r.Context(), e, active)
}

// experimentPage is the content of the page of an experiment.
type experimentPage struct {
	progress
	Report template.HTML
}

// experiment is the page with an experiment's report.
func (v *Viewer) experiment(r *http.Request) (view, error) {
	p, err := v.named(r)
	if err != nil {
		return view{}, err
	}
	text, err := v.reports.get(r.Context(), p.Experiment, p.Stored)
	if err != nil {
		return view{}, err
	}
	return view{
		Template: "experiment", Title: p.Name, Trail: []link{experimentsLink},
		Data: experimentPage{p, text},
	}, nil
}

// buildReport keeps the text alone: the report holds every interaction.
func (v *Viewer) buildReport(ctx context.Context, e results.Experiment) (template.HTML, error) {
	built, err := report.Build(ctx, v.store, e, report.Options{Category: v.category})
	if err != nil {
		return "", err
	}
	sections, err := built.Sections()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	err = built.Fragment(&b, sections)
	return template.HTML(b.String()), err
}

// category returns the category of a domain; empty if it is not built.
func (v *Viewer) category(domain string) string {
	d, ok := v.options.Lookup(domain)
	if !ok {
		return ""
	}
	return d.Info().Category
}
