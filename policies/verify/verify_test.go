package verify

import (
	"context"
	"errors"
	"strings"
	"testing"

	"agentd/models"
	"agentd/policies"
	"agentd/policies/agentic"
	"agentd/policies/prompt"
	"agentd/sandbox"
	"agentd/tools"
	"agentd/vfs"
)

// first writes a file and returns an error.
type first struct{ err error }

func (first) Name() string { return "first" }

func (f first) Edit(_ context.Context, task *policies.Task) error {
	task.Trace.AddTurn(models.Response{Usage: models.Usage{Prompt: 5000}}, nil)
	return errors.Join(f.err, task.Workspace.Write("b.csv", "wrong\n"))
}

// model answers in order and keeps what it was asked.
type model struct {
	answers []models.Message
	asked   []models.Request
}

func (*model) Name() string { return "m" }

func (m *model) Complete(_ context.Context, r models.Request) (models.Response, error) {
	m.asked = append(m.asked, r)
	return models.Response{Message: m.answers[min(len(m.asked), len(m.answers))-1], Usage: models.Usage{Prompt: 100}}, nil
}

func calls(tool, arguments string) models.Message {
	return models.Message{Role: models.Assistant, ToolCalls: []models.ToolCall{{ID: tool, Name: tool, Arguments: arguments}}}
}

func edit(t *testing.T, m *model, f first) (*policies.Task, error) {
	t.Helper()
	source, err := prompt.NewSource("")
	if err != nil {
		t.Fatal(err)
	}
	p, err := New(f, agentic.Loop{Model: m, Limits: policies.Limits{Turns: 3, Tokens: 1000}, Tools: tools.Standard()}, source)
	if err != nil {
		t.Fatal(err)
	}
	ws, err := vfs.New(vfs.Files{"a.txt": "seed\n"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	task := &policies.Task{
		Instruction: "Make b.csv.", Workspace: ws, Targets: []string{"b.csv"}, FileOrder: []string{"a.txt"}, Trace: &policies.Trace{},
		NewRunner: func() (sandbox.Runner, error) { return nil, sandbox.ErrUnavailable },
	}
	return task, p.Edit(t.Context(), task)
}

func TestTheSecondLookMayCorrect(t *testing.T) {
	t.Parallel()
	m := &model{answers: []models.Message{calls("write_file", `{"path":"b.csv","content":"right\n"}`), calls("finish", "{}")}}
	task, err := edit(t, m, first{})
	if err != nil || task.Trace.Ending != policies.Finished || len(task.Trace.Turns) != 3 {
		t.Errorf("%v, ended %s after %d turns", err, task.Trace.Ending, len(task.Trace.Turns))
	}
	if got, err := task.Workspace.Peek("b.csv"); err != nil || got != "right\n" {
		t.Errorf("b.csv is %q, %v", got, err)
	}
	if turn := task.Trace.Calls[0].Turn; turn != 2 {
		t.Errorf("its first call is of turn %d, want 2", turn)
	}
	shown := m.asked[0].Messages[1].Content
	for _, part := range []string{"Make b.csv.", "--- /dev/null\n+++ b.csv\n@@ -0,0 +1 @@\n+wrong\n", "- a.txt\n- b.csv\n"} {
		if !strings.Contains(shown, part) {
			t.Errorf("the model is not shown %q: %s", part, shown)
		}
	}
}

func TestTheSecondLookMayAgree(t *testing.T) {
	t.Parallel()
	task, err := edit(t, &model{answers: []models.Message{calls("finish", "{}")}}, first{})
	if err != nil || task.Trace.Ending != policies.Finished {
		t.Errorf("%v, ended %s", err, task.Trace.Ending)
	}
}

func TestItsLimitsAreItsOwn(t *testing.T) {
	t.Parallel()
	_, err := edit(t, &model{answers: []models.Message{calls("read_file", `{"path":"a.txt"}`)}}, first{})
	var failure *policies.Failure
	if !errors.As(err, &failure) || failure.Reason != policies.TurnBudget {
		t.Errorf("%v, want the turns of the second look, not the first's 5000 tokens", err)
	}
}

func TestAFailureIsNotLookedAt(t *testing.T) {
	t.Parallel()
	m := &model{}
	_, err := edit(t, m, first{policies.Failf(policies.BadAnswer, "no")})
	var failure *policies.Failure
	if !errors.As(err, &failure) || failure.Reason != policies.BadAnswer || len(m.asked) > 0 {
		t.Errorf("%v, and the model was asked %d times", err, len(m.asked))
	}
}
