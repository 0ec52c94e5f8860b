package tools

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/sandbox"
	"agentd/vfs"
)

// published is a session with the published tools on two files.
func published(t *testing.T, runner scripted) *Session {
	t.Helper()
	ws, err := vfs.NewVerbatim(vfs.Files{"a.ledger": "content"}, vfs.Files{"minutes.md": "prose"})
	if err != nil {
		t.Fatal(err)
	}
	if runner.closed == nil {
		runner.closed = new(bool)
	}
	return NewPublished(ws, func() (sandbox.Runner, error) { return runner, nil }, Published())
}

func TestPublishedTools(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tool, arguments string
		failed          bool
		want            string // part of the answer
		files           vfs.Files
	}{
		"content of a file":            {ReadFile, `{"filename":"a.ledger"}`, false, "content", nil},
		"missing file, and what is":    {ReadFile, `{"filename":"b"}`, true, `"b"; the files are: a.ledger, minutes.md`, nil},
		"no name":                      {ReadFile, `{"path":"a.ledger"}`, true, `""; the files are`, nil},
		"arguments that are no JSON":   {ReadFile, `{"filename":`, true, `""; the files are`, nil},
		"a name that is a number":      {ReadFile, `{"filename":12}`, true, `"12"; the files are`, nil},
		"any name can be written":      {WriteFile, `{"filename":"../b c","content":"x"}`, false, "OK", vfs.Files{"a.ledger": "content", "minutes.md": "prose", "../b c": "x"}},
		"the empty one too":            {WriteFile, `{`, false, "OK", vfs.Files{"a.ledger": "content", "minutes.md": "prose", "": ""}},
		"deleted":                      {DeleteFile, `{"filename":"minutes.md"}`, false, "OK", vfs.Files{"a.ledger": "content"}},
		"what is not there":            {DeleteFile, `{"filename":"b"}`, true, `there is no file "b"`, nil},
		"a tool that is not":           {"edit_file", `{}`, true, "edit_file", nil},
		"finish before writing":        {Finish, `{}`, true, "nothing has been written", nil},
		"line ends are a script's own": {RunPython, `{"code":"a\r\nb"}`, false, "out", vfs.Files{"a.ledger": "content", "minutes.md": "prose", "done.txt": "a\nb"}},
	} {
		s := published(t, scripted{result: sandbox.Result{Stdout: "out"}})
		outcome, err := s.Call(t.Context(), c.tool, c.arguments)
		if err != nil {
			t.Errorf("%s: error %v", name, err)
		}
		if outcome.Failed != c.failed || !strings.Contains(outcome.Text, c.want) {
			t.Errorf("%s: failed %v, %q; want %v and %q", name, outcome.Failed, outcome.Text, c.failed, c.want)
		}
		if c.files == nil {
			c.files = vfs.Files{"a.ledger": "content", "minutes.md": "prose"}
		}
		files, err := s.Workspace.Snapshot()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.files, files); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestWhatEndsThePublishedHarness(t *testing.T) {
	t.Parallel()
	for name, call := range map[string][2]string{
		"arguments that are a list":           {ReadFile, `["a.ledger"]`},
		"arguments that are null":             {DeleteFile, `null`},
		"a content that is no text":           {WriteFile, `{"filename":"x","content":5}`},
		"a script beside files no disk holds": {RunPython, `{"code":""}`},
	} {
		s := published(t, scripted{})
		if err := s.Workspace.Write("", "a folder, not a file"); err != nil {
			t.Fatal(err)
		}
		var crash *Crash
		if _, err := s.Call(t.Context(), call[0], call[1]); !errors.As(err, &crash) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Calls that write count as writing whatever comes of them; deleting does not.
func TestPublishedFinish(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		tool, arguments string
		finished        bool
	}{
		"written":             {WriteFile, `{"filename":"x","content":"y"}`, true},
		"malformed":           {WriteFile, `{"filename`, true},
		"a script that fails": {RunPython, `{"code":"1/0"}`, true},
		"deleted":             {DeleteFile, `{"filename":"a.ledger"}`, false},
		"read":                {ReadFile, `{"filename":"a.ledger"}`, false},
	} {
		s := published(t, scripted{result: sandbox.Result{ExitCode: 1}})
		if _, err := s.Call(t.Context(), c.tool, c.arguments); err != nil {
			t.Fatal(err)
		}
		outcome, err := s.Call(t.Context(), Finish, "{}")
		if err != nil || s.Finished() != c.finished || c.finished != (outcome.Text == "DONE") {
			t.Errorf("%s: finished is %v, %q, %v", name, s.Finished(), outcome.Text, err)
		}
	}
}

func TestWhatAPublishedScriptShows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		result sandbox.Result
		want   string
	}{
		"nothing":         {sandbox.Result{}, ""},
		"output":          {sandbox.Result{Stdout: "a\n"}, "a\n"},
		"and complaints":  {sandbox.Result{Stdout: "a\n", Stderr: "b\n", ExitCode: 3}, "a\n\n[errors]\nb\n\n[exit code 3]"},
		"only so much":    {sandbox.Result{Stdout: strings.Repeat("ä", mostPublishedOutput+1)}, strings.Repeat("ä", mostPublishedOutput)},
		"a time limit":    {sandbox.Result{TimedOut: true, ExitCode: 137}, "\nThe script was stopped: it took too long."},
		"a memory limit":  {sandbox.Result{OOMKilled: true, ExitCode: 137}, "\nThe script was stopped: it needed too much memory."},
		"a mere exit one": {sandbox.Result{ExitCode: 1}, "\n[exit code 1]"},
	} {
		outcome, err := published(t, scripted{result: c.result}).Call(t.Context(), RunPython, `{"code":""}`)
		if err != nil || outcome.Text != c.want {
			t.Errorf("%s: %q, want %q, %v", name, outcome.Text, c.want, err)
		}
	}
}
