// Package agentic is the published agentic mode: a loop in which a model works
// on the files through tools (paper, Appendix M).
package agentic

import (
	"context"
	"embed"
	"errors"
	"fmt"
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

// Policy is the agentic mode with one model.
type Policy struct {
	Model  models.Model
	Price  *models.Price // nil if unknown
	Limits Limits

	set                 []tools.Tool
	system, user, nudge *template.Template
}

// New returns the policy.
func New(model models.Model, price *models.Price, limits Limits, source *prompt.Source) (*Policy, error) {
	p := &Policy{Model: model, Price: price, Limits: limits, set: tools.Standard()}
	for file, into := range map[string]**template.Template{
		"system.md": &p.system, "user.md": &p.user, "nudge.md": &p.nudge,
	} {
		t, err := source.Load(prompts, p.Name(), file)
		if err != nil {
			return nil, err
		}
		*into = t
	}
	return p, nil
}

func (p *Policy) Name() string { return "agentic" }

// Edit runs the loop until the model finishes, stops or is out of budget.
func (p *Policy) Edit(ctx context.Context, task *policies.Task) (err error) {
	session := tools.NewSession(task.Workspace, task.NewRunner, p.set)
	defer func() { err = errors.Join(err, session.Close()) }()
	conversation, err := p.open(task)
	if err != nil {
		return err
	}
	nudge, err := prompt.Render(p.nudge, prompt.Values{})
	if err != nil {
		return err
	}
	offered := offer(p.set)
	for turn := 1; turn <= p.Limits.Turns; turn++ {
		answer, err := p.Model.Complete(ctx, models.Request{Messages: conversation, Tools: offered, Seed: task.Seed})
		if err != nil {
			task.Trace.AddFailure(err, p.Price)
			return failed(ctx, task, err)
		}
		task.Trace.AddTurn(answer, p.Price)
		conversation = append(conversation, answer.Message)
		calls, asText := answer.Message.ToolCalls, false
		if len(calls) == 0 {
			calls, asText = textCalls(answer.Message.Content, session.Names()), true
		}
		switch {
		case len(calls) > 0:
			task.Trace.Turns[turn-1].AsText = asText
			results, err := perform(ctx, session, calls, turn, task.Trace)
			if err != nil {
				return failed(ctx, task, err)
			}
			conversation = append(conversation, answers(results, asText)...)
		case session.Written():
			task.Trace.Ending = policies.Stopped
			return nil
		default:
			conversation = append(conversation, models.Message{Role: models.User, Content: nudge})
		}
		if session.Finished() {
			task.Trace.Ending = policies.Finished
			return nil
		}
		if used := task.Trace.Usage().Total(); used >= p.Limits.Tokens {
			task.Trace.Ending = policies.OutOf
			return policies.Failf(policies.TokenBudget, "%d of %d tokens used after %d turns", used, p.Limits.Tokens, turn)
		}
	}
	task.Trace.Ending = policies.OutOf
	return policies.Failf(policies.TurnBudget, "not finished after %d turns", p.Limits.Turns)
}

// open returns the first messages. They name the files; their contents are for
// the model to read.
func (p *Policy) open(task *policies.Task) ([]models.Message, error) {
	values := prompt.Values{Instruction: task.Instruction, Targets: task.Targets}
	for _, name := range task.FileOrder {
		values.Files = append(values.Files, prompt.File{Name: name})
	}
	system, err := prompt.Render(p.system, values)
	if err != nil {
		return nil, err
	}
	user, err := prompt.Render(p.user, values)
	if err != nil {
		return nil, err
	}
	return []models.Message{{Role: models.System, Content: system}, {Role: models.User, Content: user}}, nil
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
	for _, call := range calls {
		start := time.Now()
		outcome, err := s.Call(ctx, call.Name, call.Arguments)
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
