package ablation_test

import (
	"strings"
	"testing"

	"agentd/domains"
	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/environments/ablation"
	"agentd/harness/programs/programstest"
	"agentd/vfs"
)

// forgiving are the environments of which the published score forgives part of
// a loss, and by how much at most.
var forgiving = map[string]float64{
	"chess1":      0.4,  // the first game alone is read, and half of its moves keep two thirds
	"circuit1":    0.7,  // what is left of a subcircuit counts almost whole
	"crystal1":    0.14, // a fifth is cell, symmetry and publication
	"dbschema1":   0.3,  // tables that are left and their keys keep their share
	"dbschema2":   0.3,  // tables that are left and their keys keep their share
	"docker1":     0.12, // half of a lost stage is found in another
	"docker2":     0.1,  // half of a lost stage is found in another
	"earncall1":   0.13, // a transcript's header and sections stay
	"emails1":     0.15, // the sequence is that of the messages that are left
	"emails2":     0.15, // the sequence is that of the messages that are left
	"fiction1":    0.01, // without a judge; a passage that is left may be found elsewhere
	"foodmenu1":   0.1,  // the names of sections stay
	"genealogy1":  0.2,  // a fifth is the marriages of the families that are left
	"genealogy2":  0.2,  // a fifth is the marriages of the families that are left
	"geotrack1":   0.2,  // a fifth is waypoints and routes
	"infra2":      0.02, // two locals blocks count as one
	"json1":       0.12, // values weigh differently
	"json2":       0.18, // values weigh differently
	"latex1":      0.55, // text and the fields of entries that are left are more than half
	"latex2":      0.55, // text and the fields of entries that are left are more than half
	"makefile1":   0.25, // targets with a slash are not read
	"makefile2":   0.22, // targets with a slash are not read
	"mathlean1":   0.06, // what is no declaration is compared as text
	"musicsheet1": 0.3,  // words and titles stay, and ratios forgive part of what is lost
	"protein1":    0.03, // minor conformers are not read
	"quantum1":    0.35, // subroutines are two thirds of the score
	"recipe1":     0.2,  // a fifth is tips, which are left
	"recipe2":     0.2,  // a fifth is tips, which are left
	"robotics1":   0.3,  // three tenths are transmissions and Gazebo blocks
	"screenplay1": 0.5,  // the cast and the directions stay, and a ratio falls slowly
	"slides1":     0.06, // titles and images do not fall with texts
	"slides2":     0.07, // titles and images do not fall with texts
	"subtitles1":  0.01, // a text that occurs twice is found again
	"vector1":     0.01, // a lost shape costs group and structure little
	"weaving1":    0.27, // tie-up, colours and settings stay
}

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

func TestCheckAllNamesWhatItCannotRead(t *testing.T) {
	t.Parallel()
	envs := []environments.Environment{
		{Name: "good", Domain: "subtitles", Seed: vfs.Files{"a.srt": "1\n00:00:01,000 --> 00:00:02,000\nOne\n\n2\n00:00:03,000 --> 00:00:04,000\nTwo\n"}},
		{Name: "empty", Domain: "subtitles", Seed: vfs.Files{}},
		{Name: "unknown", Domain: "no such domain"},
	}
	found := ablation.CheckAll(envs, 1, catalog.Lookup)
	if len(found.Results) == 0 || found.Results[0].Environment != "good" || found.Results[0].Element != "cue" || found.Results[0].Of != 2 {
		t.Errorf("results %+v", found.Results)
	}
	if len(found.Unread) != 1 || !strings.HasPrefix(found.Unread[0].Error(), "empty: ") || found.Forgiving != nil {
		t.Errorf("unread %v, forgiving %v", found.Unread, found.Forgiving)
	}
}
