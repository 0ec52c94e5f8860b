package harness_test

import (
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness"
	"agentd/harness/standin"
	"agentd/models"
	"agentd/models/sim"
	"agentd/policies"
	policycatalog "agentd/policies/catalog"
	"agentd/policies/entry"
	"agentd/policies/exec"
	"agentd/policies/prompt"
	"agentd/results"
	"agentd/sandbox"
	"agentd/sandbox/bwrap"
)

// basePath is where each dialect is served.
func basePath(api models.API) string {
	if api == models.Gemini {
		return "/v1beta"
	}
	return "/v1"
}

// Every dialect in every situation, by every kind of policy: one answer, a loop of
// turns, and a command that speaks chat completions through the proxy. The server holds
// requests to the rules of the makers, so that a turn that does not come back as it was
// sent, or a setting that must not be there, ends the relay.
func TestDialects(t *testing.T) {
	t.Parallel()
	situations := map[string]struct {
		change func(*models.Spec)
		// holds is what must be so of the turns, in addition to the scores.
		holds func(t *testing.T, api models.API, policy string, in *results.Interaction)
	}{
		"plain": {func(*models.Spec) {}, nil},
		"reasoning replayed": {func(s *models.Spec) { s.Reasoning = "high" }, func(t *testing.T, api models.API, policy string, in *results.Interaction) {
			if thought := in.Turns[0].Thought; thought == nil || *thought == "" {
				t.Error("the trace has no reasoning")
			}
			if in.Reasoning == 0 && api != models.Messages { // which does not say
				t.Error("no reasoning was counted")
			}
		}},
		"streamed": {func(s *models.Spec) { s.Stream, s.Reasoning = true, "low" }, func(t *testing.T, _ models.API, _ string, in *results.Interaction) {
			if thought := in.Turns[0].Thought; thought == nil || *thought == "" {
				t.Error("the trace has no reasoning")
			}
		}},
		"cached": {func(*models.Spec) {}, func(t *testing.T, api models.API, policy string, in *results.Interaction) {
			if policy == "direct" { // asked once
				if in.CacheWrite != 0 {
					t.Error("a request that is not repeated was written to the cache")
				}
				return
			}
			if in.Cached == 0 || in.Cached >= in.Prompt {
				t.Errorf("%d of %d tokens were cached", in.Cached, in.Prompt)
			}
			if api == models.Messages && in.CacheWrite == 0 {
				t.Error("nothing was written to the cache")
			}
		}},
		"a refused setting": {func(s *models.Spec) { s.Headers = map[string]string{sim.RulesHeader: sim.NoTemperature} }, func(t *testing.T, _ models.API, _ string, in *results.Interaction) {
			for i, turn := range in.Turns {
				if turn.Without != "temperature" || turn.Retries != 0 {
					t.Errorf("turn %d went without %q, after %d retries", i+1, turn.Without, turn.Retries)
				}
			}
		}},
		"429":     {func(s *models.Spec) { s.Headers = map[string]string{sim.FaultsHeader: "0.5 429"} }, nil},
		"cut off": {func(s *models.Spec) { s.Headers = map[string]string{sim.FaultsHeader: "0.5 cut-off"} }, nil},
		"a stream that is cut off": {func(s *models.Spec) {
			s.Stream, s.Headers = true, map[string]string{sim.FaultsHeader: "0.5 cut-off"}
		}, nil},
	}
	backend, err := bwrap.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = backend.Close() })
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	env := envs[0]
	index := standin.NewIndex(envs[:1], catalog.Lookup)
	for _, api := range models.APIs() {
		for name, s := range situations {
			t.Run(string(api)+"/"+name, func(t *testing.T) {
				t.Parallel()
				server := httptest.NewServer(sim.Handler(index, sim.Options{Seed: 1})) // its caches are empty
				t.Cleanup(server.Close)
				spec := models.Spec{Name: "sim:perfect", API: api, BaseURL: server.URL + basePath(api), Backoff: time.Millisecond, Attempts: 40, StandIn: true}
				s.change(&spec)
				relays := relaysOf(t, spec, backend, env, []policycatalog.Spec{
					{Use: "direct"}, {Use: "agentic"}, {Use: "exec", Options: &exec.Spec{Command: []string{filepath.Join("..", "examples", "python")}}},
				}, policies.Clean, ownPrompts(t))
				retries := 0
				for policy, all := range relays {
					for i := range all {
						in := &all[i]
						if in.Failure != "" || in.Score != nil && in.Score.RS != 1 {
							t.Errorf("%s, %s: %s %s, score %+v", policy, in.Direction, in.Failure, in.Detail, in.Score)
							continue
						}
						for _, turn := range in.Turns {
							retries += turn.Retries
						}
						if s.holds != nil {
							s.holds(t, api, policy, in)
						}
					}
				}
				if faulty := spec.Headers[sim.FaultsHeader] != ""; faulty != (retries > 0) {
					t.Errorf("%d retries", retries)
				}
			})
		}
	}
}

// ownPrompts are the prompts that the policies have.
func ownPrompts(t *testing.T) *prompt.Source {
	t.Helper()
	source, err := prompt.NewSource("")
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// relaysOf runs a round trip of each policy with a model under a protocol, and returns what is
// stored.
func relaysOf(
	t *testing.T, spec models.Spec, backend *bwrap.Backend, env environments.Environment, list []policycatalog.Spec,
	protocol policies.Protocol, source *prompt.Source,
) map[string][]results.Interaction {
	t.Helper()
	model, err := models.Open(spec, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer models.Close(model)
	x := &harness.Experiment{
		Name: "dialects", Environments: []environments.Environment{env}, Domain: catalog.Lookup, Sandbox: backend, Protocol: protocol,
		RoundTrips: 1, Repeats: 1, Schedule: harness.RoundRobin, Seed: 1, FullTrace: true, Limits: sandbox.DefaultLimits(),
	}
	for _, asked := range list {
		chosen, err := policycatalog.Choose(asked)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = chosen.Close() })
		policy, err := chosen.New(entry.Ingredients{Protocol: protocol, Model: model, Served: spec.Model, Limits: policies.DefaultLimits(), Prompts: source})
		if err != nil {
			t.Fatal(err)
		}
		x.Arms = append(x.Arms, harness.Arm{Model: spec.Name, Policy: policy})
	}
	store, err := results.Open(filepath.Join(t.TempDir(), "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	record, relays, err := x.Begin(t.Context(), store, nil, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]results.Interaction{}
	worker := harness.NewWorker(x)
	for _, relay := range relays {
		if _, err := worker.Work(t.Context(), store, relay, harness.Hooks{}); err != nil {
			t.Fatalf("%s: %v", relay.Policy, err)
		}
	}
	stored, err := store.Relays(t.Context(), record.ID)
	if err != nil {
		t.Fatal(err)
	}
	for _, relay := range stored {
		if all[relay.Policy], err = store.Interactions(t.Context(), relay.ID); err != nil {
			t.Fatal(err)
		}
	}
	return all
}
