package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"agentd/fleet"
	"agentd/harness"
	"agentd/internal/datafile"
	"agentd/internal/yamlsafe"
	"agentd/models"
	"agentd/models/sim"
	"agentd/policies"
	"agentd/policies/agentic"
	policycatalog "agentd/policies/catalog"
	"agentd/policies/prompt/published"
	"agentd/results"
	"agentd/sandbox"
)

// settings are what an experiment is made of, from a file or from flags.
type settings struct {
	Name         string               `yaml:"name"`
	Models       []modelSetting       `yaml:"models"`
	Judge        judgeSetting         `yaml:"judge"`
	Policies     []policycatalog.Spec `yaml:"policies"`
	Environments environmentSettings  `yaml:"environments"`
	Relay        relaySettings        `yaml:"relay"`
	Limits       limitSettings        `yaml:"limits"`

	db          string
	sandbox     sandboxFlags
	prompts     string            // a folder, or what published.Named takes
	release     published.Release // of published prompts
	concurrency int
	dryRun      bool
	// grace and takeOver are those of fleet.Options.
	grace, takeOver time.Duration
	// metrics is the address to serve them on, empty for none.
	metrics string
	// scripts are the limits of a script.
	scripts sandbox.Limits
	// record is the file to record the models' answers in, empty for none.
	record string
	// trace is how much of an interaction is kept, one of traceKinds.
	trace string
	// otlp is where spans are sent, empty for nowhere.
	otlp string
	// allowChanged lets an experiment go on though its manifest differs.
	allowChanged bool
	// unscored says how round trips without a score count, as report's flag of that name.
	unscored string
	// retry is what is done again, retryFailed or empty for nothing.
	retry string
	// maxFaults ends a run.
	maxFaults fleet.FaultLimit
}

type environmentSettings struct {
	Data    string   `yaml:"data"`
	Names   []string `yaml:"names"`
	Domains []string `yaml:"domains"`
	// PerDomain is how many environments of each domain are taken, the first that
	// can be scored; 0 takes all.
	PerDomain int      `yaml:"per_domain"`
	Except    []string `yaml:"except"`
}

type relaySettings struct {
	Protocol    string   `yaml:"protocol"`
	OnFault     string   `yaml:"on_fault"`
	RoundTrips  int      `yaml:"round_trips"`
	Schedule    schedule `yaml:"schedule"`
	Distractors bool     `yaml:"distractors"`
	Repeats     int      `yaml:"repeats"`
	Seed        uint64   `yaml:"seed"`
}

type limitSettings struct {
	MaxTurns  int      `yaml:"max_turns" json:"max_turns"`
	MaxTokens int      `yaml:"max_tokens" json:"max_tokens"`
	USD       *float64 `yaml:"usd" json:"-"` // may change between runs
}

// judgeSetting says which model judges the documents that need a judge.
type judgeSetting struct {
	Model *modelSetting `yaml:"model"` // nil for none
}

// modelSetting is a model's name, or a spec with more than that.
type modelSetting struct{ models.Spec }

// UnmarshalYAML takes a name or a spec.
func (m *modelSetting) UnmarshalYAML(n *yamlsafe.Node) error {
	if yamlsafe.Decode(n, &m.Name) == nil {
		return nil
	}
	if err := yamlsafe.Decode(n, &m.Spec); err != nil {
		return err
	}
	if m.Name == "" {
		return fmt.Errorf("line %d: a model needs a name", n.Line)
	}
	return nil
}

func defaultSettings() settings {
	limits := agentic.DefaultLimits()
	return settings{
		Relay: relaySettings{
			Protocol: string(policies.Published), OnFault: string(harness.StopRelay),
			RoundTrips: 10, Schedule: schedule{kind: harness.RoundRobin}, Distractors: true, Repeats: 1, Seed: 1,
		},
		Limits:      limitSettings{MaxTurns: limits.Turns, MaxTokens: limits.Tokens},
		db:          defaultDB,
		sandbox:     sandboxFlags{name: sandboxBwrap},
		concurrency: max(4, runtime.NumCPU()),
		scripts:     sandbox.DefaultLimits(),
		grace:       fleet.DefaultGrace,
		takeOver:    fleet.DefaultTakeOver,
		trace:       traceBrief,
		unscored:    unscoredDrop,
		release:     published.Pinned(),
	}
}

