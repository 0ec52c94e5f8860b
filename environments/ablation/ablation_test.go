package ablation_test

import (
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/environments/ablation"
	"agentd/harness/programs/programstest"
)

// forgiving are the environments of which the published score forgives part of
// a loss, and by how much at most. In subtitles a text that occurs twice is
// found again; in genealogy a fifth of the score is the marriages of the
// families that are left, in geotrack a fifth that of waypoints and routes; in
// docker half of a lost stage is found in another; in emails the sequence is
// that of the messages that are left; in json values weigh differently.
var forgiving = map[string]float64{"subtitles1": 0.01, "genealogy1": 0.2, "geotrack1": 0.2, "docker1": 0.12, "emails1": 0.15, "json1": 0.12}

func TestWhatIsLeftOutCostsAtLeastItsShare(t *testing.T) {
	t.Parallel()
	environments, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	for _, env := range environments {
		t.Run(env.Name, func(t *testing.T) {
			t.Parallel()
			d, ok := catalog.Lookup(env.Domain)
			if !ok {
				t.Fatalf("domain %s is not built", env.Domain)
			}
			seeds := uint64(10)
			if _, slow := d.(domains.Executing); slow {
				seeds = 2
			}
			d = env.Apply(programstest.Bound(t, d))
			for seed := range seeds {
				results, err := ablation.Check(d, env.Seed, seed)
				if err != nil {
					t.Fatal(err)
				}
				for _, r := range results {
					if r.StrictAbove() || r.Value > r.Most+forgiving[env.Name]+1e-9 || r.Miscounted {
						t.Errorf("seed %d: %+v", seed, r)
					}
				}
			}
		})
	}
}
