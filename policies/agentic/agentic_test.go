package agentic

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/models"
	"agentd/policies"
	"agentd/policies/prompt"
	"agentd/sandbox"
	"agentd/vfs"
)

// script is a model that says what it is told to, in order, and keeps what it
// was asked.
type script struct {
	answers []models.Message
	err     error
	asked   []models.Request
}

func (s *script) Name() string { return "script" }

func (s *script) Complete(_ context.Context, r models.Request) (models.Response, error) {
	s.asked = append(s.asked, r)
	if s.err != nil {
		return models.Response{}, s.err
	}
	answer := s.answers[min(len(s.asked), len(s.answers))-1]
	answer.Role = models.Assistant
	return models.Response{Message: answer, Usage: models.Usage{Prompt: 900, Completion: 100}}, nil
}

func calls(pairs ...string) models.Message {
	var m models.Message
	for i := 0; i+1 < len(pairs); i += 2 {
		m.ToolCalls = append(m.ToolCalls, models.ToolCall{ID: pairs[i], Name: pairs[i], Arguments: pairs[i+1]})
	}
	return m
}

func says(text string) models.Message { return models.Message{Content: text} }

const (
	writes = `{"path":"b.csv","content":"x"}`
	reads  = `{"path":"a.txt"}`
)

// edit runs the policy on a small task.
func edit(t *testing.T, model models.Model, limits policies.Limits) (*policies.Task, error) {
	t.Helper()
	source, err := prompt.NewSource("")
	if err != nil {
		t.Fatal(err)
	}
	policy, err := New(Clean(), Loop{Model: model, Price: &models.Price{Input: 1, Output: 2}, Limits: limits}, source)
	if err != nil {
		t.Fatal(err)
	}
	ws, err := vfs.New(vfs.Files{"a.txt": "seed"}, vfs.Files{"other.md": "distractor"})
	if err != nil {
		t.Fatal(err)
	}
	task := &policies.Task{
		Instruction: "Make b.csv.", Workspace: ws, Targets: []string{"b.csv"}, FileOrder: []string{"other.md", "a.txt"},
		NewRunner: func() (sandbox.Runner, error) { return nil, sandbox.ErrUnavailable },
		Trace:     &policies.Trace{},
	}
	return task, policy.Edit(t.Context(), task)
}

func TestEndings(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		answers []models.Message
		limits  policies.Limits
		ending  policies.Ending
		reason  policies.Reason // of the failure, empty if there is none
		turns   int
	}{
		"finish after writing":            {[]models.Message{calls("write_file", writes), calls("finish", "{}")}, policies.DefaultLimits(), policies.Finished, "", 2},
		"write and finish in one turn":    {[]models.Message{calls("write_file", writes, "finish", "{}")}, policies.DefaultLimits(), policies.Finished, "", 1},
		"finish is refused until written": {[]models.Message{calls("finish", "{}"), calls("write_file", writes), calls("finish", "")}, policies.DefaultLimits(), policies.Finished, "", 3},
		"stops calling after writing":     {[]models.Message{calls("write_file", writes), says("Done.")}, policies.DefaultLimits(), policies.Stopped, "", 2},
		"is nudged before writing":        {[]models.Message{says("I will."), calls("write_file", writes), says("Done.")}, policies.DefaultLimits(), policies.Stopped, "", 3},
		"uses up its turns":               {[]models.Message{calls("read_file", reads)}, policies.DefaultLimits(), policies.OutOf, policies.TurnBudget, 25},
		"uses up its tokens":              {[]models.Message{calls("read_file", reads)}, policies.Limits{Turns: 25, Tokens: 4000}, policies.OutOf, policies.TokenBudget, 4},
		"calls as text are understood":    {[]models.Message{says("```json\n{\"name\": \"write_file\", \"arguments\": " + writes + "}\n```"), calls("finish", "{}")}, policies.DefaultLimits(), policies.Finished, "", 2},
		"a sandbox that does not work":    {[]models.Message{calls("run_python", `{"code":"pass"}`)}, policies.DefaultLimits(), policies.Failed, policies.SandboxFailure, 1},
	} {
		task, err := edit(t, &script{answers: c.answers}, c.limits)
		var failure *policies.Failure
		if errors.As(err, &failure) != (c.reason != "") || failure != nil && failure.Reason != c.reason {
			t.Errorf("%s: %v, want reason %q", name, err, c.reason)
		}
		if task.Trace.Ending != c.ending || len(task.Trace.Turns) != c.turns {
			t.Errorf("%s: %s after %d turns, want %s after %d", name, task.Trace.Ending, len(task.Trace.Turns), c.ending, c.turns)
		}
	}
}

