package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments/ablation"
	"agentd/harness"
	"agentd/harness/experiment"
	"agentd/harness/triage"
	"agentd/internal/usage"
	"agentd/models"
	policycatalog "agentd/policies/catalog"
	"agentd/results"
)

// trialFlags are the flags of agentd env test.
type trialFlags struct {
	models, policies []string
	runs             int
	seed             uint64
	db, name, judge  string
	all              bool
	noAblation       bool
}

func (a *app) envTestCommand(source *envSource) *cobra.Command {
	var f trialFlags
	c := &cobra.Command{
		Use:   "test [NAME...]",
		Short: "Try every edit alone, and judge what does not score 1",
		Long: "Have each model do every edit alone, there and back on a fresh seed, several times: an experiment\n" +
			"with the schedule single-round-trips, stored like any other. Print the scores by edit, and for\n" +
			"round trips below 1 whether the score is warranted, the evaluator errs, or the instruction is\n" +
			"ambiguous. Edits on which all models stay below 80 % are flagged; a judge sorts them by whose\n" +
			"error it is. Then leave elements out of the seeds: of N elements K left out must score at most\n" +
			"1 - K/N.",
		Example: "  agentd env test accounting1\n  agentd env test --data mine/ --model gpt-5.2,gpt-5-mini --repeats 5 --judge gpt-5.4\n" +
			"  agentd env test --name my-single-round-trips",
		RunE: func(c *cobra.Command, names []string) error {
			if f.runs < 1 {
				return usage.Errorf("--repeats %d: use at least 1", f.runs)
			}
			if f.name != "" && len(names) > 0 {
				return usage.Errorf("--name shows all that an experiment tried; take out %s", strings.Join(names, " "))
			}
			return a.testEnvironments(c.Context(), c.OutOrStdout(), source, f, names)
		},
	}
	c.Flags().StringSliceVar(&f.models, "model", []string{"sim:perfect", "sim:frontier", "sim:weak"}, "models")
	c.Flags().StringArrayVar(&f.policies, "policy", []string{"direct"}, "policies")
	c.Flags().IntVar(&f.runs, "repeats", 3, "round trips of each edit with each model and policy")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of file orders, of the models, and of what is left out")
	registerDB(c.Flags(), &f.db)
	c.Flags().StringVar(&f.name, "name", "", "show this experiment, and run nothing")
	c.Flags().StringVar(&f.judge, "judge", "", "model that sorts the round trips of flagged edits by whose error it is")
	c.Flags().BoolVar(&f.all, "everything", false, "print every round trip below 1, also the warranted ones")
	c.Flags().BoolVar(&f.noAblation, "no-ablation", false, "leave out the check by leaving elements out")
	return c
}

func (a *app) testEnvironments(ctx context.Context, w io.Writer, source *envSource, f trialFlags, names []string) (err error) {
	runs := experiment.Sandbox{Name: experiment.Bwrap}.Programs(ctx)
	defer func() { err = errors.Join(err, runs.Close()) }()
	if f.name == "" {
		if f.name, err = a.runTrials(ctx, source, f, names); err != nil {
			return err
		}
	}
	open := reading
	if f.judge != "" {
		open = results.Open // it keeps the judge's answers
	}
	return results.Using(open, f.db, func(store *results.Store) error {
		return f.show(ctx, w, store, domaincatalog.Running(runs))
	})
}

// runTrials runs the single round trips and returns the name of the experiment.
func (a *app) runTrials(ctx context.Context, source *envSource, f trialFlags, names []string) (name string, err error) {
	s := defaultSettings()
	s.DB, s.Models = f.db, experiment.AllNamed(f.models, models.Spec{})
	if s.Policies, err = policycatalog.ParseLists(f.policies); err != nil {
		return "", usage.Wrap(err)
	}
	s.Relay.Schedule.Kind, s.Relay.Repeats, s.Relay.Seed = harness.SingleRoundTrips, f.runs, f.seed
	s.Environments.Data, s.Environments.Names = source.data, names
	if f.judge != "" {
		s.Judge.Model = &experiment.Model{Spec: models.Spec{Name: f.judge}}
	}
	err = a.runner().Begin(ctx, &s.Settings, func(store *results.Store, x *experiment.Experiment) error {
		record, stopped, err := a.runner().Work(ctx, store, x, &s.Settings)
		name = record.Name
		return errors.Join(stopped, err)
	})
	return name, err
}

// show prints what is stored of an experiment of single round trips.
func (f *trialFlags) show(ctx context.Context, w io.Writer, store *results.Store, find lookup) (err error) {
	record, err := store.Find(ctx, f.name)
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
	judged := triage.Trials(trials, find)
	if err := triage.Write(w, record, judged, missing, f.all); err != nil {
		return err
	}
	ask, done, err := experiment.OpenAsker(ctx, f.judge, store, triage.Environments(trials))
	if err != nil {
		return err
	}
	if err := errors.Join(triage.WriteFlagged(w, judged, ask, find), done()); err != nil || f.noAblation {
		return err
	}
	return ablation.CheckAll(triage.Environments(trials), f.seed, find).Write(w)
}
