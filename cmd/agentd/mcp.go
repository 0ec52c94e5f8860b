package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/cobra"

	"agentd/harness"
	"agentd/harness/experiment"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/policies"
	"agentd/policies/hand"
	"agentd/report/relay"
	"agentd/results"
	"agentd/tools/mcpserver"
)

// mcpFlags are the flags of agentd mcp.
type mcpFlags struct {
	data, env, edit, direction, listen string
	noDistractors                      bool
	seed                               uint64
	sandbox                            experiment.Sandbox
	app                                *app
}

func (a *app) mcpCommand() *cobra.Command {
	f := mcpFlags{app: a, direction: string(results.Forward)}
	c := &cobra.Command{
		Use:   "mcp",
		Short: "One interaction's tools as an MCP server",
		Long: "Offer one interaction to any client of the Model Context Protocol: its instruction when the\n" +
			"client connects, and its tools. When the client calls finish or leaves, what it made is\n" +
			"scored, and the score printed: to standard error where the client is on standard input\n" +
			"and output. With --listen it is served over HTTP, to any number of clients one after the\n" +
			"other, until one calls finish. Nothing is stored.",
		Example: "  agentd mcp --env accounting1 --edit 2\n" +
			"  agentd mcp --env accounting1 --edit csv --direction backward --listen 127.0.0.1:8082\n" +
			"  npx @modelcontextprotocol/inspector --cli agentd mcp --env accounting1 --method tools/list",
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			return f.run(c.Context(), c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&f.data, "data", "", dataUsage)
	c.Flags().StringVar(&f.env, "env", "", "environment")
	c.Flags().StringVar(&f.edit, "edit", "1", "edit, by its number from 1 or its name")
	oneOf(c.Flags(), &f.direction, "direction", "direction", []string{string(results.Forward), string(results.Backward)}, "forward or backward; backward begins with what the exact program made")
	c.Flags().StringVar(&f.listen, "listen", "", "address to serve HTTP on, such as 127.0.0.1:8082 (default standard input and output)")
	c.Flags().BoolVar(&f.noDistractors, "no-distractors", false, distractorsUsage)
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the file order")
	registerSandbox(c.Flags(), &f.sandbox)
	_ = c.MarkFlagRequired("env") // it is there
	return c
}

func (f *mcpFlags) run(ctx context.Context, in io.Reader, out, errs io.Writer) (err error) {
	direction := results.Direction(f.direction)
	policy := hand.Policy{Version: experiment.Version, Serve: func(ctx context.Context, server *mcp.Server, finished <-chan struct{}) error {
		return mcpserver.ServeStdio(ctx, server, in, printable.Exact(out), finished)
	}}
	shown := errs
	if f.listen != "" {
		shown = out
		policy.Serve = func(ctx context.Context, server *mcp.Server, finished <-chan struct{}) error {
			return f.serveHTTP(ctx, server, out, finished)
		}
	}
	spec := experiment.Default()
	spec.Environments.Data, spec.Environments.Names = f.data, []string{f.env}
	spec.Relay.Protocol, spec.Relay.Seed, spec.Relay.Distractors = string(policies.Clean), f.seed, !f.noDistractors
	x, err := experiment.Open(ctx, spec, experiment.Options{Sandbox: f.sandbox, Policy: policy})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, x.Close()) }()
	if n := len(x.Environments); n != 1 {
		return usage.Errorf("--env %s: it stands for %d environments, and an interaction has one", f.env, n)
	}
	env := &x.Environments[0]
	edit, err := env.EditNamed(f.edit)
	if err != nil {
		return fmt.Errorf("--edit: %w", err)
	}
	interaction, err := harness.NewWorker(x.Experiment).Once(ctx, env, edit, direction)
	if err != nil {
		return err
	}
	_, err = printable.Fprintf(shown, "%s %s, %s: %s after %d tool calls\n", env.Name, edit.Name, direction, relay.Outcome(*interaction), len(interaction.ToolCalls))
	return err
}

// serveHTTP serves any client until the interaction is finished.
func (f *mcpFlags) serveHTTP(ctx context.Context, server *mcp.Server, out io.Writer, finished <-chan struct{}) error {
	listener, hosts, err := f.app.listen(f.listen, "other machines can use the tools, and run scripts in the sandbox; there is no password")
	if err != nil {
		return err
	}
	if _, err := printable.Fprintf(out, "http://%s/mcp\n", listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	return mcpserver.ServeHTTP(ctx, listener, hosts, server, finished)
}
