package exec

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"agentd/models"
	"agentd/policies"
	"agentd/sandbox"
	"agentd/sandbox/bwrap"
	"agentd/vfs"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// backend is the sandbox of all tests.
var backend = sync.OnceValues(func() (*bwrap.Backend, error) { return bwrap.New(context.Background()) })

// model answers the same every time and keeps what it was asked.
type model struct {
	mu     sync.Mutex
	answer models.Message
	finish string // "" for stop
	err    error
	delay  time.Duration
	asked  []models.Request
}

func (m *model) Name() string { return "test-model" }

func (m *model) Complete(ctx context.Context, r models.Request) (models.Response, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = append(m.asked, r)
	select {
	case <-time.After(m.delay):
	case <-ctx.Done():
		return models.Response{}, ctx.Err()
	}
	finish := m.finish
	if finish == "" {
		finish = "stop"
	}
	return models.Response{Message: m.answer, FinishReason: finish, Usage: models.Usage{Prompt: 900, Cached: 400, Completion: 100, Reasoning: 10}}, m.err
}

// client begins Python programs of the tests: post sends JSON to our server.
const client = `
import json, os, urllib.request, urllib.error
def post(url, body):
    try:
        with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"})) as r:
            return r.read().decode()
    except urllib.error.HTTPError as e:
        return f"{e.code}: {e.read().decode()}"
def ask(**more):
    return post(os.environ["OPENAI_BASE_URL"] + "/chat/completions", {"model": "mine", "messages": [{"role": "user", "content": "hello"}], **more})
def respond(**more):
    return post(os.environ["OPENAI_BASE_URL"] + "/responses", {"model": "mine", "input": "hello", **more})
def tool(name, **arguments):
    answer = json.loads(post(os.environ["AGENTD_MCP_URL"], {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": name, "arguments": arguments}}))["result"]
    return answer["content"][0]["text"]
`

// python is a command for a program that begins so.
func python(program string) []string { return []string{"python3", "-c", client + program} }

// edit runs a command on a small task. change alters the options, if it is not nil.
func edit(t *testing.T, m *model, command []string, change func(*Options)) (*policies.Task, error) {
	t.Helper()
	b, err := backend()
	if err != nil {
		t.Fatal(err)
	}
	options := Options{Name: "exec:test", Program: Program{Args: command}, Limits: DefaultLimits(), Turns: 25, Tokens: 500_000}
	if change != nil {
		change(&options)
	}
	policy, err := New(m, &models.Price{Input: 10, Output: 10}, options)
	if err != nil {
		t.Fatal(err)
	}
	ws, err := vfs.New(vfs.Files{"a.txt": "seed"}, vfs.Files{"other.md": "distractor"})
	if err != nil {
		t.Fatal(err)
	}
	task := &policies.Task{
		Instruction: "Make b.csv of \"a.txt\".", Workspace: ws, Targets: []string{"b.csv", "*.x"}, FileOrder: []string{"other.md", "a.txt"}, Seed: 7,
		NewRunner: func() (sandbox.Runner, error) { return b.NewRunner(sandbox.DefaultLimits()) },
		Trace:     &policies.Trace{},
	}
	return task, policy.Edit(t.Context(), task)
}

