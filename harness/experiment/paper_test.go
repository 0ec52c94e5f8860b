package experiment

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/harness"
	"agentd/policies/catalog"
	"agentd/policies/exec/agents"
)

// The leaderboard of harnesses has every agent that there is a preset for.
func TestTheLeaderboardOfHarnessesHasEveryAgent(t *testing.T) {
	t.Parallel()
	s := Default()
	if err := s.Read("../../environments/experiments/harnesses.yaml"); err != nil {
		t.Fatal(err)
	}
	presets, err := agents.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range presets {
		if !slices.ContainsFunc(s.Policies, func(spec catalog.Spec) bool { return spec.Title() == "agent:"+p.Name }) {
			t.Errorf("%s is missing", p.Name)
		}
	}
}

// The models are those of the paper's runs, and so is what each table varies.
func TestThePapersExperimentsAreThePapers(t *testing.T) {
	t.Parallel()
	four := []string{"gpt-4.1-2025-04-14", "gpt-5.1-2025-11-13", "gpt-5.2-2025-12-11", "gpt-5.4-2026-03-05"}
	all := slices.Concat(four, []string{
		"claude-opus-4-6", "claude-sonnet-4-6", "gemini-3-flash-preview", "gemini-3.1-pro-preview", "gpt-4o-2024-11-20",
		"gpt-5-2025-08-07", "gpt-5-chat-2025-10-03", "gpt-5-mini-2025-08-07", "gpt-5-nano-2025-08-07", "gpt-oss-120b", "grok-4",
		"Mistral-Large-3", "moonshotai/Kimi-K2.5", "o1-2024-12-17", "o3-2025-04-16",
	})
	slices.Sort(all)
	direct, both := []string{"direct"}, []string{"direct", "agentic"}
	for name, want := range map[string]struct {
		models, policies []string
		roundTrips       int
		schedule         harness.ScheduleKind
		distractors      bool
		perDomain        int
		repeats          int
	}{
		"main-relay":         {all, direct, 10, harness.RoundRobin, true, 0, 1},
		"tools":              {four, both, 10, harness.RoundRobin, true, 0, 1},
		"document-size":      {[]string{"gpt-5.4-2026-03-05"}, direct, 10, harness.RoundRobin, false, 0, 1},
		"length-100":         {four, direct, 50, harness.RoundRobin, true, 0, 1},
		"no-distractors":     {four, direct, 10, harness.RoundRobin, false, 0, 1},
		"single-edit":        {four, direct, 10, harness.EveryEdit, true, 1, 1},
		"single-round-trips": {[]string{"gpt-5-mini-2025-08-07", "gpt-5.2-2025-12-11"}, direct, 1, harness.SingleRoundTrips, true, 0, 5},
	} {
		for _, file := range []string{name, name + "-forward"} {
			s := Default()
			if err := s.Read(filepath.Join("../../environments/experiments", file+".yaml")); err != nil {
				t.Fatal(err)
			}
			var models, policies []string
			for _, m := range s.Models {
				models = append(models, m.Name)
			}
			slices.Sort(models)
			for _, p := range s.Policies {
				policies = append(policies, p.Use)
			}
			if diff := cmp.Diff(want.models, models); diff != "" {
				t.Errorf("%s, models: %s", file, diff)
			}
			if diff := cmp.Diff(want.policies, policies); diff != "" {
				t.Errorf("%s, policies: %s", file, diff)
			}
			if r := s.Relay; r.Length() != want.roundTrips || r.Schedule.Kind != want.schedule || r.Distractors != want.distractors || r.Repeats != want.repeats {
				t.Errorf("%s: %+v", file, r)
			}
			if file == name && s.Environments.PerDomain != want.perDomain {
				t.Errorf("%s: %d environments a domain, want %d", file, s.Environments.PerDomain, want.perDomain)
			}
		}
	}
}
