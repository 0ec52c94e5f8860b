// Package agentic is the published agentic mode: a loop in which a model works
// on the files through tools (paper, Appendix M). Other policies are the same loop
// with other tools and prompts; each is a Kind.
package agentic

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"text/template"
	"time"

	"agentd/models"
	"agentd/policies"
	"agentd/policies/prompt"
	"agentd/tools"
)

//go:embed *.md
var prompts embed.FS

// Limits bound one interaction.
type Limits struct {
	Turns  int // completions
	Tokens int // prompt and completion tokens of all turns
}

// DefaultLimits are those of the paper.
func DefaultLimits() Limits { return Limits{Turns: 25, Tokens: 500_000} }

// Kind is what makes a policy of the loop: a set of tools, and prompts that go
// with it.
type Kind struct {
	Name    string // of the policy, and what its prompts are found under
	Tools   []tools.Tool
	Prompts fs.FS // system.md, user.md, nudge.md
}

// Published is the agentic mode of the paper.
func Published() Kind {
	return Kind{Name: "agentic", Tools: tools.Standard(), Prompts: prompts}
}

// Loop is a model at work with tools.
type Loop struct {
	Model  models.Model
	Price  *models.Price // nil if unknown
	Limits Limits
	Tools  []tools.Tool
	Nudge  string // for a model that stops before anything is written
}

// Policy is a loop from an instruction to files.
type Policy struct {
	name         string
	loop         Loop
	system, user *template.Template
}

// New returns a policy of the kind.
func New(kind Kind, model models.Model, price *models.Price, limits Limits, source *prompt.Source) (*Policy, error) {
	p := &Policy{name: kind.Name, loop: Loop{Model: model, Price: price, Limits: limits, Tools: kind.Tools}}
	var nudge *template.Template
	for file, into := range map[string]**template.Template{"system.md": &p.system, "user.md": &p.user, "nudge.md": &nudge} {
		t, err := source.Load(kind.Prompts, kind.Name, file)
		if err != nil {
			return nil, err
		}
		*into = t
	}
	var err error
	p.loop.Nudge, err = prompt.Render(nudge, prompt.Values{})
	return p, err
}

func (p *Policy) Name() string { return p.name }

// Edit runs the loop until the model finishes, stops or is out of budget.
func (p *Policy) Edit(ctx context.Context, task *policies.Task) (err error) {
	session := tools.NewSession(task.Workspace, task.NewRunner, p.loop.Tools)
	defer func() { err = errors.Join(err, session.Close()) }()
	conversation, err := Open(task, p.system, p.user, prompt.Values{})
	if err != nil {
		return err
	}
	return p.loop.Run(ctx, task, session, conversation)
}

// Run goes on with a conversation until the model finishes, stops or is out of
// budget. The limits are for this run alone, whatever the task's trace holds.
func (l *Loop) Run(ctx context.Context, task *policies.Task, session *tools.Session, conversation []models.Message) error {
	offered := offer(l.Tools)
	before := task.Trace.Usage().Total()
	for turn := 1; turn <= l.Limits.Turns; turn++ {
		answer, err := l.Model.Complete(ctx, models.Request{Messages: conversation, Tools: offered, Seed: task.Seed})
		if err != nil {
			task.Trace.AddFailure(err, l.Price)
			return failed(ctx, task, err)
		}
		number := task.Trace.AddTurn(answer, l.Price)
		conversation = append(conversation, answer.Message)
		calls, asText := answer.Message.ToolCalls, false
		if len(calls) == 0 {
			calls, asText = textCalls(answer.Message.Content, session.Names()), true
		}
		switch {
		case len(calls) > 0:
			task.Trace.Turns[number-1].AsText = asText
			results, err := perform(ctx, session, calls, number, task.Trace)
			if err != nil {
				return failed(ctx, task, err)
			}
			conversation = append(conversation, answers(results, asText)...)
		case session.Written():
			task.Trace.Ending = policies.Stopped
			return nil
		default:
			conversation = append(conversation, models.Message{Role: models.User, Content: l.Nudge})
		}
		if session.Finished() {
			task.Trace.Ending = policies.Finished
			return nil
		}
		if used := task.Trace.Usage().Total() - before; used >= l.Limits.Tokens {
			task.Trace.Ending = policies.OutOf
			return policies.Failf(policies.TokenBudget, "%d of %d tokens used after %d turns", used, l.Limits.Tokens, turn)
		}
	}
	task.Trace.Ending = policies.OutOf
	return policies.Failf(policies.TurnBudget, "not finished after %d turns", l.Limits.Turns)
}

