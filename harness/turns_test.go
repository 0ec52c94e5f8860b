package harness_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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
	"agentd/policies/prompt"
	"agentd/results"
	"agentd/sandbox"
	"agentd/sandbox/bwrap"
)

// talk is an experiment on one environment with conversations that go on.
type talk struct {
	env      environments.Environment
	api      models.API
	protocol policies.Protocol
	turns    harness.Turns
	dialogue policies.Dialogue
	policies []string
	headers  map[string]string
	trips    int
}

// open makes the experiment, with the stand-in that makes no mistakes.
func (k talk) open(t *testing.T) (*harness.Experiment, *results.Store, []results.Relay) {
	t.Helper()
	if !k.turns.Parts {
		k.env = environments.WithoutParts([]environments.Environment{k.env})[0]
	}
	server := httptest.NewServer(sim.Handler(standin.NewIndex([]environments.Environment{k.env}, catalog.Lookup), sim.Options{Seed: 1}))
	t.Cleanup(server.Close)
	if k.api == "" {
		k.api = models.Chat
	}
	model, err := models.Open(models.Spec{
		Name: "sim:perfect", API: k.api, BaseURL: server.URL + basePath(k.api), StandIn: true, Headers: k.headers, Backoff: time.Millisecond, Reasoning: "low",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { models.Close(model) })
	backend, err := bwrap.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = backend.Close() })
	k.dialogue.Continues = k.turns.Continue()
	x := &harness.Experiment{
		Name: "talk", Environments: []environments.Environment{k.env}, Domain: catalog.Lookup, Sandbox: backend, Protocol: k.protocol,
		RoundTrips: k.trips, Repeats: 1, Schedule: harness.RoundRobin, Seed: 1, FullTrace: true, Limits: sandbox.DefaultLimits(),
		Turns: k.turns, Distractors: true,
	}
	source := prompt.NewReplaced(nil)
	for _, name := range k.policies {
		spec, err := policycatalog.Parse(name)
		if err != nil {
			t.Fatal(err)
		}
		chosen, err := policycatalog.Choose(spec)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = chosen.Close() })
		policy, err := chosen.New(entry.Ingredients{Protocol: k.protocol, Model: model, Limits: policies.DefaultLimits(), Prompts: source, Dialogue: k.dialogue})
		if err != nil {
			t.Fatal(err)
		}
		x.Arms = append(x.Arms, harness.Arm{Model: "sim:perfect", Policy: policy})
	}
	store, err := results.Open(filepath.Join(t.TempDir(), "results.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	_, relays, err := x.Begin(t.Context(), store, nil, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	return x, store, relays
}

// run carries the experiment out and returns the interactions of each policy.
func (k talk) run(t *testing.T) map[string][]results.Interaction {
	t.Helper()
	x, store, relays := k.open(t)
	worker, all := harness.NewWorker(x), map[string][]results.Interaction{}
	for _, relay := range relays {
		if _, err := worker.Work(t.Context(), store, relay, harness.Hooks{}); err != nil {
			t.Fatalf("%s: %v", relay.Policy, err)
		}
		var err error
		if all[relay.Policy], err = store.Interactions(t.Context(), relay.ID); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// exact fails the test unless every round trip scores 1.
func exact(t *testing.T, all map[string][]results.Interaction) {
	t.Helper()
	for policy, interactions := range all {
		for i := range interactions {
			in := &interactions[i]
			switch {
			case in.Failure != "":
				t.Errorf("%s, interaction %d: %s: %s", policy, in.Number, in.Failure, in.Detail)
			case in.Direction == results.Backward && (in.Score == nil || in.Score.RS != 1 || in.Score.Strict != 1):
				t.Errorf("%s, interaction %d: score %+v", policy, in.Number, in.Score)
			case in.Forward != nil && *in.Forward != 1:
				t.Errorf("%s, interaction %d: forward %v", policy, in.Number, *in.Forward)
			}
		}
	}
}

// inParts is a built-in environment whose instructions come in two parts.
func inParts(t *testing.T) environments.Environment {
	t.Helper()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	env := envs[0]
	env.Edits = slices.Clone(env.Edits)
	for i := range env.Edits {
		env.Edits[i].Parts = environments.Parts{Forward: halved(env.Edits[i].Forward), Backward: halved(env.Edits[i].Backward)}
	}
	return env
}

func halved(text string) []string {
	at := strings.LastIndex(strings.TrimRight(text, ". \n"), " ")
	return []string{text[:at], text[at:]}
}

// What a stand-in does exactly it does exactly in any form of conversation, in every
// dialect and under both protocols.
func TestConversationsThatGoOn(t *testing.T) {
	t.Parallel()
	forms := map[string]harness.Turns{
		"carried":               {Carried: true},
		"parts":                 {Parts: true},
		"revisions":             {Revisions: 2},
		"carried and all of it": {Carried: true, Parts: true, Revisions: 1},
	}
	for name, turns := range forms {
		for _, api := range models.APIs() {
			if api == "images" {
				continue
			}
			for _, protocol := range policies.Protocols() {
				t.Run(name+"/"+string(api)+"/"+string(protocol), func(t *testing.T) {
					t.Parallel()
					all := talk{
						env: inParts(t), api: api, protocol: protocol, turns: turns, trips: 2,
						policies: []string{"agentic", "direct", "editor", "programmatic", "verify(direct)", "oracle"},
					}.run(t)
					exact(t, all)
					said := 1
					if turns.Parts {
						said = 2
					}
					for policy, interactions := range all {
						for _, in := range interactions {
							want := said
							if in.Direction == results.Forward {
								want += 2 * turns.Revisions
							}
							if (turns.Parts || turns.Revisions > 0) && len(in.UserTurns) != want {
								t.Errorf("%s, interaction %d: %d user turns, want %d", policy, in.Number, len(in.UserTurns), want)
							}
							if last := in.Turns; len(last) > 0 && last[len(last)-1].UserTurn != want {
								t.Errorf("%s, interaction %d: its last turn is of user turn %d, want %d", policy, in.Number, last[len(last)-1].UserTurn, want)
							}
						}
					}
					if alone := all["direct"][0].Prompt; turns.Carried && all["direct"][3].Prompt <= alone {
						t.Errorf("the fourth request has %d tokens, the first %d: nothing was carried", all["direct"][3].Prompt, alone)
					}
				})
			}
		}
	}
}

// A carried relay that is interrupted after each interaction asks the same requests as one
// that is not.
func TestACarriedRelayGoesOnAfterAnInterruption(t *testing.T) {
	t.Parallel()
	k := talk{env: inParts(t), protocol: policies.Published, turns: harness.Turns{Carried: true}, trips: 3, policies: []string{"agentic", "direct"}}
	whole := k.run(t)
	exact(t, whole)
	x, store, relays := k.open(t)
	for _, relay := range relays {
		for ended, times := false, 0; !ended; times++ {
			if times > 6 {
				t.Fatal("the relay does not end")
			}
			var err error
			// A new worker knows what is stored and nothing else.
			ended, err = harness.NewWorker(x).Work(t.Context(), store, relay, harness.Hooks{Stored: func(*results.Interaction) bool { return false }})
			if err != nil && !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		again, err := store.Interactions(t.Context(), relay.ID)
		if err != nil {
			t.Fatal(err)
		}
		for i, in := range again {
			first := whole[relay.Policy][i]
			if in.Prompt != first.Prompt || in.Completion != first.Completion || len(in.Turns) != len(first.Turns) {
				t.Errorf("%s, interaction %d: %d + %d tokens in %d turns, without interruptions %d + %d in %d",
					relay.Policy, in.Number, in.Prompt, in.Completion, len(in.Turns), first.Prompt, first.Completion, len(first.Turns))
			}
		}
	}
}

// A conversation that becomes longer than its model takes ends or is made shorter, as the
// experiment says.
func TestAConversationMeetsTheWindow(t *testing.T) {
	t.Parallel()
	for _, policy := range []string{"agentic", "direct"} {
		carried := harness.Turns{Carried: true}
		window := 0 // less than the longest request of a carried relay, and more than that of a fresh one
		for turns, weight := range map[harness.Turns]int{{}: 1, carried: 3} {
			longest := 0
			for _, in := range (talk{env: inParts(t), protocol: policies.Clean, turns: turns, trips: 2, policies: []string{policy}}).run(t)[policy] {
				for _, turn := range in.Turns {
					longest = max(longest, turn.Prompt)
				}
			}
			window += weight * longest / 4
		}
		for _, limit := range []string{"of the server", "of the experiment"} {
			for _, compact := range policies.Compacts() {
				t.Run(policy+"/"+limit+"/"+string(compact), func(t *testing.T) {
					t.Parallel()
					k := talk{
						env: inParts(t), protocol: policies.Clean, turns: carried, trips: 2, policies: []string{policy},
						dialogue: policies.Dialogue{Compact: compact},
					}
					if limit == "of the server" {
						k.headers = map[string]string{sim.WindowHeader: strconv.Itoa(window)}
					} else {
						k.dialogue.ContextTokens = window
					}
					all := k.run(t)[policy]
					if compact == policies.NoCompact {
						if last := all[3]; policies.Reason(last.Failure) != policies.ContextBudget {
							t.Errorf("the last interaction ended with %q %s, want %q", last.Failure, last.Detail, policies.ContextBudget)
						}
						return
					}
					exact(t, map[string][]results.Interaction{policy: all})
					shortened := 0
					for _, in := range all {
						for _, turn := range in.Turns {
							if turn.Compacted != "" {
								shortened++
							}
							if turn.Prompt > window {
								t.Errorf("a request of %d tokens, %d are the most", turn.Prompt, window)
							}
						}
					}
					if shortened == 0 {
						t.Error("no turn says that the conversation was made shorter")
					}
				})
			}
		}
	}
}
