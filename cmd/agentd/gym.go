package main

import (
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"agentd/documents/trust"
	"agentd/environments"
	"agentd/harness/experiment"
	"agentd/harness/gym"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/policies"
	"agentd/results"
)

// gymFlags are the flags of agentd gym.
type gymFlags struct {
	environments  experiment.Environments
	documents     []string
	derived       int
	noDistractors bool
	listen, db    string
	name          string
	untilEOF      bool
	serve         gym.Options
	sandbox       experiment.Sandbox
	app           *app
}

// documentsUsage is the help of --documents for single steps.
const documentsUsage = "files and folders of your own documents, whose edits are derived as agentd gym does, in place of --data"

// derivedOfDocuments is how many edits are derived of each of somebody's own documents.
const derivedOfDocuments = 8

func (a *app) gymCommand() *cobra.Command {
	f := gymFlags{app: a}
	c := &cobra.Command{
		Use:   "gym",
		Short: "Edits of documents as an environment to train in, by OpenEnv's protocol",
		Long: "Serve the edits of environments as tasks for reinforcement learning, to any client of OpenEnv 0.10:\n" +
			"over a WebSocket (/ws), HTTP and MCP (/mcp). A task is an edit in one direction, or a relay of round\n" +
			"trips. A client calls tools or answers with whole files, and is rewarded when an interaction ends, by\n" +
			"what the edit's exact program makes. With --db, episodes that were finished are stored as an\n" +
			"experiment: report, trace, serve and export show them. Without it nothing is stored.\n\n" +
			"With OPENENV_MODE=production, reset, step and state are served over WebSockets alone.",
		Example: "  agentd gym\n" +
			"  agentd gym --domain accounting,calendar --derived 8 --db gym.db\n" +
			"  agentd gym --documents ledger/ --round-trips 5 --sessions 64",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			ctx := c.Context()
			if f.untilEOF {
				var end context.CancelFunc
				ctx, end = untilEOF(ctx, c.InOrStdin())
				defer end()
			}
			return f.run(ctx, c.OutOrStdout())
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.listen, "listen", "127.0.0.1:8000", "address to listen on")
	flags.StringVar(&f.environments.Data, "data", "", dataUsage)
	flags.StringSliceVar(&f.environments.Names, "env", nil, "environments, names or patterns (default all)")
	flags.StringSliceVar(&f.environments.Domains, "domain", nil, "domains, names or patterns (default all)")
	flags.StringSliceVar(&f.documents, "documents", nil, "files and folders of your own documents, whose edits are derived, in place of --data")
	flags.IntVar(&f.derived, "derived", 0, "edits to derive of each document, with exact programs (default with --documents 8)")
	flags.BoolVar(&f.noDistractors, "no-distractors", false, distractorsUsage)
	flags.IntVar(&f.serve.RoundTrips, "round-trips", 0, "round trips of an episode for which a reset does not say it; 0 for a single edit")
	flags.Uint64Var(&f.serve.Seed, "seed", 0, "seed of the first task that is drawn for a reset without one; the next one has the next seed")
	flags.IntVar(&f.serve.Sessions, "sessions", gym.DefaultSessions, "sessions at a time")
	flags.IntVar(&f.serve.Steps, "max-steps", gym.DefaultSteps, "steps of an interaction")
	flags.DurationVar(&f.serve.Idle, "idle", gym.DefaultIdle, "end a session of which nothing was asked for so long")
	flags.StringVar(&f.db, "db", "", "database to store finished episodes in: a file, or PostgreSQL as postgres://… (default none)")
	flags.StringVar(&f.name, "name", "", "name of the experiment in the database (default one made of its settings)")
	flags.BoolVar(&f.untilEOF, "until-eof", false, "end when standard input does: a pipe from the program that started the server ends with that program, even if it is killed")
	registerSandbox(flags, &f.sandbox)
	return c
}

// untilEOF returns a context that ends when in does. Its goroutine ends with in, which may be no sooner than the process.
func untilEOF(ctx context.Context, in io.Reader) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancel(ctx)
	go func() {
		_, _ = io.Copy(io.Discard, in) // an error of in is its end as well
		end()
	}()
	return ctx, end
}

