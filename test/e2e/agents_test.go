package e2e

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agentd/policies/exec/agents"
	"agentd/sandbox/containerd/containerdtest"
)

// usualAgents are those that make test tries: one for each protocol but chat completions,
// which the examples speak. AGENTD_TEST_AGENTS names others, or all.
func usualAgents() []string { return []string{"codex", "claude-code", "gemini-cli"} }

// wantedAgents are the presets to be tried.
func wantedAgents(t *testing.T) []agents.Preset {
	t.Helper()
	all, err := agents.All()
	if err != nil {
		t.Fatal(err)
	}
	names := usualAgents()
	if wanted := os.Getenv("AGENTD_TEST_AGENTS"); wanted != "" {
		names = strings.Split(wanted, ",")
	}
	return slices.DeleteFunc(all, func(p agents.Preset) bool {
		return !slices.Contains(names, "all") && !slices.Contains(names, p.Name)
	})
}

// installing is held while an agent is looked for and installed.
var installing sync.Mutex

// ready installs an agent unless it is installed.
func ready(t *testing.T, p agents.Preset) {
	t.Helper()
	installing.Lock()
	defer installing.Unlock()
	store, err := agents.UserStore()
	if err != nil {
		t.Fatal(err)
	}
	var missing *agents.NotInstalledError
	if _, err := store.Look(p); errors.As(err, &missing) {
		run(t, nil, nil, agentd, "agents", "install", "--quiet", p.Name)
	} else if err != nil {
		t.Fatal(err)
	}
}

// row is an interaction as agentd exports it.
type row struct {
	Policy      string `json:"gen_ai.agent.name"`
	Environment string
	Direction   string
	Ending      string
	Error       string `json:"error.type"`
	Message     string `json:"error.message"`
	RS, Forward *float64
	Executed    *bool
	Turns       int `json:"turn_count"`
	Scripts     int `json:"scripts_that_changed_files"`
	Writes      int `json:"writes_that_changed_files"`
	Edits       int `json:"edits_that_changed_files"`
	Calls       int `json:"call_count"`
}

// interactions runs an experiment of one policy and returns its rows.
func interactions(t *testing.T, policy string, args ...string) []row {
	t.Helper()
	db := filepath.Join(t.TempDir(), "x.db")
	run(t, nil, nil, agentd, append([]string{"run", "--db", db, "--model", "sim:perfect", "--policy", policy, "--round-trips", "1"}, args...)...)
	return exported(t, db)
}

// exported are the interactions of a database.
func exported(t *testing.T, db string) []row {
	t.Helper()
	out, _ := run(t, nil, nil, agentd, "export", "--db", db)
	var rows []row
	lines := bufio.NewScanner(strings.NewReader(out))
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var r row
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// perfect fails unless the interactions of so many relays of one round trip did all that
// was asked for, and nothing else.
func perfect(t *testing.T, rows []row, relays int, withCalls bool) {
	t.Helper()
	if len(rows) != 2*relays {
		t.Fatalf("%d interactions of %d relays", len(rows), relays)
	}
	for _, r := range rows {
		score := r.RS
		if r.Direction == "forward" {
			score = r.Forward
			if r.Executed == nil || !*r.Executed {
				t.Errorf("%s %s: nothing was done", r.Environment, r.Direction)
			}
		}
		if score == nil || *score != 1 || r.Error != "" || r.Turns == 0 || withCalls && (r.Calls == 0 || r.Scripts+r.Writes+r.Edits == 0) {
			t.Errorf("%s %s: score %v, %s, error %q, %d turns, %d calls, of which %d scripts, %d writes and %d edits changed files", r.Environment, r.Direction, score, r.Ending, r.Error, r.Turns, r.Calls, r.Scripts, r.Writes, r.Edits)
		}
	}
}

// The agents that people use do every edit exactly with a model that does, each with
// tools of its own and in its own protocol: one agent after the other, since some need much memory.
func TestAgents(t *testing.T) {
	t.Parallel()
	const environments = "accounting1,subtitles1,recipe1"
	for _, p := range wantedAgents(t) {
		t.Run(p.Name, func(t *testing.T) {
			ready(t, p)
			for _, protocol := range []string{"published", "clean"} {
				began := time.Now()
				rows := interactions(t, "agent:"+p.Name, "--env", environments, "--protocol", protocol)
				perfect(t, rows, 1+strings.Count(environments, ","), p.Name != "aider") // which has no tools
				t.Logf("%s %s, %s: %d interactions in %v", p.Name, p.Version, protocol, len(rows), time.Since(began).Round(time.Second))
			}
		})
	}
}

// With agentd's tools alone, by MCP, an agent does the same, and each call is in the
// trace once.
func TestAgentsByMCP(t *testing.T) {
	t.Parallel()
	for _, p := range wantedAgents(t) {
		if !slices.Contains(p.Tools, agents.MCPTools) {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			ready(t, p)
			rows := interactions(t, "agent:"+p.Name+"(tools=mcp)", "--env", "accounting1")
			perfect(t, rows, 1, true)
		})
	}
}