// fileText is what a file holds in the end.
func fileText(t *testing.T, task *policies.Task, name string) string {
	t.Helper()
	text, err := task.Workspace.Peek(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestWhatACommandIsGiven(t *testing.T) {
	t.Parallel()
	task, err := edit(t, &model{}, []string{"sh", "-c", `
printf '%s|' "$@" >b.csv
for v in "$OPENAI_MODEL" "$AGENTD_INSTRUCTION" "$AGENTD_TARGETS"; do printf '%s|' "$v" >>b.csv; done
cp "$AGENTD_TASK" task; env >env; ls >ls`, "sh", "{{.Instruction}}", "{{.Targets}}", "{{range .Files}}<{{.}}>{{end}}", "{{.Model}} {{.Seed}}"}, nil)
	if err != nil || task.Trace.Ending != policies.Exited {
		t.Fatalf("%v, ended %q", err, task.Trace.Ending)
	}
	want := `Make b.csv of "a.txt".|b.csv,*.x|<other.md><a.txt>|test-model 7|test-model|Make b.csv of "a.txt".|` + "b.csv\n*.x|"
	if diff := cmp.Diff(want, fileText(t, task, "b.csv")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff("a.txt\nb.csv\nenv\nls\nother.md\ntask\n", fileText(t, task, "ls")); diff != "" {
		t.Error(diff)
	}
	for _, part := range []string{`"prompt": "Make b.csv of \"a.txt\".\n\nFiles in the workspace:\n- other.md\n- a.txt\n\nFiles to produce:\n- b.csv\n- *.x\n"`, `"instruction": "Make b.csv of \"a.txt\"."`, `"mcp_url": "http://127.0.0.1:8000/mcp"`, `"seed": 7`} {
		if !strings.Contains(fileText(t, task, "task"), part) {
			t.Errorf("the task has no %s: %s", part, fileText(t, task, "task"))
		}
	}
	if diff := cmp.Diff(documentedKeys(t), slices.Sorted(maps.Keys(keysOf(t, fileText(t, task, "task"))))); diff != "" {
		t.Errorf("the task's keys, and those of docs/policies.md (-): %s", diff)
	}
	if env := fileText(t, task, "env"); !strings.Contains(env, "OPENAI_API_KEY=none\n") || strings.Count(env, "KEY=") != strings.Count(env, "KEY=none\n") {
		t.Errorf("the environment: %s", env)
	}
}

func keysOf(t *testing.T, object string) (keys map[string]json.RawMessage) {
	t.Helper()
	if err := json.Unmarshal([]byte(object), &keys); err != nil {
		t.Fatal(err)
	}
	return keys
}

// documentedKeys are those of the table of AGENTD_TASK in docs/policies.md.
func documentedKeys(t *testing.T) (keys []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/policies.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "The file that `AGENTD_TASK` names is an object:\n\n")
	table, _, _ = strings.Cut(table, "\n\n")
	for _, row := range regexp.MustCompile("(?m)^\\| `[^|]*` \\|").FindAllString(table, -1) {
		keys = append(keys, strings.Split(strings.Trim(row, "|` "), "`, `")...)
	}
	slices.Sort(keys)
	return keys
}

// asking are programs that do the same in both dialects: they ask, use a tool of
// ours as the model said and another as it did not, answer a call, ask again.
var asking = map[string]string{
	"chat": `
answer = json.loads(ask(temperature=0.5, seed=1, stream=False, tools=[]))
assert answer["choices"][0]["message"]["tool_calls"][1]["function"] == {"name": "search", "arguments": '{"q":"y"}'}, answer
assert answer["usage"]["prompt_tokens"] == 900 and answer["usage"]["total_tokens"] == 1000, answer
assert tool("write_file", path="b.csv", content="x") == "Wrote b.csv (1 bytes)."
assert open("b.csv").read() == "x"
assert "is missing" in tool("view")
ask(messages=[{"role": "assistant", "content": None}, {"role": "tool", "tool_call_id": "2", "content": "found it"}])
print(tool("finish"))
`,
	"responses": `
answer = json.loads(respond(temperature=0.5, seed=1, stream=False, tools=[]))
assert [i["type"] for i in answer["output"]] == ["message", "function_call", "function_call"], answer
assert answer["output"][2]["name"] == "search" and answer["output"][2]["arguments"] == '{"q":"y"}', answer
assert answer["usage"]["input_tokens"] == 900 and answer["usage"]["total_tokens"] == 1000, answer
assert tool("write_file", path="b.csv", content="x") == "Wrote b.csv (1 bytes)."
assert open("b.csv").read() == "x"
assert "is missing" in tool("view")
respond(previous_response_id=answer["id"], input=[{"type": "function_call_output", "call_id": "2", "output": "found it"}])
print(tool("finish"))
`,
}

func TestACommandIsMeasured(t *testing.T) {
	t.Parallel()
	for dialect, program := range asking {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			measured(t, program)
		})
	}
}

