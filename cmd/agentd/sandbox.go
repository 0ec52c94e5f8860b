package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"agentd/documents/compare"
	"agentd/harness/experiment"
	"agentd/internal/datafile"
	"agentd/internal/printable"
	"agentd/internal/usage"
	"agentd/sandbox"
	"agentd/sandbox/requests"
	"agentd/vfs"
)

func (a *app) sandboxCommand() *cobra.Command {
	c := &cobra.Command{Use: "sandbox", Short: "The sandbox that scripts run in", Example: "  agentd sandbox run script.py"}
	files, cwd := "", cwdAbove
	var choice experiment.Sandbox
	format := compare.Text
	var asJSON bool // as it was said formerly
	run := &cobra.Command{
		Use:   "run SCRIPT.py",
		Short: "Run one script on a copy of a folder, in the sandbox",
		Long: "Run one script on a copy of a folder, in the sandbox.\n\nThe script's working directory is the folder above the workspace, " +
			"as in the\npublished harness: files are at ./workspace/NAME. With --cwd workspace it is the\nworkspace itself.",
		Example: "  agentd sandbox run --files FOLDER --format json script.py\n  agentd sandbox run --files FOLDER --cwd workspace script.py",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			code, err := os.ReadFile(args[0])
			if err != nil {
				return usage.Errorf("reading the script: %w", err)
			}
			script := sandbox.Script{Code: string(code)}
			if cwd == cwdWorkspace {
				script.Cwd = sandbox.InWorkspace
			}
			documents := vfs.Files{}
			if files != "" {
				if documents, err = compare.Documents(files); err != nil {
					return err
				}
			}
			result, err := choice.Run(c.Context(), documents, script)
			if err != nil {
				return err
			}
			if asJSON || format == compare.JSON {
				encoder := json.NewEncoder(printable.ForJSON(c.OutOrStdout()))
				encoder.SetEscapeHTML(false)
				return encoder.Encode(result)
			}
			printable.Fprintf(c.OutOrStdout(), "%s", printable.Block(result.Stdout))
			printable.Fprintf(c.ErrOrStderr(), "%s", printable.Block(result.Stderr))
			for _, skipped := range result.Skipped {
				a.log.Warn().Str("file", skipped.File).Str("reason", skipped.Reason).Msg("not taken back")
			}
			if result.ExitCode != 0 || result.TimedOut {
				return fmt.Errorf("the script ended with exit code %d %s",
					result.ExitCode, endedBy(result.Limit))
			}
			return nil
		},
	}
	run.Flags().StringVar(&files, "files", "", "folder whose copy is the script's workspace; it is never written")
	oneOf(run.Flags(), &cwd, "cwd", "working directory", []string{cwdAbove, cwdWorkspace}, "working directory: above (files are at ./workspace/NAME) or workspace (files are at ./NAME)")
	registerSandbox(run.Flags(), &choice)
	oneOf(run.Flags(), &format, "format", "format", []string{compare.Text, compare.JSON}, "text or json")
	run.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	hide(run.Flags(), "json", nowSaid, "agentd sandbox run --format json")
	c.AddCommand(run, sandboxServeCommand())
	return c
}

func sandboxServeCommand() *cobra.Command {
	var choice experiment.Sandbox
	c := &cobra.Command{
		Use:   "serve",
		Short: "Run another program's commands on a workspace, in the sandbox",
		Long: "Keep a workspace, which is empty at first, and answer requests on standard input, a JSON\nobject a line, until it ends.\n\n" +
			"exec runs args, with cwd, env, stdin, seconds (3600 at most, and where nothing is said) and\n" +
			"output (characters kept), and is answered as agentd sandbox run --format json is. write takes a name\n" +
			"and content, read a name; list answers with names. content and stdin are in base64. Each command\n" +
			"runs in a sandbox of its own, and only the files of the workspace stay. A request that cannot\n" +
			"be met is answered with error and kind.",
		Example: `  echo '{"do":"write","name":"a.txt","content":"aGkK"}' | agentd sandbox serve` + "\n" +
			`  echo '{"do":"exec","args":["uname"]}' | agentd sandbox serve`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			in, err := datafile.OpenInput(c.Context(), "-", c.InOrStdin())
			if err != nil {
				return err
			}
			defer in.Close()
			backend, err := choice.Open(c.Context(), 0)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, backend.Close()) }()
			return requests.Serve(c.Context(), backend, in, printable.ForJSON(c.OutOrStdout()))
		},
	}
	registerSandbox(c.Flags(), &choice)
	return c
}

// Values of --cwd.
const (
	cwdAbove     = "above"
	cwdWorkspace = "workspace"
)

// endedBy says which limit ended a script.
func endedBy(limit sandbox.Limit) string {
	if limit == sandbox.NoLimit {
		return ""
	}
	return fmt.Sprintf(": stopped by the limit on %s", limit)
}
