package report

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/results"
)

// another begins a further experiment in the same store.
func (s *stored) another(name string, m results.Manifest) *stored {
	s.t.Helper()
	e, err := s.Begin(s.t.Context(), name, m, nil, false)
	if err != nil {
		s.t.Fatal(err)
	}
	return &stored{s.t, s.Store, e}
}

// talked plans a relay whose round trips have these scores, each interaction with so many
// tokens, at 0.5 USD.
func (s *stored) talked(environment string, repeat, tokens int, values ...float64) {
	s.t.Helper()
	var steps []results.Interaction
	for _, value := range values {
		steps = append(steps, forward(used(tokens-1, 1, 1, 0.5), 1), backward(used(tokens-1, 1, 1, 0.5), value, value/2))
	}
	s.relay(results.Relay{Model: "m", Policy: "agentic", Environment: environment, Repeat: repeat, Schedule: make([]string, len(values))}, steps...)
}

// After 4 interactions, the last that both relays of a pair have scores of:
//
//	books1, repeat 1: 0.6 − 0.9 = −0.3; books1, repeat 2: 0.8 − 0.9 = −0.1; books2: 0.5 − 0.4 = 0.1
//	RS: means over relays 1.9/3 and 2.2/3; the difference −0.1
//	tokens of an interaction: 30 against 10
//
// books3 is in one experiment only.
func TestConversationsArePairedByRelay(t *testing.T) {
	t.Parallel()
	manifest := func(change func(*results.Manifest)) results.Manifest {
		m := results.Manifest{Models: []results.Model{{Name: "m"}}, Limits: json.RawMessage(`{"max_turns":25}`), RoundTrips: 2}
		change(&m)
		return m
	}
	fresh := newStored(t, manifest(func(*results.Manifest) {}))
	carried := fresh.another("carried", manifest(func(m *results.Manifest) {
		m.Conversation, m.Limits = "carried", json.RawMessage(`{"max_turns":25,"context_tokens":9}`)
		m.Prompts = map[string]string{"agentic/next.md": "x"}
	}))
	longer := fresh.another("longer", manifest(func(m *results.Manifest) { m.RoundTrips = 3 }))
	for _, s := range []*stored{fresh, longer} {
		s.talked("books1", 1, 10, 1, 0.9)
		s.talked("books1", 2, 10, 1, 0.9)
		s.talked("books2", 1, 10, 1, 0.4)
	}
	carried.talked("books1", 1, 30, 1, 0.6, 0)
	carried.talked("books1", 2, 30, 1, 0.8, 0)
	carried.talked("books2", 1, 30, 1, 0.5)
	carried.talked("books3", 1, 30, 1, 0.5)
	r := carried.build()
	want := []ConversationComparison{{
		Model: "m", Policy: "agentic", Baseline: "fresh", At: 4, Pairs: 3,
		RS: of(1.9/3, 3), BaselineRS: of(2.2/3, 3), RSDifference: of(-0.1, 3), StrictDifference: of(-0.05, 3), RSP: 1, StrictP: 1,
		Tokens: of(30, 12), BaselineTokens: of(10, 12), Cost: of(0.5, 12), BaselineCost: of(0.5, 12), TokensP: 0.5,
	}}
	if diff := cmp.Diff(want, r.Conversations, estimates...); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	tables := r.conversations()
	if len(tables[0].Rows) != 1 || *tables[1].Rows[0].Cells[3].Value != 3 {
		t.Errorf("%+v", tables)
	}
	if plain := fresh.build(); len(plain.Conversations) > 0 {
		t.Errorf("an ordinary experiment is compared: %+v", plain.Conversations)
	}
}

func TestHowTheUserSpeaks(t *testing.T) {
	t.Parallel()
	for want, m := range map[string]results.Manifest{
		"fresh":                        {},
		"carried":                      {Conversation: "carried"},
		"fresh, in parts, 1 revision":  {Turns: "parts", Revisions: 1},
		"carried, 2 revisions, cut it": {Conversation: "carried", Revisions: 2, Compact: "cut it"},
	} {
		if got := Speaking(m); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
