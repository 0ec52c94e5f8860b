package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"agentd/sandbox"
	"agentd/sandbox/bwrap"
	"agentd/vfs"
)

const sandboxBwrap = "bwrap"

// openSandbox returns the named back end, tried out.
func openSandbox(ctx context.Context, name string) (sandbox.Backend, error) {
	if name != sandboxBwrap {
		return nil, unknown("sandbox", name, []string{sandboxBwrap})
	}
	return bwrap.New(ctx)
}

func (a *app) sandboxCommand() *cobra.Command {
	c := &cobra.Command{Use: "sandbox", Short: "The sandbox that scripts run in", Example: "  agentd sandbox run script.py"}
	var files, backend string
	var asJSON bool
	run := &cobra.Command{
		Use:     "run SCRIPT.py",
		Short:   "Run one script on a copy of a folder, in the sandbox",
		Example: "  agentd sandbox run --files DIR --json script.py",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			code, err := os.ReadFile(args[0])
			if err != nil {
				return usagef("reading the script: %w", err)
			}
			documents := vfs.Files{}
			if files != "" {
				if documents, err = readDocuments(files); err != nil {
					return err
				}
			}
			result, err := runScript(c.Context(), backend, documents, string(code))
			if err != nil {
				return err
			}
			if asJSON {
				return printResult(c, result)
			}
			fmt.Fprint(c.OutOrStdout(), result.Stdout)
			fmt.Fprint(c.ErrOrStderr(), result.Stderr)
			for _, skipped := range result.Skipped {
				a.log.Warn().Str("file", skipped.File).Str("reason", skipped.Reason).Msg("not taken back")
			}
			if result.ExitCode != 0 || result.TimedOut {
				return fmt.Errorf("the script ended with exit code %d (timed out: %v, out of memory: %v)",
					result.ExitCode, result.TimedOut, result.OOMKilled)
			}
			return nil
		},
	}
	run.Flags().StringVar(&files, "files", "", "folder whose copy is the script's workspace; it is never written")
	run.Flags().StringVar(&backend, "sandbox", sandboxBwrap, "sandbox back end: bwrap")
	run.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	c.AddCommand(run)
	return c
}

func runScript(ctx context.Context, name string, documents vfs.Files, code string) (result sandbox.Result, err error) {
	backend, err := openSandbox(ctx, name)
	if err != nil {
		return result, err
	}
	workspace, err := vfs.New(documents, nil)
	if err != nil {
		return result, usageError{err}
	}
	runner, err := backend.NewRunner(sandbox.DefaultLimits())
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, runner.Close()) }()
	return runner.RunPython(ctx, workspace, code)
}

// printResult prints a result under the names that cli users rely on.
func printResult(c *cobra.Command, r sandbox.Result) error {
	out := struct {
		Stdout     string            `json:"stdout"`
		Stderr     string            `json:"stderr"`
		ExitCode   int               `json:"exit_code"`
		TimedOut   bool              `json:"timed_out"`
		OOMKilled  bool              `json:"oom_killed"`
		Truncated  bool              `json:"truncated"`
		DurationMS int64             `json:"duration_ms"`
		Changed    vfs.Files         `json:"changed"`
		Deleted    []string          `json:"deleted"`
		Skipped    []sandbox.Skipped `json:"skipped"`
		Reads      []string          `json:"reads"`
	}{
		r.Stdout, r.Stderr, r.ExitCode, r.TimedOut, r.OOMKilled, r.Truncated, r.Duration.Milliseconds(),
		r.Changed, r.Deleted, r.Skipped, r.Reads,
	}
	if out.Changed == nil {
		out.Changed = vfs.Files{}
	}
	out.Deleted = append([]string{}, out.Deleted...) // [] rather than null
	out.Skipped = append([]sandbox.Skipped{}, out.Skipped...)
	out.Reads = append([]string{}, out.Reads...)
	encoder := json.NewEncoder(c.OutOrStdout())
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}
