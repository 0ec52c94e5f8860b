package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/fleet"
	"agentd/harness"
	"agentd/harness/judge"
	"agentd/harness/programs"
	"agentd/models"
	"agentd/models/sim"
	"agentd/policies"
	policycatalog "agentd/policies/catalog"
	"agentd/policies/exec"
	"agentd/policies/prompt"
	"agentd/report"
	"agentd/results"
)

func (a *app) runCommand() *cobra.Command {
	var flags runFlags
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
			if flags.control.named() {
				return a.controlExperiment(c, args, &flags)
			}
			file := ""
			if len(args) == 1 {
				file = args[0]
			}
			s, err := flags.merge(c.Flags(), file)
			if err != nil {
				return err
			}
			return a.runExperiment(c.Context(), s)
		},
	}
	flags.register(c.Flags())
	flags.control.register(c)
	return c
}

func (a *app) runExperiment(ctx context.Context, s settings) (err error) {
	later := &storeLater{}
	b := builder{settings: s, limiter: later, judgements: later}
	defer func() { err = errors.Join(err, b.close()) }()
	if err := b.build(ctx); err != nil {
		return err
	}
	a.warnOfNoJudge(&b)
	a.warnOfPrices(&b)
	if s.dryRun {
		return b.printPlan(a.out)
	}
	store, err := results.Open(s.db)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	later.Store = store
	err = a.finish(ctx, store, &b, s.allowChanged)
	if errors.Is(err, context.Canceled) {
		return fmt.Errorf("interrupted; everything finished is stored in %s, the same command goes on from there: %w", s.shownDB(), err)
	}
	return err
}

// storeLater keeps the rates of models, and the answers of judges, in a store that
// is opened after them.
type storeLater struct{ *results.Store }