// How much of an interaction is kept.
const (
	traceBrief = "brief" // figures, names and sizes
	traceFull  = "full"  // also what models said and what went in and out of tools
)

const defaultDB = "agentd.db"

// How round trips count in means that have no score by the protocol.
const (
	unscoredDrop  = "drop"
	unscoredZero  = "zero"
	unscoredUsage = "round trips that have no score by the protocol, as a file is missing or one too many: drop them, as the paper does, or count them as zero"
)

// retryFailed takes up again the relays that ended early for want of a service.
const retryFailed = "failed"

// faultLimit reads a number of failures, or a share of the interactions, such as 5%.
func faultLimit(text string) (limit fleet.FaultLimit, err error) {
	if text == "" {
		return limit, nil
	}
	if share, ok := strings.CutSuffix(text, "%"); ok {
		limit.Share, err = strconv.ParseFloat(strings.TrimSpace(share), 64)
		limit.Share /= 100
		if err == nil && limit.Share > 0 && limit.Share < 1 {
			return limit, nil
		}
	} else if limit.Number, err = strconv.Atoi(text); err == nil && limit.Number > 0 {
		return limit, nil
	}
	return limit, usagef("--max-failures %q: give a number of interactions, or a share of them such as 5%%", text)
}

// readExperiment reads an experiment file over the defaults. Unknown keys are
// errors.
func readExperiment(file string, into *settings) error {
	raw, err := datafile.Read(file, int64(yamlsafe.DefaultLimits().Bytes))
	if err != nil {
		return usagef("reading the experiment: %w", err)
	}
	if err := yamlsafe.Unmarshal(raw, into); err != nil {
		return usagef("%s: %w", file, err)
	}
	return nil
}

// runFlags are the flags of agentd run. A flag that was given overrides what an
// experiment file says.
type runFlags struct {
	models, envs, domains []string
	except                []string // environments
	baseURL, api, keyEnv  string   // of all models
	judge                 string
	policies              []string // lists, whose commas may stand in parentheses
	noDistractors         bool
	maxUSD                float64
	maxFailures           string
	control               controlFlags
	settings
}

func (f *runFlags) register(flags *pflag.FlagSet) {
	f.settings = defaultSettings()
	flags.StringSliceVar(&f.models, "model", nil, "models, such as gpt-5.4, sim:weak or replay:FILE (default sim:frontier,sim:weak)")
	flags.StringVar(&f.baseURL, "base-url", "", "server of the models that --model names, such as http://127.0.0.1:8000/v1 (default that of each model's maker)")
	flags.StringVar(&f.api, "api", "", "what that server speaks: chat, responses, messages or gemini (default by the model's name, and chat with --base-url)")
	flags.StringVar(&f.keyEnv, "key-env", "", "environment variable that holds the server's key (default by the model's name, and none with --base-url)")
	flags.StringVar(&f.judge, "judge", "", "model that judges the documents of domains which need a judge, such as fiction (default none)")
	flags.StringArrayVar(&f.policies, "policy", nil, "policies, such as editor,verify(agentic),exec:examples/python (default agentic,direct)")
	flags.StringSliceVar(&f.envs, "env", nil, "environments, names or patterns (default all)")
	flags.StringSliceVar(&f.domains, "domain", nil, "domains, names or patterns (default all)")
	flags.StringSliceVar(&f.except, "except", nil, "environments to leave out, names or patterns")
	flags.StringVar(&f.Environments.Data, "data", "", "data set file or folder of environments (default the built-in ones)")
	flags.StringVar(&f.Relay.Protocol, "protocol", f.Relay.Protocol, "published: as the published harness does, comparable with the paper; clean: answers read leniently, only the files asked for carried on (docs/fidelity.md)")
	flags.StringVar(&f.Relay.OnFault, "on-fault", f.Relay.OnFault, "what a relay does when no completion can be had: stop, for --retry failed to take up again, or go-on with what is left")
	flags.IntVar(&f.Relay.RoundTrips, "round-trips", f.Relay.RoundTrips, "round trips of a relay; each is two interactions")
	flags.IntVar(&f.Relay.Repeats, "repeats", f.Relay.Repeats, "relays for each model, policy and environment; with --schedule every-edit for each edit too")
	flags.Var(&f.Relay.Schedule, "schedule", "round-robin, single-edit, every-edit, or names of edits to take in turn, such as csv_journal,short_accounts")
	flags.BoolVar(&f.noDistractors, "no-distractors", false, "leave distractor files out")
	flags.Uint64Var(&f.Relay.Seed, "seed", f.Relay.Seed, "seed of schedules and file orders")
	f.registerMachine(flags)
	flags.Float64Var(&f.maxUSD, "max-usd", 0, "stop starting work when the experiment has cost this much (default no limit)")
	flags.StringVar(&f.unscored, "unscored", unscoredDrop, unscoredUsage)
	flags.StringVar(&f.retry, "retry", "", "failed: take up again the relays that ended early because a server or the sandbox failed them")
	flags.StringVar(&f.maxFailures, "max-failures", "", "stop when more interactions than that have failed for want of a service: a number, or a share such as 5% (default no limit)")
	flags.BoolVar(&f.dryRun, "dry-run", false, "show the plan with its estimated tokens and cost, run nothing")
	flags.BoolVar(&f.allowChanged, "allow-changed", false, "go on though the experiment was begun with other settings; the change is recorded")
	flags.StringVar(&f.Name, "name", "", "name of the experiment (default one made of its settings)")
	flags.StringVar(&f.record, "record", "", "file to record all models' answers in, for --model replay:FILE")
	flags.StringVar(&f.prompts, "prompts", "", "folder of prompts that replace the built-in ones, as POLICY/FILE.md; or published: those of the paper's program, which agentd prompts pull fetches")
}

