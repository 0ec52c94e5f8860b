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
	"agentd/results"
	"agentd/results/record"
	"agentd/sandbox/bwrap"
)

// The controls do the same in every dialect, under both protocols, with tools and without:
// no forward step is carried out, and each says in its own way why.
func TestControlsDoNoWorkInAnyDialect(t *testing.T) {
	t.Parallel()
	backend, err := bwrap.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = backend.Close() })
	texts, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	pictures, err := environments.Pictures()
	if err != nil {
		t.Fatal(err)
	}
	picture := pictures[0]
	picture.Edits = slices.DeleteFunc(slices.Clone(picture.Edits), func(e environments.Edit) bool { return e.Name != "mirror" })
	server := httptest.NewServer(sim.Handler(standin.NewIndex([]environments.Environment{texts[0], picture}, catalog.Lookup), sim.Options{}))
	t.Cleanup(server.Close)
	for _, api := range models.APIs() {
		for _, env := range []environments.Environment{texts[0], picture} {
			list := []policycatalog.Spec{{Use: "direct"}, {Use: "agentic"}}
			switch {
			case env.Name != picture.Name && api == models.Images: // which has no texts
				continue
			case env.Name == picture.Name && api != models.Chat && api != models.Gemini && api != models.Images:
				list = list[1:] // which draw nothing
			case api == models.Images:
				list = list[:1]
			}
			for _, protocol := range policies.Protocols() {
				t.Run(string(api)+"/"+env.Name+"/"+string(protocol), func(t *testing.T) {
					t.Parallel()
					for name, holds := range controls() {
						spec := models.Spec{Name: name, API: api, BaseURL: server.URL + basePath(api), Backoff: time.Millisecond, StandIn: true}
						for policy, all := range relaysOf(t, spec, backend, env, list, protocol, ownPrompts(t)) {
							for i := range all {
								if !holds(policy, &all[i]) {
									t.Errorf("%s %s, %s: failure %q (%s), executed %v, score %+v, last turn %+v", name, policy, all[i].Direction,
										all[i].Failure, all[i].Detail, all[i].Executed, all[i].Score, lastOf(all[i].Turns))
								}
							}
						}
					}
				})
			}
		}
	}
}

// controls say of each control what must be so of every interaction.
func controls() map[string]func(policy string, in *results.Interaction) bool {
	idle := func(in *results.Interaction) bool { return in.Executed == nil || !*in.Executed }
	failed := func(in *results.Interaction, reasons ...policies.Reason) bool {
		return slices.Contains(reasons, policies.Reason(in.Failure))
	}
	return map[string]func(string, *results.Interaction) bool{
		"sim:refuse": func(policy string, in *results.Interaction) bool {
			if len(in.ToolCalls) > 0 || lastOf(in.Turns).Finish != "stop" {
				return false
			}
			if policy == "agentic" { // it is reminded, and refuses again
				return idle(in) && failed(in, policies.TurnBudget) && len(in.Turns) == policies.DefaultLimits().Turns
			}
			return idle(in) && failed(in, policies.BadAnswer, policies.MissingTarget)
		},
		"sim:echo": func(_ string, in *results.Interaction) bool {
			return idle(in) && in.Failure == "" && (in.Direction == results.Forward || in.Score != nil && in.Score.RS == 1 && in.Score.Strict == 1)
		},
		"sim:cut": func(_ string, in *results.Interaction) bool { // a call of finish is short enough
			done := idle(in) && lastOf(in.Turns).Finish == "length"
			return done && (in.Direction == results.Backward || failed(in, policies.BadAnswer, policies.MissingTarget, policies.TurnBudget))
		},
	}
}

func lastOf(turns []record.Turn) record.Turn {
	if len(turns) == 0 {
		return record.Turn{}
	}
	return turns[len(turns)-1]
}
