package main

import (
	"bufio"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"agentd/harness/experiment"
	"agentd/harness/fleet"
	"agentd/harness/fleet/process"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/models"
	policycatalog "agentd/policies/catalog"
)

// How much is kept of an interaction.
const (
	traceBrief = "brief" // figures, names and sizes
	traceFull  = "full"  // also what models said and what went in and out of tools
)

// How round trips count in means that have no score by the protocol.
const (
	unscoredDrop = "drop"
	unscoredZero = "zero"
)

func registerUnscored(flags *pflag.FlagSet, unscored *string) {
	*unscored = unscoredDrop
	oneOf(flags, unscored, "unscored", "unscored", []string{unscoredDrop, unscoredZero},
		"round trips that have no score by the protocol, as a file is missing or one too many: drop them, as the paper does, or count them as zero")
}

// retryFailed takes up again the relays that ended early for want of a service.
const retryFailed = "failed"

// machine says how this process works on experiments. Nothing of it is measured.
type machine struct {
	db              string
	sandbox         experiment.Sandbox
	concurrency     int
	grace, takeOver time.Duration // those of fleet.Options
	metrics         string        // address to serve metrics on; empty for none
	otlp            string        // address to send spans to; empty for none
	trace           string        // traceBrief or traceFull
	key             []string      // SERVER=VARIABLE, see experiment.Keys
	keys            experiment.Keys
}

func defaultMachine() machine {
	return machine{
		db: defaultDB, sandbox: experiment.Sandbox{Name: experiment.Bwrap}, concurrency: max(4, runtime.NumCPU()),
		grace: fleet.DefaultGrace, takeOver: fleet.DefaultTakeOver, trace: traceBrief,
	}
}

func (m *machine) register(flags *pflag.FlagSet) {
	registerSandbox(flags, &m.sandbox)
	flags.StringVar(&m.db, "db", m.db, dbUsage)
	flags.IntVar(&m.concurrency, "concurrency", m.concurrency, "relays at a time, of each model")
	flags.Lookup("concurrency").DefValue = "4, or the number of processors if that is higher"
	flags.StringVar(&m.metrics, "metrics", "", "address to serve Prometheus metrics on, such as :9090 (default none)")
	oneOf(flags, &m.trace, "trace", "trace", []string{traceBrief, traceFull}, "what to keep of interactions: brief, or full with what was said and what went through tools")
	flags.StringVar(&m.otlp, "otlp", "", "address to send OpenTelemetry spans to over HTTP, such as http://127.0.0.1:4318 (default none)")
	flags.DurationVar(&m.grace, "grace", m.grace, "how long interactions may go on when told to stop")
	flags.DurationVar(&m.takeOver, "take-over-after", m.takeOver, "how long another process must be gone before its relays are taken over")
}

// registerKeys adds the flag of commands that go on with stored experiments.
func (m *machine) registerKeys(flags *pflag.FlagSet) {
	flags.StringArrayVar(&m.key, "key", nil, "SERVER=VARIABLE: a stored experiment may send this environment variable to this server (in addition to what $"+experiment.KeysVariable+" names)")
}

func registerSandbox(flags *pflag.FlagSet, s *experiment.Sandbox) {
	s.Name = experiment.Bwrap
	oneOf(flags, &s.Name, "sandbox", "sandbox", experiment.Sandboxes(), "sandbox back end: bwrap or containerd")
	flags.StringVar(&s.Image, "image", "", "with containerd, an image for scripts: a reference or an archive (default the host's /usr)")
	flags.StringVar(&s.Address, "containerd", "", "with containerd, the daemon's socket")
}

func (m *machine) check() error {
	if m.concurrency < 1 {
		return usage.Errorf("--concurrency %d: use at least 1", m.concurrency)
	}
	return m.readKeys()
}

// readKeys reads which keys stored experiments may send, and has the user asked for others where there is a terminal.
func (m *machine) readKeys() (err error) {
	if m.keys, err = experiment.ParseKeys(m.key); err != nil || !term.IsTerminal(int(os.Stdin.Fd())) {
		return err
	}
	in, answers := bufio.NewReader(os.Stdin), map[models.Secret]bool{}
	var mu sync.Mutex
	m.keys.Ask = func(secret models.Secret) bool {
		mu.Lock()
		defer mu.Unlock()
		answer, asked := answers[secret]
		if !asked {
			printable.Fprintf(os.Stderr, "the stored experiment names the key %s for %s; send its value there? [y]es, [n]o: ", secret.Variable, secret.Server)
			line, _ := in.ReadString('\n') // its end is no
			line = strings.ToLower(strings.TrimSpace(line))
			answer = line == "y" || line == "yes"
			answers[secret] = answer
		}
		return answer
	}
	return nil
}

