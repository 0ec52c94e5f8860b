package runner

import (
	"context"
	"errors"
	"fmt"
	"io"

	"agentd/environments/ablation"
	"agentd/harness"
	"agentd/harness/experiment"
	"agentd/harness/triage"
	"agentd/internal/usage"
	"agentd/models"
	policycatalog "agentd/policies/catalog"
	"agentd/results"
)

// Trials are the settings for trying the edits of environments one by one, as an experiment of
// single round trips.
type Trials struct {
	Models, Policies []string
	Repeats          int    // round trips of each edit with each model and policy
	Seed             uint64 // of file orders, of the models, and of what is left out
	DB               string
	Name             string // stored experiment to show, with no new run; empty for none
	Judge            string // model that sorts the round trips of flagged edits; empty for none
	Everything       bool   // print every round trip below 1
	NoAblation       bool   // without the check by leaving elements out
}

// Try has the edits tried, unless they are stored already, and prints what came of them.
func (r *Runner) Try(ctx context.Context, w io.Writer, of experiment.Environments, t Trials) (err error) {
	scoring := experiment.Sandbox{Name: experiment.Bwrap}.Scoring(ctx)
	defer func() { err = errors.Join(err, scoring.Close()) }()
	if t.Name == "" {
		if t.Name, err = r.runTrials(ctx, of, t); err != nil {
			return err
		}
	}
	open := OpenReading
	if t.Judge != "" {
		open = results.Open // it keeps the judge's answers
	}
	return results.Using(open, t.DB, func(store *results.Store) error { return t.show(ctx, w, store, scoring) })
}

// runTrials runs the single round trips and returns the name of the experiment.
func (r *Runner) runTrials(ctx context.Context, of experiment.Environments, t Trials) (name string, err error) {
	s := Default()
	s.DB, s.Models, s.Environments = t.DB, experiment.AllNamed(t.Models, models.Spec{}), of
	if s.Policies, err = policycatalog.ParseLists(t.Policies); err != nil {
		return "", usage.Wrap(err)
	}
	s.Relay.Schedule.Kind, s.Relay.Repeats, s.Relay.Seed = harness.SingleRoundTrips, t.Repeats, t.Seed
	if t.Judge != "" {
		s.Judge.Model = &experiment.Model{Spec: models.Spec{Name: t.Judge}}
	}
	err = r.Begin(ctx, &s, func(store *results.Store, x *experiment.Experiment) error {
		record, stopped, err := r.Work(ctx, store, x, &s)
		name = record.Name
		return errors.Join(stopped, err)
	})
	return name, err
}

// show prints what is stored of an experiment of single round trips.
func (t *Trials) show(ctx context.Context, w io.Writer, store *results.Store, scoring *experiment.Scoring) error {
	record, err := store.Find(ctx, t.Name)
	if err != nil {
		return err
	}
	trials, missing, err := triage.Stored(ctx, store, record)
	if errors.Is(err, triage.ErrNotSingle) {
		return usage.Wrap(err)
	}
	if err != nil {
		return err
	}
	if len(trials) == 0 {
		return fmt.Errorf("experiment %s: no round trip is stored yet", record.Name)
	}
	judged := triage.Trials(trials, scoring.Find)
	if err := triage.Write(w, record, judged, missing, t.Everything); err != nil {
		return err
	}
	ask, done, err := experiment.OpenAsker(ctx, t.Judge, store, triage.Environments(trials))
	if err != nil {
		return err
	}
	if err := errors.Join(triage.WriteFlagged(w, judged, ask, scoring.Find), done()); err != nil || t.NoAblation {
		return err
	}
	return ablation.CheckAll(triage.Environments(trials), t.Seed, scoring.Find).Write(w)
}