// registerMachine adds the flags of all that work on experiments, which say
// how this machine does it, not what is measured.
func (s *settings) registerMachine(flags *pflag.FlagSet) {
	s.sandbox.register(flags)
	flags.StringVar(&s.db, "db", s.db, "file of the results, or a PostgreSQL database as postgres://…")
	flags.IntVar(&s.concurrency, "concurrency", s.concurrency, "relays at a time, of each model")
	flags.StringVar(&s.metrics, "metrics", "", "address to serve Prometheus metrics on, such as :9090 (default none)")
	flags.StringVar(&s.trace, "trace", s.trace, "what to keep of interactions: brief, or full with what was said and what went through tools")
	flags.StringVar(&s.otlp, "otlp", "", "address to send OpenTelemetry spans to over HTTP, such as http://127.0.0.1:4318 (default none)")
	flags.DurationVar(&s.grace, "grace", s.grace, "how long interactions may go on when told to stop")
	flags.DurationVar(&s.takeOver, "take-over-after", s.takeOver, "how long another process must be gone before its relays are taken over")
}

// merge returns the settings of the file, if there is one, with the flags that
// were given on top.
func (f *runFlags) merge(flags *pflag.FlagSet, file string) (settings, error) {
	s := defaultSettings()
	if file != "" {
		if err := readExperiment(file, &s); err != nil {
			return s, err
		}
	}
	set := func(name string, apply func()) {
		if flags.Changed(name) {
			apply()
		}
	}
	set("model", func() {
		s.Models = nil
		for _, name := range f.models {
			s.Models = append(s.Models, modelSetting{f.server(models.Spec{Name: name})})
		}
	})
	if f.baseURL+f.api+f.keyEnv != "" && !flags.Changed("model") {
		return s, usagef("--base-url, --api and --key-env say where the models of --model are; name one, such as --model local-qwen")
	}
	set("judge", func() { s.Judge.Model = &modelSetting{models.Spec{Name: f.judge}} })
	var err error
	set("policy", func() { s.Policies, err = parsePolicies(f.policies) })
	if err != nil {
		return s, usageError{err}
	}
	set("env", func() { s.Environments.Names = f.envs })
	set("domain", func() { s.Environments.Domains = f.domains })
	set("except", func() { s.Environments.Except = f.except })
	set("data", func() { s.Environments.Data = f.Environments.Data })
	set("protocol", func() { s.Relay.Protocol = f.Relay.Protocol })
	set("on-fault", func() { s.Relay.OnFault = f.Relay.OnFault })
	set("round-trips", func() { s.Relay.RoundTrips = f.Relay.RoundTrips })
	set("repeats", func() { s.Relay.Repeats = f.Relay.Repeats })
	set("schedule", func() { s.Relay.Schedule = f.Relay.Schedule })
	set("no-distractors", func() { s.Relay.Distractors = !f.noDistractors })
	set("seed", func() { s.Relay.Seed = f.Relay.Seed })
	set("max-usd", func() { s.Limits.USD = &f.maxUSD })
	set("name", func() { s.Name = f.Name })
	s.db, s.sandbox, s.concurrency, s.grace, s.takeOver, s.metrics = f.db, f.sandbox, f.concurrency, f.grace, f.takeOver, f.metrics
	s.prompts, s.dryRun, s.allowChanged, s.record, s.trace, s.otlp = f.prompts, f.dryRun, f.allowChanged, f.record, f.trace, f.otlp
	s.retry, s.unscored = f.retry, f.unscored
	if s.maxFaults, err = faultLimit(f.maxFailures); err != nil {
		return s, err
	}
	return s, s.check()
}