// Open returns the first messages of a conversation: a system's and a user's.
// They name the files; their contents are for the model to read.
// values holds what the prompts may use beside the task's instruction, targets
// and files.
func Open(task *policies.Task, system, user *template.Template, values prompt.Values) ([]models.Message, error) {
	values.Instruction, values.Targets = task.Instruction, task.Targets
	for _, name := range task.FileOrder {
		values.Files = append(values.Files, prompt.File{Name: name})
	}
	var messages []models.Message
	for _, part := range []struct {
		role models.Role
		text *template.Template
	}{{models.System, system}, {models.User, user}} {
		text, err := prompt.Render(part.text, values)
		if err != nil {
			return nil, err
		}
		messages = append(messages, models.Message{Role: part.role, Content: text})
	}
	return messages, nil
}

func offer(set []tools.Tool) []models.Tool {
	offered := make([]models.Tool, len(set))
	for i, t := range set {
		offered[i] = models.Tool{Name: t.Name, Description: t.Description, Parameters: t.Parameters}
	}
	return offered
}

// result is a tool call with its answer.
type result struct {
	call models.ToolCall
	text string
}

// perform runs a turn's calls in order and stops after an accepted finish.
func perform(ctx context.Context, s *tools.Session, calls []models.ToolCall, turn int, trace *policies.Trace) ([]result, error) {
	results := make([]result, 0, len(calls))
	for i, call := range calls {
		start := time.Now()
		outcome, err := do(ctx, s, i, call)
		if err != nil {
			return nil, err
		}
		record := policies.Call{
			Turn: turn, Tool: call.Name, ArgNames: outcome.ArgNames,
			In: len(call.Arguments), Out: len(outcome.Text),
			Changed: outcome.Changed, Failed: outcome.Failed, Duration: time.Since(start),
			Arguments: call.Arguments, Answer: outcome.Text,
		}
		if outcome.Failed {
			record.Error = outcome.Text
		}
		trace.Calls = append(trace.Calls, record)
		results = append(results, result{call, outcome.Text})
		if s.Finished() {
			break
		}
	}
	return results, nil
}

// do carries out the call that has so many before it in its answer.
func do(ctx context.Context, s *tools.Session, before int, call models.ToolCall) (tools.Outcome, error) {
	if before >= policies.MaxCalls {
		return tools.Outcome{Text: policies.TooManyCalls, Failed: true}, nil
	}
	return s.Call(ctx, call.Name, call.Arguments)
}

// answers are the messages that tell the model what its calls came to.
func answers(results []result, asText bool) []models.Message {
	messages := make([]models.Message, len(results))
	for i, r := range results {
		messages[i] = models.Message{Role: models.ToolRole, ToolCallID: r.call.ID, Content: r.text}
		if asText { // no call to refer to
			messages[i] = models.Message{Role: models.User, Content: fmt.Sprintf("Result of %s:\n%s", r.call.Name, r.text)}
		}
	}
	return messages
}

// failed turns what ended the loop into what Edit returns.
func failed(ctx context.Context, task *policies.Task, err error) error {
	task.Trace.Ending = policies.Failed
	var model *models.Error
	if ctx.Err() != nil || errors.As(err, &model) {
		return policies.ModelFailure(ctx, err)
	}
	return policies.Failf(policies.SandboxFailure, "%v", err)
}
