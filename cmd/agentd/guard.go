package main

import (
	"context"
	"errors"
	"io"
	"os"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"agentd/documents/compare"
	"agentd/documents/guard"
	"agentd/harness/experiment"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/sandbox"
	"agentd/tools/mcpserver"
)

// guardFlags are the flags of agentd guard.
type guardFlags struct {
	files, log  string
	allow, deny []string
	allowFiles  []string
	yes         bool
	timeout     time.Duration
	memory      int64
	sandbox     experiment.Sandbox
}

func guardCommand() *cobra.Command {
	f := guardFlags{files: "."}
	c := &cobra.Command{
		Use:   "guard [--files FOLDER] -- COMMAND [ARGUMENT...]",
		Short: "Run a command on a copy of your files, and apply what it changed only by rule or consent",
		Long: "Run a command on a copy of a folder, in the sandbox, and show what it changed by the meaning of the documents.\n" +
			"The changes are applied, all or none, if the rule allows them or you agree. A rule names kinds of changes (lost, added,\n" +
			"changed, moved), with :NAME those of one element or field, renamed files, and bytes that are not as they were\n" +
			"where nothing changed. What it denies is never applied. Hidden files, executables and\n" +
			"what programs read by its name are applied only if you agree to that name, or with --allow-file.",
		Example: "  agentd guard --files books/ --deny lost -- python3 tidy.py\n  agentd guard --allow changed:amount,added:transaction --deny lost -- sh update.sh\n" +
			"  agentd guard hook claude --files books/ --deny lost --install\n  agentd guard watch books/ --deny lost\n" +
			"  agentd guard mcp --files books/ --deny lost\n  agentd guard log --files books/\n  agentd guard undo 3 --files books/",
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return f.run(c, args) },
	}
	c.PersistentFlags().StringVar(&f.files, "files", f.files, "folder of the files")
	c.PersistentFlags().StringVar(&f.log, "log", "", "folder that keeps accepted changes (default agentd/guard in $XDG_STATE_HOME or ~/.local/state)")
	for _, with := range []*cobra.Command{c, f.serveCommand()} {
		with.Flags().StringSliceVar(&f.allow, "allow", nil, "changes to apply without asking, such as changed:amount")
		with.Flags().StringSliceVar(&f.deny, "deny", nil, "changes never to apply, such as lost, renamed, broken or bytes")
		with.Flags().StringArrayVar(&f.allowFiles, "allow-file", nil, "hidden file, executable or configuration that may be changed, by its name in the folder")
		registerSandbox(with.Flags(), &f.sandbox)
		if with != c {
			c.AddCommand(with)
		}
	}
	c.Flags().BoolVar(&f.yes, "yes", false, "apply what the rule does not deny, without asking")
	c.Flags().DurationVar(&f.timeout, "timeout", 10*time.Minute, "how long the command may take")
	c.Flags().Int64Var(&f.memory, "memory", 2<<10, "MiB of memory that the command may use")
	c.AddCommand(f.hookCommand(), f.watchCommand(), f.logCommand(), f.undoCommand())
	return c
}

// open reads the rule and opens the folder.
func (f *guardFlags) open(ctx context.Context) (rule guard.Rule, folder *guard.Folder, err error) {
	if rule, err = guard.NewRule(f.allow, f.deny); err == nil {
		rule, err = rule.ForFiles(f.allowFiles)
	}
	if err == nil {
		folder, err = guard.Open(ctx, f.files, f.log)
	}
	return rule, folder, err
}

func (f *guardFlags) run(c *cobra.Command, args []string) (err error) {
	rule, folder, err := f.open(c.Context())
	if err != nil {
		return err
	}
	backend, err := f.sandbox.Open(c.Context(), 0)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	limits := sandbox.DefaultLimits()
	limits.WallTime, limits.MemoryBytes = f.timeout, f.memory<<20
	proposal, err := folder.Run(c.Context(), backend, sandbox.Command{Args: args, Limits: limits})
	printable.Fprintf(c.OutOrStdout(), "%s", printable.Block(proposal.Result.Stdout))
	printable.Fprintf(c.ErrOrStderr(), "%s", printable.Block(proposal.Result.Stderr))
	if err == nil {
		err = proposal.Check(rule)
	}
	if err != nil {
		return err
	}
	if !proposal.Changed() {
		printable.Fprintf(c.OutOrStdout(), "nothing was changed\n")
		return nil
	}
	if err := proposal.Report.Write(c.OutOrStdout(), compare.Text, printable.Coloured(os.Stdout)); err != nil {
		return err
	}
	decision, err := askedOn(c, f.yes).Decide(c.Context(), &proposal, rule)
	if err != nil {
		return err
	}
	number, err := folder.Accept(c.Context(), &proposal, decision)
	if err == nil && number > 0 {
		printable.Fprintf(c.OutOrStdout(), "applied as change %d; agentd guard undo %d --files %s takes it back\n", number, number, f.files)
	}
	return err
}

// askedOn is who is asked: the person at the terminal, if there is one.
func askedOn(c *cobra.Command, yes bool) guard.Consent {
	consent := guard.Consent{Yes: yes, Out: c.OutOrStdout(), Errors: c.ErrOrStderr()}
	if term.IsTerminal(int(os.Stdin.Fd())) {
		consent.In = c.InOrStdin()
	}
	return consent
}

func (f *guardFlags) serveCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "mcp",
		Short: "Offer tools on the folder itself by MCP, with the rule checked at every write",
		Long: "Offer read_file, write_file, delete_file and run_python on a folder to a client of the Model Context Protocol, over\n" +
			"standard input and output. A write that the rule refuses changes nothing and is answered with the differences.",
		Example: "  agentd guard mcp --files books/ --deny lost",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			rule, folder, err := f.open(c.Context())
			if err != nil {
				return err
			}
			documents := guard.NewServer(folder, rule, func() (sandbox.Backend, error) { return f.sandbox.Open(c.Context(), 0) })
			defer func() { err = errors.Join(err, documents.Close()) }()
			server := mcpserver.New(experiment.Version, documents.Instructions(), guard.Tools(), documents.Call)
			return mcpserver.ServeStdio(c.Context(), server, io.NopCloser(c.InOrStdin()), printable.Exact(c.OutOrStdout()), nil)
		},
	}
}

func (f *guardFlags) logCommand() *cobra.Command {
	return &cobra.Command{
		Use: "log", Short: "List the changes that were accepted", Example: "  agentd guard log --files books/", Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			folder, err := guard.Open(c.Context(), f.files, f.log)
			if err != nil {
				return err
			}
			return folder.WriteLog(c.OutOrStdout())
		},
	}
}

func (f *guardFlags) undoCommand() *cobra.Command {
	return &cobra.Command{
		Use: "undo NUMBER", Short: "Take back an accepted change", Example: "  agentd guard undo 3 --files books/", Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			folder, err := guard.Open(c.Context(), f.files, f.log)
			if err != nil {
				return err
			}
			number, err := strconv.Atoi(args[0])
			if err != nil {
				return usage.Errorf("%q is no number of a change", args[0])
			}
			undone, err := folder.Undo(c.Context(), number)
			if err == nil {
				printable.Fprintf(c.OutOrStdout(), "change %d is taken back, as change %d\n", number, undone)
			}
			return err
		},
	}
}
