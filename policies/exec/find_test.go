package exec

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentd/sandbox"
	"agentd/sandbox/bundle"
)

func TestAProgramIsFoundBeforeItIsRun(t *testing.T) {
	t.Parallel()
	b, err := backend()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for dir := folder; dir != os.TempDir(); dir = filepath.Dir(dir) { // every user must be able to read it
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, file := range map[string]struct {
		mode os.FileMode
		text string
	}{
		"shell":     {0o755, "#!/bin/sh -e\ntouch /tmp/was-run\n"},
		"env":       {0o755, "#!/usr/bin/env -S A=b python3 -u\n"},
		"plain":     {0o644, "#!/bin/sh\n"},
		"no-ruby":   {0o755, "#!/usr/bin/env ruby-of-the-host\n"},
		"no-shell":  {0o755, "#!/opt/shell\n"},
		"nameless":  {0o755, "true\n"},
		"unfinshed": {0o755, "#!"},
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(file.text), file.mode); err != nil {
			t.Fatal(err)
		}
	}
	brought, err := bundle.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { brought.Close() })
	for _, c := range []struct{ program, problem string }{
		{"python3", ""},
		{"/usr/bin/env", ""},
		{"shell", ""},
		{"env", ""},
		{"nameless", ""},
		{"unfinshed", ""},
		{"agent-of-nobody", "is not there"},
		{"/home/agent", "is not there"},
		{"plain", "is not executable"},
		{".", "is a folder"},
		{"no-ruby", "asks in its first line for ruby-of-the-host, which is not there"},
		{"no-shell", "asks in its first line for /opt/shell, which is not there"},
	} {
		t.Run(strings.Trim(c.program, "/"), func(t *testing.T) {
			t.Parallel()
			program := c.program
			if _, err := os.Stat(filepath.Join(folder, program)); err == nil {
				program = sandbox.CommandFiles + "/" + program
			}
			err := (&Program{Args: []string{program}, Brought: brought}).FindCommand(t.Context(), b)
			var gone *NotThereError
			switch {
			case c.problem == "" && err != nil:
				t.Errorf("%v, want none", err)
			case c.problem != "" && (!errors.As(err, &gone) || gone.Problem != c.problem):
				t.Errorf("%v, want %q", err, c.problem)
			}
		})
	}
}
