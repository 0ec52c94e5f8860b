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

// progress is how far an experiment is, summed over its arms.
type progress struct {
	results.Experiment
	Arms            int
	Stored, Planned int // interactions
	Failed          int
	ends
	Cost     float64 // USD
	Unpriced int     // interactions of unknown cost
	Finished bool
}

func (p progress) Runs() bool { return p.State == results.Running && !p.Finished }

// Condition says in words what state the experiment is in.
func (p progress) Condition() string {
	if p.Finished {
		return "finished"
	}
	return string(p.State)
}

func (v *Viewer) progress(ctx context.Context, e results.Experiment) (progress, error) {
	arms, err := v.store.Arms(ctx, e.ID)
	if err != nil {
		return progress{}, err
	}
	p := progress{Experiment: e, Arms: len(arms)}
	relays, ended := 0, 0
	for _, a := range arms {
		p.Stored += a.Done
		p.Planned += a.Planned
		p.Failed += a.Failed
		p.Cost += a.Cost
		p.Unpriced += a.InteractionsOfNoPrice
		relays += a.Relays
		ended += a.Ended
	}
	o, err := v.overviews.get(ctx, e, p.Stored)
	if err != nil {
		return progress{}, err
	}
	p.ends = o.ends
	p.Finished = relays > 0 && ended == relays
	return p, nil
}

// ends are the means over the arms of an experiment of what is left at their last round trips.
type ends struct {
	At        int      // interactions, where all arms are at the same; 0 else
	RS        *float64 // of the arms that have one and did not do too little
	NoOpsZero *float64 // of all arms that have one: RS with no-ops as 0
	TooLittle []string // arms that did too little: what they did, by name
}

func endsOf(arms []results.Arm, all map[[2]string]report.End) (e ends) {
	var rs, noOps []float64
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
			rs = append(rs, *end.RS)
		}
	}
	if len(at) > 1 {
		e.At = 0
	}
	e.RS, e.NoOpsZero = mean(rs), mean(noOps)
	return e
}

// mean is nil of nothing.
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
	shown := view{Template: "experiments", Title: "Experiments"}
	var rows []progress
	for _, e := range all {
		p, err := v.progress(r.Context(), e)
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
	return v.progress(r.Context(), e)
}

// experimentPage is what the page of an experiment shows.
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

// category is that of a domain; empty if it is not built.
func (v *Viewer) category(domain string) string {
	d, ok := v.options.Lookup(domain)
	if !ok {
		return ""
	}
	return d.Info().Category
}
