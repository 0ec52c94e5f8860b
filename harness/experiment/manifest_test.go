package experiment

import (
	"path/filepath"
	"testing"

	"agentd/harness"
	"agentd/policies/catalog"
	"agentd/results"
)

// What a store has of an experiment is the experiment: opened from there, it has the
// same manifest.
func TestAManifestIsOpenedAgain(t *testing.T) {
	t.Parallel()
	store, err := results.Open(filepath.Join(t.TempDir(), "x.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	spec := Default()
	most := 5.0
	spec.Name, spec.Limits.USD, spec.Limits.MaxTurns = "twice", &most, 7
	spec.Models = []Model{Named("sim:weak")}
	spec.Judge.Model = &spec.Models[0]
	editor, err := catalog.Parse("verify(editor(max_turns=3))")
	if err != nil {
		t.Fatal(err)
	}
	spec.Policies = []catalog.Spec{editor, {Use: "noop"}}
	spec.Environments.Names = []string{"accounting1", "fiction1"}
	spec.Relay = Relay{Protocol: "clean", OnFault: "go-on", RoundTrips: 2, Repeats: 3, Seed: 9, Schedule: Schedule{Kind: harness.EveryEdit}}
	options := Options{PlanOnly: true}
	begun, err := Open(t.Context(), spec, options)
	if err != nil {
		t.Fatal(err)
	}
	defer begun.Close()
	record, _, err := begun.Begin(t.Context(), store, spec.Limits.USD, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Stored(t.Context(), store, record)
	if err != nil {
		t.Fatal(err)
	}
	if again.Limits.USD == nil || *again.Limits.USD != most {
		t.Errorf("its limit is %v, want %v", again.Limits.USD, most)
	}
	x, err := Open(t.Context(), again, options)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	if different := begun.Manifest.Differences(x.Manifest); different != nil {
		t.Errorf("its manifest differs in %v", different)
	}
	if x.Name != "twice" || len(x.Arms) != len(begun.Arms) {
		t.Errorf("%s has %d arms, want %d", x.Name, len(x.Arms), len(begun.Arms))
	}
	record.Manifest.Version = "0"
	if _, err := Stored(t.Context(), store, record); err == nil {
		t.Error("an experiment of another version is opened")
	}
}

// Manifests of early versions have no traits. What is taken for them agrees with the catalog.
func TestTheTraitsOfEarlyManifestsAreTheCatalogs(t *testing.T) {
	t.Parallel()
	for _, e := range catalog.All() {
		want := results.Traits{Use: e.Name, Tools: e.Tools, Baseline: e.Baseline, PublishedLoop: e.PublishedLoop}
		if got := new(results.Manifest).TraitsOf(e.Name); got != want {
			t.Errorf("%s: %+v, want %+v", e.Name, got, want)
		}
	}
	x, err := planned(t, func(s *Spec) {
		s.Policies = []catalog.Spec{{Use: "agentic", Name: "direct"}, {Use: "direct", Name: "x"}}
	})
	if err != nil {
		t.Fatal(err)
	}
	if m := x.Manifest; !m.Traits["direct"].PublishedLoop || m.Traits["direct"].Baseline || m.Baseline() != "x" {
		t.Errorf("stored traits: %+v", m.Traits)
	}
}
