package main

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentd/harness/fleet"
	"agentd/harness/fleet/process"
	"agentd/internal/usage"
	"agentd/report"
	"agentd/results"
)

func (a *app) workerCommand() *cobra.Command {
	m := defaultMachine()
	m.db = ""
	c := &cobra.Command{
		Use:   "worker",
		Short: "Take relays of shared experiments, on this machine",
		Long: "Work on the experiments of a PostgreSQL database together with other machines, until\n" +
			"interrupted. agentd run --db postgres://… begins an experiment. Interrupted once, a worker\n" +
			"lets interactions finish and hands its relays back; interrupted twice, it does so at once.",
		Example: "  agentd worker --db postgres://user@host/agentd --concurrency 50",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !results.IsShared(m.db) {
				return usage.Errorf("--db %q: workers share a PostgreSQL database, postgres://…; a file has one process, agentd run", m.db)
			}
			if err := m.check(); err != nil {
				return err
			}
			return a.runWorker(c.Context(), m)
		},
	}
	m.register(c.Flags())
	m.registerKeys(c.Flags())
	return c
}

func (a *app) runWorker(ctx context.Context, m machine) error {
	return withStore(results.Open, m.db, func(store *results.Store) error {
		p, err := process.New(ctx, store, m.process(a))
		if err != nil {
			return err
		}
		a.log.Info().Str("db", results.Redacted(m.db)).Int("concurrency", m.concurrency).Msg("worker started")
		return errors.Join(p.Work(ctx, a.now), p.Close())
	})
}

// controlFlags are those of agentd run that name an experiment to look after
// instead of one to run.
type controlFlags struct{ pause, resume, cancel, watch string }

func (f *controlFlags) register(c *cobra.Command) {
	f.each(func(name, help string, into *string) { c.Flags().StringVar(into, name, "", help) })
	c.MarkFlagsMutuallyExclusive("pause", "resume", "cancel", "watch")
}

func (f *controlFlags) each(do func(name, help string, into *string)) {
	do("pause", "let no process begin interactions of the named experiment", &f.pause)
	do("resume", "go on with the named experiment as it was begun", &f.resume)
	do("cancel", "end the named experiment for good; what was stored stays", &f.cancel)
	do("watch", "show the progress of the named experiment while others work on it", &f.watch)
}

func (f *controlFlags) named() bool { return f.pause+f.resume+f.cancel+f.watch != "" }

// controlExperiment does what one of the controlFlags says.
func (a *app) controlExperiment(c *cobra.Command, args []string, f controlFlags, flags *settings) error {
	if len(args) > 0 {
		return usage.Errorf("an experiment file and the name of a stored experiment exclude each other")
	}
	ctx := c.Context()
	return withStore(results.OpenReading, flags.db, func(store *results.Store) error {
		record, err := store.Find(ctx, f.pause+f.resume+f.cancel+f.watch)
		if err != nil {
			return err
		}
		switch {
		case f.pause != "":
			err = fleet.Pause(ctx, store, record)
		case f.cancel != "":
			err = fleet.Cancel(ctx, store, record)
		case f.watch != "":
			return a.watch(ctx, store, record, flags)
		default:
			err = a.resumeExperiment(ctx, store, record, c.Flags(), flags)
		}
		if errors.Is(err, results.ErrCancelled) {
			return usage.Wrap(err)
		}
		return err
	})
}

// resumeExperiment lifts a pause and, in a file that no process works on, goes on with
// the work.
func (a *app) resumeExperiment(ctx context.Context, reading *results.Store, record results.Experiment, set *pflag.FlagSet, flags *settings) (err error) {
	if server := flags.given.server; server.BaseURL != "" && server.KeyEnv != "" {
		flags.key = append(flags.key, server.BaseURL+"="+server.KeyEnv)
	}
	if err := flags.readKeys(); err != nil {
		return err
	}
	var maxUSD *float64
	if set.Changed("max-usd") {
		maxUSD = &flags.given.maxUSD
	}
	store, err := process.Resume(ctx, reading, flags.db, &record, maxUSD)
	if store == nil || err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	x, err := process.Reopen(ctx, store, record, flags.machine.opening())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	s := settings{machine: flags.machine, unscored: flags.unscored, report: flags.report}
	s.Limits.USD = record.MaxCost
	return a.finish(ctx, store, x, &s)
}

// watch shows progress until the experiment is done or ctx ends, and then a summary.
func (a *app) watch(ctx context.Context, store *results.Store, record results.Experiment, flags *settings) error {
	bars, err := a.startProgress(ctx, store, record, reportOptions(flags.unscored))
	if err != nil {
		return err
	}
	err = bars.Wait(ctx)
	bars.Stop()
	if err != nil || ctx.Err() != nil { // watching is no work that was interrupted
		return err
	}
	r, err := report.Build(ctx, store, record, reportOptions(flags.unscored))
	if err != nil {
		return err
	}
	return a.summarise(ctx, r, store, flags.db)
}
