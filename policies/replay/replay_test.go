package replay

import (
	"errors"
	"strings"
	"testing"

	"agentd/policies"
	"agentd/sandbox"
	"agentd/vfs"
)

const recorded = `{"gen_ai.request.model":"m","gen_ai.agent.name":"editor","environment":"e1","repeat":1,"interaction":1,"tool_calls":[{"turn":1,"gen_ai.tool.name":"copy","gen_ai.tool.call.arguments":"{\"from\":\"a.txt\",\"to\":\"b.txt\"}"},{"turn":2,"gen_ai.tool.name":"view","gen_ai.tool.call.arguments":"{\"path\":\"zzz\"}"},{"turn":2,"gen_ai.tool.name":"finish","gen_ai.tool.call.arguments":"{}"}]}
{"gen_ai.request.model":"m","gen_ai.agent.name":"editor","environment":"e1","repeat":1,"interaction":2,"tool_calls":null}
`

func TestCallsAreRepeated(t *testing.T) {
	t.Parallel()
	r, err := Read([]byte(recorded), "")
	if err != nil {
		t.Fatal(err)
	}
	edit := func(number int) (*policies.Task, error) {
		ws, err := vfs.New(vfs.Files{"a.txt": "seed"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		task := &policies.Task{
			Step: policies.Step{Environment: "e1", Repeat: 1, Number: number}, Workspace: ws, Trace: &policies.Trace{},
			NewRunner: func() (sandbox.Runner, error) { return nil, sandbox.ErrUnavailable },
		}
		return task, Policy{r}.Edit(t.Context(), task)
	}
	task, err := edit(1)
	if err != nil || task.Trace.Ending != policies.Finished {
		t.Errorf("%v, ended %s", err, task.Trace.Ending)
	}
	if got, err := task.Workspace.Peek("b.txt"); got != "seed" {
		t.Errorf("b.txt is %q, %v", got, err)
	}
	if c := task.Trace.Calls; len(c) != 3 || c[0].Changed != 1 || !c[1].Failed || c[2].Turn != 2 {
		t.Errorf("calls %+v", c)
	}
	for _, number := range []int{2, 3} {
		var failure *policies.Failure
		if _, err := edit(number); !errors.As(err, &failure) || failure.Reason != policies.NotRecorded {
			t.Errorf("interaction %d: %v", number, err)
		}
	}
}

func TestRecordingsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ text, arm, want string }{
		"nothing":             {"\n", "", "no interactions"},
		"no JSON":             {recorded + "{", "", "line 3"},
		"other JSON":          {`{"a": 1}`, "", "line 1 is no interaction"},
		"two arms":            {recorded + strings.ReplaceAll(recorded, "editor", "agentic"), "", "arm: m agentic, m editor"},
		"an arm that is not":  {recorded, "m direct", "there are m editor"},
		"calls without texts": {strings.ReplaceAll(recorded, `"gen_ai.tool.call.arguments"`, `"x"`), "", "--trace full"},
	} {
		if _, err := Read([]byte(c.text), c.arm); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	if _, err := Read([]byte(recorded+strings.ReplaceAll(recorded, "editor", "agentic")), "m editor"); err != nil {
		t.Errorf("one of two arms: %v", err)
	}
}
