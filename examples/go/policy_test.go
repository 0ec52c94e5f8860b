package minimal

import (
	"testing"

	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/harness"
	"agentd/harness/standin"
	"agentd/models"
	"agentd/models/sim"
	"agentd/results"
	"agentd/sandbox"
	"agentd/sandbox/bwrap"
)

func TestTheExampleDoesItsEdits(t *testing.T) {
	t.Parallel()
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	server, err := sim.Listen("127.0.0.1:0", standin.NewIndex(envs, domaincatalog.Lookup), sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	model, err := models.Open(models.Spec{Name: "sim:perfect", BaseURL: server.URL(), Seeded: true, StandIn: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	backend, err := bwrap.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer backend.Close()
	x := harness.NewWorker(&harness.Experiment{
		Environments: envs[:1], Domain: domaincatalog.Lookup, Distractors: true, Seed: 1,
		Sandbox: backend, Limits: sandbox.DefaultLimits(),
		Arms: []harness.Arm{{Model: model.Name(), Policy: Policy{model}}},
	})
	for _, edit := range envs[0].Edits {
		forward, err := x.Once(t.Context(), &envs[0], edit, results.Forward)
		if err != nil {
			t.Fatal(err)
		}
		backward, err := x.Once(t.Context(), &envs[0], edit, results.Backward)
		if err != nil {
			t.Fatal(err)
		}
		if forward.Failure != "" || forward.Forward == nil || *forward.Forward != 1 {
			t.Errorf("%s forward: %+v", edit.Name, forward)
		}
		if backward.Failure != "" || backward.Score == nil || backward.Score.RS != 1 || len(backward.ToolCalls) == 0 {
			t.Errorf("%s backward: %+v", edit.Name, backward)
		}
	}
}
