package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/sandbox"
	"agentd/vfs"
)

// scripted is a sandbox that writes done.txt and answers with a fixed result.
type scripted struct {
	result sandbox.Result
	err    error
	closed *bool
}

func (s scripted) RunPython(_ context.Context, ws *vfs.Workspace, script sandbox.Script) (sandbox.Result, error) {
	if s.err != nil {
		return sandbox.Result{}, s.err
	}
	return s.result, ws.Write("done.txt", script.Code)
}

func (scripted) RunCommand(context.Context, *vfs.Workspace, sandbox.Command) (sandbox.Result, error) {
	return sandbox.Result{}, errors.ErrUnsupported
}

func (s scripted) Close() error { *s.closed = true; return nil }

func session(t *testing.T, runner scripted) *Session {
	t.Helper()
	ws, err := vfs.New(vfs.Files{"a.ledger": "content"}, vfs.Files{"minutes.md": "prose", "empty.md": ""})
	if err != nil {
		t.Fatal(err)
	}
	if runner.closed == nil {
		runner.closed = new(bool)
	}
	return NewSession(ws, func() (sandbox.Runner, error) { return runner, nil }, Standard())
}

func TestWhatAModelIsTold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tool, arguments string
		failed          bool
		want            string // part of the answer
	}{
		"content of a file":         {ReadFile, `{"path":"a.ledger"}`, false, "content"},
		"an empty file is named so": {ReadFile, `{"path":"empty.md"}`, false, "empty"},
		"missing file, and what there is": {ReadFile, `{"path":"b.ledger"}`, true,
			"the files are: a.ledger, empty.md, minutes.md"},
		"path out of reach":                  {WriteFile, `{"path":"../x","content":"y"}`, true, `".." is not allowed`},
		"written":                            {WriteFile, `{"path":"x.csv","content":"a,b"}`, false, "x.csv"},
		"deleted":                            {DeleteFile, `{"path":"a.ledger"}`, false, "Deleted a.ledger"},
		"unknown tool, and which ones":       {"edit_file", `{}`, true, "read_file, write_file, delete_file, run_python, finish"},
		"malformed JSON":                     {WriteFile, `{"path":"x.csv","content":"a`, true, "not a JSON object"},
		"arguments that are a list":          {ReadFile, `["a.ledger"]`, true, "not a JSON object"},
		"a missing argument":                 {WriteFile, `{"path":"x.csv"}`, true, `the argument "content" is missing`},
		"a number for a text":                {WriteFile, `{"path":"x.csv","content":5}`, true, `the argument "content" must be a string`},
		"null for a text":                    {ReadFile, `{"path":null}`, true, "must be a string"},
		"no arguments at all":                {ReadFile, ``, true, `the argument "path" is missing; send {"path"`},
		"an argument too many":               {ReadFile, `{"path":"a.ledger","encoding":"utf-8"}`, false, "content"},
		"finish before writing":              {Finish, `{}`, true, "nothing was written yet"},
		"malformed JSON for an unknown tool": {"edit", `{`, true, "not a JSON object"},
	} {
		outcome, err := session(t, scripted{}).Call(t.Context(), c.tool, c.arguments)
		if err != nil {
			t.Errorf("%s: error %v", name, err)
		}
		if outcome.Failed != c.failed || !strings.Contains(outcome.Text, c.want) {
			t.Errorf("%s: failed %v, %q; want %v and %q", name, outcome.Failed, outcome.Text, c.failed, c.want)
		}
	}
}

func TestFinishIsAcceptedAfterWriting(t *testing.T) {
	t.Parallel()
	for tool, arguments := range map[string]string{WriteFile: `{"path":"x","content":""}`, RunPython: `{"code":"pass"}`} {
		s := session(t, scripted{})
		for _, call := range [][2]string{{tool, arguments}, {Finish, ""}} {
			if outcome, err := s.Call(t.Context(), call[0], call[1]); err != nil || outcome.Failed {
				t.Fatalf("%s: %v, %v", call[0], outcome, err)
			}
		}
		if !s.Finished() {
			t.Errorf("not finished after %s", tool)
		}
	}
}

func TestAScriptIsDescribed(t *testing.T) {
	t.Parallel()
	closed := false
	s := session(t, scripted{closed: &closed, result: sandbox.Result{
		Changed: vfs.Files{"done.txt": ""}, Deleted: []string{"gone.txt"},
		Stdout: "hello\n", Stderr: "warning\n", ExitCode: 137, TimedOut: true, Truncated: true,
		Skipped: []sandbox.Skipped{{File: "link", Reason: "symbolic link"}},
	}})
	outcome, err := s.Call(t.Context(), RunPython, `{"code":"print()"}`)
	if err != nil {
		t.Fatal(err)
	}
	want := "stdout:\nhello\nstderr:\nwarning\nThe script was stopped: it took too long.\nThe output was cut.\n" +
		"Not kept: link (symbolic link).\nexit code: 137"
	if diff := cmp.Diff(want, outcome.Text); diff != "" {
		t.Error(diff)
	}
	if outcome.Changed != 2 {
		t.Errorf("%d files changed, want 2", outcome.Changed)
	}
	if err := s.Close(); err != nil || !closed {
		t.Errorf("the sandbox was left open (%v)", err)
	}
}

func TestASandboxThatDoesNotWorkIsAnError(t *testing.T) {
	t.Parallel()
	if _, err := session(t, scripted{err: sandbox.ErrUnavailable}).Call(t.Context(), RunPython, `{"code":""}`); !errors.Is(err, sandbox.ErrUnavailable) {
		t.Errorf("while running: %v", err)
	}
	ws, _ := vfs.New(nil, nil)
	s := NewSession(ws, func() (sandbox.Runner, error) { return nil, sandbox.ErrUnavailable }, Standard())
	if _, err := s.Call(t.Context(), RunPython, `{"code":""}`); !errors.Is(err, sandbox.ErrUnavailable) {
		t.Errorf("while starting: %v", err)
	}
}

func TestSchemasComeFromTheArguments(t *testing.T) {
	t.Parallel()
	for _, tool := range append(Standard(), Editor()...) {
		var schema struct {
			Type                 string
			Properties           map[string]struct{ Type, Description string }
			Required             []string
			AdditionalProperties bool
		}
		if err := json.Unmarshal(tool.Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		if schema.Type != "object" || len(schema.Properties) < len(schema.Required) {
			t.Errorf("%s: %s", tool.Name, tool.Parameters)
		}
		for name, p := range schema.Properties {
			if p.Type != "string" && p.Type != "integer" || p.Description == "" {
				t.Errorf("%s, argument %s: %+v", tool.Name, name, p)
			}
		}
	}
}

// Recordings are found by the bytes of a request, which has the schemas of its tools.
func TestSchemasAreTheSameBytes(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		View: `{"additionalProperties":false,"properties":{"end":{"description":"Last line to show (default the last).","type":"integer"},` +
			`"path":{"description":"Path of the file, relative to the workspace.","type":"string"},` +
			`"start":{"description":"First line to show, from 1 (default 1).","type":"integer"}},"required":["path"],"type":"object"}`,
		Diff:   `{"additionalProperties":false,"properties":{"path":{"description":"File to compare (default all files).","type":"string"}},"required":[],"type":"object"}`,
		Finish: `{"additionalProperties":false,"properties":{},"required":[],"type":"object"}`,
	}
	for _, tool := range All() {
		if schema, there := want[tool.Name]; there && string(tool.Parameters) != schema {
			t.Errorf("%s: %s, want %s", tool.Name, tool.Parameters, schema)
		}
	}
}
