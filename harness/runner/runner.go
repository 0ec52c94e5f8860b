// Package runner runs experiments. It opens what their settings name, works on them in a database, shows how
// far they are, and prints how they ended.
package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/rs/zerolog"

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

// DefaultDB is the database of commands that are given none.
const DefaultDB = "agentd.db"

// Settings say what to run, and how.
type Settings struct {
	experiment.Spec
	DB     string          // a file, or a PostgreSQL database as postgres://…
	Keys   experiment.Keys // which keys a stored experiment may send
	DryRun bool            // print the plan, and run nothing
	// Planned is called after DryRun has printed the plan; nil for nothing.
	Planned      func(*experiment.Experiment)
	Tables       bool // print all tables at the end, not a summary
	MayBeAway    bool // models' servers need not answer until Experiment.Away is called
	AllowChanged bool // continue even if the stored experiment has other settings
	RetryFaults  bool // retry the relays that ended early because a service was unavailable
	ByStrict     bool // progress shows Strict, not RS
}

// Default returns the settings of the built-in demonstration.
func Default() Settings { return Settings{Spec: experiment.Default(), DB: DefaultDB} }

// terms are those of a run with the settings.
func (s *Settings) terms() process.Terms {
	return process.Terms{MaxUSD: s.Limits.USD, MaxFaults: s.Limits.MaxFaults, AllowChanged: s.AllowChanged, Retry: s.RetryFaults}
}

// reporting are the options of a summary and of the progress.
func (s *Settings) reporting() report.Options {
	return report.Options{Category: domaincatalog.Category, UnscoredZero: s.Unscored == experiment.ZeroUnscored, ByStrict: s.ByStrict}
}

// Runner runs experiments in this process.
type Runner struct {
	Now   context.Context // ends when the process must stop at once
	Out   *printable.Output
	Log   zerolog.Logger
	Above func(io.Writer) (restore func()) // redirects the log above the progress display
}

// Run runs an experiment, or goes on with it, and prints a summary.
func (r *Runner) Run(ctx context.Context, s *Settings) error {
	return r.Begin(ctx, s, func(store *results.Store, x *experiment.Experiment) error {
		return r.finish(ctx, store, x, s)
	})
}

// Begin opens everything that the settings name and calls do to work on it in their database. With
// DryRun it prints the plan instead.
func (r *Runner) Begin(ctx context.Context, s *Settings, do func(*results.Store, *experiment.Experiment) error) (err error) {
	later := &process.Later{}
	options := s.Machine.Opening()
	options.Limiter, options.Judgements, options.Keys, options.PlanOnly = later, later, s.Keys, s.DryRun
	options.MayBeAway = s.MayBeAway
	x, err := experiment.Open(ctx, s.Spec, options)
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return usage.Interrupted("interrupted before anything was asked")
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	for _, name := range x.Unjudged() {
		if x.OfStandIns() {
			break // their scores are examples, so one that is missing needs no warning
		}
		r.Log.Warn().Str("environment", name).Msg("only a judge can score this environment and none is named (judge: {model: NAME}); it gets no RS and counts in no mean")
	}
	if t := x.TooLong(); t != nil {
		r.Log.Warn().Strs("environments", t.Environments).Msg(t.String())
	}
	for _, name := range x.Unpriced() {
		r.Log.Warn().Str("model", name).Msg("the price is unknown, so the cost is reported as unknown; an experiment file or agentd models prices can set it")
	}
	if s.DryRun {
		err := x.WritePlan(r.Out, s.Machine.Concurrency)
		if err == nil && s.Planned != nil {
			s.Planned(x)
		}
		return err
	}
	return results.Using(results.Open, s.DB, func(store *results.Store) error {
		later.Store = store
		err := do(store, x)
		if errors.Is(err, context.Canceled) {
			return usage.Interrupted("interrupted; everything that finished is stored in " + results.Redacted(s.DB) + ", and the same command goes on from there")
		}
		return err
	})
}

// Work works on an experiment until it is done, or until a limit or a model's server ends the
// work; stopped then says why. Progress goes to standard error.
func (r *Runner) Work(ctx context.Context, store *results.Store, x *experiment.Experiment, s *Settings) (record results.Experiment, stopped, err error) {
	p, err := r.process(ctx, store, s)
	if err != nil {
		return record, nil, err
	}
	defer func() { err = errors.Join(err, p.Close()) }()
	run, err := p.Begin(ctx, x, s.terms())
	if err != nil {
		return record, nil, err
	}
	bars, err := r.progress(ctx, store, run.Record, s)
	if err != nil {
		return record, nil, err
	}
	stopped, err = run.Finish(ctx, r.Now)
	bars.Stop()
	return run.Record, stopped, err
}

// Serve works on the experiments of a shared database until ctx ends.
func (r *Runner) Serve(ctx context.Context, s *Settings) error {
	return results.Using(results.Open, s.DB, func(store *results.Store) error {
		p, err := r.process(ctx, store, s)
		if err != nil {
			return err
		}
		r.Log.Info().Str("db", results.Redacted(s.DB)).Int("concurrency", s.Machine.Concurrency).Msg("worker started")
		return errors.Join(p.Work(ctx, r.Now), p.Close())
	})
}

func (r *Runner) process(ctx context.Context, store *results.Store, s *Settings) (*process.Process, error) {
	return process.New(ctx, store, process.Options{Machine: s.Machine, Keys: s.Keys, Log: &r.Log})
}

// progress shows how far an experiment is. Its scores are those of a report with the settings.
func (r *Runner) progress(ctx context.Context, store *results.Store, record results.Experiment, s *Settings) (*progress.Progress, error) {
	ends, err := report.ReadEnds(ctx, store, record, s.reporting())
	if err != nil {
		return nil, err
	}
	return progress.Start(ctx, store, record.ID, os.Stderr, ends, r.Above)
}

// finish works on an experiment to its end and prints a summary, or all tables.
func (r *Runner) finish(ctx context.Context, store *results.Store, x *experiment.Experiment, s *Settings) error {
	record, stopped, err := r.Work(ctx, store, x, s)
	if err != nil {
		return err
	}
	built, err := report.Build(ctx, store, record, s.reporting())
	if err != nil {
		return err
	}
	switch {
	case stopped == nil:
		if stopped = built.Doubt(); stopped == nil {
			stopped = built.NothingDone()
		}
	case errors.Is(stopped, fleet.ErrMaxCost):
		stopped = fmt.Errorf("%w; agentd resume %s --max-usd LIMIT --db %s goes on with it", stopped, record.Name, results.Redacted(s.DB))
	}
	if s.Tables {
		return errors.Join(r.tables(built), stopped)
	}
	return errors.Join(r.summarise(ctx, built, store, s.DB), stopped)
}

// tables prints all tables of a report.
func (r *Runner) tables(built *report.Report) error {
	sections, err := built.Sections()
	if err != nil {
		return err
	}
	return built.Text(printable.Exact(r.Out), sections, report.TextStyle{Screen: layout.ScreenOf(r.Out)})
}

// summarise prints what a run ends with, and where to look next.
func (r *Runner) summarise(ctx context.Context, built *report.Report, store *results.Store, file string) error {
	db, name := "", ""
	if file != DefaultDB {
		db = results.Redacted(file)
	}
	newest, err := store.Find(ctx, "")
	if newest.ID != built.Experiment.ID {
		name = built.Experiment.Name
	}
	return errors.Join(err, built.Summary(printable.Exact(r.Out), layout.ScreenOf(r.Out), db, name))
}