func (f *gymFlags) check() error {
	switch s := &f.serve; {
	case s.Sessions < 1 || s.Steps < 1 || s.Idle < time.Second:
		return usage.Errorf("--sessions and --max-steps are at least 1, and --idle 1s")
	case s.RoundTrips < 0 || f.derived < 0:
		return usage.Errorf("--round-trips and --derived are not negative")
	case s.Seed > 1<<62:
		return usage.Errorf("--seed %d: use up to 2^62", s.Seed)
	case len(f.documents) > 0 && f.environments.Data != "":
		return usage.Errorf("use either --documents or --data")
	case f.name != "" && f.db == "":
		return usage.Errorf("--name %s: name the database with --db", f.name)
	}
	return nil
}

func (f *gymFlags) run(ctx context.Context, out io.Writer) (err error) {
	if err := f.check(); err != nil {
		return err
	}
	spec := experiment.Default()
	spec.Name = f.name
	spec.Relay.Protocol, spec.Relay.Distractors, spec.Relay.RoundTrips = string(policies.Clean), !f.noDistractors, max(1, f.serve.RoundTrips)
	spec.Environments = f.environments
	if len(f.documents) == 0 {
		spec.Environments.Derived = f.derived
	}
	if spec.Environments.Given, err = f.given(); err != nil {
		return err
	}
	x, err := experiment.Open(ctx, spec, experiment.Options{Sandbox: f.sandbox, Policy: gym.Policy{}, FullTrace: f.db != ""})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	if f.name == "" {
		x.Name = gym.Name + "-" + strings.TrimPrefix(x.Name, "run-")
	}
	if f.db == "" {
		return f.start(ctx, out, x, nil)
	}
	return results.Using(results.Open, f.db, func(store *results.Store) error { return f.start(ctx, out, x, store) })
}

// given are the environments of one's own documents, or all built-in ones without pictures; nil if
// others are to be loaded.
func (f *gymFlags) given() ([]environments.Environment, error) {
	if len(f.documents) == 0 {
		if e := &f.environments; e.Data != "" || len(e.Names) > 0 || len(e.Domains) > 0 {
			return nil, nil
		}
		return f.environments.Load()
	}
	envs, skipped, err := ownDocuments(f.documents, f.derived, !f.noDistractors)
	if err != nil {
		return nil, err
	}
	for _, s := range skipped {
		f.app.log.Warn().Str("document", s.Path).Msg("left out: " + s.Why)
	}
	return envs, nil
}

// ownDocuments are environments of one's own documents, the same for all commands that take them.
func ownDocuments(paths []string, derived int, distractors bool) ([]environments.Environment, []trust.Skipped, error) {
	return trust.Environments(paths, trust.Options{Edits: cmp.Or(derived, derivedOfDocuments), Seed: 1, Distractors: distractors})
}

// stepsOf are those of a data set, or of one's own documents if any are named.
func stepsOf(source experiment.Environments, documents []string, scoring *experiment.Scoring) *experiment.Steps {
	if len(documents) == 0 {
		return scoring.Steps(source)
	}
	return scoring.StepsOf(func() ([]environments.Environment, error) {
		envs, _, err := ownDocuments(documents, source.Derived, true)
		return envs, err
	})
}

// start serves until it is told to stop.
func (f *gymFlags) start(ctx context.Context, out io.Writer, x *experiment.Experiment, store *results.Store) error {
	f.serve.Version, f.serve.Log, f.serve.Store = experiment.Version, f.app.log, store
	f.serve.Production = strings.EqualFold(os.Getenv("OPENENV_MODE"), "production")
	listener, hosts, err := f.app.listen(f.listen, "other machines can take tasks, and run scripts in the sandbox; there is no password")
	if err != nil {
		return err
	}
	f.serve.Hosts = hosts
	server, err := gym.New(ctx, x.Experiment, f.serve)
	if err == nil {
		_, err = printable.Fprintf(out, "http://%s\n%d tasks to train on, %d to test on\n", listener.Addr(), server.Tasks(gym.Train), server.Tasks(gym.Test))
	}
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	return server.Serve(ctx, listener)
}
