package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/harness/experiment"
	"agentd/harness/fleet"
	"agentd/harness/fleet/process"
	"agentd/harness/fleet/progress"
	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/report"
	"agentd/results"
)

func (a *app) runCommand() *cobra.Command {
	flags, control := defaultSettings(), controlFlags{}
	c := &cobra.Command{
		Use:   "run [experiment.yaml]",
		Short: "Run or resume an experiment",
		Long: "Run an experiment, or go on with one that was interrupted: the same command again never\n" +
			"does or pays for a finished interaction twice. Without a file and without flags it is the\n" +
			"built-in demonstration on the stand-in models, which needs no key and no network.\n\n" +
			"Interrupted once, it lets interactions finish and stops; interrupted twice, it stops at once.\n\n" +
			nothingDone,
		Example: "  agentd run\n" +
			"  agentd run --model gpt-5.4 --policy agentic,direct --env accounting1,subtitles1 --round-trips 10\n" +
			"  agentd run --model local-qwen --base-url http://127.0.0.1:8000/v1 --policy direct --domain accounting\n" +
			"  agentd run experiment.yaml --max-usd 50\n" +
			"  agentd run experiment.yaml --db postgres://user@host/agentd\n" +
			"  agentd run --pause NAME",
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if control.named() {
				return a.controlExperiment(c, args, control, &flags)
			}
			file := ""
			if len(args) == 1 {
				file = args[0]
			}
			s, err := readSettings(c.Flags(), file)
			if err != nil {
				return err
			}
			return a.runExperiment(c.Context(), s)
		},
	}
	flags.register(c.Flags())
	flags.registerKeys(c.Flags())
	control.register(c)
	return c
}

// nothingDone tells of the exit status for work that was not done.
const nothingDone = "The exit status is 4 if an arm, such as the policy noop, carried out none of its edits: its\n" +
	"documents came back whole because no one worked on them."

func (a *app) runExperiment(ctx context.Context, s settings) error {
	return a.begin(ctx, &s, func(store *results.Store, x *experiment.Experiment) error {
		return a.finish(ctx, store, x, &s)
	})
}

// begin opens what the settings name, and has do work on it in the database that they name.
// With --dry-run it prints the plan instead.
func (a *app) begin(ctx context.Context, s *settings, do func(*results.Store, *experiment.Experiment) error) (err error) {
	later := &process.Later{}
	x, err := experiment.Open(ctx, s.Spec, s.opening(later))
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return usage.Interrupted("interrupted before anything was asked")
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	for _, name := range x.Unjudged() {
		a.log.Warn().Str("environment", name).Msg("only a judge can score it, and none is named (--judge NAME): it will have Strict and the similarity of texts, no RS")
	}
	if t := x.TooLong(); t != nil {
		a.log.Warn().Strs("environments", t.Environments).Msg(t.String())
	}
	for _, name := range x.Unpriced() {
		a.log.Warn().Str("model", name).Msg("its price is unknown, so its cost is reported as unknown; an experiment file or agentd models prices may give it one")
	}
	if s.dryRun {
		return x.WritePlan(a.out, s.concurrency)
	}
	return withStore(results.Open, s.db, func(store *results.Store) error {
		later.Store = store
		err := do(store, x)
		if errors.Is(err, context.Canceled) {
			return usage.Interrupted("interrupted; everything that finished is stored in " + results.Redacted(s.db) + ", and the same command goes on from there")
		}
		return err
	})
}

// finish works on an experiment to its end and prints a summary, or the report.
func (a *app) finish(ctx context.Context, store *results.Store, x *experiment.Experiment, s *settings) error {
	record, stopped, err := a.work(ctx, store, x, s)
	if err != nil {
		return err
	}
	r, err := report.Build(ctx, store, record, reportOptions(s.unscored))
	if err != nil {
		return err
	}
	switch {
	case stopped == nil:
		if stopped = r.Doubt(); stopped == nil {
			stopped = r.NothingDone()
		}
	case errors.Is(stopped, fleet.ErrMaxCost):
		stopped = fmt.Errorf("%w; agentd run --resume %s --max-usd LIMIT --db %s goes on with it", stopped, record.Name, results.Redacted(s.db))
	}
	if s.report {
		return errors.Join(printReport(r, a.out), stopped)
	}
	return errors.Join(a.summarise(ctx, r, store, s.db), stopped)
}

// summarise prints what a run ends with, and where to look next.
func (a *app) summarise(ctx context.Context, r *report.Report, store *results.Store, file string) error {
	db, name := "", ""
	if file != defaultDB {
		db = results.Redacted(file)
	}
	newest, err := store.Find(ctx, "")
	if newest.ID != r.Experiment.ID {
		name = r.Experiment.Name
	}
	return errors.Join(err, r.Summary(printable.Exact(a.out), layout.ScreenOf(a.out), db, name))
}

// work works on an experiment to its end. stopped says why it ended early where what is
// stored can be shown nevertheless.
func (a *app) work(ctx context.Context, store *results.Store, x *experiment.Experiment, s *settings) (record results.Experiment, stopped, err error) {
	p, err := process.New(ctx, store, s.process(a))
	if err != nil {
		return record, nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	run, err := p.Begin(ctx, x, s.terms())
	if err != nil {
		return record, nil, err
	}
	bars, err := a.startProgress(ctx, store, run.Record, reportOptions(s.unscored))
	if err != nil {
		return record, nil, err
	}
	stopped, err = run.Finish(ctx, a.now)
	bars.Stop()
	return run.Record, stopped, err
}

// startProgress shows the progress of an experiment on standard error, and the log above
// it. Its scores are those of a report with the options.
func (a *app) startProgress(ctx context.Context, store *results.Store, record results.Experiment, options report.Options) (*progress.Progress, error) {
	ends, err := report.ReadEnds(ctx, store, record, options)
	if err != nil {
		return nil, err
	}
	return progress.Start(ctx, store, record.ID, os.Stderr, ends, a.stderr.To)
}

// reportOptions are those of a summary and of the progress, for a value of --unscored.
func reportOptions(unscored string) report.Options {
	return report.Options{Category: domaincatalog.Category, UnscoredZero: unscored == unscoredZero}
}
