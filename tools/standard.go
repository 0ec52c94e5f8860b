package tools

import (
	"context"
	"fmt"
	"strings"

	"agentd/sandbox"
	"agentd/vfs"
)

type pathArgs struct {
	Path string `json:"path" jsonschema:"Path of the file, relative to the workspace."`
}

type writeArgs struct {
	Path    string `json:"path" jsonschema:"Path of the file, relative to the workspace."`
	Content string `json:"content" jsonschema:"The whole content of the file."`
}

type codeArgs struct {
	Code string `json:"code" jsonschema:"Python 3 source. The working directory is the workspace."`
}

// emptyFile is shown for a file without content.
const emptyFile = "(the file is empty)"

// Standard returns five tools: three for whole files, one for scripts, and finish.
func Standard() []Tool {
	return []Tool{readTool(), writeTool(), deleteTool(), pythonTool(), finishTool()}
}

func readTool() Tool {
	return define(ReadFile, "Return the content of a file in the workspace.", readFile)
}

func writeTool() Tool {
	return define(WriteFile, "Create a file in the workspace, or replace one, with the given content.", writeFile)
}

func deleteTool() Tool { return define(DeleteFile, "Delete a file from the workspace.", deleteFile) }

func pythonTool() Tool {
	return define(RunPython, "Run a Python 3 script in the workspace and return what it prints. It can read and write the files; "+
		"there is no network, and it may take 30 seconds.", runPython)
}

func finishTool() Tool {
	return define(Finish, "Say that the task is done. Call it once all files are as asked.", finish)
}

func readFile(_ context.Context, s *Session, args pathArgs) (string, error) {
	content, err := s.Workspace.Read(ReadFile, args.Path)
	if err != nil {
		return "", problem{err}
	}
	switch {
	case vfs.Binary(args.Path):
		return describeBinary(args.Path, content), nil
	case content == "":
		return emptyFile, nil
	}
	return content, nil
}

func writeFile(_ context.Context, s *Session, args writeArgs) (string, error) {
	if err := s.write(args.Path, args.Content); err != nil {
		return "", err
	}
	return fmt.Sprintf("Wrote %s (%d bytes).", args.Path, len(args.Content)), nil
}

func deleteFile(_ context.Context, s *Session, args pathArgs) (string, error) {
	if err := s.Workspace.Delete(args.Path); err != nil {
		return "", problem{err}
	}
	s.changed++
	return fmt.Sprintf("Deleted %s.", args.Path), nil
}

func runPython(ctx context.Context, s *Session, args codeArgs) (string, error) {
	result, err := s.run(ctx, sandbox.Script{Code: args.Code, Cwd: sandbox.InWorkspace})
	if err != nil {
		return "", err
	}
	return scriptAnswer(result), nil
}

// run runs a script in the interaction's sandbox. The first script starts the sandbox.
func (s *Session) run(ctx context.Context, script sandbox.Script) (sandbox.Result, error) {
	if s.runner == nil {
		runner, err := s.NewRunner()
		if err != nil {
			return sandbox.Result{}, fmt.Errorf("starting the sandbox: %w", err)
		}
		s.runner = runner
	}
	result, err := s.runner.RunPython(ctx, s.Workspace, script)
	if err != nil {
		return result, fmt.Errorf("running a script: %w", err)
	}
	s.written = true
	s.changed += len(result.Changed) + len(result.Deleted)
	return result, nil
}

// scriptAnswer returns what the model is told about its script.
func scriptAnswer(r sandbox.Result) string {
	var b strings.Builder
	section := func(title, text string) {
		if text != "" {
			fmt.Fprintf(&b, "%s:\n%s\n", title, strings.TrimRight(text, "\n"))
		}
	}
	section("stdout", r.Stdout)
	section("stderr", r.Stderr)
	switch {
	case r.TimedOut:
		fmt.Fprintln(&b, "The script was stopped: it took too long.")
	case r.OOMKilled:
		fmt.Fprintln(&b, "The script was stopped: it needed too much memory.")
	}
	if r.Truncated {
		fmt.Fprintln(&b, "The output was cut.")
	}
	for _, skipped := range r.Skipped {
		fmt.Fprintf(&b, "Not kept: %s (%s).\n", skipped.File, skipped.Reason)
	}
	fmt.Fprintf(&b, "exit code: %d", r.ExitCode)
	return b.String()
}

func finish(_ context.Context, s *Session, _ struct{}) (string, error) {
	if !s.written {
		return "", problemf("nothing was written yet; write the files, then call %s", Finish)
	}
	s.finished = true
	return "Done.", nil
}