func measured(t *testing.T, program string) {
	m := &model{answer: models.Message{Content: "yes", ToolCalls: []models.ToolCall{
		{ID: "1", Name: "write_file", Arguments: `{"path":"b.csv","content":"x"}`}, {ID: "2", Name: "search", Arguments: `{"q":"y"}`},
	}}}
	task, err := edit(t, m, python(program), nil)
	if err != nil || task.Trace.Ending != policies.Finished {
		t.Fatalf("%v, ended %q", err, task.Trace.Ending)
	}
	trace := task.Trace
	if got := trace.Usage(); got != (models.Usage{Prompt: 1800, Cached: 800, Completion: 200, Reasoning: 20}) {
		t.Errorf("usage %+v", got)
	}
	if cost := trace.Cost(); cost == nil || *cost != 0.02 {
		t.Errorf("cost %v", cost)
	}
	type call struct {
		turn    int
		tool    string
		changed int
		failed  bool
	}
	var calls []call
	for _, c := range trace.Calls {
		calls = append(calls, call{c.Turn, c.Tool, c.Changed, c.Error != ""})
	}
	// What the model asked for and the command passed on is one call. Those of the
	// second answer were not done.
	want := []call{{1, "write_file", 1, false}, {1, "search", 0, false}, {1, "view", 0, true}, {2, "write_file", 0, false}, {2, "search", 0, false}, {2, "finish", 0, false}}
	if diff := cmp.Diff(want, calls, cmp.AllowUnexported(call{})); diff != "" {
		t.Error(diff)
	}
	if out := trace.Calls[1].Out; out != len(`"found it"`) {
		t.Errorf("the answer to search has %d bytes", out)
	}
	first := m.asked[0]
	if first.Seed != 7 || first.Members["temperature"] != nil || first.Members["seed"] != nil || first.Members["model"] != nil || first.Members["stream"] != nil {
		t.Errorf("the model was asked %+v", first)
	}
}

func TestAnAnswerIsStreamed(t *testing.T) {
	t.Parallel()
	task, err := edit(t, &model{answer: models.Message{Content: "näh"}}, python(`open("b.csv", "w").write(ask(stream=True))`), nil)
	if err != nil {
		t.Fatal(err)
	}
	got := fileText(t, task, "b.csv")
	if !strings.HasPrefix(got, "data: {") || !strings.HasSuffix(got, "}\n\ndata: [DONE]\n\n") || !strings.Contains(got, `"delta":{"content":"näh"}`) {
		t.Errorf("streamed %s", got)
	}
}

func TestCommandsThatFail(t *testing.T) {
	t.Parallel()
	shortly := func(o *Options) { o.Limits.WallTime = 2 * time.Second }
	refused := &models.Error{Kind: models.Refused, Model: "m", Err: errors.New("no such parameter")}
	for name, c := range map[string]struct {
		command []string
		change  func(*Options)
		err     error // of the model
		reason  policies.Reason
		detail  string
		ending  policies.Ending
	}{
		"hangs":                       {[]string{"sleep", "100"}, shortly, nil, policies.TimeBudget, "longer than 2s; it said nothing", policies.OutOf},
		"hangs in a request":          {python(`ask()`), shortly, errors.New("slow"), policies.TimeBudget, "longer than 2s", policies.OutOf},
		"forks":                       {[]string{"sh", "-c", "f() { f | f & f; }; f"}, shortly, nil, "", "", ""},
		"dies":                        {[]string{"sh", "-c", "echo oh no >&2; exit 3"}, nil, nil, policies.CommandFailure, "exit code 3; it said last: oh no", policies.Failed},
		"is killed":                   {[]string{"sh", "-c", "kill -9 $$"}, nil, nil, policies.CommandFailure, "exit code 137", policies.Failed},
		"is not there":                {[]string{"no-such-agent"}, nil, nil, policies.CommandFailure, "no-such-agent: No such file", policies.Failed},
		"fills the disk":              {[]string{"sh", "-c", "i=0; while :; do i=$((i+1)); head -c 9000000 /dev/zero > $i || exit 3; done"}, nil, nil, policies.CommandFailure, "limit on disk", policies.Failed},
		"eats memory":                 {python("x = []\nwhile True: x.append(b'x' * (1 << 26))"), func(o *Options) { o.Limits.MemoryBytes = 256 << 20 }, nil, policies.CommandFailure, "limit on memory", policies.Failed},
		"calls home":                  {python(`urllib.request.urlopen("http://1.1.1.1/", timeout=5)`), nil, nil, policies.CommandFailure, "Network is unreachable", policies.Failed},
		"uses up its turns":           {python("while True: ask()"), func(o *Options) { o.Turns = 3 }, nil, policies.TurnBudget, "after 3 turns", policies.OutOf},
		"uses up its tokens":          {python("while True: ask()"), func(o *Options) { o.Tokens = 2500 }, nil, policies.TokenBudget, "3000 of 2500 tokens", policies.OutOf},
		"uses up its money":           {python("while True: ask()"), func(o *Options) { o.USD = 0.015 }, nil, policies.CostBudget, "0.0200 of 0.0150 USD", policies.OutOf},
		"uses up its turns otherwise": {python("while True: respond()"), func(o *Options) { o.Turns = 3 }, nil, policies.TurnBudget, "after 3 turns", policies.OutOf},
		"is refused in words of the other dialect": {python(`import sys; print(respond(stream=True), file=sys.stderr); exit(1)`), nil, refused, policies.ModelError, "no such parameter", policies.Failed},
		"is refused by a model":                    {python(`import sys; print(ask(), file=sys.stderr); exit(1)`), nil, refused, policies.ModelError, "no such parameter", policies.Failed},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := &model{err: c.err}
			if c.err != nil && c.reason == policies.TimeBudget {
				m.delay = time.Minute
			}
			task, err := edit(t, m, c.command, c.change)
			var failure *policies.Failure
			if !errors.As(err, &failure) {
				t.Fatalf("%v, want a failure of the interaction", err)
			}
			if c.reason != "" && (failure.Reason != c.reason || !strings.Contains(failure.Detail, c.detail) || task.Trace.Ending != c.ending) {
				t.Errorf("%v, ended %s; want %s: …%s…, %s", failure, task.Trace.Ending, c.reason, c.detail, c.ending)
			}
			if got := fileText(t, task, "a.txt"); got != "seed" {
				t.Errorf("the document is %q", got)
			}
		})
	}
}

