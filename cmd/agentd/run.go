package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"agentd/experiment"
	"agentd/fleet"
	"agentd/fleet/progress"
	"agentd/internal/memory"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/models"
	"agentd/policies"
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
			"Interrupted once, it lets interactions finish and stops; interrupted twice, it stops at once.",
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
	control.register(c)
	return c
}

func (a *app) runExperiment(ctx context.Context, s settings) (err error) {
	later := &storeLater{}
	x, err := experiment.Open(ctx, s.Spec, s.opening(later))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	for _, name := range x.Unjudged() {
		a.log.Warn().Str("environment", name).Msg("only a judge can score it, and none is named (--judge NAME): it will have Strict and the similarity of texts, no RS")
	}
	for _, name := range x.Unpriced() {
		a.log.Warn().Str("model", name).Msg("its price is unknown, so its cost is reported as unknown; an experiment file or agentd models prices may give it one")
	}
	if s.dryRun {
		return printPlan(a.out, x)
	}
	store, err := results.Open(s.db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	later.Store = store
	err = a.finish(ctx, store, x, &s)
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted; everything finished is stored in %s, the same command goes on from there: %w", shownDB(s.db), err)
	}
	return err
}

// storeLater keeps the rates of models, and the answers of judges, in a store that is
// opened after them: a run that cannot be opened makes no database.
type storeLater struct{ *results.Store }

// Take implements models.Limiter.
func (l *storeLater) Take(ctx context.Context, what string, perMinute, amount float64) (time.Duration, error) {
	return fleet.Rates{Store: l.Store}.Take(ctx, what, perMinute, amount)
}

// finish works on an experiment to its end and prints the report.
func (a *app) finish(ctx context.Context, store *results.Store, x *experiment.Experiment, s *settings) (err error) {
	memory.Bound(memory.Work)
	meter, err := a.startMetering(ctx, &s.machine, store)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, meter.stop()) }()
	meter.watch(x.Experiment)
	work, err := fleet.New(store, fleet.Options{
		Concurrency: s.concurrency, Grace: s.grace, TakeOver: s.takeOver, Log: a.log,
		Stored: a.stored(meter),
		Failed: verdict, MaxFaults: s.maxFaults,
	})
	if err != nil {
		return err
	}
	record, err := work.Begin(ctx, x.Experiment, s.Limits.USD, s.allowChanged)
	if errors.Is(err, results.ErrDiffers) || errors.Is(err, results.ErrCancelled) {
		return usage.Wrap(err)
	}
	if err != nil {
		return err
	}
	if s.retry == retryFailed {
		retried, err := work.Retry(ctx, record)
		if err != nil {
			return err
		}
		a.log.Info().Int("relays", retried).Msg("taking up again what failed for want of a service")
	}
	bars, err := a.startProgress(ctx, store, record)
	if err != nil {
		return err
	}
	err = work.Finish(ctx, a.now, record)
	bars.Stop()
	var left *fleet.LeftError
	if err != nil && !errors.Is(err, fleet.ErrMaxCost) && !errors.Is(err, fleet.ErrMaxFaults) && !errors.As(err, &left) {
		return err
	}
	stopped := err
	r, err := report.Build(ctx, store, record, report.Options{Category: category, UnscoredZero: s.unscored == unscoredZero})
	if err != nil {
		return err
	}
	if stopped == nil {
		stopped = doubt(r)
	}
	return errors.Join(printReport(r, a.out), stopped)
}

// startProgress shows the progress of an experiment on standard error, and the log above
// it.
func (a *app) startProgress(ctx context.Context, store *results.Store, record results.Experiment) (*progress.Progress, error) {
	return progress.Start(ctx, store, record.ID, os.Stderr, func(w io.Writer) func() {
		before := a.log
		a.log = a.log.Output(consoleLog(w, true))
		return func() { a.log = before }
	})
}

// doubt is the error of a run whose end hides that a service failed it.
func doubt(r *report.Report) error {
	faults, doubtful := 0, false
	for i := range r.Arms {
		faults += r.Arms[i].Faults
		doubtful = doubtful || r.Arms[i].Doubtful()
	}
	if !doubtful {
		return nil
	}
	return fmt.Errorf("%d interactions have no score, as a server or the sandbox failed them; the same command with --retry failed takes their relays up again", faults)
}

// verdict says what to do about an error that is no interaction's failure: an arm whose
// model is asked no more is left, so that the others go on.
func verdict(_ results.Relay, err error) fleet.Verdict {
	var failure *models.Error
	if errors.As(err, &failure) && (failure.Kind == models.Ended || failure.Kind == models.Down) {
		return fleet.Leave
	}
	return fleet.Stop
}

// shownDB is a database as messages show it, without a password.
func shownDB(db string) string {
	if address, err := url.Parse(db); err == nil && results.IsShared(db) {
		return address.Redacted()
	}
	return db
}

// stored is what happens with every interaction that this process stores.
func (a *app) stored(meter *metering) func(results.Relay, *results.Interaction) {
	var told sync.Map // models and what they go without
	return func(relay results.Relay, in *results.Interaction) {
		meter.stored(relay, in)
		a.warnOf(relay, in)
		for _, turn := range in.Turns {
			if _, known := told.LoadOrStore([2]string{relay.Model, turn.Without}, true); turn.Without != "" && !known {
				a.log.Warn().Str("model", relay.Model).Str("without", turn.Without).Msg("the server refused settings; the model is asked without them")
			}
		}
	}
}

// warnOf logs an interaction that failed for reasons that a user may want to
// look into while the run goes on.
func (a *app) warnOf(relay results.Relay, in *results.Interaction) {
	switch policies.Reason(in.Failure) {
	case policies.ModelError, policies.SandboxFailure:
		a.log.Warn().Int64("relay", relay.ID).Str("model", relay.Model).Str("policy", relay.Policy).
			Str("environment", relay.Environment).Int("interaction", in.Number).
			Str("detail", in.Detail).Msg(in.Failure)
	}
}

// printPlan shows what would be run, with estimated tokens and cost.
func printPlan(w io.Writer, x *experiment.Experiment) error {
	relays := x.Relays()
	_, err := printable.Fprintf(w, "Experiment %s: %d relays of %d interactions on %d environments\n",
		x.Name, len(x.Arms)*relays, 2*x.RoundTrips, len(x.Environments))
	if err != nil {
		return err
	}
	widest := 0
	for _, arm := range x.Arms {
		widest = max(widest, len(arm.Model))
	}
	for _, e := range x.Estimates() {
		line := fmt.Sprintf("%-*s %-8s %6d interactions", widest, e.Model, e.Policy, e.Interactions)
		if e.Model != "" {
			line += fmt.Sprintf(", about %d tokens in, %d out, %s", e.Usage.Prompt, e.Usage.Completion, shownCost(e.Cost))
		}
		if _, err := printable.Fprintf(w, "%s\n", line); err != nil {
			return err
		}
	}
	e := x.JudgeEstimate()
	if e == nil {
		return nil
	}
	_, err = printable.Fprintf(w, "judge %s: about %d judgements, about %d tokens in, %d out, %s\n", e.Model, e.Interactions, e.Usage.Prompt, e.Usage.Completion, shownCost(e.Cost))
	return err
}

func shownCost(cost *float64) string {
	if cost == nil {
		return "unknown price"
	}
	return fmt.Sprintf("about %.2f USD", *cost)
}
