package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"agentd/harness/programs"
	"agentd/internal/printable"
	"agentd/sandbox"
	"agentd/sandbox/bwrap"
	"agentd/sandbox/containerd"
	"agentd/vfs"
)

// Names of the back ends.
const (
	sandboxBwrap      = "bwrap"
	sandboxContainerd = "containerd"
)

func sandboxNames() []string { return []string{sandboxBwrap, sandboxContainerd} }

// sandboxFlags choose a back end.
type sandboxFlags struct{ name, image, address string }

func (f *sandboxFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.name, "sandbox", sandboxBwrap, "sandbox back end: bwrap or containerd")
	flags.StringVar(&f.image, "image", "", "with containerd, an image for scripts: a reference or an archive (default the host's /usr)")
	flags.StringVar(&f.address, "containerd", "", "with containerd, the daemon's socket")
}

// open returns the back end, tried out, with so many interpreters kept ready
// where it keeps any.
func (f *sandboxFlags) open(ctx context.Context, ready int) (sandbox.Backend, error) {
	switch f.name {
	case sandboxBwrap:
		if f.image != "" {
			return nil, usagef("--image goes with --sandbox containerd")
		}
		return bwrap.New(ctx, bwrap.WithPool(ready))
	case sandboxContainerd:
		return containerd.New(ctx, containerd.Options{Address: f.address, Image: f.image})
	}
	return nil, unknown("sandbox", f.name, sandboxNames())
}

// programs returns what runs the documents of domains that are scored so. The
// sandbox is opened for the first of them.
func (f *sandboxFlags) programs(ctx context.Context) *programs.Programs {
	return programs.Opening(func() (sandbox.Backend, error) { return f.open(ctx, 0) })
}

func (a *app) sandboxCommand() *cobra.Command {
	c := &cobra.Command{Use: "sandbox", Short: "The sandbox that scripts run in", Example: "  agentd sandbox run script.py"}
	var files, cwd string
	var choice sandboxFlags
	var asJSON bool
	run := &cobra.Command{
		Use:   "run SCRIPT.py",
		Short: "Run one script on a copy of a folder, in the sandbox",
		Long: "Run one script on a copy of a folder, in the sandbox.\n\nThe script's working directory is the folder above the workspace, " +
			"as in the\npublished harness: files are at ./workspace/NAME. With --cwd workspace it is the\nworkspace itself.",
		Example: "  agentd sandbox run --files DIR --json script.py\n  agentd sandbox run --files DIR --cwd workspace script.py",
		Args:    cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			code, err := os.ReadFile(args[0])
			if err != nil {
				return usagef("reading the script: %w", err)
			}
			script := sandbox.Script{Code: string(code)}
			if script.Cwd, err = workingDirectory(cwd); err != nil {
				return err
			}
			documents := vfs.Files{}
			if files != "" {
				if documents, err = readDocuments(files); err != nil {
					return err
				}
			}
			result, err := runScript(c.Context(), choice, documents, script)
			if err != nil {
				return err
			}
			if asJSON {
				return printResult(c, result)
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
	run.Flags().StringVar(&cwd, "cwd", cwdAbove, "working directory: above (files are at ./workspace/NAME) or workspace (files are at ./NAME)")
	choice.register(run.Flags())
	run.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	c.AddCommand(run)
	return c
}

// Values of --cwd.
const (
	cwdAbove     = "above"
	cwdWorkspace = "workspace"
)

func workingDirectory(name string) (sandbox.Cwd, error) {
	switch name {
	case cwdAbove:
		return sandbox.AboveWorkspace, nil
	case cwdWorkspace:
		return sandbox.InWorkspace, nil
	}
	return 0, unknown("working directory", name, []string{cwdAbove, cwdWorkspace})
}

func runScript(ctx context.Context, choice sandboxFlags, documents vfs.Files, script sandbox.Script) (result sandbox.Result, err error) {
	backend, err := choice.open(ctx, 0)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, backend.Close()) }()
	workspace, err := vfs.New(documents, nil)
	if err != nil {
		return result, usageError{err}
	}
	runner, err := backend.NewRunner(sandbox.DefaultLimits())
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, runner.Close()) }()
	return runner.RunPython(ctx, workspace, script)
}

// endedBy says which limit ended a script.
func endedBy(limit sandbox.Limit) string {
	if limit == sandbox.NoLimit {
		return ""
	}
	return fmt.Sprintf(": stopped by the limit on %s", limit)
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
	encoder := json.NewEncoder(forJSON(c.OutOrStdout()))
	encoder.SetEscapeHTML(false)
	return encoder.Encode(out)
}