func TestTheConversation(t *testing.T) {
	t.Parallel()
	model := &script{answers: []models.Message{calls("read_file", reads, "read_file", `{"path":"zzz"}`), calls("write_file", writes, "finish", "{}")}}
	task, err := edit(t, model, policies.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	first, second := model.asked[0], model.asked[1]
	user := first.Messages[1].Content
	if !strings.Contains(user, "Make b.csv.") || !strings.Contains(user, "- other.md\n- a.txt\n") || !strings.Contains(user, "- b.csv") {
		t.Errorf("the first prompt: %s", user)
	}
	if strings.Contains(user, "seed") || strings.Contains(user, "distractor\n") {
		t.Errorf("the first prompt holds contents: %s", user)
	}
	if len(first.Tools) != 5 {
		t.Errorf("%d tools offered", len(first.Tools))
	}
	answers := second.Messages[3:]
	if answers[0].Content != "seed" || answers[0].ToolCallID != "read_file" || answers[0].Role != models.ToolRole {
		t.Errorf("the answer to the first call: %+v", answers[0])
	}
	if !strings.Contains(answers[1].Content, "does not exist") {
		t.Errorf("the answer to the second call: %+v", answers[1])
	}
	if got := task.Trace.Usage(); got != (models.Usage{Prompt: 1800, Completion: 200}) {
		t.Errorf("usage %+v", got)
	}
	if cost := task.Trace.Cost(); cost == nil || *cost != (1800*1+200*2)/1e6 {
		t.Errorf("cost %v", cost)
	}
	var tools []string
	for _, c := range task.Trace.Calls {
		tools = append(tools, c.Tool)
	}
	if diff := cmp.Diff([]string{"read_file", "read_file", "write_file", "finish"}, tools); diff != "" {
		t.Error(diff)
	}
	if task.Trace.Calls[1].Error == "" {
		t.Errorf("the failed call: %+v", task.Trace.Calls[1])
	}
}

// An answer with more calls than are carried out gets a result for each: the model's
// server wants one for every call.
func TestOneAnswersCallsAreBounded(t *testing.T) {
	t.Parallel()
	const all = 10_000
	var many models.Message
	for i := range all {
		many.ToolCalls = append(many.ToolCalls, models.ToolCall{ID: fmt.Sprint(i), Name: "write_file", Arguments: fmt.Sprintf(`{"path":"%d.csv","content":"x"}`, i)})
	}
	model := &script{answers: []models.Message{many, calls("write_file", writes, "finish", "{}")}}
	task, err := edit(t, model, policies.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	if files, err := task.Workspace.Snapshot(); err != nil || len(files) != 2+policies.MaxCalls+1 {
		t.Errorf("%d files, %v", len(files), err)
	}
	answers := model.asked[1].Messages[3:]
	if len(answers) != all {
		t.Fatalf("%d answers to %d calls", len(answers), all)
	}
	for i, answer := range answers {
		if (answer.Content == policies.TooManyCalls) != (i >= policies.MaxCalls) || answer.ToolCallID != fmt.Sprint(i) {
			t.Fatalf("call %d is answered with %+v", i, answer)
		}
	}
	if last := task.Trace.Calls[all-1]; last.Error != policies.TooManyCalls || last.Changed != 0 {
		t.Errorf("the last call: %+v", last)
	}
	if !strings.Contains(policies.TooManyCalls, fmt.Sprint(policies.MaxCalls)) {
		t.Errorf("%q does not say %d", policies.TooManyCalls, policies.MaxCalls)
	}
}

func TestAModelErrorFailsTheInteraction(t *testing.T) {
	t.Parallel()
	_, err := edit(t, &script{err: &models.Error{Kind: models.Refused, Err: errors.New("no")}}, policies.DefaultLimits())
	var failure *policies.Failure
	if !errors.As(err, &failure) || failure.Reason != policies.ModelError {
		t.Errorf("%v", err)
	}
}

func TestAModelThatIsAskedNoMoreIsNoFailureOfTheInteraction(t *testing.T) {
	t.Parallel()
	_, err := edit(t, &script{err: &models.Error{Kind: models.Ended, Err: errors.New("no such key")}}, policies.DefaultLimits())
	var failure *policies.Failure
	var denied *models.Error
	if errors.As(err, &failure) || !errors.As(err, &denied) {
		t.Errorf("%v", err)
	}
}

func TestCallsInText(t *testing.T) {
	t.Parallel()
	type call struct{ Name, Arguments string }
	for name, c := range map[string]struct {
		text string
		want []call
	}{
		"plain":               {`{"name":"finish","arguments":{}}`, []call{{"finish", `{}`}}},
		"in tags, with prose": {"Now:\n<tool_call>{\"name\":\"read_file\",\"arguments\":{\"path\":\"a\"}}</tool_call>", []call{{"read_file", `{"path":"a"}`}}},
		"an array":            {`[{"name":"read_file","parameters":{"path":"a"}},{"tool":"finish"}]`, []call{{"read_file", `{"path":"a"}`}, {"finish", ""}}},
		"wrapped":             {`{"tool_calls":[{"type":"function","function":{"name":"finish","arguments":"{}"}}]}`, []call{{"finish", "{}"}}},
		"another object":      {`{"name":"Zach","arguments":{}} and {"a":1}`, nil},
		"broken JSON":         {`{"name":"finish","arguments":{`, nil},
		"prose":               {"I am done.", nil},
		"many braces":         {strings.Repeat("{", 100_000), nil},
	} {
		var got []call
		for _, found := range textCalls(c.text, []string{"read_file", "finish"}) {
			got = append(got, call{found.Name, found.Arguments})
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestPromptsCanBeReplaced(t *testing.T) {
	t.Parallel()
	if _, err := prompt.NewSource("no/such/folder"); err == nil {
		t.Error("a missing folder was accepted")
	}
}

func TestToolsCanBeDescribedInOtherWords(t *testing.T) {
	t.Parallel()
	texts := map[string]string{"agentic/tools.json": `{"read_file": {"description": "Peek.", "parameters": {"type": "object"}}}`}
	loop := Loop{Model: &script{}, Limits: policies.DefaultLimits()}
	if _, err := New(Published(), loop, prompt.NewReplaced(prompt.Named(texts))); err == nil || !strings.Contains(err.Error(), "agentic/tools.json: it lacks the description and parameters of the tool write_file") {
		t.Errorf("of one tool: %v", err)
	}
	kind := Published()
	kind.Tools = kind.Tools[:1]
	model := &script{answers: []models.Message{says("Hm.")}}
	policy, err := New(kind, Loop{Model: model, Limits: policies.Limits{Turns: 1, Tokens: 1000}}, prompt.NewReplaced(prompt.Named(texts)))
	if err != nil {
		t.Fatal(err)
	}
	ws, err := vfs.New(vfs.Files{"a.txt": "seed"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var failure *policies.Failure
	if err := policy.Edit(t.Context(), &policies.Task{Workspace: ws, Trace: &policies.Trace{}}); !errors.As(err, &failure) {
		t.Fatal(err)
	}
	if got := model.asked[0].Tools; len(got) != 1 || got[0].Name != "read_file" || got[0].Description != "Peek." || string(got[0].Parameters) != `{"type":"object"}` {
		t.Errorf("offered are %+v", got)
	}
}

func FuzzTextCalls(f *testing.F) {
	for _, text := range []string{`{"name":"finish","arguments":{}}`, `[{"tool":"read_file"}]`, "{{{{", `{"function":{"name":"finish","arguments":"{}"}}`} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, call := range textCalls(text, []string{"read_file", "finish"}) {
			if call.Name != "read_file" && call.Name != "finish" {
				t.Errorf("a call of %q", call.Name)
			}
		}
	})
}

// An answer of the largest size that a server may send, made to be read over and over.
func BenchmarkTextCalls(b *testing.B) {
	text := strings.Repeat(`{"a":`, 1<<20)
	for b.Loop() {
		textCalls(text, []string{"finish"})
	}
}
