package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentd/documents/trust"
	"agentd/environments"
	"agentd/harness/experiment"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/policies"
	"agentd/results"
)

// errNotTrusted ends the program with exitNotTrusted, and errNotMeasured with exitNotMeasured.
// What to say was printed.
var (
	errNotTrusted  = errors.New("not trusted")
	errNotMeasured = errors.New("not measured enough")
)

// trustSettings are what agentd trust is told.
type trustSettings struct {
	settings
	domain, format, baseline string
	encoding                 string
	instructions             string // a file; empty to derive edits
	prepare                  trust.Options
	rule                     trust.Rule
	yes                      bool
}

func (a *app) trustCommand() *cobra.Command {
	t := trustSettings{settings: defaultSettings()}
	c := &cobra.Command{
		Use:   "trust PATH... --model MODEL",
		Short: "Test whether models can safely edit your own documents",
		Long: "Find the documents in files and folders, derive reversible edits for each, have the model do and undo them in\n" +
			"relays, and say how much survives. A relay keeps a document if at its end at least --fail-under percent of it\n" +
			"survive, and 95 % of its edits were carried out. The answer is yes if it is shown for every policy that at least\n" +
			"--fail-under percent of the edits keep it, no if it is shown that fewer do, and else not measured enough, with how\n" +
			"many more edits will tell: the same command with more --repeats goes on. Yes and no are each wrong at most once in\n" +
			"twenty. What was measured is stored as an experiment: report, trace and serve show it, and nothing is paid for twice.\n\n" +
			"Exit status: 0 yes, 3 no, 5 not measured enough, 1 the measurement failed, 2 wrong usage.",
		Example: "  agentd trust ledger/2026.ledger --model gpt-5.4 --dry-run\n" +
			"  agentd trust ledger/2026.ledger --model gpt-5.4 --max-usd 2\n" +
			"  agentd trust docs/ --model claude-sonnet-4-6 --policy agentic --distractors\n" +
			"  agentd trust feed/ --model gpt-5.4 --instructions ours.yaml\n" +
			"  agentd trust feed/ --model gpt-5.4 --yes --format json > baseline.json\n" +
			"  agentd trust feed/ --model gpt-5.5 --yes --format junit --baseline baseline.json",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, paths []string) error {
			if err := t.take(c.Flags()); err != nil {
				return err
			}
			return a.trust(c.Context(), &t, paths)
		},
	}
	t.register(c)
	c.AddCommand(a.trustShowCommand())
	return c
}

func (t *trustSettings) register(c *cobra.Command) {
	flags := c.Flags()
	t.Relay.Protocol, t.Relay.RoundTrips, t.Relay.Repeats = string(policies.Clean), 5, 3
	flags.StringSliceVar(&t.given.models, "model", nil, "models, such as gpt-5.4 or sim:weak")
	registerServer(flags, &t.given.server)
	flags.StringArrayVar(&t.given.policies, "policy", nil, "policies, such as agentic or agent:codex (default agentic,direct)")
	flags.StringVar(&t.domain, "domain", "", "domain of the documents (default the one whose reader accepts each best)")
	registerEncoding(flags, &t.encoding)
	flags.IntVar(&t.prepare.Edits, "derived", 8, "how many edits to derive of a document at most")
	flags.StringVar(&t.instructions, "instructions", "", "your own pairs of instructions in place of derived edits: a YAML list of {forward: …, backward: …}")
	flags.BoolVar(&t.prepare.Distractors, "distractors", false, "put other files of a document's folder next to it")
	flags.IntVar(&t.Relay.RoundTrips, "round-trips", t.Relay.RoundTrips, "round trips of a relay; each is two edits")
	flags.IntVar(&t.Relay.Repeats, "repeats", t.Relay.Repeats, "relays for each document and policy; with more, those that are stored are kept")
	flags.Uint64Var(&t.Relay.Seed, "seed", t.Relay.Seed, "seed of the choice and order of edits")
	flags.Float64Var(&t.rule.FailUnder, "fail-under", trust.DefaultFailUnder, "how much of a document must survive, and how many edits must keep so much, in percent")
	flags.StringVar(&t.baseline, "baseline", "", "an answer from before, as JSON: fail only on what got worse")
	t.format = trust.Formats()[0]
	oneOf(flags, &t.format, "format", "format", trust.Formats(), strings.Join(trust.Formats(), ", "))
	t.given.registerMaxUSD(flags, "agree to a cost up to this, and start no more work when it is reached (default: asks)")
	flags.BoolVar(&t.DryRun, "dry-run", false, dryRunUsage)
	flags.BoolVarP(&t.yes, "yes", "y", false, "agree to the cost")
	flags.StringVar(&t.Name, "name", "", "name of the experiment (default one made of its settings)")
	registerDB(flags, &t.DB)
	registerMachine(flags, &t.Machine)
}

