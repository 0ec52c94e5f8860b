package e2e

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"agentd/models/sim"
	"agentd/policies/exec/agents"
)

const (
	guardedText = "# Harbour rules\n\nBoats are tied to the east wall.\n\nThe crane is used by two people.\n\nFires are not lit after ten.\n"
	cutText     = "# Harbour rules\n\nBoats are tied to the east wall.\n"
	grownText   = guardedText + "\nNets are dried on the west wall.\n"
)

// rewriter is a stand-in that gives rules.md a certain content, whatever the instruction.
type rewriter string

func (r rewriter) Find(_ string, files, targets []string) (sim.Job, bool) {
	const name = "rules.md"
	return sim.Job{
		Sources: []string{name}, Targets: []string{name}, Exact: true,
		IsDocument: func(file string) bool { return file == name },
		Do:         func(map[string]string, sim.Damage) map[string]string { return map[string]string{name: string(r)} },
	}, slices.Contains(files, name)
}

// guarded are the agents that have hooks, with the script that runs one: in the folder, with the hooks that are installed there, and
// a shell as its only tool.
var guarded = map[string]struct{ hook, script string }{
	"claude-code": {"claude", `export IS_SANDBOX=1 ANTHROPIC_BASE_URL="$BASE" ANTHROPIC_API_KEY=none CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1 DISABLE_AUTOUPDATER=1 \
  DISABLE_TELEMETRY=1 DISABLE_ERROR_REPORTING=1 CLAUDE_CODE_DISABLE_EXPERIMENTAL_BETAS=1 ENABLE_TOOL_SEARCH=false MAX_THINKING_TOKENS=0
exec "$AGENT/claude" -p --model perfect --dangerously-skip-permissions --no-session-persistence --tools Bash \
  --strict-mcp-config --disable-slash-commands --setting-sources local -- "$PROMPT"`},
	"codex": {"codex", `export CODEX_HOME="$HOME/.codex" OPENAI_API_KEY=none
mkdir -p "$CODEX_HOME"
printf '[projects."%s"]\ntrust_level = "trusted"\n' "$PWD" >"$CODEX_HOME/config.toml"
exec "$AGENT/codex" exec --skip-git-repo-check --dangerously-bypass-approvals-and-sandbox --dangerously-bypass-hook-trust --ephemeral -m perfect \
  -c model_provider=sim -c "model_providers.sim={name=\"sim\",base_url=\"$BASE/v1\",env_key=\"OPENAI_API_KEY\",wire_api=\"responses\",request_max_retries=0,stream_max_retries=0}" \
  -c web_search=disabled -c features.multi_agent=false -c features.goals=false -c features.unbounded_connection_retries=false \
  -c analytics.enabled=false -c check_for_update_on_startup=false -C "$PWD" -- "$PROMPT"`},
}

// A shell command of an agent that cuts a document is undone, and the agent's model reads what was lost. An edit without a loss stays.
func TestAgentsGuardedByHooks(t *testing.T) {
	t.Parallel()
	for _, p := range wantedAgents(t) {
		with, hooks := guarded[p.Name]
		if !hooks {
			continue
		}
		ready(t, p)
		store, err := agents.UserStore()
		if err != nil {
			t.Fatal(err)
		}
		installed, err := store.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { installed.Close() })
		for name, c := range map[string]struct{ made, want, told string }{
			"a cut":    {cutText, guardedText, "The crane is used by two people."},
			"a growth": {grownText, grownText, ""},
		} {
			t.Run(p.Name+" "+name, func(t *testing.T) {
				t.Parallel()
				var mu sync.Mutex
				var asked bytes.Buffer // all that the model was sent
				stand := sim.Handler(rewriter(c.made), sim.Options{})
				server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					body, err := io.ReadAll(r.Body)
					if err != nil {
						t.Error(err)
					}
					mu.Lock()
					asked.Write(body)
					mu.Unlock()
					r.Body = io.NopCloser(bytes.NewReader(body))
					stand.ServeHTTP(w, r)
				}))
				defer server.Close()
				home, state, folder := t.TempDir(), t.TempDir(), t.TempDir()
				file := filepath.Join(folder, "rules.md")
				if err := os.WriteFile(file, []byte(guardedText), 0o640); err != nil {
					t.Fatal(err)
				}
				run(t, nil, nil, agentd, "guard", "hook", with.hook, "--files", folder, "--log", state, "--deny", "lost", "--install", "--yes")
				command := exec.CommandContext(t.Context(), "sh", "-c", with.script)
				command.Dir = folder
				command.Env = append(os.Environ(), "HOME="+home, "BASE="+server.URL, "AGENT="+installed.Folder,
					"PROMPT=Tidy the rules.\n\nFiles:\n- rules.md\n\nFiles to produce:\n- rules.md")
				out, err := command.CombinedOutput()
				if err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
				got, err := os.ReadFile(file)
				if err != nil || string(got) != c.want {
					t.Errorf("the file holds %q, %v; the agent printed\n%s", got, err, out)
				}
				mu.Lock()
				defer mu.Unlock()
				refusal := `rules.md put back as before`
				if told := strings.Contains(asked.String(), refusal); told != (c.told != "") {
					t.Errorf("the model was told of a refusal: %v\n%s\n%s", told, out, asked.String()[max(0, asked.Len()-4000):])
				}
				if at := strings.Index(asked.String(), refusal); at >= 0 && !strings.Contains(asked.String()[at:], c.told) {
					t.Errorf("the loss is not named: %s", asked.String()[at:])
				}
			})
		}
	}
}