// finish works on an experiment to its end and prints the report.
func (a *app) finish(ctx context.Context, store *results.Store, b *builder, allowChanged bool) (err error) {
	boundMemory(workMemory)
	meter, err := a.startMetering(ctx, &b.settings, store)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, meter.stop()) }()
	meter.watch(b.experiment)
	work, err := fleet.New(store, fleet.Options{
		Concurrency: b.concurrency, Grace: b.grace, TakeOver: b.takeOver, Log: a.log,
		Stored: a.stored(meter),
		Failed: verdict, MaxFaults: b.maxFaults,
	})
	if err != nil {
		return err
	}
	record, err := work.Begin(ctx, b.experiment, b.Limits.USD, allowChanged)
	if errors.Is(err, results.ErrDiffers) || errors.Is(err, results.ErrCancelled) {
		return usageError{err}
	}
	if err != nil {
		return err
	}
	if b.retry == retryFailed {
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
	bars.stop()
	var left *fleet.LeftError
	if err != nil && !errors.Is(err, fleet.ErrMaxCost) && !errors.Is(err, fleet.ErrMaxFaults) && !errors.As(err, &left) {
		return err
	}
	stopped := err
	r, err := report.Build(ctx, store, record, report.Options{Category: category, UnscoredZero: b.unscored == unscoredZero})
	if err != nil {
		return err
	}
	if stopped == nil {
		stopped = doubt(r)
	}
	return errors.Join(printReport(r, a.out), stopped)
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

// shownDB is the database as messages show it, without a password.
func (s *settings) shownDB() string {
	if address, err := url.Parse(s.db); err == nil && results.IsShared(s.db) {
		return address.Redacted()
	}
	return s.db
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

// builder makes a harness.Experiment of settings.
type builder struct {
	settings
	// stored is what the store has of the experiment, nil if it is made of the
	// settings alone.
	stored *storedParts
	// limiter keeps the rates of models.
	limiter models.Limiter
	// judgements keeps a judge's answers; nil keeps them as long as the process runs.
	judgements judge.Cache
	experiment *harness.Experiment
	policies   []*policycatalog.Chosen
	standIns   *sim.Server // nil if no model is one
	opened     []models.Model
	recorder   *models.Recorder // nil if nothing is recorded
	specs      []models.Spec
	judgeSpec  *models.Spec       // nil without a judge
	programs   *programs.Programs // nil without a sandbox
}

// build makes the experiment; close must be called even if it fails.
func (b *builder) build(ctx context.Context) error {
	envs, source, err := b.inputs()
	if err != nil {
		return err
	}
	if err := b.choosePolicies(); err != nil {
		return err
	}
	if err := b.Relay.Schedule.check(envs); err != nil {
		return err
	}
	b.experiment = &harness.Experiment{
		Environments: envs, Domain: domaincatalog.Lookup,
		Protocol: policies.Protocol(b.Relay.Protocol), OnFault: harness.FaultRule(b.Relay.OnFault),
		RoundTrips: b.Relay.RoundTrips, Repeats: b.Relay.Repeats,
		Schedule: b.Relay.Schedule.kind, ScheduleEdits: b.Relay.Schedule.edits,
		Seed: b.Relay.Seed, Distractors: b.Relay.Distractors,
		Limits: b.scripts, Seats: map[string]int{}, FullTrace: b.trace == traceFull,
	}
	if err := b.addArms(source); err != nil {
		return err
	}
	if err := b.openJudge(); err != nil {
		return err
	}
	if err := b.openSandbox(ctx); err != nil {
		return err
	}
	return b.name(source)
}

// openSandbox opens one where a policy needs it, or a domain that runs documents
// to score them.
func (b *builder) openSandbox(ctx context.Context) error {
	x := b.experiment
	executed := slices.IndexFunc(x.Environments, isExecuted)
	forPolicies := slices.ContainsFunc(b.policies, (*policycatalog.Chosen).NeedsSandbox)
	if b.dryRun || !forPolicies && executed < 0 {
		return nil
	}
	backend, err := b.sandbox.open(ctx, readyInterpreters)
	if err != nil && !forPolicies {
		env := &x.Environments[executed]
		return fmt.Errorf("%s is scored by running its %s documents: %w", env.Name, env.Domain, err)
	}
	if err != nil {
		return err
	}
	x.Sandbox = backend
	for _, policy := range b.policies {
		var gone *exec.NotThereError
		if err := policy.FindCommand(ctx, backend); errors.As(err, &gone) {
			return usagef("policy %s: %w", policy.Title(), err)
		} else if err != nil {
			return err
		}
	}
	b.programs = programs.New(x.Sandbox)
	x.Domain = domaincatalog.Running(b.programs)
	return nil
}

// isExecuted reports whether an environment is scored by running its documents.
func isExecuted(env environments.Environment) bool {
	d, _ := domaincatalog.Lookup(env.Domain)
	_, executing := d.(domains.Executing)
	return executing && env.Unscorable() == ""
}

// inputs are the environments and the prompts.
func (b *builder) inputs() ([]environments.Environment, *prompt.Source, error) {
	if b.stored != nil {
		return b.stored.environments, b.stored.prompts, nil
	}
	envs, err := b.chooseEnvironments()
	if err != nil {
		return nil, nil, err
	}
	source, err := b.openPrompts()
	if err != nil {
		return nil, nil, usageError{err}
	}
	return envs, source, nil
}

// readyInterpreters is how many are started ahead of the interactions that will
// use them.
const readyInterpreters = 2

func (b *builder) close() error {
	var err error
	for _, model := range b.opened {
		models.Close(model)
	}
	if b.recorder != nil {
		err = b.recorder.Close()
	}
	if b.standIns != nil {
		err = errors.Join(err, b.standIns.Close())
	}
	if b.programs != nil {
		err = errors.Join(err, b.programs.Close())
	}
	if b.experiment != nil && b.experiment.Sandbox != nil {
		err = errors.Join(err, b.experiment.Sandbox.Close())
	}
	for _, chosen := range b.policies {
		err = errors.Join(err, chosen.Close())
	}
	return err
}

func loadEnvironments(data string) ([]environments.Environment, error) {
	if data == "" {
		return environments.Builtin()
	}
	envs, err := environments.Load(data)
	if err != nil {
		return nil, usageError{err}
	}
	return envs, nil
}

func (b *builder) chooseEnvironments() ([]environments.Environment, error) {
	all, err := loadEnvironments(b.Environments.Data)
	if err != nil {
		return nil, err
	}
	var names, domainNames []string
	for _, env := range all {
		names = append(names, env.Name)
		if !slices.Contains(domainNames, env.Domain) {
			domainNames = append(domainNames, env.Domain)
		}
	}
	wanted, err := choose("environment", b.Environments.Names, names)
	if err != nil {
		return nil, err
	}
	inDomains, err := choose("domain", b.Environments.Domains, domainNames)
	if err != nil {
		return nil, err
	}
	var except []string
	if len(b.Environments.Except) > 0 {
		if except, err = choose("environment", b.Environments.Except, names); err != nil {
			return nil, err
		}
	}
	var chosen []environments.Environment
	for _, env := range all {
		if slices.Contains(wanted, env.Name) && slices.Contains(inDomains, env.Domain) && !slices.Contains(except, env.Name) {
			chosen = append(chosen, env)
		}
	}
	if len(chosen) == 0 {
		orAll := func(list []string) string { return cmp.Or(strings.Join(list, ", "), "all") }
		return nil, usagef("no environment is left of the names %s and the domains %s, leaving out %s",
			orAll(b.Environments.Names), orAll(b.Environments.Domains), cmp.Or(strings.Join(b.Environments.Except, ", "), "none"))
	}
	if n := b.Environments.PerDomain; n > 0 {
		var err error
		if chosen, err = firstOfEach(chosen, n); err != nil {
			return nil, err
		}
	}
	return chosen, checkSeeds(chosen)
}

// checkSeeds refuses environments whose seeds their domains cannot read.
func checkSeeds(chosen []environments.Environment) error {
	var unread *environments.UnreadError
	if errors.As(environments.CheckSeeds(chosen, domaincatalog.Lookup), &unread) {
		return usagef("%w\nleave them out with agentd run --except %s, or mend the seeds (agentd env validate)", unread, strings.Join(unread.Names, ","))
	}
	return nil
}

// choosePolicies gets the policies ready. A name that is a pattern stands for all
// that match it and need nothing more than a name.
func (b *builder) choosePolicies() error {
	wanted := b.Policies
	if len(wanted) == 0 {
		wanted = []policycatalog.Spec{{Use: "agentic"}, {Use: "direct"}}
	}
	var all, plain []string
	for _, e := range policycatalog.All() {
		all = append(all, e.Name)
		if e.Plain() {
			plain = append(plain, e.Name)
		}
	}
	for _, spec := range wanted {
		specs := []policycatalog.Spec{spec}
		if strings.ContainsAny(spec.Use, "*?[") {
			names, err := choose("policy", []string{spec.Use}, plain)
			if err != nil {
				return err
			}
			specs = nil
			for _, name := range names {
				specs = append(specs, policycatalog.Spec{Use: name})
			}
		}
		for _, spec := range specs {
			if err := b.addPolicy(spec, all); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *builder) addPolicy(spec policycatalog.Spec, known []string) error {
	chosen, err := policycatalog.Choose(spec)
	var none policycatalog.UnknownError
	switch {
	case errors.As(err, &none):
		return unknown("policy", none.Name, known)
	case err != nil:
		return usageError{err}
	}
	b.policies = append(b.policies, chosen)
	for _, other := range b.policies[:len(b.policies)-1] {
		if other.Title() == chosen.Title() {
			return usagef("policy %s is named twice; where the two differ, give one a name in an experiment file: {use: %s, name: …}", chosen.Title(), chosen.Use)
		}
	}
	return nil
}

// inManifest is a model as a manifest has it.
func inManifest(spec models.Spec) (results.Model, error) {
	if spec.StandIn {
		spec.BaseURL = "" // another port every time
	}
	raw, err := json.Marshal(spec)
	return results.Model{Name: spec.Name, StandIn: spec.StandIn, Spec: raw}, err
}

// name fills in the manifest and, if the user gave none, a name made of it.
func (b *builder) name(source *prompt.Source) error {
	x := b.experiment
	limits, err := b.limitsJSON()
	if err != nil {
		return err
	}
	x.Manifest = results.Manifest{
		Version: version, Environments: map[string]string{}, PolicySpecs: map[string]json.RawMessage{},
		Protocol: b.Relay.Protocol, OnFault: b.Relay.OnFault,
		RoundTrips: x.RoundTrips, Repeats: x.Repeats, Schedule: string(x.Schedule), ScheduleEdits: x.ScheduleEdits,
		Distractors: x.Distractors, Seed: x.Seed, Prompts: source.Hashes(), Limits: limits,
	}
	x.Texts = slices.Collect(maps.Values(source.Texts()))
	for _, spec := range b.specs {
		model, err := inManifest(spec)
		if err != nil {
			return err
		}
		x.Manifest.Models = append(x.Manifest.Models, model)
	}
	if b.judgeSpec != nil {
		model, err := inManifest(*b.judgeSpec)
		if err != nil {
			return err
		}
		x.Manifest.Judge = &model
	}
	for _, chosen := range b.policies {
		name, spec := chosen.Manifest()
		x.Manifest.Policies = append(x.Manifest.Policies, name)
		if spec != nil {
			x.Manifest.PolicySpecs[name] = spec
		}
	}
	for i := range x.Environments {
		env := &x.Environments[i]
		x.Manifest.Environments[env.Name] = env.Hash()
		var domain domains.Domain
		if d, ok := domaincatalog.Lookup(env.Domain); ok {
			domain = d
		}
		for _, edit := range env.Edits {
			if _, ok := env.OracleFor(edit, domain); !ok {
				x.Manifest.WithoutOracle++
			}
		}
	}
	x.Name = b.Name
	if x.Name == "" {
		raw, err := json.Marshal(x.Manifest)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(raw)
		x.Name = "run-" + hex.EncodeToString(sum[:4])
	}
	return nil
}