// What a command has made of the files before it had to be ended goes on.
func TestWhatWasDoneBeforeABudgetRanOutStays(t *testing.T) {
	t.Parallel()
	task, err := edit(t, &model{}, python(`
open("b.csv", "w").write("half")
while True: ask()`), func(o *Options) { o.Turns = 2 })
	var failure *policies.Failure
	if !errors.As(err, &failure) || failure.Reason != policies.TurnBudget {
		t.Fatal(err)
	}
	if got := fileText(t, task, "b.csv"); got != "half" {
		t.Errorf("b.csv is %q", got)
	}
}

func TestACommandThatPrintsAGigabyteIsNoFailure(t *testing.T) {
	t.Parallel()
	task, err := edit(t, &model{}, []string{"sh", "-c", "head -c 1073741824 /dev/zero; echo done > b.csv"}, nil)
	if err != nil || fileText(t, task, "b.csv") != "done\n" {
		t.Error(err)
	}
}

func TestAModelThatIsAskedNoMoreIsNoFailureOfTheInteraction(t *testing.T) {
	t.Parallel()
	_, err := edit(t, &model{err: &models.Error{Kind: models.Ended, Err: errors.New("no such key")}}, python("ask()"), nil)
	var failure *policies.Failure
	var denied *models.Error
	if errors.As(err, &failure) || !errors.As(err, &denied) {
		t.Errorf("%v", err)
	}
}

func TestWhatIsNoCommand(t *testing.T) {
	t.Parallel()
	for _, command := range [][]string{nil, {"{{.Instruction"}, {"x", "{{.Instructions}}"}} {
		if _, err := New(&model{}, nil, Options{Program: Program{Args: command}}); err == nil {
			t.Errorf("%q was taken", command)
		}
	}
}

// Files that changed between two questions to the model were changed by the calls that it
// asked for in between.
func TestCallsOfTheCommandsOwnToolsChangeFiles(t *testing.T) {
	t.Parallel()
	m := &model{answer: models.Message{ToolCalls: []models.ToolCall{
		{ID: "1", Name: "Write", Arguments: `{"file_path":"/work/workspace/b.csv"}`}, {ID: "2", Name: "Bash", Arguments: `{"command":"..."}`},
	}}}
	task, err := edit(t, m, python(`
import os
ask()
open("b.csv", "w").write("x"); open("c.x", "w").write("y"); os.remove("a.txt")
tool("write_file", path="d.x", content="z")
ask()
open("b.csv", "w").write("again")
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, call := range task.Trace.Calls {
		got = append(got, fmt.Sprintf("%d %s %d", call.Turn, call.Tool, call.Changed))
	}
	want := []string{"1 Write 1", "1 Bash 2", "1 write_file 1", "2 Write 1", "2 Bash 0"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
