package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/policies/exec/agents"
)

// counts is what an interaction took.
type counts struct {
	Turns, Calls          int
	Input, Cached, Output int // tokens; those of the input that came from a cache are part of it
	Patches               int // calls that changed files by a patch, if the agent tells
}

// ownCounts are the agents that say themselves what a run took: how their run scripts are
// changed so that they write it into a file, and how that is read.
var ownCounts = map[string]struct {
	changes []string // pairs of a text of the script and what takes its place
	read    func(events []map[string]any) counts
}{
	// codex counts no requests to the model. It has an item for each call, which the
	// stand-in makes one at a time, and for the last answer.
	"codex": {[]string{"/agent/codex exec ", "/agent/codex exec --json ", "1>&2", ">" + ownFile}, func(events []map[string]any) counts {
		var c counts
		for _, e := range events {
			switch kind := text(e, "item", "type"); {
			case e["type"] == "turn.completed":
				c.Input, c.Cached, c.Output = number(e, "usage", "input_tokens"), number(e, "usage", "cached_input_tokens"), number(e, "usage", "output_tokens")
			case e["type"] != "item.completed":
			case kind == "agent_message":
				c.Turns++
			case kind == "file_change": // an apply_patch in its shell
				c.Patches++
				fallthrough
			case kind == "command_execution":
				c.Turns, c.Calls = c.Turns+1, c.Calls+1
			}
		}
		return c
	}},
	"claude-code": {[]string{"/agent/claude -p ", "/agent/claude -p --output-format stream-json --verbose ", "1>&2", ">" + ownFile}, func(events []map[string]any) counts {
		var c counts
		for _, e := range events {
			switch e["type"] {
			case "assistant":
				for _, part := range e["message"].(map[string]any)["content"].([]any) {
					if part.(map[string]any)["type"] == "tool_use" {
						c.Calls++
					}
				}
			case "result":
				c.Turns, c.Cached, c.Output = number(e, "num_turns"), number(e, "usage", "cache_read_input_tokens"), number(e, "usage", "output_tokens")
				c.Input = number(e, "usage", "input_tokens") + c.Cached + number(e, "usage", "cache_creation_input_tokens")
			}
		}
		return c
	}},
	"opencode": {[]string{"opencode run ", "opencode run --format json ", "1>&2", ">" + ownFile}, func(events []map[string]any) counts {
		var c counts
		for _, e := range events {
			switch e["type"] {
			case "tool_use":
				c.Calls++
			case "step_finish":
				cached := number(e, "part", "tokens", "cache", "read")
				c.Turns++
				c.Cached += cached
				c.Input += number(e, "part", "tokens", "input") + cached + number(e, "part", "tokens", "cache", "write")
				c.Output += number(e, "part", "tokens", "output") + number(e, "part", "tokens", "reasoning")
			}
		}
		return c
	}},
}

// ownFile is where an agent writes its events, among the documents.
const ownFile = "agent.jsonl"

// member is what a path of names leads to; nil if there is nothing.
func member(event map[string]any, path ...string) any {
	var value any = event
	for _, name := range path {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value
}

func text(event map[string]any, path ...string) string {
	s, _ := member(event, path...).(string)
	return s
}

func number(event map[string]any, path ...string) int {
	n, _ := member(event, path...).(float64)
	return int(n)
}

// Turns, calls and tokens of a trace are those that the agent itself reports.
func TestAgentsCountTheSame(t *testing.T) {
	t.Parallel()
	for _, p := range wantedAgents(t) {
		own, ok := ownCounts[p.Name]
		if !ok {
			continue
		}
		t.Run(p.Name, func(t *testing.T) {
			ready(t, p)
			home, preset := changed(t, p, own.changes)
			db := filepath.Join(t.TempDir(), "x.db")
			run(t, nil, home, agentd, "run", "--db", db, "--model", "sim:perfect", "--policy", "agent:"+preset, "--env", "accounting1", "--round-trips", "1")
			out, _ := run(t, nil, nil, agentd, "export", "--db", db, "--contents")
			interactions := 0
			for line := range strings.Lines(out) {
				var r struct {
					Turns     int               `json:"turn_count"`
					Calls     int               `json:"call_count"`
					Patches   int               `json:"patches_that_changed_files"`
					Input     int               `json:"gen_ai.usage.input_tokens"`
					Cached    int               `json:"gen_ai.usage.cache_read.input_tokens"`
					Output    int               `json:"gen_ai.usage.output_tokens"`
					Documents map[string]string `json:"documents"`
				}
				if err := json.Unmarshal([]byte(line), &r); err != nil {
					t.Fatal(err)
				}
				interactions++
				ours, theirs := counts{r.Turns, r.Calls, r.Input, r.Cached, r.Output, r.Patches}, own.read(events(t, r.Documents[ownFile]))
				if p.Name != "codex" {
					ours.Patches = 0
				}
				if diff := cmp.Diff(theirs, ours); diff != "" || ours.Calls == 0 || ours.Cached == 0 {
					t.Errorf("interaction %d: the agent counts %+v, the trace %+v", interactions, theirs, ours)
				}
			}
			if interactions != 2 {
				t.Errorf("%d interactions", interactions)
			}
		})
	}
}

// changed installs an agent with a changed run script into a cache of its own, from what is
// installed. It returns the environment with that cache, and the preset.
func changed(t *testing.T, p agents.Preset, changes []string) (environment []string, preset string) {
	t.Helper()
	cache := t.TempDir()
	store, err := agents.UserStore()
	if err != nil {
		t.Fatal(err)
	}
	folder := p.Name + "@" + p.Version
	if err := os.MkdirAll(filepath.Join(cache, "agentd", "agents"), 0o755); err != nil {
		t.Fatal(err)
	}
	run(t, nil, nil, "cp", "-a", filepath.Join(store.Dir, folder), filepath.Join(cache, "agentd", "agents", folder))
	preset, script := filepath.Join(t.TempDir(), p.Name+".yaml"), p.Text()
	for i := 0; i < len(changes); i += 2 {
		if !strings.Contains(script, changes[i]) {
			t.Fatalf("the preset has no %q", changes[i])
		}
		script = strings.ReplaceAll(script, changes[i], changes[i+1])
	}
	if err := os.WriteFile(preset, []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	environment = []string{"XDG_CACHE_HOME=" + cache}
	run(t, nil, environment, agentd, "agents", "install", "--quiet", preset)
	return environment, preset
}

// events reads JSON lines.
func events(t *testing.T, lines string) []map[string]any {
	t.Helper()
	var all []map[string]any
	for line := range strings.Lines(lines) {
		var e map[string]any
		if err := json.Unmarshal([]byte(line), &e); err != nil {
			t.Fatalf("%v in %.200s", err, line)
		}
		all = append(all, e)
	}
	return all
}
