package main

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"agentd/changes"
	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/guard"
	"agentd/results"
)

// The demonstration's relays, stored by a run with stand-ins: of every round trip that lost elements the guard's rule
// refuses the result, and of none that lost nothing.
func TestTheGuardRefusesWhatLosesElements(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "x.db")
	args := []string{"run", "--round-trips", "3", "--model", "sim:weak,sim:frontier,sim:perfect", "--policy", "direct", "--db", db, "--name", "guarded", "--trace", "full"}
	// A story is no list of elements: a guard compares its lines.
	args = append(args, "--env", "accounting1,calendar1,geodata1,json1,subtitles1,transit1,translation1,infra1,spreadsheet1,latex1,markdown1,vector1")
	if out, err := exec.Command("agentd", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	store, err := results.OpenReading(db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	experiments, err := store.Experiments(t.Context())
	if err != nil || len(experiments) != 1 {
		t.Fatalf("%d experiments, %v", len(experiments), err)
	}
	relays, err := store.Relays(t.Context(), experiments[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	rule, err := guard.NewRule(nil, []string{"lost"})
	if err != nil {
		t.Fatal(err)
	}
	refused, passed, lossless := 0, 0, 0
	for _, relay := range relays {
		env := envs[slices.IndexFunc(envs, func(e environments.Environment) bool { return e.Name == relay.Environment })]
		d, _ := domaincatalog.Lookup(env.Domain) // every built-in environment has one
		reference := env.Apply(d).Against(env.Seed)
		stored, err := store.Interactions(t.Context(), relay.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range stored {
			if in.Direction != results.Backward || in.Score == nil {
				continue
			}
			review := reference.Review(in.Output)
			lost := slices.ContainsFunc(review.Differences, func(d domains.Difference) bool { return d.Kind == domains.Lost })
			verdict := guard.Allowed
			for _, document := range changes.Compare(env.Seed, in.Output, nil).Documents {
				verdict = max(verdict, rule.Judge(document))
			}
			switch {
			case lost && verdict != guard.Denied:
				t.Errorf("%s, %s, step %d lost elements and is not refused: %v", relay.Model, relay.Environment, in.Number, review.Differences)
			case review.Strict == 1 && verdict != guard.Allowed:
				t.Errorf("%s, %s, step %d lost nothing, and the verdict is %d", relay.Model, relay.Environment, in.Number, verdict)
			}
			switch {
			case verdict == guard.Denied:
				refused++
			case review.Strict == 1:
				lossless++
			default:
				passed++
			}
		}
	}
	t.Logf("%d refused, %d lossless, %d changed without a loss", refused, lossless, passed)
	if refused == 0 || lossless == 0 {
		t.Errorf("%d refused, %d lossless: the relays do not show anything", refused, lossless)
	}
}
