package main

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/rs/zerolog"
	"github.com/spf13/cobra"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness"
	"agentd/harness/programs"
	"agentd/internal/printable"
	"agentd/internal/sameorigin"
	"agentd/policies/hand"
	"agentd/results"
	"agentd/sandbox"
	"agentd/tools/mcpserver"
	"agentd/vfs"
)

// mcpFlags are the flags of agentd mcp.
type mcpFlags struct {
	data, env, edit, direction, listen string
	noDistractors                      bool
	seed                               uint64
	sandbox                            sandboxFlags
	log                                zerolog.Logger
}

func (a *app) mcpCommand() *cobra.Command {
	var f mcpFlags
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
			f.log = a.log
			return f.run(c.Context(), c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr())
		},
	}
	c.Flags().StringVar(&f.data, "data", "", "data set file or folder of environments (default the built-in ones)")
	c.Flags().StringVar(&f.env, "env", "", "environment")
	c.Flags().StringVar(&f.edit, "edit", "1", "edit, by its number from 1 or its name")
	c.Flags().StringVar(&f.direction, "direction", string(results.Forward), "forward or backward; backward begins with what the exact program made")
	c.Flags().StringVar(&f.listen, "listen", "", "address to serve HTTP on, such as 127.0.0.1:8082 (default standard input and output)")
	c.Flags().BoolVar(&f.noDistractors, "no-distractors", false, "leave distractor files out")
	c.Flags().Uint64Var(&f.seed, "seed", 1, "seed of the file order")
	f.sandbox.register(c.Flags())
	_ = c.MarkFlagRequired("env") // it is there
	return c
}

func (f *mcpFlags) run(ctx context.Context, in io.Reader, out, errs io.Writer) (err error) {
	env, edit, err := f.choose()
	if err != nil {
		return err
	}
	direction := results.Direction(f.direction)
	if direction != results.Forward && direction != results.Backward {
		return unknown("direction", f.direction, []string{string(results.Forward), string(results.Backward)})
	}
	backend, err := f.sandbox.open(ctx, 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	runs := programs.New(backend)
	defer func() { err = errors.Join(err, runs.Close()) }()
	x := &harness.Experiment{
		Environments: []environments.Environment{*env}, Domain: domaincatalog.Running(runs),
		Seed: f.seed, Distractors: !f.noDistractors, Sandbox: backend, Limits: sandbox.DefaultLimits(),
	}
	policy := hand.Policy{Version: version, Serve: func(ctx context.Context, server *mcp.Server, finished <-chan struct{}) error {
		return serveStdio(ctx, server, in, exact(out), finished)
	}}
	shown := errs
	if f.listen != "" {
		shown = out
		policy.Serve = func(ctx context.Context, server *mcp.Server, finished <-chan struct{}) error {
			return f.serveHTTP(ctx, server, out, finished)
		}
	}
	x.Arms = []harness.Arm{{Policy: policy}}
	interaction, err := x.Once(ctx, env, edit, direction)
	if err != nil {
		return err
	}
	_, err = printable.Fprintf(shown, "%s %s, %s: %s after %d tool calls\n", env.Name, edit.Name, direction, outcome(*interaction), len(interaction.ToolCalls))
	return err
}

// choose returns the environment and the edit that were named.
func (f *mcpFlags) choose() (*environments.Environment, environments.Edit, error) {
	var none environments.Edit
	envs, err := loadEnvironments(f.data)
	if err != nil {
		return nil, none, err
	}
	var names []string
	at := slices.IndexFunc(envs, func(e environments.Environment) bool { names = append(names, e.Name); return e.Name == f.env })
	if at < 0 {
		return nil, none, unknown("environment", f.env, names)
	}
	env := &envs[at]
	if err := env.CheckSeed(domaincatalog.Lookup); err != nil {
		return nil, none, usageError{err}
	}
	if number, err := strconv.Atoi(f.edit); err == nil {
		if number < 1 || number > len(env.Edits) {
			return nil, none, usagef("--edit %d: %s has the edits 1 to %d", number, env.Name, len(env.Edits))
		}
		return env, env.Edits[number-1], nil
	}
	names = nil
	for _, edit := range env.Edits {
		if edit.Name == f.edit {
			return env, edit, nil
		}
		names = append(names, edit.Name)
	}
	return nil, none, unknown("edit", f.edit, names)
}

// serveStdio serves one client until it leaves, or was told that its finish is
// accepted.
func serveStdio(ctx context.Context, server *mcp.Server, in io.Reader, out io.Writer, finished <-chan struct{}) error {
	serving, stop := context.WithCancel(ctx)
	defer stop()
	writer := &lastWriter{out: out, last: finished, written: stop}
	err := server.Run(serving, &mcp.IOTransport{Reader: io.NopCloser(in), Writer: writer})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// lastWriter calls written after the first writing that follows the closing of
// last.
type lastWriter struct {
	out     io.Writer
	last    <-chan struct{}
	written func()
}

func (w *lastWriter) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	select {
	case <-w.last:
		w.written()
	default:
	}
	return n, err
}

func (*lastWriter) Close() error { return nil }

// mostMCPBytes is what a request may have: a call that writes the largest file, with
// as much again for the escapes in its JSON.
const mostMCPBytes = 2 * vfs.MaxFileBytes

// serveHTTP serves any client until the interaction is finished.
func (f *mcpFlags) serveHTTP(ctx context.Context, server *mcp.Server, out io.Writer, finished <-chan struct{}) error {
	listener, err := net.Listen("tcp", f.listen)
	if err != nil {
		return usagef("--listen: %w", err)
	}
	hosts := sameorigin.LoopbackHosts(listener.Addr())
	if hosts == nil {
		f.log.Warn().Stringer("address", listener.Addr()).Msg("other machines can use the tools, and run scripts in the sandbox; there is no password")
	}
	if _, err := printable.Fprintf(out, "http://%s/mcp\n", listener.Addr()); err != nil {
		return errors.Join(err, listener.Close())
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", http.MaxBytesHandler(mcpserver.Handler(server), mostMCPBytes))
	web := &http.Server{
		Handler: sameorigin.Handler(hosts, mux), ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, IdleTimeout: time.Minute,
		MaxHeaderBytes: 64 << 10,
	}
	var serving sync.WaitGroup
	serving.Go(func() { _ = web.Serve(listener) })
	select {
	case <-finished:
	case <-ctx.Done(): // what was made so far is scored
	}
	const answering = 2 * time.Second
	ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), answering)
	defer cancel()
	if err := web.Shutdown(ending); err != nil {
		_ = web.Close() // a client that does not take its answer
	}
	serving.Wait()
	return nil
}
