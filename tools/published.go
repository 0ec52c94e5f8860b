package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/sandbox"
	"agentd/vfs"
)

type publishedFile struct {
	Filename string `json:"filename" jsonschema:"Name of the file."`
}

type publishedWrite struct {
	Filename string `json:"filename" jsonschema:"Name of the file."`
	Content  string `json:"content" jsonschema:"The whole content of the file."`
}

type publishedCode struct {
	Code string `json:"code" jsonschema:"The text of the script, in Python 3."`
}

// Published returns the five tools of the published harness: with its names of tools and
// arguments, its results, and its treatment of malformed calls. The descriptions are ours.
// Use them in a session of NewPublished.
func Published() []Tool {
	return []Tool{
		publish[publishedFile](ReadFile, "Show the content of a file of the workspace.", readPublished),
		publish[publishedWrite](WriteFile, "Write a file of the workspace: a new one, or one that is there.", writePublished),
		publish[publishedFile](DeleteFile, "Remove a file from the workspace.", deletePublished),
		publish[publishedCode](RunPython, "Run a Python script. It finds the files of the workspace as ./workspace/NAME and may change them. "+
			"You are shown what it prints.", runPublished),
		publish[struct{}](Finish, "End the task. Call it when the workspace holds the files that were asked for.", finishPublished),
	}
}

// NewPublished returns a session for the published tools. Invalid JSON counts as no arguments, and
// a missing argument as an empty text, as in the published harness.
func NewPublished(ws *vfs.Workspace, newRunner func() (sandbox.Runner, error), set []Tool) *Session {
	return &Session{Workspace: ws, NewRunner: newRunner, tools: set, read: publishedArguments}
}

// Crash is the error for a call on which the published harness stops with an exception. Such a
// step has no score there.
type Crash struct{ Reason string }

func (c *Crash) Error() string { return "the published harness stops here: " + c.Reason }

// publish makes a tool whose function decodes the arguments itself. A is a struct as for define,
// used only for the schema.
func publish[A any](name, description string, run func(context.Context, *Session, arguments) (string, error)) Tool {
	return Tool{Name: name, Description: description, Parameters: encoded(schemaOf[A]()), run: run}
}

// publishedArguments decodes the arguments of a call. The published harness crashes on
// JSON that is not an object.
func publishedArguments(name, text string) (arguments, error) {
	var given any
	if json.Unmarshal([]byte(text), &given) != nil {
		return nil, nil
	}
	object, ok := given.(map[string]any)
	if !ok {
		return nil, &Crash{fmt.Sprintf("the arguments of %s are JSON, but not an object", name)}
	}
	return object, nil
}