// server returns a model with the server that the flags name. Stand-ins and recordings
// have none of their own.
func (f *runFlags) server(spec models.Spec) models.Spec {
	if strings.HasPrefix(spec.Name, sim.Prefix) && f.baseURL == "" || strings.HasPrefix(spec.Name, models.ReplayPrefix) {
		spec.API = models.API(f.api)
		return spec
	}
	spec.BaseURL, spec.API, spec.KeyEnv = f.baseURL, models.API(f.api), f.keyEnv
	return spec
}

// parsePolicies reads lists of policies.
func parsePolicies(lists []string) ([]policycatalog.Spec, error) {
	var specs []policycatalog.Spec
	for _, list := range lists {
		for _, name := range policycatalog.Split(list) {
			spec, err := policycatalog.Parse(name)
			if err != nil {
				return nil, err
			}
			specs = append(specs, spec)
		}
	}
	return specs, nil
}

func (s *settings) check() error {
	switch {
	case s.Relay.RoundTrips < 1 || s.Relay.RoundTrips > results.MostRoundTrips:
		return usagef("round trips: %d is not a number from 1 to %d", s.Relay.RoundTrips, results.MostRoundTrips)
	case s.Relay.Repeats < 1 || s.Relay.Repeats > results.MostRoundTrips:
		return usagef("repeats: %d is not a number from 1 to %d", s.Relay.Repeats, results.MostRoundTrips)
	case s.Environments.PerDomain < 0:
		return usagef("per_domain: %d is not a number of environments; leave it out to take all", s.Environments.PerDomain)
	case s.concurrency < 1:
		return usagef("--concurrency %d: use at least 1", s.concurrency)
	case s.Limits.MaxTurns < 1 || s.Limits.MaxTokens < 1:
		return usagef("limits: max_turns and max_tokens must be at least 1")
	case s.trace != traceBrief && s.trace != traceFull:
		return unknown("trace", s.trace, []string{traceBrief, traceFull})
	case !slices.Contains(sandboxNames(), s.sandbox.name):
		return unknown("sandbox", s.sandbox.name, sandboxNames())
	case s.unscored != unscoredDrop && s.unscored != unscoredZero:
		return unknown("unscored", s.unscored, []string{unscoredDrop, unscoredZero})
	case s.retry != "" && s.retry != retryFailed:
		return unknown("retry", s.retry, []string{retryFailed})
	case !slices.Contains(policies.Protocols(), policies.Protocol(s.Relay.Protocol)):
		return unknown("protocol", s.Relay.Protocol, texts(policies.Protocols()))
	case !slices.Contains(harness.FaultRules(), harness.FaultRule(s.Relay.OnFault)):
		return unknown("on_fault", s.Relay.OnFault, texts(harness.FaultRules()))
	}
	return nil
}

// texts are names of any type as texts.
func texts[T ~string](names []T) []string {
	all := make([]string, len(names))
	for i, name := range names {
		all[i] = string(name)
	}
	return all
}

// limitsJSON is what the manifest keeps of the limits: those that change what
// an interaction may do.
func (s *settings) limitsJSON() (json.RawMessage, error) {
	return json.Marshal(manifestLimits{s.Limits, s.scripts})
}

type manifestLimits struct {
	limitSettings
	Sandbox sandbox.Limits `json:"sandbox"`
}
