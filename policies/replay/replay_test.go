package replay

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/policies"
	"agentd/sandbox"
	"agentd/vfs"
)

const recorded = `{"gen_ai.request.model":"m","gen_ai.agent.name":"editor","environment":"e1","repeat":1,"interaction":1,"tool_calls":[{"turn":1,"gen_ai.tool.name":"copy","gen_ai.tool.call.arguments":"{\"from\":\"a.txt\",\"to\":\"b.txt\"}"},{"turn":2,"gen_ai.tool.name":"view","gen_ai.tool.call.arguments":"{\"path\":\"zzz\"}"},{"turn":2,"gen_ai.tool.name":"finish","gen_ai.tool.call.arguments":"{}"}]}
{"gen_ai.request.model":"m","gen_ai.agent.name":"editor","environment":"e1","repeat":1,"interaction":2,"tool_calls":null}
`

// edit repeats an interaction on a workspace of one file.
func edit(t *testing.T, r *Recording, number int) (*policies.Task, error) {
	t.Helper()
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

func TestCallsAreRepeated(t *testing.T) {
	t.Parallel()
	r, err := Read([]byte(recorded), "")
	if err != nil {
		t.Fatal(err)
	}
	task, err := edit(t, r, 1)
	if err != nil || task.Trace.Ending != policies.Finished {
		t.Errorf("%v, ended %s", err, task.Trace.Ending)
	}
	if got, err := task.Workspace.Peek("b.txt"); got != "seed" {
		t.Errorf("b.txt is %q, %v", got, err)
	}
	if c := task.Trace.Calls; len(c) != 3 || c[0].Changed != 1 || c[1].Error == "" || c[2].Turn != 2 {
		t.Errorf("calls %+v", c)
	}
	for _, number := range []int{2, 3} {
		var failure *policies.Failure
		if _, err := edit(t, r, number); !errors.As(err, &failure) || failure.Reason != policies.NotRecorded {
			t.Errorf("interaction %d: %v", number, err)
		}
	}
}

// Calls of the published harness's tools name files otherwise, and go on after an
// argument that is missing.
func TestCallsOfPublishedToolsAreRepeated(t *testing.T) {
	t.Parallel()
	r, err := Read([]byte(`{"environment":"e1","repeat":1,"interaction":1,"published_tools":true,"tool_calls":[`+
		`{"turn":1,"gen_ai.tool.name":"write_file","gen_ai.tool.call.arguments":"{\"filename\":\"b.txt\",\"content\":\"new\"}"},`+
		`{"turn":2,"gen_ai.tool.name":"delete_file","gen_ai.tool.call.arguments":"{\"filename\":\"a.txt\"}"}]}
{"environment":"e1","repeat":1,"interaction":2,"published_tools":true,"tool_calls":[{"turn":1,"gen_ai.tool.name":"read_file","gen_ai.tool.call.arguments":"[]"}]}`), "")
	if err != nil {
		t.Fatal(err)
	}
	task, err := edit(t, r, 1)
	if err != nil || !task.Trace.PublishedTools {
		t.Errorf("%v; published tools: %v", err, task.Trace.PublishedTools)
	}
	files, err := task.Workspace.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(vfs.Files{"b.txt": "new"}, files); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	var failure *policies.Failure
	if _, err := edit(t, r, 2); !errors.As(err, &failure) || failure.Reason != policies.PublishedCrash {
		t.Errorf("arguments that are a list: %v", err)
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
