package harness_test

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness"
	"agentd/harness/programs"
	"agentd/models"
	"agentd/policies"
	"agentd/policies/agentic"
	"agentd/policies/direct"
	"agentd/policies/prompt"
	"agentd/results"
	"agentd/sandbox"
	"agentd/sandbox/bwrap"
	"agentd/vfs"
)

// scripted is a relay of the published program on scripted answers: what the model
// answered, what the program carried on, and how it scored that.
type scripted struct {
	ID          string `json:"id"`
	Mode        string `json:"mode"`
	Environment string `json:"environment"`
	File        string `json:"environment_file"`
	Edits       []string
	Steps       []scriptedStep
	protocol    policies.Protocol // Published if empty
}

type scriptedStep struct {
	Number     int
	Behaviour  string
	Responses  []scriptedResponse
	Output     map[string]scriptedFile `json:"output_files"`
	Score      *float64                `json:"score"`
	ScoresSeen []float64               `json:"scores_seen"`
	Error      *string                 `json:"error"`
	Turns      *int                    `json:"num_turns"`
	Operations []string                `json:"operation_sequence"`
	FilesRead  []string                `json:"files_read"`
	Finished   *bool                   `json:"finished_cleanly"`
	Aborted    json.RawMessage         `json:"aborted"`
}

type scriptedResponse struct {
	Content   *string         `json:"content"`
	ToolCalls []scriptedCall  `json:"tool_calls"`
	Usage     json.RawMessage `json:"usage"`
	UsageMode string          `json:"usage_mode"`
	Error     string          `json:"error"`
}

