package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentd/harness/runner"
	"agentd/internal/usage"
)

// nothingDone tells of the exit status for work that was not done.
const nothingDone = "The exit status is 4 if an arm, such as the policy noop, carried out none of its edits:\n" +
	"its documents are whole only because no edit was attempted."

const dryRunUsage = "show the plan with estimated cost; run nothing"

// runFlags are the flags of agentd run that its help shows.
func runFlags() []flagGroup {
	return []flagGroup{
		{"What to measure", []string{"policy", "env", "domain", "data", "round-trips", "prompts"}},
		{"Which models", []string{"model", "base-url", "api", "key-env", "context"}},
		{"Limits", []string{"max-usd", "concurrency"}},
		{"Output, and going on with a run", []string{"db", "name", "trace", "dry-run", "retry", "allow-changed"}},
	}
}

// fileKeys are the keys of an experiment file, by the flags of agentd run that are left out of its help because
// the file is their place.
func fileKeys() map[string]string {
	return map[string]string{
		"judge": "judge.model", "except": "environments.except", "derived": "environments.derived", "judged": "environments.judged",
		"protocol": "relay.protocol", "on-fault": "relay.on_fault", "repeats": "relay.repeats", "schedule": "relay.schedule",
		"no-distractors": "relay.distractors", "seed": "relay.seed", "conversation": "relay.conversation", "turns": "relay.turns",
		"revisions": "relay.revisions", "compact": "relay.compact", "max-faults": "limits.max_faults", "unscored": "unscored",
		"sandbox": "machine.sandbox.name", "image": "machine.sandbox.image", "containerd": "machine.sandbox.address",
		"record": "machine.record", "metrics": "machine.metrics", "otlp": "machine.otlp",
		"grace": "machine.grace", "take-over-after": "machine.take_over_after",
	}
}

func (a *app) runCommand() *cobra.Command {
	flags := defaultSettings()
	c := &cobra.Command{
		Use:   "run [experiment.yaml]",
		Short: "Run or resume an experiment",
		Long: "Run an experiment, or go on with one that was interrupted: the same command again\n" +
			"never does or pays for a finished interaction twice. Without a file and flags it runs\n" +
			"the built-in demonstration on stand-in models, which needs no key and no network.\n" +
			"An experiment file has further keys (docs/reference/experiment-file.md).\n\n" +
			"Interrupted once, it lets interactions finish; interrupted twice, it stops at once.\n" +
			nothingDone,
		Example: "  agentd run\n" +
			"  agentd run --model gpt-5.4 --policy agentic,direct --env accounting1 --round-trips 10\n" +
			"  agentd run --model local-qwen --base-url http://127.0.0.1:8000/v1 --policy direct\n" +
			"  agentd run experiment.yaml --max-usd 50 --db postgres://user@host/agentd",
		Args: cobra.MaximumNArgs(1),
	}
	flags.register(c.Flags())
	showInGroups(c, runFlags())
	for flag, key := range fileKeys() {
		hide(c.Flags(), flag, keySaid, key)
	}
	hide(c.Flags(), "report", nowSaid, "agentd report")
	flags.given.registerKeys(c.Flags())
	hide(c.Flags(), "key", nowSaid, "agentd resume --key")
	former := formerActions(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		if action, name := former(); action != "" {
			if len(args) > 0 {
				return usage.Errorf("an experiment file and the name of a stored experiment exclude each other")
			}
			return a.act(c, action, name, &flags)
		}
		file := ""
		if len(args) == 1 {
			file = args[0]
		}
		s, err := readSettings(c.Flags(), file)
		if err != nil {
			return err
		}
		return a.runner().Run(c.Context(), &s.Settings)
	}
	return c
}

// register adds all flags of agentd run.
func (s *settings) register(flags *pflag.FlagSet) {
	flags.StringSliceVar(&s.given.models, "model", nil, "models, such as gpt-5.4 or replay:FILE (default sim:frontier,sim:weak)")
	registerServer(flags, &s.given.server)
	flags.StringVar(&s.given.judge, "judge", "", "model that judges the documents of domains which need a judge, such as fiction (default none)")
	flags.StringArrayVar(&s.given.policies, "policy", nil, "policies, such as editor,exec:my-agent (default agentic,direct)")
	e, r := &s.Environments, &s.Relay
	flags.StringSliceVar(&e.Names, "env", e.Names, "environments, names or patterns (default all)")
	flags.StringSliceVar(&e.Domains, "domain", e.Domains, "domains, names or patterns (default all)")
	flags.StringSliceVar(&e.Except, "except", e.Except, "environments to leave out, names or patterns")
	flags.StringVar(&e.Data, "data", e.Data, dataUsage)
	flags.IntVar(&e.Derived, "derived", e.Derived, "edits to derive of each seed, in addition to the environment's own")
	flags.BoolVar(&e.Judged, "judged", e.Judged, "add edits of topic, tone and audience to built-in environments, whose forward steps --judge scores")
	flags.StringVar(&r.Protocol, "protocol", r.Protocol, "published or clean (docs/fidelity.md)")
	flags.StringVar(&r.OnFault, "on-fault", r.OnFault, "what a relay does when a service is unavailable: stop, for --retry faults to take up again, or go-on")
	flags.IntVar(&r.RoundTrips, "round-trips", r.RoundTrips, "round trips of a relay, two interactions each")
	flags.IntVar(&r.Repeats, "repeats", r.Repeats, "relays for each model, policy and environment")
	flags.Var(&r.Schedule, "schedule", "round-robin, single-edit, every-edit, single-round-trips, or names of edits")
	flags.BoolVar(&s.given.withoutDistractors, "no-distractors", false, distractorsUsage)
	flags.Uint64Var(&r.Seed, "seed", r.Seed, "seed of schedules and file orders")
	r.RegisterTurns(flags)
	registerDB(flags, &s.DB)
	registerMachine(flags, &s.Machine)
	s.given.registerMaxUSD(flags, "start no more work at this cost (default no limit)")
	registerUnscored(flags, &s.Unscored)
	s.registerAsked(flags)
	flags.Var(&s.Limits.MaxFaults, "max-faults", "stop when more interactions than that have failed because a service was unavailable: a number, or a share such as 5%")
	flags.BoolVar(&s.DryRun, "dry-run", false, dryRunUsage)
	flags.BoolVar(&s.AllowChanged, "allow-changed", false, "go on although the stored settings are others")
	flags.StringVar(&s.Name, "name", s.Name, "the experiment's name (default by its settings)")
	flags.StringVar(&s.Machine.Record, "record", s.Machine.Record, "file to record all models' answers in, for --model replay:FILE")
	flags.StringVar(&s.Prompts, "prompts", s.Prompts, "folder with POLICY/FILE.md, or published")
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
	s.given.registerKeys(over)
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
	return s, s.Check()
}

// setAgain gives a flag the value of another one of the same kind.
func setAgain(into, from pflag.Value) error {
	if list, ok := from.(pflag.SliceValue); ok {
		return into.(pflag.SliceValue).Replace(list.GetSlice())
	}
	return into.Set(from.String())
}

// runner runs experiments and prints to standard output.
func (a *app) runner() *runner.Runner {
	return &runner.Runner{Now: a.now, Out: a.out, Log: a.log, Above: a.stderr.To}
}
