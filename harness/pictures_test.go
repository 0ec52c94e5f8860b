package harness_test

import (
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness/standin"
	"agentd/models"
	"agentd/models/sim"
	"agentd/policies"
	policycatalog "agentd/policies/catalog"
	"agentd/policies/prompt"
	"agentd/policies/prompt/published/publishedtest"
	"agentd/results"
	"agentd/sandbox/bwrap"
)

// A picture goes to a model and comes from it by each way in which models draw, and by
// scripts: a stand-in that is perfect leaves every pixel as it was.
func TestPicturesGoThroughEveryDialectThatDraws(t *testing.T) {
	t.Parallel()
	envs, err := environments.Pictures()
	if err != nil {
		t.Fatal(err)
	}
	env := envs[0]
	env.Edits = slices.DeleteFunc(slices.Clone(env.Edits), func(e environments.Edit) bool { return e.Name != "mirror" && e.Name != "centre_and_margin" })
	if len(env.Edits) != 2 {
		t.Fatalf("%d edits are left", len(env.Edits))
	}
	backend, err := bwrap.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = backend.Close() })
	index := standin.NewIndex([]environments.Environment{env}, catalog.Lookup)
	server := httptest.NewServer(sim.Handler(index, sim.Options{Seed: 1}))
	t.Cleanup(server.Close)
	for _, edit := range env.Edits { // one picture in the answer, and two
		one := env
		one.Edits = []environments.Edit{edit}
		for _, api := range []models.API{models.Chat, models.Gemini, models.Images} {
			list := []policycatalog.Spec{{Use: "direct"}}
			if api == models.Chat {
				list = append(list, policycatalog.Spec{Use: "agentic"})
			}
			t.Run(edit.Name+"/"+string(api), func(t *testing.T) {
				t.Parallel()
				spec := models.Spec{Name: "sim:perfect", API: api, BaseURL: server.URL + basePath(api), Backoff: time.Millisecond, StandIn: true}
				keepsEveryPixel(t, relaysOf(t, spec, backend, one, list, policies.Clean, ownPrompts(t)))
			})
		}
		t.Run(edit.Name+"/published prompts", func(t *testing.T) {
			t.Parallel()
			release, files := publishedtest.Release()
			replacements, err := release.Replacements(publishedtest.Folder(t, files), policies.Published)
			if err != nil {
				t.Fatal(err)
			}
			spec := models.Spec{Name: "sim:perfect", API: models.Chat, BaseURL: server.URL + basePath(models.Chat), Backoff: time.Millisecond, StandIn: true}
			list := []policycatalog.Spec{{Use: "direct"}}
			keepsEveryPixel(t, relaysOf(t, spec, backend, one, list, policies.Published, prompt.NewReplaced(replacements)))
		})
	}
}

// keepsEveryPixel checks relays of one round trip each.
func keepsEveryPixel(t *testing.T, relays map[string][]results.Interaction) {
	t.Helper()
	for policy, all := range relays {
		if len(all) != 2 {
			t.Errorf("%s: %d interactions", policy, len(all))
		}
		for i := range all {
			in := &all[i]
			if in.Failure != "" || in.Executed != nil && !*in.Executed || in.Score != nil && (in.Score.RS != 1 || in.Score.Strict != 1) {
				t.Errorf("%s, %s: %s %s, score %+v", policy, in.Direction, in.Failure, in.Detail, in.Score)
			}
		}
		if last := all[len(all)-1]; last.Score == nil {
			t.Errorf("%s: no score", policy)
		}
	}
}