type scriptedCall struct {
	ID        string `json:"id"`
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// scriptedFile is the content of a file, or where the same content stands.
type scriptedFile struct{ text, sameAs string }

func (f *scriptedFile) UnmarshalJSON(raw []byte) error {
	if json.Unmarshal(raw, &f.text) == nil {
		return nil
	}
	var same struct {
		As string `json:"same_as"`
	}
	err := json.Unmarshal(raw, &same)
	f.sameAs = same.As
	return err
}

// files returns what the step carried on.
func (s *scriptedStep) files(seed, previous vfs.Files) vfs.Files {
	files := vfs.Files{}
	for name, f := range s.Output {
		switch f.sameAs {
		case "seed":
			files[name] = seed[name]
		case "previous":
			files[name] = previous[name]
		default:
			files[name] = f.text
		}
	}
	return files
}

func readScripted(t *testing.T, file string) []scripted {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var in io.Reader = f
	if strings.HasSuffix(file, ".gz") {
		if in, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	var relays []scripted
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var r scripted
			if err := json.Unmarshal(line, &r); err != nil {
				t.Fatal(err)
			}
			relays = append(relays, r)
		}
		if errors.Is(err, io.EOF) {
			return relays
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// server answers with the responses of the step that is at hand.
type server struct {
	mu    sync.Mutex
	relay *scripted
	step  int      // index
	next  int      // response of it
	extra int      // requests beyond the responses
	asked []string // first request of each step
}

func (s *server) advance() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.step++
	s.next = 0
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if request, err := io.ReadAll(r.Body); err == nil && len(s.asked) == s.step {
		s.asked = append(s.asked, string(request))
	}
	responses := s.relay.Steps[s.step].Responses
	if s.next >= len(responses) {
		s.extra++
		http.Error(w, "there is no further answer", http.StatusTeapot)
		return
	}
	answer := responses[s.next]
	s.next++
	if status := 0; answer.Error != "" {
		_, _ = fmt.Sscanf(answer.Error, "scripted %d", &status)
		http.Error(w, answer.Error, status)
		return
	}
	message := map[string]any{"role": "assistant", "content": answer.Content}
	if len(answer.ToolCalls) > 0 {
		calls := make([]any, len(answer.ToolCalls))
		for i, c := range answer.ToolCalls {
			calls[i] = map[string]any{"id": c.ID, "type": "function", "function": map[string]string{"name": c.Name, "arguments": c.Arguments}}
		}
		message["tool_calls"] = calls
	}
	body := map[string]any{"choices": []any{map[string]any{"message": message, "finish_reason": "stop"}}}
	if answer.UsageMode != "absent" && len(answer.Usage) > 0 {
		body["usage"] = answer.Usage
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(body)
}

// TestPublishedRelays runs relays of the published program again, with the answers that
// its model gave, through a server and our own client.
func TestPublishedRelays(t *testing.T) {
	t.Parallel()
	golden, released := os.Getenv("AGENTD_GOLDEN"), os.Getenv("AGENTD_RELEASED")
	if golden == "" || released == "" {
		t.Skip("AGENTD_GOLDEN and AGENTD_RELEASED name no folders with relays of the published program and its environments")
	}
	envs := map[string]environments.Environment{}
	for _, file := range []string{"excerpts.jsonl", "extra_envs.jsonl"} {
		all, err := environments.Load(filepath.Join(released, file))
		if err != nil {
			t.Fatal(err)
		}
		for _, env := range all {
			envs[env.Name] = env
		}
	}
	backend, err := bwrap.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = backend.Close() })
	runs := programs.New(backend)
	t.Cleanup(func() { _ = runs.Close() })

	var mu sync.Mutex
	steps, same, logged, sameLog := 0, 0, 0, 0
	t.Run("relays", func(t *testing.T) {
		for _, relay := range readScripted(t, filepath.Join(golden, "relays.jsonl.gz")) {
			t.Run(relay.ID, func(t *testing.T) {
				t.Parallel()
				env := envs[relay.Environment]
				stored, _ := rerun(t, &relay, env, backend, runs)
				mu.Lock()
				defer mu.Unlock()
				previous := env.Seed
				for i := range relay.Steps {
					step := &relay.Steps[i]
					if len(step.Aborted) > 0 {
						break
					}
					steps++
					want := step.files(env.Seed, previous)
					if i >= len(stored) {
						t.Logf("step %d (%s) was not reached", step.Number, step.Behaviour)
						continue
					}
					if why := differs(step, want, &stored[i]); why != "" {
						t.Logf("step %d (%s): %s", step.Number, step.Behaviour, why)
					} else {
						same++
					}
					if step.Turns != nil {
						logged++
						if why := logDiffers(step, &stored[i]); why != "" {
							t.Logf("step %d (%s), log: %s", step.Number, step.Behaviour, why)
						} else {
							sameLog++
						}
					}
					previous = want
				}
			})
		}
	})
	t.Logf("%d of %d steps carry the same files on and have the same score: %.2f %%", same, steps, 100*float64(same)/float64(steps))
	t.Logf("%d of %d logs are the same", sameLog, logged)
	if float64(same) < 0.99*float64(steps) {
		t.Errorf("only %d of %d steps are as published", same, steps)
	}
}

// rerun carries a scripted relay out and returns its interactions, and the first request
// of each.
func rerun(t *testing.T, relay *scripted, env environments.Environment, backend sandbox.Backend, runs *programs.Programs) (stored []results.Interaction, asked []string) {
	t.Helper()
	answers := &server{relay: relay}
	web := httptest.NewServer(answers)
	defer web.Close()
	model, err := models.Open(models.Spec{Name: "scripted", BaseURL: web.URL, Backoff: time.Millisecond}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer models.Close(model)
	source, err := prompt.NewSource("")
	if err != nil {
		t.Fatal(err)
	}
	var policy policies.Policy
	protocol := cmp.Or(relay.protocol, policies.Published)
	if relay.Mode == "direct" {
		policy, err = direct.New(model, "", nil, protocol, source)
	} else {
		loop := agentic.Loop{Model: model, Limits: policies.DefaultLimits(), Terms: agentic.PublishedTerms(true)}
		policy, err = agentic.New(agentic.Published(), loop, source)
	}
	if err != nil {
		t.Fatal(err)
	}
	x := &harness.Experiment{
		Name: relay.ID, Environments: []environments.Environment{env}, Domain: catalog.Running(runs),
		Arms:     []harness.Arm{{Model: "scripted", Policy: policy}},
		Protocol: protocol, OnFault: harness.GoOn,
		RoundTrips: len(relay.Edits), Repeats: 1, Schedule: harness.Listed, ScheduleEdits: relay.Edits, Seed: 1,
		Distractors: true, Sandbox: backend, Limits: sandbox.DefaultLimits(),
	}
	store, err := results.Open(filepath.Join(t.TempDir(), "relay.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	_, planned, err := x.Begin(t.Context(), store, nil, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = harness.NewWorker(x).Work(t.Context(), store, planned[0], harness.Hooks{Stored: func(in *results.Interaction) bool {
		answers.advance()
		return in.Number < len(relay.Steps)
	}})
	if err != nil {
		t.Fatal(err)
	}
	if answers.extra > 0 {
		t.Logf("%d requests had no answer", answers.extra)
	}
	stored, err = store.Interactions(t.Context(), planned[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	return stored, answers.asked
}

// differs says in what an interaction differs from a step of the published program.
func differs(step *scriptedStep, want vfs.Files, in *results.Interaction) string {
	if !want.Equal(in.Output) {
		for _, name := range want.Names() {
			if got, there := in.Output[name]; !there {
				return fmt.Sprintf("files %q, want %q", in.Output.Names(), want.Names())
			} else if got != want[name] {
				return fmt.Sprintf("%q has %d bytes, want %d", name, len(got), len(want[name]))
			}
		}
		return fmt.Sprintf("files %q, want %q", in.Output.Names(), want.Names())
	}
	got := in.ForwardRS
	if in.Score != nil {
		got = &in.Score.RS
	}
	if (got == nil) != (step.Score == nil) {
		return fmt.Sprintf("score %v, want %v (%v)", shown(got), shown(step.Score), in.Unscored)
	}
	const tolerance = 0.005
	near := func(want float64) bool { return math.Abs(*got-want) <= tolerance }
	if got != nil && !near(*step.Score) && !slices.ContainsFunc(step.ScoresSeen, near) {
		return fmt.Sprintf("score %v, want %v", *got, *step.Score)
	}
	return ""
}

func shown(score *float64) string {
	if score == nil {
		return "none"
	}
	return fmt.Sprint(*score)
}

// logDiffers says in what the trace differs from the published log.
func logDiffers(step *scriptedStep, in *results.Interaction) string {
	var calls, reads []string
	for _, c := range in.ToolCalls {
		calls = append(calls, c.Tool)
	}
	for _, r := range in.Reads {
		if r.Tool == "read_file" {
			reads = append(reads, r.File)
		}
	}
	finished := in.Ending == string(policies.Finished) || in.Ending == string(policies.Stopped)
	switch {
	case len(in.Turns) != *step.Turns:
		return fmt.Sprintf("%d turns, want %d", len(in.Turns), *step.Turns)
	case !slices.Equal(calls, step.Operations):
		return fmt.Sprintf("calls %v, want %v", calls, step.Operations)
	case !slices.Equal(reads, step.FilesRead):
		return fmt.Sprintf("reads %v, want %v", reads, step.FilesRead)
	case finished != *step.Finished:
		return fmt.Sprintf("ended %s, want finished cleanly: %v", in.Ending, *step.Finished)
	}
	return ""
}
