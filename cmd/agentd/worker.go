package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentd/environments"
	"agentd/fleet"
	"agentd/harness"
	"agentd/models"
	"agentd/policies"
	policycatalog "agentd/policies/catalog"
	"agentd/policies/prompt"
	"agentd/results"
)

func (a *app) workerCommand() *cobra.Command {
	s := defaultSettings()
	c := &cobra.Command{
		Use:   "worker",
		Short: "Take relays of shared experiments, on this machine",
		Long: "Work on the experiments of a PostgreSQL database together with other machines, until\n" +
			"interrupted. agentd run --db postgres://… begins an experiment. Interrupted once, a worker\n" +
			"lets interactions finish and hands its relays back; interrupted twice, it does so at once.",
		Example: "  agentd worker --db postgres://user@host/agentd --concurrency 50",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if !results.IsShared(s.db) {
				return usagef("--db %q: workers share a PostgreSQL database, postgres://…; a file has one process, agentd run", s.db)
			}
			if err := s.check(); err != nil {
				return err
			}
			return a.runWorker(c.Context(), s)
		},
	}
	s.db = ""
	s.registerMachine(c.Flags())
	return c
}

func (a *app) runWorker(ctx context.Context, s settings) (err error) {
	boundMemory(workMemory)
	store, err := results.Open(s.db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	meter, err := a.startMetering(ctx, &s, store)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, meter.stop()) }()
	var opened []*builder
	defer func() {
		for _, b := range opened {
			err = errors.Join(err, b.close())
		}
	}()
	work, err := fleet.New(store, fleet.Options{
		Concurrency: s.concurrency, Grace: s.grace, TakeOver: s.takeOver, Log: a.log, Stored: a.stored(meter),
		Open: func(ctx context.Context, record results.Experiment) (*harness.Experiment, error) {
			b, err := openStored(ctx, store, record, s)
			opened = append(opened, b)
			if err != nil {
				return nil, err
			}
			meter.watch(b.experiment)
			a.log.Info().Str("experiment", record.Name).Msg("working on it")
			return b.experiment, nil
		},
		Failed: func(relay results.Relay, err error) fleet.Verdict {
			a.log.Error().Err(err).Int64("relay", relay.ID).Str("model", relay.Model).Msg("a relay is left for later")
			if errors.Is(err, results.ErrFull) {
				return fleet.Stop
			}
			return fleet.Later
		},
	})
	if err != nil {
		return err
	}
	a.log.Info().Str("db", s.shownDB()).Int("concurrency", s.concurrency).Msg("worker started")
	err = work.Work(ctx, a.now)
	if errors.Is(err, context.Canceled) {
		return nil // that is how workers end
	}
	return err
}

// storedParts are the inputs of an experiment as its store has them.
type storedParts struct {
	environments []environments.Environment
	prompts      *prompt.Source
}

// openStored builds an experiment of what is stored of it, with the machine's
// own settings: sandbox and keys. The builder must be closed even if it fails.
func openStored(ctx context.Context, store *results.Store, record results.Experiment, s settings) (*builder, error) {
	m := record.Manifest
	b := &builder{settings: s, stored: &storedParts{}, limiter: store, judgements: store}
	if m.Version != version {
		return b, fmt.Errorf("experiment %s was begun with agentd %s, this is %s; use that one, or go on with agentd run --allow-changed", record.Name, m.Version, version)
	}
	var limits manifestLimits
	if err := json.Unmarshal(m.Limits, &limits); err != nil {
		return b, fmt.Errorf("reading the limits of %s: %w", record.Name, err)
	}
	b.Name, b.Policies, b.Limits, b.scripts = record.Name, nil, limits.limitSettings, limits.Sandbox
	b.Limits.USD = record.MaxCost
	b.Relay = relaySettings{
		Protocol: cmp.Or(m.Protocol, string(policies.Clean)), OnFault: cmp.Or(m.OnFault, string(harness.GoOn)),
		RoundTrips: m.RoundTrips, Schedule: schedule{kind: harness.ScheduleKind(m.Schedule), edits: m.ScheduleEdits},
		Distractors: m.Distractors, Repeats: m.Repeats, Seed: m.Seed,
	}
	for _, name := range m.Policies {
		spec, err := policycatalog.FromManifest(name, m.PolicySpecs[name])
		if err != nil {
			return b, fmt.Errorf("experiment %s: %w", record.Name, err)
		}
		b.Policies = append(b.Policies, spec)
	}
	if err := b.check(); err != nil {
		return b, fmt.Errorf("experiment %s: %w", record.Name, err)
	}
	b.Models, b.Judge = nil, judgeSetting{}
	for _, model := range m.Models {
		setting, err := storedModel(model)
		if err != nil {
			return b, fmt.Errorf("experiment %s: %w", record.Name, err)
		}
		b.Models = append(b.Models, setting)
	}
	if m.Judge != nil {
		setting, err := storedModel(*m.Judge)
		if err != nil {
			return b, fmt.Errorf("experiment %s: %w", record.Name, err)
		}
		b.Judge.Model = &setting
	}
	for name, hash := range m.Environments {
		text, err := store.Content(ctx, hash)
		if err != nil {
			return b, fmt.Errorf("environment %s: %w", name, err)
		}
		env, err := environments.Decode(text)
		if err != nil {
			return b, fmt.Errorf("environment %s: %w", name, err)
		}
		b.stored.environments = append(b.stored.environments, env)
	}
	texts := map[string]string{}
	for name, hash := range m.Prompts {
		text, err := store.Content(ctx, hash)
		if err != nil {
			return b, fmt.Errorf("prompt %s: %w", name, err)
		}
		texts[name] = text
	}
	b.stored.prompts = prompt.NewStored(texts)
	return b, b.build(ctx)
}

