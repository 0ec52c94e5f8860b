package harness_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"agentd/environments"
	"agentd/harness/programs"
	"agentd/internal/yamlsafe"
	"agentd/policies"
	"agentd/results"
	"agentd/sandbox/bwrap"
	"agentd/vfs"
)

// written is a relay of testdata/relays.yaml.
type written struct {
	Name, Mode, Environment string
	Protocol                policies.Protocol
	Edits                   []string
	Steps                   []writtenStep
}

type writtenStep struct {
	Answers []struct {
		Content *string
		Calls   []map[string]any // name of a tool: arguments, as they are or as a text
		Usage   map[string]int
		Error   string
	}
	Files             map[string]string
	Score             *float64
	Executed          *bool
	Unreadable        *bool
	Turns             *int
	Failure, Unscored string
	Problem           string
	Ending            string
	Reads             []string
	Sees, Lacks       []string
}

// scripted is the step as the server and the comparison take it.
func (w *writtenStep) scripted(t *testing.T, text func(string) string) scriptedStep {
	t.Helper()
	step := scriptedStep{Score: w.Score, Output: map[string]scriptedFile{}}
	for name, content := range w.Files {
		step.Output[name] = scriptedFile{text: text(content)}
	}
	for _, a := range w.Answers {
		r := scriptedResponse{Error: a.Error}
		if a.Content != nil {
			r.Content = new(text(*a.Content))
		}
		if a.Usage != nil {
			r.Usage, _ = json.Marshal(a.Usage) // numbers
		}
		for k, call := range a.Calls {
			for name, arguments := range call {
				given, ok := arguments.(string)
				if !ok {
					raw, err := json.Marshal(arguments)
					if err != nil {
						t.Fatal(err)
					}
					given = string(raw)
				}
				given = strings.ReplaceAll(given, `"SEED"`, quoted(text("SEED")))
				r.ToolCalls = append(r.ToolCalls, scriptedCall{ID: fmt.Sprint("call", k), Name: name, Arguments: given})
			}
		}
		step.Responses = append(step.Responses, r)
	}
	return step
}

// quoted is a text as a string of JSON.
func quoted(text string) string {
	raw, _ := json.Marshal(text) // a text always can
	return string(raw)
}

// differs says in what an interaction differs from what the step asks for beyond files and
// score.
func (w *writtenStep) differs(in *results.Interaction, asked string) []string {
	var all []string
	want := func(what string, want, got any) {
		if want != got {
			all = append(all, fmt.Sprintf("%s: %v, want %v", what, got, want))
		}
	}
	want("failure", w.Failure, in.Failure)
	if w.Unscored != "" {
		want("unscored", w.Unscored, string(in.Unscored))
	}
	if w.Problem != "" {
		want("problem", w.Problem, problemOf(in))
	}
	if w.Executed != nil {
		want("executed", *w.Executed, in.Executed != nil && *in.Executed)
	}
	if w.Unreadable != nil {
		want("unreadable", *w.Unreadable, in.Score == nil || in.Score.Unreadable)
	}
	if w.Turns != nil {
		want("turns", *w.Turns, len(in.Turns))
	}
	if w.Ending != "" {
		want("ending", w.Ending, in.Ending)
	}
	if w.Reads != nil {
		var reads []string
		for _, r := range in.Reads {
			reads = append(reads, r.File)
		}
		want("reads", fmt.Sprint(w.Reads), fmt.Sprint(reads))
	}
	return all
}

func problemOf(in *results.Interaction) string {
	if in.Score == nil {
		return ""
	}
	return in.Score.Problem
}

// TestThePublishedProtocol runs relays that were written by its rules, on environments of
// ours, through a server and our own client.
func TestThePublishedProtocol(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("testdata", "relays.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var relays []written
	if err := yamlsafe.Unmarshal(raw, &relays); err != nil {
		t.Fatal(err)
	}
	all, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	backend, err := bwrap.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = backend.Close() })
	runs := programs.New(backend)
	t.Cleanup(func() { _ = runs.Close() })
	for _, w := range relays {
		t.Run(w.Name, func(t *testing.T) {
			t.Parallel()
			at := slices.IndexFunc(all, func(e environments.Environment) bool { return e.Name == w.Environment })
			env := all[at]
			seed := slices.Collect(maps.Values(env.Seed))[0]
			text := func(s string) string { return strings.ReplaceAll(s, "SEED", seed) }
			relay := scripted{ID: w.Name, Mode: w.Mode, Environment: env.Name, Edits: w.Edits, protocol: w.Protocol}
			for i := range w.Steps {
				relay.Steps = append(relay.Steps, w.Steps[i].scripted(t, text))
			}
			stored, asked := rerun(t, &relay, env, backend, runs)
			if len(stored) != len(w.Steps) {
				t.Fatalf("%d interactions, want %d", len(stored), len(w.Steps))
			}
			for i := range w.Steps {
				want := w.Steps[i]
				if why := differs(&relay.Steps[i], relay.Steps[i].files(nil, vfs.Files{}), &stored[i]); why != "" {
					t.Errorf("step %d: %s", i+1, why)
				}
				for _, why := range want.differs(&stored[i], asked[i]) {
					t.Errorf("step %d: %s", i+1, why)
				}
				for _, s := range want.Sees {
					if !strings.Contains(asked[i], inRequest(text(s))) {
						t.Errorf("step %d: the model was not shown %q", i+1, s)
					}
				}
				for _, s := range want.Lacks {
					if strings.Contains(asked[i], inRequest(text(s))) {
						t.Errorf("step %d: the model was shown %q", i+1, s)
					}
				}
			}
		})
	}
}

// inRequest is a text as it stands inside a string of a request.
func inRequest(text string) string { return strings.Trim(quoted(text), `"`) }
