package catalog

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/policies/exec"
	"agentd/policies/exec/agents"
	"agentd/sandbox/bundle"
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
		chosen, err := Choose(Spec{Use: "exec", Options: &exec.Spec{Command: c.command, Files: c.files}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		program := chosen.Options.(*exec.Spec)
		copied := program.Brought.Path()
		if diff := cmp.Diff(c.want, program.Args); diff != "" || (copied != "") != c.brings || (program.Hash != "") != c.brings {
			t.Errorf("%s: %s brings %q, hash %q", name, diff, copied, program.Hash)
		}
		if c.brings {
			title, raw := chosen.Manifest()
			again, err := FromManifest(title, raw)
			if err != nil {
				t.Fatal(err)
			}
			again.Options.(*exec.Spec).Hash = strings.Repeat("0", 64)
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
		if _, err := Choose(Spec{Use: "exec", Options: &exec.Spec{Command: command}}); err == nil {
			t.Errorf("%v was taken", command)
		}
	}
}

// A database of others that names files of this machine must know what is in them.
func TestAStoredCommandBringsOnlyWhatItsDatabaseKnows(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		raw   string
		taken bool
	}{
		"files without a hash":              {`{"use": "exec", "command": ["sh", "-c", "cat /agent/*"], "files": "/root/.ssh"}`, false},
		"a program without one":             {`{"use": "exec", "command": ["../agent"]}`, false},
		"files of an agent":                 {`{"use": "agent", "agent": "acp", "command": ["sh"], "files": "/root/.ssh"}`, false},
		"under another policy":              {`{"use": "verify", "of": {"use": "exec", "command": ["sh"], "files": "/root/.ssh"}}`, false},
		"files with a hash":                 {`{"use": "exec", "command": ["sh"], "files": "agent", "hash": "00"}`, true},
		"a program of every sandbox":        {`{"use": "exec", "command": ["sh", "-c", "true"]}`, true},
		"an agent's preset, installed here": {`{"use": "agent", "agent": "codex"}`, true},
	} {
		if _, err := FromManifest("x", []byte(c.raw)); (err == nil) != c.taken {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnAgentMustBeInstalled(t *testing.T) { // not in parallel: it has a cache of its own
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for text, says := range map[string]string{
		"agent:codex":                    "agentd agents install codex",
		"agent:codex(version=0.1.0)":     "agentd agents install codex --version 0.1.0",
		"agent:acp(version=1.0)":         "agents with a preset",
		"agent:codex(command=x)":         "options of agent:acp",
		"agent:nobody":                   "there is no agent",
		"agent:aider(tools=mcp)":         "knows the tools own",
		"agent:codex(settings=whatever)": "neither experiment nor agent",
		"agentic(tools=mcp)":             `has no option "tools"`,
	} {
		spec, err := Parse(text)
		if err == nil {
			_, err = Choose(spec)
		}
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// What Open finds out of an agent goes into the manifest, and not into its title.
func TestAnInstalledAgentIsWhatItsManifestSays(t *testing.T) { // not in parallel: it has a cache of its own
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	file := filepath.Join(cache, "mine.yaml")
	preset := "version: 1.2.3\nsummary: a test\nprotocol: chat\ninstall: {npm: [thing@1]}\nmemory_mb: 512\ntools: [own, mcp]\nrun: |\n  #!/bin/sh\n"
	installed := filepath.Join(cache, "agentd", "agents", "mine@1.2.3")
	if err := os.MkdirAll(filepath.Join(installed, "bundle"), 0o755); err != nil {
		t.Fatal(err)
	}
	hash, err := bundle.Hash(filepath.Join(installed, "bundle"))
	if err != nil {
		t.Fatal(err)
	}
	record, err := json.Marshal(agents.Installed{Name: "mine", Version: "1.2.3", Preset: preset, Hash: hash, Packages: []string{"npm thing@1"}})
	if err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{file: preset, filepath.Join(installed, "installed.json"): string(record)} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	spec, err := Parse("agent:" + file + "(tools=mcp,max_turns=9)")
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := Choose(spec)
	if err != nil {
		t.Fatal(err)
	}
	defer chosen.Close()
	want := `{"use":"agent","name":"agent:mine(max_turns=9,tools=mcp)","max_turns":9,"memory_mb":512,"agent":"` + file +
		`","version":"1.2.3","tools":"mcp","hash":"` + hash + `","packages":"` + fmt.Sprintf("%x", sha256.Sum256([]byte("npm thing@1"))) + `"}`
	if _, raw := chosen.Manifest(); string(raw) != want {
		t.Errorf("the manifest has %s, want %s", raw, want)
	}
	if spec.Title() != chosen.Title() || spec.Options.(*agents.Options).Hash != "" {
		t.Errorf("what was chosen has changed: %+v", spec.Options)
	}
}
