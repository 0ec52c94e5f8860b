package catalog

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWhatACommandBringsAlong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "run"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		command []string
		files   string
		want    []string
		brings  bool
	}{
		"a folder":                {[]string{dir, "x"}, "", []string{"/agent/run", "x"}, true},
		"a file":                  {[]string{dir + "/run"}, "", []string{"/agent/run"}, true},
		"a program":               {[]string{"sh", dir}, "", []string{"sh", dir}, false},
		"a program of /usr":       {[]string{"/usr/bin/env"}, "", []string{"/usr/bin/env"}, false},
		"a program with a folder": {[]string{"sh", "/agent/run"}, dir, []string{"sh", "/agent/run"}, true},
		"a program in its folder": {[]string{"/agent/run"}, dir, []string{"/agent/run"}, true},
	} {
		chosen, err := Choose(Spec{Use: "exec", Command: c.command, Files: c.files})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		copied := chosen.files.Path()
		if diff := cmp.Diff(c.want, chosen.command); diff != "" || (copied != "") != c.brings || (chosen.Hash != "") != c.brings {
			t.Errorf("%s: %s brings %q, hash %q", name, diff, copied, chosen.Hash)
		}
		if c.brings {
			title, raw := chosen.Manifest()
			again, err := FromManifest(title, raw)
			if err != nil {
				t.Fatal(err)
			}
			again.Hash = strings.Repeat("0", 64)
			if _, err := Choose(again); err == nil || !strings.Contains(err.Error(), "is not what the experiment was begun with") {
				t.Errorf("%s: with another hash: %v", name, err)
			}
		}
		if err := chosen.Close(); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(copied); copied != "" && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the copy is left behind (%v)", name, err)
		}
	}
	for _, command := range [][]string{nil, {"no/such/agent"}} {
		if _, err := Choose(Spec{Use: "exec", Command: command}); err == nil {
			t.Errorf("%v was taken", command)
		}
	}
}

func TestAnAgentMustBeInstalled(t *testing.T) { // not in parallel: it has a cache of its own
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for text, says := range map[string]string{
		"agent:codex":                    "agentd agents install codex",
		"agent:codex(version=0.1.0)":     "agentd agents install codex --version 0.1.0",
		"agent:nobody":                   "there is no agent",
		"agent:aider(tools=mcp)":         "knows the tools own",
		"agent:codex(settings=whatever)": "neither experiment nor agent",
		"agentic(tools=mcp)":             "has no option tools",
	} {
		spec, err := Parse(text)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if _, err := Choose(spec); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}