// name returns the file name of a call, empty if there is none. It converts a value of another
// type to text as Python does.
func (a arguments) name() string {
	given, there := a["filename"]
	if !there {
		return ""
	}
	switch v := given.(type) {
	case string:
		return v
	case nil:
		return "None"
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	raw, _ := json.Marshal(given) // it was just read from JSON
	return string(raw)
}

// text returns a text argument, empty if there is none.
func (a arguments) text(name string) (string, error) {
	given, there := a[name]
	if !there {
		return "", nil
	}
	text, ok := given.(string)
	if !ok {
		return "", &Crash{fmt.Sprintf("the argument %s is not a text", name)}
	}
	return text, nil
}

func readPublished(_ context.Context, s *Session, given arguments) (string, error) {
	content, err := s.Workspace.Read(ReadFile, given.name())
	if errors.Is(err, vfs.ErrNotExist) {
		asked := given.name()
		if _, there := given["filename"]; !there {
			asked = "?"
		}
		s.Workspace.RecordAbsent(ReadFile, asked)
		return "", problemf("there is no file %q; the files are: %s", given.name(), strings.Join(s.Workspace.Names(), ", "))
	}
	if err != nil {
		return "", problem{err}
	}
	if vfs.Binary(given.name()) {
		return describeBinary(given.name(), content), nil
	}
	return content, nil
}

// writePublished counts as writing even if it fails, as in the published harness.
func writePublished(_ context.Context, s *Session, given arguments) (string, error) {
	s.written = true
	content, err := given.text("content")
	if err != nil {
		return "", err
	}
	if err := s.write(given.name(), content); err != nil {
		return "", err
	}
	return "OK", nil
}

func deletePublished(_ context.Context, s *Session, given arguments) (string, error) {
	err := s.Workspace.Delete(given.name())
	if errors.Is(err, vfs.ErrNotExist) {
		return "", problemf("there is no file %q", given.name())
	}
	if err != nil {
		return "", problem{err}
	}
	s.changed++
	return "OK", nil
}

// runPublished runs a script after giving each file the path that it has on a disk. Afterwards it
// converts line ends to newlines, as Python does when it reads text.
func runPublished(ctx context.Context, s *Session, given arguments) (string, error) {
	code, err := given.text("code")
	if err != nil {
		return "", err
	}
	if err := s.Workspace.UsePaths(); err != nil {
		return "", &Crash{fmt.Sprintf("a script needs all files on a disk: %v", err)}
	}
	before, err := s.Workspace.Snapshot()
	if err != nil {
		return "", err
	}
	result, err := s.run(ctx, sandbox.Script{Code: code, Cwd: sandbox.AboveWorkspace})
	if err != nil {
		return "", err
	}
	if err := s.restore(before, result); err != nil {
		return "", err
	}
	return publishedScriptAnswer(result), s.unifyLineEnds()
}

// restore writes back each file that the script replaced by something other than a text
// file, because the published harness keeps the old content.
func (s *Session) restore(before vfs.Files, result sandbox.Result) error {
	for _, skipped := range result.Skipped {
		if slices.Contains(result.Deleted, skipped.File) {
			if err := s.Workspace.Write(skipped.File, before[skipped.File]); err != nil {
				return err
			}
		}
	}
	return nil
}

// unifyLineEnds replaces all line ends by newlines.
func (s *Session) unifyLineEnds() error {
	files, err := s.Workspace.Snapshot()
	if err != nil {
		return err
	}
	for _, name := range files.Names() {
		if vfs.Binary(name) || !strings.Contains(files[name], "\r") {
			continue
		}
		unified := strings.ReplaceAll(strings.ReplaceAll(files[name], "\r\n", "\n"), "\r", "\n")
		if err := s.Workspace.Write(name, unified); err != nil {
			return err
		}
	}
	return nil
}

// mostPublishedOutput is the maximum number of characters that the model is shown of a script's output with the
// published tools. The sandbox has cut the output before, at sandbox.Limits.OutputChars, which is the only bound with
// other tools.
const mostPublishedOutput = 10_000

// publishedScriptAnswer returns what the model is told about its script: standard output, standard error, and why
// it failed if its exit code is not 0. Stand-ins know a failure by the last line (models/sim, scriptEndedBadly).
func publishedScriptAnswer(r sandbox.Result) string {
	var b strings.Builder
	b.WriteString(r.Stdout)
	if r.Stderr != "" {
		fmt.Fprintf(&b, "\n[errors]\n%s", r.Stderr)
	}
	switch {
	case r.TimedOut:
		b.WriteString("\nThe script was stopped: it took too long.")
	case r.OOMKilled:
		b.WriteString("\nThe script was stopped: it needed too much memory.")
	case r.ExitCode != 0:
		fmt.Fprintf(&b, "\n[exit code %d]", r.ExitCode)
	}
	if text := []rune(b.String()); len(text) > mostPublishedOutput {
		return string(text[:mostPublishedOutput])
	}
	return b.String()
}

func finishPublished(_ context.Context, s *Session, _ arguments) (string, error) {
	if !s.written {
		return "", problemf("nothing has been written; write the files first")
	}
	s.finished = true
	return "DONE", nil
}