// byACP are the presets whose agents also speak the Agent Client Protocol, with the script
// that runs them so.
var byACP = map[string]string{
	"gemini-cli": `mkdir -p /tmp/.gemini
echo '{"security":{"auth":{"selectedType":"gemini-api-key"}},"privacy":{"usageStatisticsEnabled":false},"telemetry":{"enabled":false},"general":{"enableAutoUpdate":false}}' >/tmp/.gemini/settings.json
export GEMINI_CLI_TRUST_WORKSPACE=true GEMINI_CLI_NO_RELAUNCH=true
exec node /agent/node_modules/@google/gemini-cli/bundle/gemini.js -m agentd --experimental-acp`,
	"opencode": `export OPENCODE_DISABLE_AUTOUPDATE=1 OPENCODE_DISABLE_MODELS_FETCH=1 OPENCODE_DISABLE_LSP_DOWNLOAD=1 OPENCODE_DISABLE_DEFAULT_PLUGINS=1
export OPENCODE_CONFIG_CONTENT='{"autoupdate":false,"share":"disabled","model":"agentd/m","small_model":"agentd/m","provider":{"agentd":{"npm":"@ai-sdk/openai-compatible","name":"agentd","options":{"baseURL":"'$OPENAI_BASE_URL'","apiKey":"none"},"models":{"m":{"name":"m"}}}},"permission":"allow"}'
exec /agent/opencode acp`,
}

// An agent that speaks the Agent Client Protocol does the same without a script of its own
// for prompts, asked by agentd, with a model of its own dialect and with one of another.
func TestAnAgentByACP(t *testing.T) {
	t.Parallel()
	for _, p := range wantedAgents(t) {
		script, speaks := byACP[p.Name]
		if !speaks {
			continue
		}
		other := map[string]string{"chat": "responses"}[p.Protocol]
		in := map[string][]string{} // arguments by protocol; without any, in bubblewrap
		if p.Name == "opencode" {
			in["clean"] = inContainerd(t)
		}
		for protocol, api := range map[string]string{"published": p.Protocol, "clean": cmp.Or(other, "chat")} {
			t.Run(p.Name+" "+protocol, func(t *testing.T) {
				ready(t, p)
				store, err := agents.UserStore()
				if err != nil {
					t.Fatal(err)
				}
				installed, err := store.Open(p)
				if err != nil {
					t.Fatal(err)
				}
				defer installed.Close()
				experiment := map[string]any{
					"name": "acp", "models": []any{map[string]string{"name": "sim:perfect", "api": api}},
					"policies": []any{map[string]any{
						"use": "agent:acp", "files": installed.Folder, "command": []string{"sh", "-c", script}, "memory_mb": max(p.MemoryMB, 1024),
					}},
					"environments": map[string]any{"names": []string{"accounting1"}},
					"relay":        map[string]any{"round_trips": 1, "protocol": protocol},
				}
				began := time.Now()
				rows := conducted(t, nil, experiment, in[protocol]...)
				perfect(t, rows, 1, true)
				t.Logf("%s, %s, a model of %s: %d interactions in %v", p.Name, protocol, api, len(rows), time.Since(began).Round(time.Second))
			})
		}
	}
}

// inContainerd are the arguments of a run whose sandboxes are containers of a daemon of the
// test's own. Ordinary users cannot start one; they get none.
func inContainerd(t *testing.T) []string {
	t.Helper()
	daemon, err := containerdtest.Start()
	if errors.Is(err, containerdtest.ErrNotRoot) {
		t.Log(err)
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := daemon.Stop(); err != nil {
			t.Error(err)
		}
	})
	return []string{"--sandbox", "containerd", "--containerd", daemon.Address}
}

// conducted runs an experiment, as a file says it, and returns its interactions.
func conducted(t *testing.T, environment []string, experiment map[string]any, args ...string) []row {
	t.Helper()
	text, err := json.Marshal(experiment)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	file, db := filepath.Join(dir, "experiment.yaml"), filepath.Join(dir, "x.db")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	done(t, environment, append([]string{"run", file, "--db", db}, args...)...)
	return exported(t, db)
}

// The makers' own agents work with a model of their own dialect, whose requests and answers
// pass through as they are.
func TestAgentsWithAModelOfTheirDialect(t *testing.T) {
	t.Parallel()
	for _, p := range wantedAgents(t) {
		if p.Protocol == "chat" { // TestAgents asks such a model
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			ready(t, p)
			rows := conducted(t, nil, map[string]any{
				"name": "dialect", "models": []any{map[string]string{"name": "sim:perfect", "api": p.Protocol}},
				"policies":     []string{"agent:" + p.Name},
				"environments": map[string]any{"names": []string{"accounting1"}},
				"relay":        map[string]any{"round_trips": 1},
			})
			perfect(t, rows, 1, true)
		})
	}
}
