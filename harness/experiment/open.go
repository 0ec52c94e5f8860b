package experiment

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness"
	"agentd/harness/judge"
	"agentd/harness/programs"
	"agentd/internal/usage"
	"agentd/models"
	"agentd/policies"
	"agentd/policies/catalog"
	"agentd/policies/entry"
	"agentd/policies/exec"
	"agentd/policies/prompt"
	"agentd/policies/prompt/published"
)

// Options say how this machine runs an experiment. They do not affect results.
type Options struct {
	Sandbox    Sandbox
	Limiter    models.Limiter // keeps the rates of models; nil for none
	Judgements judge.Cache    // keeps a judge's answers; nil to keep them in memory
	Record     string         // file to record the models' answers in; empty for none
	FullTrace  bool           // keep what models said and what went through tools
	// Keys says which secrets a stored experiment may send to which servers.
	Keys Keys
	// PlanOnly opens no sandbox and only models that cannot be asked.
	PlanOnly bool
	// MayBeAway allows models' servers that do not answer yet: a worker waits for them, and a
	// command may have to ask the user something first. Experiment.Away names them.
	MayBeAway bool
	// Policy, if it is not nil, replaces the Spec's models and policies. It may run scripts.
	Policy policies.Policy
}

// Experiment is an experiment that is ready to run. It must be closed.
type Experiment struct {
	*harness.Experiment

	spec     Spec
	options  Options
	opener   opener
	models   []models.Spec // the models to measure
	judge    *models.Spec  // nil without a judge
	policies []*catalog.Chosen
	programs *programs.Programs // nil without a sandbox
	tooLong  *TooLong           // nil if all documents fit into the models' contexts
}

// inputs are the contents of the files that a Spec names.
type inputs struct {
	environments []environments.Environment
	prompts      *prompt.Source
}

// Open opens everything that a Spec names and makes its manifest. The error is a usage.Error if
// the Spec, or a file that it names, is wrong.
func Open(ctx context.Context, spec Spec, options Options) (*Experiment, error) {
	x := &Experiment{spec: spec, options: options}
	if err := x.open(ctx); err != nil {
		return nil, errors.Join(err, x.Close())
	}
	return x, nil
}

