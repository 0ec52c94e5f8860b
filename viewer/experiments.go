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
	Scored          int      // round trips
	RS              *float64 // mean over all of them
	Cost            float64  // USD
	Unpriced        int      // interactions of unknown cost
	Finished        bool
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
	relays, ended, sum := 0, 0, 0.0
	for _, a := range arms {
		p.Stored += a.Done
		p.Planned += a.Planned
		p.Failed += a.Failed
		p.Scored += a.Scored
		p.Cost += a.Cost
		p.Unpriced += a.InteractionsOfNoPrice
		relays += a.Relays
		ended += a.Ended
		sum += a.ValueSum
	}
	if p.Scored > 0 {
		mean := sum / float64(p.Scored)
		p.RS = &mean
	}
	p.Finished = relays > 0 && ended == relays
	return p, nil
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