// storedModel is a model of a manifest.
func storedModel(model results.Model) (modelSetting, error) {
	var spec models.Spec
	if err := json.Unmarshal(model.Spec, &spec); err != nil {
		return modelSetting{}, fmt.Errorf("reading model %s: %w", model.Name, err)
	}
	return modelSetting{spec}, nil
}

// controlFlags are those of agentd run that name an experiment to look after
// instead of one to run.
type controlFlags struct{ pause, resume, cancel, watch string }

func (f *controlFlags) register(c *cobra.Command) {
	f.each(func(name, usage string, into *string) { c.Flags().StringVar(into, name, "", usage) })
	c.MarkFlagsMutuallyExclusive("pause", "resume", "cancel", "watch")
}

func (f *controlFlags) each(do func(name, usage string, into *string)) {
	do("pause", "let no process begin interactions of the named experiment", &f.pause)
	do("resume", "go on with the named experiment as it was begun", &f.resume)
	do("cancel", "end the named experiment for good; what was stored stays", &f.cancel)
	do("watch", "show the progress of the named experiment while others work on it", &f.watch)
}

func (f *controlFlags) named() bool { return f.pause+f.resume+f.cancel+f.watch != "" }

// controlExperiment does what one of the controlFlags says.
func (a *app) controlExperiment(c *cobra.Command, args []string, flags *runFlags) (err error) {
	if len(args) > 0 {
		return usagef("an experiment file and the name of a stored experiment exclude each other")
	}
	f, ctx := flags.control, c.Context()
	store, err := results.OpenReading(flags.db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	record, err := store.Experiment(ctx, f.pause+f.resume+f.cancel+f.watch)
	if err != nil {
		return usageError{err}
	}
	switch {
	case f.pause != "":
		err = fleet.Pause(ctx, store, record)
	case f.cancel != "":
		err = fleet.Cancel(ctx, store, record)
	case f.watch != "":
		return a.watch(ctx, store, record)
	default:
		return a.resumeExperiment(ctx, store, record, c.Flags(), flags)
	}
	if errors.Is(err, results.ErrCancelled) {
		return usageError{err}
	}
	return err
}

// resumeExperiment lifts a pause and, in a file that nobody works on, goes on
// with the work.
func (a *app) resumeExperiment(ctx context.Context, reading *results.Store, record results.Experiment, set *pflag.FlagSet, flags *runFlags) (err error) {
	if set.Changed("max-usd") {
		record.MaxCost = &flags.maxUSD
		if err := reading.SetMaxCost(ctx, record.ID, record.MaxCost); err != nil {
			return err
		}
	}
	if err := fleet.Resume(ctx, reading, record); err != nil {
		if errors.Is(err, results.ErrCancelled) {
			return usageError{err}
		}
		return err
	}
	if results.IsShared(flags.db) {
		return nil
	}
	store, err := results.Open(flags.db)
	if errors.Is(err, results.ErrLocked) {
		return nil // the process that has it goes on
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	b, err := openStored(ctx, store, record, flags.settings)
	defer func() { err = errors.Join(err, b.close()) }()
	if err != nil {
		return err
	}
	return a.finish(ctx, store, b, false)
}

// watch shows progress until the experiment is done or ctx ends.
func (a *app) watch(ctx context.Context, store *results.Store, record results.Experiment) error {
	bars, err := a.startProgress(ctx, store, record)
	if err != nil {
		return err
	}
	defer bars.stop()
	for {
		standing, err := store.Standing(ctx, record.ID)
		if err != nil {
			return err
		}
		if standing.Complete() || standing.State == results.Cancelled {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil // watching is no work that was interrupted
		case <-time.After(time.Second):
		}
	}
}