func (x *Experiment) open(ctx context.Context) error {
	in, err := x.spec.read()
	if err != nil {
		return err
	}
	s, o := &x.spec, &x.options
	if in.environments, err = s.Relay.inTurns(in.environments); err != nil {
		return err
	}
	if err := s.Relay.Schedule.check(in.environments); err != nil {
		return err
	}
	s.Relay.RoundTrips = s.Relay.Length()
	x.Experiment = &harness.Experiment{
		Environments: in.environments, Domain: domaincatalog.Lookup,
		Protocol: policies.Protocol(s.Relay.Protocol), OnFault: harness.FaultRule(s.Relay.OnFault),
		RoundTrips: s.Relay.RoundTrips, Repeats: s.Relay.Repeats,
		Schedule: s.Relay.Schedule.Kind, ScheduleEdits: s.Relay.Schedule.Edits,
		Seed: s.Relay.Seed, Distractors: s.Relay.Distractors, Turns: s.Relay.turns(),
		Limits: s.Limits.Sandbox, Seats: map[string]int{}, FullTrace: o.FullTrace,
	}
	x.opener = opener{
		limiter: o.Limiter, record: o.Record, planOnly: o.PlanOnly, mayBeAway: o.MayBeAway, priced: s.Limits.USD != nil,
		environments: in.environments, seed: s.Relay.Seed,
	}
	if s.stored != nil {
		x.opener.consent = o.Keys.consent
	}
	for _, step := range []func() error{
		func() error { return x.openArms(ctx, in.prompts) },
		x.fit,
		func() error { return x.openJudge(ctx) },
		func() error { return x.openSandbox(ctx) },
		func() error { return x.useJudgePrompts(in.prompts) },
		func() error { return x.describe(in.prompts) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// Away returns an error that names the models' servers that did not answer, if Options.MayBeAway
// allowed that; nil if all did.
func (x *Experiment) Away() error { return x.opener.away }

// Close closes everything that Open has opened.
func (x *Experiment) Close() error {
	err := x.opener.close()
	if x.programs != nil {
		err = errors.Join(err, x.programs.Close())
	}
	if x.Experiment != nil && x.Sandbox != nil {
		err = errors.Join(err, x.Sandbox.Close())
	}
	for _, chosen := range x.policies {
		err = errors.Join(err, chosen.Close())
	}
	return err
}

// read reads the files that a Spec names, unless a store had them.
func (s *Spec) read() (*inputs, error) {
	if s.stored != nil {
		return s.stored, nil
	}
	envs, err := s.Environments.Choose()
	if err != nil {
		return nil, err
	}
	if err := checkSeeds(envs); err != nil {
		return nil, err
	}
	prompts, err := s.openPrompts()
	return &inputs{envs, prompts}, usage.Wrap(err)
}

// openPrompts returns the source of the prompts that the Spec names.
func (s *Spec) openPrompts() (*prompt.Source, error) {
	if s.Prompts == "" {
		return prompt.NewSource("")
	}
	if dir, ok := published.Named(s.Prompts); ok {
		replacements, err := s.Release.Replacements(dir, policies.Protocol(s.Relay.Protocol))
		if err != nil {
			return nil, fmt.Errorf("--prompts %s: %w", s.Prompts, err)
		}
		return prompt.NewReplaced(replacements), nil
	}
	if err := prompt.CheckFolder(s.Prompts, append(catalog.PromptFiles(), published.JudgeOfFiction)); err != nil {
		return nil, fmt.Errorf("--prompts: %w", err)
	}
	return prompt.NewSource(s.Prompts)
}

// openArms makes one arm for each policy with each model, and one for each policy without a model.
func (x *Experiment) openArms(ctx context.Context, prompts *prompt.Source) error {
	if x.options.Policy != nil {
		x.Arms = []harness.Arm{{Policy: x.options.Policy}}
		return nil
	}
	if err := x.choosePolicies(); err != nil {
		return err
	}
	without := entry.Ingredients{Protocol: x.Protocol, Prompts: prompts}
	if slices.ContainsFunc(x.policies, (*catalog.Chosen).NeedsModel) {
		if err := x.openModels(ctx, without); err != nil {
			return err
		}
	}
	for _, chosen := range x.policies {
		if chosen.NeedsModel() {
			continue
		}
		if err := x.addArm("", chosen, without); err != nil {
			return err
		}
	}
	return nil
}

// openModels opens the models to measure and adds their arms.
func (x *Experiment) openModels(ctx context.Context, in entry.Ingredients) (err error) {
	asked := x.spec.Models
	if len(asked) == 0 {
		asked = []Model{Named("sim:frontier"), Named("sim:weak")}
	}
	if x.models, err = x.opener.complete(asked); err != nil {
		return err
	}
	in.FaultsCount = x.OnFault == harness.GoOn
	in.Limits = policies.Limits{Turns: x.spec.Limits.MaxTurns, Tokens: x.spec.Limits.MaxTokens}
	in.Release, in.Dialogue = x.spec.Release, x.spec.dialogue()
	for _, spec := range x.models {
		model, server, err := x.opener.open(ctx, spec)
		if err != nil {
			return err
		}
		if seats := cmp.Or(spec.Concurrency, server.Slots); seats > 0 {
			x.Seats[spec.Name] = seats
		}
		x.narrow(spec.Name, cmp.Or(spec.Context, server.Context))
		in.Served, in.Price = spec.Model, spec.Price
		for _, chosen := range x.policies {
			if !chosen.NeedsModel() {
				continue
			}
			in.Model = models.NewGuard(model)
			if err := x.addArm(spec.Name, chosen, in); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *Experiment) addArm(model string, chosen *catalog.Chosen, in entry.Ingredients) error {
	if err := x.checkConversing(chosen); err != nil {
		return err
	}
	policy, err := chosen.New(in)
	if err != nil {
		return usage.Wrap(err)
	}
	x.Arms = append(x.Arms, harness.Arm{Model: model, Policy: policy})
	return nil
}

// choosePolicies prepares the policies. A pattern selects all policies with a matching name that
// need no further settings.
func (x *Experiment) choosePolicies() error {
	wanted := x.spec.Policies
	if len(wanted) == 0 {
		wanted = []catalog.Spec{{Use: "agentic"}, {Use: "direct"}}
	}
	var plain []string
	for _, e := range catalog.All() {
		if e.Plain() {
			plain = append(plain, e.Name)
		}
	}
	for _, spec := range wanted {
		specs := []catalog.Spec{spec}
		if strings.ContainsAny(spec.Use, "*?[") {
			names, err := usage.Choose("policy", []string{spec.Use}, plain)
			if err != nil {
				return err
			}
			specs = nil
			for _, name := range names {
				spec.Use = name
				specs = append(specs, spec)
			}
		}
		for _, spec := range specs {
			if err := x.choosePolicy(spec); err != nil {
				return err
			}
		}
	}
	return nil
}

func (x *Experiment) choosePolicy(spec catalog.Spec) error {
	chosen, err := catalog.Choose(spec)
	if err != nil {
		return usage.Wrap(err)
	}
	for _, other := range x.policies {
		if other.Title() == chosen.Title() {
			err = usage.Errorf("policy %s is named twice; where the two differ, give one a name in an experiment file: {use: %s, name: …}", chosen.Title(), chosen.Use)
		}
	}
	x.policies = append(x.policies, chosen)
	return err
}

// openJudge opens the judge, if there is one and an environment needs it.
func (x *Experiment) openJudge(ctx context.Context) (err error) {
	if x.spec.Judge.Model == nil || !slices.ContainsFunc(x.Environments, needsJudge) {
		return nil
	}
	x.Judge, x.judge, err = x.opener.judge(ctx, *x.spec.Judge.Model, x.options.Judgements)
	return err
}

// readyInterpreters is how many interpreters are started before interactions need them.
const readyInterpreters = 2

// openSandbox opens a sandbox if one is needed by a policy, by a domain that runs documents to
// score them, or by an environment whose oracles are scripts.
func (x *Experiment) openSandbox(ctx context.Context) error {
	executed := slices.IndexFunc(x.Environments, isExecuted)
	forPolicies := x.options.Policy != nil || slices.ContainsFunc(x.policies, (*catalog.Chosen).NeedsSandbox)
	if x.options.PlanOnly || !forPolicies && executed < 0 {
		return nil
	}
	backend, err := x.options.Sandbox.Open(ctx, readyInterpreters)
	if err != nil && !forPolicies {
		env := &x.Environments[executed]
		if env.HasScripts() {
			return fmt.Errorf("%s has oracles that are scripts: %w", env.Name, err)
		}
		return fmt.Errorf("%s is scored by running its %s documents: %w", env.Name, env.Domain, err)
	}
	if err != nil {
		return err
	}
	x.Sandbox = backend
	for _, policy := range x.policies {
		var gone *exec.NotThereError
		if err := policy.FindCommand(ctx, backend); errors.As(err, &gone) {
			return usage.Errorf("policy %s: %w", policy.Title(), err)
		} else if err != nil {
			return err
		}
	}
	x.programs = programs.New(x.Sandbox)
	x.Domain = domaincatalog.Running(x.programs)
	for i := range x.Environments {
		x.Environments[i].Programs = x.programs
	}
	return nil
}

// isExecuted reports whether scoring an environment runs programs: its documents, or oracles that
// are scripts.
func isExecuted(env environments.Environment) bool {
	d, _ := domaincatalog.Lookup(env.Domain)
	_, executing := d.(domains.Executing)
	return executing && env.Unscorable() == "" || env.HasScripts()
}

// texts returns the prompts that were loaded.
func texts(source *prompt.Source) []string { return slices.Collect(maps.Values(source.Texts())) }
