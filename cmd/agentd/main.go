// Command agentd measures what happens to documents when their editing is
// delegated to language models and agents.
package main

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/rs/zerolog"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentd/cmd/agentd/completion"
	"agentd/harness/experiment"
	"agentd/internal/logs"
	"agentd/internal/memory"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/report"
)

// Exit statuses.
const (
	exitWorkFailed  = 1
	exitDiffers     = 1
	exitUsage       = 2
	exitNotTrusted  = 3
	exitNothingDone = 4
	exitNotMeasured = 5
	exitInterrupted = 130
)

// errDiffers is the answer of diff --exit-code for documents that differ.
var errDiffers = errors.New("the documents differ")

func main() {
	if err := memory.CheckAddressSpace(); err != nil {
		printable.Fprintf(os.Stderr, "agentd: %v\n", err)
		os.Exit(exitWorkFailed)
	}
	memory.Collect()
	memory.Bound(memory.Report)
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	ctx, now, stop := signals()
	defer stop()
	app := &app{now: now, out: printable.NewOutput(os.Stdout), stderr: printable.NewRedirect(os.Stderr)}
	root := app.command()
	root.SetArgs(endedByGit(root, args))
	root.SetOut(app.out)
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = app.out.Err()
	}
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errNotTrusted):
		return exitNotTrusted
	case errors.Is(err, errNotMeasured):
		return exitNotMeasured
	case errors.Is(err, errDiffers): // the answer is printed
		return exitDiffers
	}
	printable.Fprintf(os.Stderr, "agentd: %s\n", printable.Indented(err.Error(), len("agentd: ")))
	var wrong usage.Error
	var idle *report.NothingDoneError
	switch {
	case errors.As(err, &idle):
		return exitNothingDone
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	case errors.As(err, &wrong):
		return exitUsage
	}
	return exitWorkFailed
}

// signals returns contexts that end with the first signal to stop, and with the
// second: the first asks for an orderly end.
func signals() (first, second context.Context, stop func()) {
	first, endFirst := context.WithCancel(context.Background())
	second, endSecond := context.WithCancel(context.Background())
	received := make(chan os.Signal, 2)
	signal.Notify(received, os.Interrupt, syscall.SIGTERM)
	go func() {
		for range received {
			if first.Err() != nil {
				endSecond()
			}
			endFirst()
		}
	}()
	return first, second, func() {
		signal.Stop(received)
		close(received)
		endFirst()
		endSecond()
	}
}

// app is what the commands share.
type app struct {
	now    context.Context // ends when not even an orderly end is to be waited for
	out    *printable.Output
	stderr *printable.Redirect // what the log is written to
	log    zerolog.Logger
	// spellings are the former names of flags.
	spellings spellings
}

func (a *app) command() *cobra.Command {
	logFormat := logs.Auto
	root := &cobra.Command{
		Use:   "agentd",
		Short: "Measure what happens to documents when their editing is delegated",
		Long: "agentd has language models and agents edit documents in relays of round trips, forward\n" +
			"and backward, and scores after each how much of the document survived.",
		Example:       "  agentd run\n  agentd report",
		Version:       experiment.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return c.Help()
			}
			var names []string
			for _, known := range c.Commands() {
				names = append(names, known.Name())
			}
			return usage.Unknown("command", args[0], names)
		},
		PersistentPreRun: func(c *cobra.Command, _ []string) {
			zerolog.DurationFieldInteger = true
			a.log = logs.New(a.stderr, os.Stderr, logFormat)
			a.spellings.tell(a.log, c)
		},
	}
	oneOf(root.PersistentFlags(), &logFormat, "log-format", "log format", logs.Formats(), "auto, text or json")
	root.SetFlagErrorFunc(func(c *cobra.Command, err error) error { return usage.Flag(err, flagNames(c)) })
	root.AddCommand(
		a.trustCommand(), a.runCommand(), a.workerCommand(), a.reportCommand(), a.serveCommand(), a.traceCommand(), a.exportCommand(), a.scoreCommand(), answerCommand(), diffCommand(), guardCommand(), a.envCommand(), promptsCommand(), agentsCommand(),
		domainsCommand(), policiesCommand(), modelsCommand(), a.sandboxCommand(), a.simServerCommand(), a.mcpCommand(), a.gymCommand(), a.doctorCommand(), checkCommand(), versionCommand(), manCommand(),
	)
	root.AddCommand(a.storedCommands()...)
	a.spellings.accept(root)
	completion.Register(root)
	for _, c := range slices.Concat(root.Commands(), subcommands(root)) {
		if c.RunE == nil { // it only has subcommands
			c.Args, c.RunE = cobra.ArbitraryArgs, root.RunE
		}
		if c.Args != nil {
			check := c.Args
			c.Args = func(cmd *cobra.Command, args []string) error {
				if err := check(cmd, args); err != nil {
					return usage.Errorf("%w; see %s --help", err, cmd.CommandPath())
				}
				return nil
			}
		}
	}
	return root
}

// flagNames are the flags of a command, with their dashes.
func flagNames(c *cobra.Command) (names []string) {
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return names
}

func subcommands(c *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, child := range c.Commands() {
		all = append(all, child.Commands()...)
	}
	return all
}