// settings are what agentd run is told, by an experiment file and by flags.
type settings struct {
	experiment.Spec
	machine
	dryRun       bool
	report       bool   // print all tables at the end, not a summary
	allowChanged bool   // go on though the manifest differs
	record       string // file to record the models' answers in; empty for none
	unscored     string // unscoredDrop or unscoredZero
	retry        string // retryFailed, or empty for nothing
	maxFaults    fleet.FaultLimit
	given        givenFlags
}

// givenFlags has the values of flags that stand for a part of a Spec in another form.
type givenFlags struct {
	models, policies   []string
	server             models.Spec // address, dialect and key of all models
	judge, maxFailures string
	withoutDistractors bool
	maxUSD             float64
}

func defaultSettings() settings {
	return settings{Spec: experiment.Default(), machine: defaultMachine(), unscored: unscoredDrop}
}

func (s *settings) register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&s.given.models, "model", nil, "models, such as gpt-5.4, sim:weak or replay:FILE (default sim:frontier,sim:weak)")
	registerServer(flags, &s.given.server)
	flags.StringVar(&s.given.judge, "judge", "", "model that judges the documents of domains which need a judge, such as fiction (default none)")
	flags.StringArrayVar(&s.given.policies, "policy", nil, "policies, such as editor,verify(agentic),exec:examples/python (default agentic,direct)")
	flags.StringSliceVar(&s.Environments.Names, "env", s.Environments.Names, "environments, names or patterns (default all)")
	flags.StringSliceVar(&s.Environments.Domains, "domain", s.Environments.Domains, "domains, names or patterns (default all)")
	flags.StringSliceVar(&s.Environments.Except, "except", s.Environments.Except, "environments to leave out, names or patterns")
	flags.StringVar(&s.Environments.Data, "data", s.Environments.Data, "data set file or folder of environments (default the built-in ones)")
	flags.IntVar(&s.Environments.Derived, "derived", s.Environments.Derived, "edits to derive of each seed, with exact programs, and to add to the environment's own")
	flags.BoolVar(&s.Environments.Judged, "judged", s.Environments.Judged, "add edits of topic, tone and audience to built-in environments, whose forward steps --judge scores")
	flags.StringVar(&s.Relay.Protocol, "protocol", s.Relay.Protocol, "published: as the published harness does, comparable with the paper; clean: answers read leniently, only the files asked for carried on (docs/fidelity.md)")
	flags.StringVar(&s.Relay.OnFault, "on-fault", s.Relay.OnFault, "what a relay does when no completion can be had: stop, for --retry failed to take up again, or go-on with what is left")
	flags.IntVar(&s.Relay.RoundTrips, "round-trips", s.Relay.RoundTrips, "round trips of a relay; each is two interactions")
	flags.IntVar(&s.Relay.Repeats, "repeats", s.Relay.Repeats, "relays for each model, policy and environment; with --schedule every-edit or single-round-trips for each edit too")
	flags.Var(&s.Relay.Schedule, "schedule", "round-robin, single-edit, every-edit, single-round-trips, or names of edits to take in turn, such as csv_journal,short_accounts")
	flags.BoolVar(&s.given.withoutDistractors, "no-distractors", false, "leave distractor files out")
	flags.Uint64Var(&s.Relay.Seed, "seed", s.Relay.Seed, "seed of schedules and file orders")
	s.Relay.Register(flags)
	s.machine.register(flags)
	flags.Float64Var(&s.given.maxUSD, "max-usd", 0, "stop starting work when the experiment has cost this much (default no limit)")
	registerUnscored(flags, &s.unscored)
	oneOf(flags, &s.retry, "retry", "retry", []string{retryFailed}, "failed: take up again the relays that ended early because a server or the sandbox failed them")
	flags.StringVar(&s.given.maxFailures, "max-failures", "", "stop when more interactions than that have failed for want of a service: a number, or a share such as 5% (default no limit)")
	flags.BoolVar(&s.dryRun, "dry-run", false, "show the plan with its estimated tokens and cost, run nothing")
	flags.BoolVar(&s.report, "report", false, "print the tables of agentd report at the end, not a summary")
	flags.BoolVar(&s.allowChanged, "allow-changed", false, "go on though the experiment was begun with other settings; the change is recorded")
	flags.StringVar(&s.Name, "name", s.Name, "name of the experiment (default one made of its settings)")
	flags.StringVar(&s.record, "record", "", "file to record all models' answers in, for --model replay:FILE")
	flags.StringVar(&s.Prompts, "prompts", "", "folder of prompts that replace the built-in ones, as POLICY/FILE.md; or published: those of the paper's program, which agentd prompts pull fetches")
}

