package experiment

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/internal/usage"
	"agentd/policies/catalog"
	"agentd/results"
)

// planned opens an experiment on a built-in environment without running anything.
func planned(t *testing.T, change func(*Spec)) (*Experiment, error) {
	t.Helper()
	spec := Default()
	spec.Models, spec.Policies = []Model{Named("sim:weak")}, []catalog.Spec{{Use: "agentic"}, {Use: "direct"}}
	spec.Environments.Names = []string{"accounting1"}
	change(&spec)
	if err := spec.Check(); err != nil {
		return nil, err
	}
	x, err := Open(t.Context(), spec, Options{PlanOnly: true})
	if err == nil {
		t.Cleanup(func() { _ = x.Close() })
	}
	return x, err
}

// An experiment whose user speaks as the published protocol's has the manifest that it had
// before there was a choice.
func TestOrdinaryManifestsSayNothingOfConversations(t *testing.T) {
	t.Parallel()
	x, err := planned(t, func(*Spec) {})
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(x.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range []string{"conversation", "turns\":\"", "revisions", "compact", "context_tokens", "next.md", "show.md", "summary.md"} {
		if strings.Contains(string(raw), word) {
			t.Errorf("it has %s: %s", word, raw)
		}
	}
	if x.Environments[0].HasParts() {
		t.Error("its environment has parts")
	}
}

func TestConversationsAreInTheManifest(t *testing.T) {
	t.Parallel()
	x, err := planned(t, func(s *Spec) {
		s.Relay.Conversation, s.Relay.Turns, s.Relay.Revisions, s.Relay.Compact = "carried", "parts", 2, "summary-by-model"
		s.Limits.ContextTokens = 9000
	})
	if err != nil {
		t.Fatal(err)
	}
	m := x.Manifest
	if m.Conversation != "carried" || m.Turns != "parts" || m.Revisions != 2 || m.Compact != "summary-by-model" || !strings.Contains(string(m.Limits), "9000") {
		t.Errorf("the manifest: %+v", m)
	}
	for _, name := range []string{"agentic/next.md", "agentic/summary.md", "direct/show.md", "direct/summary.md"} {
		if m.Prompts[name] == "" {
			t.Errorf("it has no prompt %s", name)
		}
	}
	store, err := results.Open(filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	record, _, err := x.Begin(t.Context(), store, nil, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := Stored(t.Context(), store, record)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Open(t.Context(), spec, Options{PlanOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if different := m.Differences(again.Manifest); different != nil {
		t.Errorf("opened from the store it differs in %v", different)
	}
	if diff := cmp.Diff(x.Turns, again.Turns); diff != "" || !x.Turns.Carried || !x.Turns.Parts {
		t.Errorf("%+v %s", x.Turns, diff)
	}
}

func TestConversationsThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*Spec){
		"eternal":                              func(s *Spec) { s.Relay.Conversation = "eternal" },
		"halves":                               func(s *Spec) { s.Relay.Turns = "halves" },
		"squeeze":                              func(s *Spec) { s.Relay.Compact = "squeeze" },
		"revisions: 11 is not a number from 0": func(s *Spec) { s.Relay.Revisions = 11 },
		"context_tokens: -1":                   func(s *Spec) { s.Limits.ContextTokens = -1 },
		"none of the environments has an instruct": func(s *Spec) { s.Relay.Turns, s.Environments.Names = "parts", []string{"weaving1"} },
		"in a conversation of its own":             func(s *Spec) { s.Relay.Conversation, s.Environments.Names = "carried", []string{"image*"} },
		"cannot be asked several times":            func(s *Spec) { s.Relay.Conversation, s.Policies = "carried", []catalog.Spec{mustParse(t, "exec:true")} },
		"verify(exec:true) cannot be asked":        func(s *Spec) { s.Relay.Revisions, s.Policies = 1, []catalog.Spec{mustParse(t, "verify(exec:true)")} },
	} {
		_, err := planned(t, change)
		var wrong usage.Error
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := planned(t, func(s *Spec) { s.Policies = []catalog.Spec{mustParse(t, "exec:true")} }); err != nil {
		t.Errorf("without a conversation that goes on: %v", err)
	}
}

func mustParse(t *testing.T, text string) catalog.Spec {
	t.Helper()
	spec, err := catalog.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return spec
}
