package viewer

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"

	"agentd/environments"
	"agentd/report"
	"agentd/results"
)

// number reads a number from 1 of a path.
func number(r *http.Request, name string) (int64, error) {
	text := r.PathValue(name)
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 1 || strconv.FormatInt(n, 10) != text {
		return 0, problem{http.StatusNotFound, fmt.Sprintf("%q is not a number of a relay or interaction.", text)}
	}
	return n, nil
}

// found is a relay that a request names, with its experiment.
type found struct {
	results.Relay
	Experiment results.Experiment
}

// StandIn reports whether a program plays the relay's model, at no cost.
func (f found) StandIn() bool {
	return slices.ContainsFunc(f.Experiment.Manifest.Models, func(m results.Model) bool { return m.StandIn && m.Name == f.Model })
}

func (f found) trail() []link {
	return []link{
		experimentsLink, {experimentAddress(f.Experiment.Name), f.Experiment.Name}, {matrixAddress(f.Experiment.Name), "Matrix"},
	}
}

func (v *Viewer) find(r *http.Request) (found, error) {
	id, err := number(r, "relay")
	if err != nil {
		return found{}, err
	}
	relay, err := v.store.Relay(r.Context(), id)
	if err != nil {
		return found{}, err
	}
	e, err := v.store.ExperimentByID(r.Context(), relay.Experiment)
	return found{relay, e}, err
}

// environment returns the environment as it was when the experiment ran, nil if
// it is not stored.
func (v *Viewer) environment(ctx context.Context, f found) (*environments.Environment, error) {
	hash, known := f.Experiment.Manifest.Environments[f.Environment]
	if !known {
		return nil, nil
	}
	text, err := v.store.Content(ctx, hash)
	if errors.Is(err, results.ErrNotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading environment %s: %w", f.Environment, err)
	}
	env, err := environments.Decode(text)
	return &env, err
}

// step is a line of a relay's timeline.
type step struct {
	results.Interaction
	Change   *float64 // of RS, of a backward step
	Critical bool
	NextDrop int // number of the next critical failure, 0 if there is none
}

// last is the newest score of a relay.
type last struct {
	Number     int // of the interaction
	RS, Strict float64
	NotRead    bool // the document could not be read
}

func lastOf(trips []results.Trip) *last {
	for _, t := range slices.Backward(trips) {
		if rs, strict := t.Scores(false); rs != nil {
			return &last{t.Backward.Number, *rs, *strict, t.Backward.Score != nil && t.Backward.Score.NotRead()}
		}
	}
	return nil
}

// noOpsOf is a relay's last RS with no-ops as 0; nil if all forward steps were carried out, or there
// is none.
func noOpsOf(curve results.Curve) *float64 {
	if n := len(curve.NoOpsZero); n > 0 && curve.Work.Done < curve.Work.Edits {
		return curve.NoOpsZero[n-1]
	}
	return nil
}

// relayFigure is RS and Strict of a relay over its planned round trips as a figure.
func relayFigure(title string, curve results.Curve, drops []drop, planned int) (template.HTML, error) {
	rs := report.Line{Label: "RS", Whole: true, Values: make([]*float64, max(planned, len(curve.Scores)))}
	strict := report.Line{Label: "Strict", Whole: true, Values: make([]*float64, len(rs.Values))}
	copy(rs.Values, curve.Scores)
	copy(strict.Values, curve.Strict)
	for _, d := range drops {
		rs.Drops = append(rs.Drops, d.number/2)
	}
	return report.Curves(title, "left of the seed, %", []report.Line{rs, strict})
}

// relayPage is the content of the page of a relay.
type relayPage struct {
	found
	Planned int // interactions
	Steps   []step
	Figure  template.HTML
	Last    *last // nil if there is no score
	Work    results.Work
	// NoOpsZero is the last RS with no-ops as 0; nil if all forward steps were carried out, or there is none.
	NoOpsZero *float64
	Drops     []drop
	Biggest   *drop
	Montage   []montagePicture
}

// relay makes the page of a relay's timeline.
func (v *Viewer) relay(r *http.Request) (view, error) {
	f, err := v.find(r)
	if err != nil {
		return view{}, err
	}
	interactions, err := v.store.RelaySummaries(r.Context(), f.ID)
	if err != nil {
		return view{}, err
	}
	trips := results.Trips(interactions)
	curve := results.CurveOf(trips, false)
	change, drops := changes(curve.Scores), dropsOf(f.ID, curve.Scores)
	var biggest *drop
	for i := range drops {
		if biggest == nil || drops[i].size > biggest.size {
			biggest = &drops[i]
		}
	}
	steps := make([]step, len(interactions))
	for i, in := range interactions {
		steps[i].Interaction = in
		if in.Number%2 == 0 {
			if k := in.Number/2 - 1; k < len(change) { // those after the last score are left out
				steps[i].Change = change[k]
			}
			steps[i].Critical = steps[i].Change != nil && report.IsCritical(-*steps[i].Change)
		}
		if next := after(drops, f.ID, in.Number); next != nil && steps[i].Critical {
			steps[i].NextDrop = next.number
		}
	}
	montage, err := v.montage(r.Context(), f, interactions)
	if err != nil {
		return view{}, err
	}
	title := fmt.Sprintf("Relay %d: %s", f.ID, relayTitle(f.Relay))
	figure, err := relayFigure(title, curve, drops, len(f.Schedule))
	if err != nil {
		return view{}, err
	}
	return view{
		Template: "relay", Title: title, Trail: f.trail(),
		Data: relayPage{f, 2 * len(f.Schedule), steps, figure, lastOf(trips), curve.Work, noOpsOf(curve), drops, biggest, montage},
	}, nil
}