// readSettings returns the settings of an experiment file, "" for none, with the flags
// that were given over them.
func readSettings(flags *pflag.FlagSet, file string) (settings, error) {
	s := defaultSettings()
	if file != "" {
		if err := s.Read(file); err != nil {
			return s, err
		}
	}
	over := pflag.NewFlagSet("", pflag.ContinueOnError)
	s.register(over)
	var failed error
	flags.Visit(func(flag *pflag.Flag) {
		if into := over.Lookup(flag.Name); into != nil && failed == nil {
			failed = setAgain(into.Value, flag.Value)
		}
	})
	if failed != nil {
		return s, failed
	}
	if err := s.take(flags); err != nil {
		return s, err
	}
	return s, s.check()
}

// setAgain gives a flag the value of another one of the same kind.
func setAgain(into, from pflag.Value) error {
	if list, ok := from.(pflag.SliceValue); ok {
		return into.(pflag.SliceValue).Replace(list.GetSlice())
	}
	return into.Set(from.String())
}

// take brings the flags that were given into the form of a Spec.
func (s *settings) take(flags *pflag.FlagSet) (err error) {
	if flags.Changed("model") {
		s.Models = experiment.AllNamed(s.given.models, s.given.server)
	} else if s.given.server.BaseURL != "" || s.given.server.API != "" || s.given.server.KeyEnv != "" {
		return usage.Errorf("--base-url, --api and --key-env say where the models of --model are; name one, such as --model local-qwen")
	}
	if flags.Changed("judge") {
		s.Judge.Model = &experiment.Model{Spec: models.Spec{Name: s.given.judge}}
	}
	if flags.Changed("policy") {
		if s.Policies, err = policycatalog.ParseLists(s.given.policies); err != nil {
			return usage.Wrap(err)
		}
	}
	if flags.Changed("no-distractors") {
		s.Relay.Distractors = !s.given.withoutDistractors
	}
	if flags.Changed("max-usd") {
		s.Limits.USD = &s.given.maxUSD
	}
	if s.maxFaults, err = fleet.ParseFaultLimit(s.given.maxFailures); err != nil {
		return usage.Errorf("--max-failures %w", err)
	}
	return nil
}

func (s *settings) check() error {
	if err := s.machine.check(); err != nil {
		return err
	}
	return s.Spec.Check()
}

// opening is how this process opens an experiment.
func (s *settings) opening(later *process.Later) experiment.Options {
	o := s.machine.opening()
	o.Limiter, o.Judgements = later, later
	o.Record, o.PlanOnly = s.record, s.dryRun
	return o
}

func (m *machine) opening() experiment.Options {
	return experiment.Options{Sandbox: m.sandbox, FullTrace: m.trace == traceFull, Keys: m.keys}
}

// process is how this process works on experiments.
func (m *machine) process(a *app) process.Options {
	return process.Options{
		Concurrency: m.concurrency, Grace: m.grace, TakeOver: m.takeOver, Opening: m.opening(),
		Metrics: m.metrics, Spans: m.otlp, Log: &a.log,
	}
}

func (s *settings) terms() process.Terms {
	return process.Terms{MaxUSD: s.Limits.USD, MaxFaults: s.maxFaults, AllowChanged: s.allowChanged, Retry: s.retry == retryFailed}
}

// registerServer adds the flags that say where a model is asked.
func registerServer(flags *pflag.FlagSet, server *models.Spec) {
	flags.StringVar(&server.BaseURL, "base-url", "", "server of the models that --model names, such as http://127.0.0.1:8000/v1 (default that of each model's maker)")
	flags.StringVar((*string)(&server.API), "api", "", "what that server speaks: chat, responses, messages or gemini (default by the model's name, and chat with --base-url)")
	flags.StringVar(&server.KeyEnv, "key-env", "", "environment variable that holds the server's key (default by the model's name, and none with --base-url)")
	flags.IntVar(&server.Context, "context", 0, "tokens that a request to it and the answer may have together (default what the server says)")
}
