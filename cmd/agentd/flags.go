package main

import (
	"bufio"
	"os"
	"strings"
	"sync"

	"github.com/spf13/pflag"
	"golang.org/x/term"

	"agentd/harness/experiment"
	"agentd/harness/runner"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/models"
	policycatalog "agentd/policies/catalog"
)

// retryFaults is the value of --retry.
const retryFaults = "faults"

// settings are what commands that work on experiments are told, by an experiment file and by flags.
type settings struct {
	runner.Settings
	given givenFlags
}

// givenFlags has the values of flags that stand for a part of the Settings in another form.
type givenFlags struct {
	models, policies   []string
	server             models.Spec // address, dialect and key of all models
	judge, retry       string
	withoutDistractors bool
	maxUSD             float64
	keys               []string // SERVER=VARIABLE, see experiment.Keys
}

func defaultSettings() settings { return settings{Settings: runner.Default()} }

func registerUnscored(flags *pflag.FlagSet, unscored *string) {
	oneOf(flags, unscored, "unscored", "unscored", experiment.UnscoredRules(),
		"how round trips without a score by the protocol count (a file is missing or one too many): drop leaves them out, as the paper does; zero counts them as 0")
}

// registerMachine adds the flags that say how this process works on experiments.
func registerMachine(flags *pflag.FlagSet, m *experiment.Machine) {
	registerSandbox(flags, &m.Sandbox)
	flags.IntVar(&m.Concurrency, "concurrency", m.Concurrency, "relays at a time, of each model")
	flags.Lookup("concurrency").DefValue = "4, or the number of processors if that is higher"
	flags.StringVar(&m.Metrics, "metrics", m.Metrics, "address to serve Prometheus metrics on, such as :9090 (default none)")
	oneOf(flags, &m.Trace, "trace", "trace", experiment.Traces(), "what to keep: brief, or full with all that was said and went through tools")
	flags.StringVar(&m.OTLP, "otlp", m.OTLP, "address to send OpenTelemetry spans to over HTTP, such as http://127.0.0.1:4318 (default none)")
	flags.DurationVar(&m.Grace, "grace", m.Grace, "how long interactions may go on when told to stop")
	flags.DurationVar(&m.TakeOverAfter, "take-over-after", m.TakeOverAfter, "how long another process must be gone before its relays are taken over")
}

func registerSandbox(flags *pflag.FlagSet, s *experiment.Sandbox) {
	if s.Name == "" {
		s.Name = experiment.Bwrap
	}
	oneOf(flags, &s.Name, "sandbox", "sandbox", experiment.Sandboxes(), "sandbox back end: bwrap or containerd")
	flags.StringVar(&s.Image, "image", s.Image, "with containerd, an image for scripts: a reference or an archive (default the host's /usr)")
	flags.StringVar(&s.Address, "containerd", s.Address, "with containerd, the daemon's socket")
}

// registerKeys adds the flag of commands that go on with stored experiments.
func (g *givenFlags) registerKeys(flags *pflag.FlagSet) {
	flags.StringArrayVar(&g.keys, "key", nil, "SERVER=VARIABLE: a stored experiment may send this environment variable to this server (in addition to what $"+experiment.KeysVariable+" names)")
}

func (g *givenFlags) registerMaxUSD(flags *pflag.FlagSet, help string) {
	flags.Float64Var(&g.maxUSD, "max-usd", 0, help)
}

// registerAsked adds the flags that show what is asked of a run, other than what an experiment file says.
func (s *settings) registerAsked(flags *pflag.FlagSet) {
	flags.BoolVar(&s.Tables, "report", false, "print the tables of agentd report at the end, not a summary")
	oneOf(flags, &s.given.retry, "retry", "retry", []string{retryFaults}, "faults: take up relays that ended early because a service was unavailable").
		old = map[string]string{"failed": retryFaults}
}

// readKeys reads which keys stored experiments may send. On a terminal the user is asked about others.
func (s *settings) readKeys() (err error) {
	if s.Keys, err = experiment.ParseKeys(s.given.keys); err != nil || !term.IsTerminal(int(os.Stdin.Fd())) {
		return err
	}
	in, answers := bufio.NewReader(os.Stdin), map[models.Secret]bool{}
	var mu sync.Mutex
	s.Keys.Ask = func(secret models.Secret) bool {
		mu.Lock()
		defer mu.Unlock()
		answer, asked := answers[secret]
		if !asked {
			printable.Fprintf(os.Stderr, "the stored experiment names the key %s for %s; send its value there? [y]es, [n]o: ", secret.Variable, secret.Server)
			line, _ := in.ReadString('\n') // the end of the input means no
			line = strings.ToLower(strings.TrimSpace(line))
			answer = line == "y" || line == "yes"
			answers[secret] = answer
		}
		return answer
	}
	return nil
}

// take puts the flags that were given into the Settings.
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
	s.RetryFaults = s.given.retry == retryFaults
	return s.readKeys()
}

// registerServer adds the flags that say where a model is asked.
func registerServer(flags *pflag.FlagSet, server *models.Spec) {
	flags.StringVar(&server.BaseURL, "base-url", "", "server of these models, such as http://127.0.0.1:8000/v1 (default the maker's)")
	flags.StringVar((*string)(&server.API), "api", "", "what it speaks: chat, responses, messages or gemini (default by the name; chat with --base-url)")
	flags.StringVar(&server.KeyEnv, "key-env", "", "environment variable with the server's key (default by the model's name; none with --base-url)")
	flags.IntVar(&server.Context, "context", 0, "tokens of request and answer (default by the server)")
}