// take brings the flags into the form of a Spec and checks all that was said.
func (t *trustSettings) take(flags *pflag.FlagSet) (err error) {
	if !flags.Changed("model") {
		return usage.Errorf("name the model with --model, such as gpt-5.4, or sim:weak, which is a stand-in")
	}
	t.prepare.Seed = t.Relay.Seed
	if t.prepare.Encoding, err = encodingOf(t.encoding); err != nil {
		return err
	}
	if t.instructions != "" {
		if t.prepare.Instructions, err = environments.ReadInstructions(t.instructions); err != nil {
			return err
		}
	}
	if t.baseline != "" {
		if t.rule.Baseline, err = trust.ReadBaseline(t.baseline); err != nil {
			return err
		}
	}
	return errors.Join(t.settings.take(flags), t.rule.Check(), t.prepare.Check(), t.settings.Check())
}

// trust measures what becomes of the documents and prints the answer.
func (a *app) trust(ctx context.Context, t *trustSettings, paths []string) error {
	found, skipped, err := trust.Find(paths, t.domain, t.prepare.Encoding)
	if err != nil {
		return err
	}
	envs, more := trust.Prepare(found, t.prepare)
	if skipped = append(skipped, more...); len(found) == 0 {
		return trust.NoDocuments(skipped)
	}
	answer := &trust.Answer{}
	var unfinished error
	if len(envs) > 0 {
		t.Planned = func(x *experiment.Experiment) {
			t.rule.WritePlan(a.out, x.Environments, len(x.Arms), 2*x.RoundTrips, x.Repeats)
		}
		if answer, unfinished, err = a.measure(ctx, t, envs); err != nil || t.DryRun {
			return err
		}
	}
	answer.Skipped = skipped
	answer.Judge(t.rule)
	if err := answer.Write(a.out, t.format); err != nil {
		return err
	}
	if n := answer.Faults(); unfinished == nil && n > 0 {
		unfinished = fmt.Errorf("no result of %s, as a server or the sandbox failed; the same command takes up what is missing", printable.Count(n, "edit"))
	}
	switch {
	case unfinished != nil || answer.Passed():
		return unfinished
	case answer.Verdict == trust.Unknown:
		return errNotMeasured
	}
	return errNotTrusted
}

// measure runs the experiment, or what is left of it. unfinished says why it ended early.
func (a *app) measure(ctx context.Context, t *trustSettings, envs []environments.Environment) (answer *trust.Answer, unfinished, err error) {
	t.Environments.Given, t.ByStrict = envs, true // the verdict goes by Strict
	t.MayBeAway = true                            // consent comes first
	err = a.runner().Begin(ctx, &t.Settings, func(store *results.Store, x *experiment.Experiment) error {
		if long := x.TooLong(); long != nil {
			return usage.Errorf("%v: %s", long, strings.Join(long.Environments, ", "))
		}
		if err := x.NameForAnyRepeats(); err != nil {
			return err
		}
		begun, grows, err := trust.Resume(ctx, store, x, trust.Consent{
			Concurrency: t.Machine.Concurrency, Yes: t.yes, Budget: t.Limits.USD, Rule: t.rule, Ask: trust.AskOnTerminal(),
		})
		if err != nil {
			return err
		}
		if err := x.Away(); err != nil {
			return err
		}
		if begun {
			t.RetryFaults = true
		}
		t.AllowChanged = grows
		var record results.Experiment
		if record, unfinished, err = a.runner().Work(ctx, store, x, &t.Settings); err != nil {
			return err
		}
		if answer, err = trust.Build(ctx, store, record); err == nil && len(answer.Documents) != len(envs) {
			err = fmt.Errorf("of %d documents %d were measured", len(envs), len(answer.Documents))
		}
		return err
	})
	return answer, unfinished, err
}

func (a *app) trustShowCommand() *cobra.Command {
	var stored experimentFlags
	c := &cobra.Command{
		Use:     "show [N]",
		Short:   "Show how each edit of a document went, and what was lost",
		Long:    "N is the number that the answer gives. Without it, the only document is shown, or the documents are listed.",
		Example: "  agentd trust show\n  agentd trust show 1",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			number := 0
			if len(args) == 1 {
				var err error
				if number, err = strconv.Atoi(args[0]); err != nil {
					return usage.Errorf("%q is not the number of a document", args[0])
				}
			}
			return stored.read(c.Context(), func(store *results.Store, record results.Experiment) error {
				answer, err := trust.Build(c.Context(), store, record)
				if err != nil {
					return err
				}
				switch {
				case len(args) == 1:
					return answer.Show(c.OutOrStdout(), number)
				case len(answer.Documents) == 1:
					return answer.Show(c.OutOrStdout(), 1)
				}
				answer.List(c.OutOrStdout())
				return nil
			})
		},
	}
	stored.register(c.Flags(), "experiment to show")
	return c
}
