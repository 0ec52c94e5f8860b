// Package agentic is the agentic mode: a loop in which a model works on the files through tools
// (paper, Appendix M). It exists in two kinds: as in the published harness, and with agentd's
// more tolerant reading of answers. Other policies are the same loop with other tools and
// prompts; each is a Kind.
package agentic

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"text/template"
	"time"

	"agentd/models"
	"agentd/policies"
	"agentd/policies/dialogue"
	"agentd/policies/entry"
	"agentd/policies/prompt"
	"agentd/tools"
)

//go:embed published clean
var prompts embed.FS

// PublishedTerms are the published harness's terms for each request. It makes two attempts;
// then the loop ends and the files are scored as they are. exactly says that such an end counts
// as a result. If it does not, more attempts are made.
func PublishedTerms(exactly bool) models.Terms {
	if exactly {
		return models.Terms{MaxOutput: 16_000, Attempts: 2, Pause: 30 * time.Second}
	}
	return models.Terms{MaxOutput: 16_000, Attempts: 10}
}

// Kind is a kind of loop: a set of tools, and the prompts for them.
type Kind struct {
	Name    string // of the policy, and of its folder of prompts
	Tools   []tools.Tool
	Prompts fs.FS // system.md, user.md, nudge.md; acknowledged.md too if Published
	// Published says that the loop follows the published harness exactly: how it reads calls,
	// when it ends, and when it counts tokens.
	Published bool
}

// Published returns the agentic mode of the published harness.
func Published() Kind {
	return Kind{Name: "agentic", Tools: tools.Published(), Prompts: folder("published"), Published: true}
}

// Clean returns the agentic mode with errors that say what to do, and with more accepted forms
// of tool calls.
func Clean() Kind {
	return Kind{Name: "agentic", Tools: tools.Standard(), Prompts: folder("clean")}
}

// Of returns the agentic mode of a protocol.
func Of(protocol policies.Protocol) Kind {
	if protocol == policies.Published {
		return Published()
	}
	return Clean()
}

func folder(name string) fs.FS {
	sub, err := fs.Sub(prompts, name)
	if err != nil {
		panic(err) // the name is valid
	}
	return sub
}

// Loop is a conversation loop of a model with tools.
type Loop struct {
	Model  models.Model
	Price  *models.Price // nil if unknown
	Limits policies.Limits
	Terms  models.Terms // of each request
	// Settings control conversations of several requests. A Loop inside another policy uses
	// their Dialogue.
	Settings policies.Dialogue
	Dialogue dialogue.Dialogue
	Tools    []tools.Tool
	Nudge    string // sent if the model stops before it has written a file
	// Published is Kind.Published. If it is set, Acknowledged tells the model that calls
	// written as text were carried out.
	Published    bool
	Acknowledged string
}

// Policy is the loop as a policy.
type Policy struct {
	kind         Kind
	loop         Loop
	system, user *template.Template
}

// Options are the options of a loop of tool calls.
type Options struct {
	policies.Limits `yaml:",inline"`

	kind func(policies.Protocol) Kind
}

// New returns the policy.
func (o *Options) New(in entry.Ingredients) (policies.Policy, error) {
	return New(o.kind(in.Protocol), LoopOf(in, o.Limits), in.Prompts)
}

// LoopOf returns a loop without its tools.
func LoopOf(in entry.Ingredients, limits policies.Limits) Loop {
	l := Loop{Model: in.Model, Price: in.Price, Limits: limits.Or(in.Limits), Settings: in.Dialogue}
	if in.Protocol == policies.Published {
		l.Terms = PublishedTerms(in.FaultsCount)
	}
	return l
}

// Entry is the agentic mode.
func Entry() entry.Entry {
	e := EntryOf(Of, "a loop of tool calls: read_file, write_file, delete_file, run_python, finish")
	e.PublishedLoop = true
	return e
}

// EntryOf returns the catalog entry of a loop with one kind for each protocol.
func EntryOf(kind func(policies.Protocol) Kind, summary string) entry.Entry {
	e := entry.Entry{Summary: summary, NeedsModel: true, NeedsSandbox: true, Traits: entry.Traits{Tools: true}, Options: &Options{kind: kind}}
	for _, protocol := range policies.Protocols() {
		k := kind(protocol)
		e.Name, e.Prompts = k.Name, append(e.Prompts, append(prompt.Files(k.Prompts), toolsFile)...)
	}
	e.Converses, e.Prompts = true, append(e.Prompts, dialogue.Files()...)
	slices.Sort(e.Prompts)
	e.Prompts = slices.Compact(e.Prompts)
	return e
}

// toolsFile is a prompt file that replaces the descriptions of a kind's tools (tools.Describe).
const toolsFile = "tools.json"

// New returns a policy of the kind. It uses the model, price, limits and terms of loop.
func New(kind Kind, loop Loop, source *prompt.Source) (*Policy, error) {
	loop.Tools, loop.Published = kind.Tools, kind.Published
	p := &Policy{kind: kind, loop: loop}
	text, described, err := source.Text(kind.Name, toolsFile)
	if err != nil {
		return nil, err
	}
	if described {
		if p.loop.Tools, err = tools.Describe(kind.Tools, text); err != nil {
			return nil, fmt.Errorf("reading the prompt %s/%s: %w", kind.Name, toolsFile, err)
		}
	}
	if p.system, err = source.Load(kind.Prompts, kind.Name, "system.md"); err != nil {
		return nil, err
	}
	if p.user, err = source.Load(kind.Prompts, kind.Name, "user.md"); err != nil {
		return nil, err
	}
	if p.loop.Nudge, err = fixed(source, kind, "nudge.md"); err != nil {
		return nil, err
	}
	if kind.Published {
		if p.loop.Acknowledged, err = fixed(source, kind, "acknowledged.md"); err != nil {
			return nil, err
		}
	}
	p.loop.Dialogue, err = dialogue.New(loop.Settings, source, kind.Name, dialogue.NextFile)
	return p, err
}

// fixed returns a prompt that does not depend on the task.
func fixed(source *prompt.Source, kind Kind, file string) (string, error) {
	t, err := source.Load(kind.Prompts, kind.Name, file)
	if err != nil {
		return "", err
	}
	return prompt.Render(t, prompt.Values{})
}

// Name implements policies.Policy.
func (p *Policy) Name() string { return p.kind.Name }

// Kind returns the policy's kind.
func (p *Policy) Kind() Kind { return p.kind }

// Edit runs the loop until the model finishes, stops or exceeds its budget.
func (p *Policy) Edit(ctx context.Context, task *policies.Task) (err error) {
	session, err := p.loop.Session(task)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	thread, err := p.open(task)
	if err != nil {
		return err
	}
	return p.loop.Run(ctx, task, session, thread)
}

// open returns a new conversation that ends with the task's request. The published harness
// lists the files sorted by name.
func (p *Policy) open(task *policies.Task) (*dialogue.Thread, error) {
	if said := task.Talk().Messages; len(said) > 0 {
		return p.goOn(task, said)
	}
	order := task.FileOrder
	if p.loop.Published {
		order = slices.Sorted(slices.Values(order))
	}
	messages, err := Open(task, p.system, p.user, prompt.Values{}, order)
	return &dialogue.Thread{Messages: messages, Request: 1}, err
}

// goOn adds the task's request to an earlier conversation.
func (p *Policy) goOn(task *policies.Task, said []models.Message) (*dialogue.Thread, error) {
	changed, err := dialogue.Changed(task)
	if err != nil {
		return nil, err
	}
	values := prompt.Values{Changed: changed}
	for _, name := range slices.Sorted(slices.Values(task.FileOrder)) {
		values.Files = append(values.Files, prompt.File{Name: name})
	}
	text, err := p.loop.Dialogue.Request(task, values)
	if err != nil {
		return nil, err
	}
	messages := append(slices.Clone(said), models.Message{Role: models.User, Content: text})
	return &dialogue.Thread{Messages: messages, Request: len(said)}, nil
}

// Session returns a session with the loop's tools in the task's workspace.
func (l *Loop) Session(task *policies.Task) (*tools.Session, error) {
	if l.Published {
		return task.PublishedSession(l.Tools), nil
	}
	return task.Session(l.Tools)
}

// Run continues a conversation until the model finishes, stops or exceeds its budget. It saves
// the conversation in the task. The limits apply to this run only, not to what the task's trace
// already contains.
func (l *Loop) Run(ctx context.Context, task *policies.Task, session *tools.Session, thread *dialogue.Thread) error {
	request := models.Request{Tools: offer(l.Tools), Seed: task.Seed, Terms: l.Terms}
	task.Talk().Tools = request.Tools
	window := dialogue.Window{Dialogue: l.Dialogue, Model: l.Model, Price: l.Price}
	before := task.Trace.Usage().Total()
	if task.More {
		session.PermitFinish() // there need not be anything to write yet
	}
	for turn := 1; turn <= l.Limits.Turns; turn++ {
		answer, err := window.Complete(ctx, task, thread, request)
		if err != nil {
			task.Trace.AddFailure(err, l.Price)
			return failed(ctx, task, err)
		}
		number := task.Trace.AddTurn(answer, l.Price)
		thread.Messages = append(thread.Messages, answer.Message)
		calls, asText := answer.Message.ToolCalls, false
		if len(calls) == 0 {
			calls, asText = l.textCalls(answer.Message.Content, session), true
		}
		switch {
		case len(calls) > 0:
			task.Trace.Turns[number-1].AsText = asText
			results, err := perform(ctx, session, calls, number, task.Trace)
			thread.Messages = append(thread.Messages, l.answers(results, asText)...)
			thread.LeaveIn(task)
			if err != nil {
				return failed(ctx, task, err)
			}
		case session.Written():
			thread.LeaveIn(task)
			task.Trace.Ending = policies.Stopped
			return nil
		default:
			thread.LeaveIn(task)
			thread.Messages = append(thread.Messages, models.Message{Role: models.User, Content: l.Nudge})
		}
		if session.Finished() {
			task.Trace.Ending = policies.Finished
			return nil
		}
		if used := task.Trace.Usage().Total() - before; l.spent(used, len(answer.Message.ToolCalls) > 0) {
			task.Trace.Ending = policies.OutOf
			return policies.Failf(policies.TokenBudget, "%d of %d tokens used after %d turns", used, l.Limits.Tokens, turn)
		}
	}
	task.Trace.Ending = policies.OutOf
	return policies.Failf(policies.TurnBudget, "not finished after %d turns", l.Limits.Turns)
}

// textCalls returns the tool calls that a message contains as text. The published harness looks
// for them only until a file has been written.
func (l *Loop) textCalls(text string, session *tools.Session) []models.ToolCall {
	switch {
	case !l.Published:
		return textCalls(text, session.Names())
	case session.Written():
		return nil
	}
	return inlineCalls(text)
}

// spent reports whether the token budget is used up. The published harness checks it only after
// turns with tool calls, and allows a model to use exactly the budget.
func (l *Loop) spent(used int, called bool) bool {
	if l.Published {
		return called && used > l.Limits.Tokens
	}
	return used >= l.Limits.Tokens
}

// Open returns the system and user messages that open a conversation. They list the files in
// the given order, without their contents. values supplement the task's instruction, targets
// and files.
func Open(task *policies.Task, system, user *template.Template, values prompt.Values, order []string) ([]models.Message, error) {
	values = values.Of(task)
	for _, name := range order {
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

// result is a tool call and its result text.
type result struct {
	call models.ToolCall
	text string
}

// perform executes a turn's calls in order. It stops after an accepted finish.
func perform(ctx context.Context, s *tools.Session, calls []models.ToolCall, turn int, trace *policies.Trace) ([]result, error) {
	results := make([]result, 0, len(calls))
	for i, call := range calls {
		start := time.Now()
		outcome, err := do(ctx, s, i, call)
		if err != nil {
			return results, err
		}
		trace.AddCall(turn, call.Name, call.Arguments, outcome, time.Since(start))
		results = append(results, result{call, outcome.Text})
		if s.Finished() {
			break
		}
	}
	return results, nil
}

// do executes a call. before is the number of calls before it in the same answer.
func do(ctx context.Context, s *tools.Session, before int, call models.ToolCall) (tools.Outcome, error) {
	if before >= policies.MaxCalls {
		return tools.Outcome{Text: policies.TooManyCalls, Failed: true}, nil
	}
	return s.Call(ctx, call.Name, call.Arguments)
}

// answers returns the messages with the results of calls. The published harness does not report
// the results of calls written as text.
func (l *Loop) answers(results []result, asText bool) []models.Message {
	if asText && l.Published {
		return []models.Message{{Role: models.User, Content: l.Acknowledged}}
	}
	messages := make([]models.Message, len(results))
	for i, r := range results {
		messages[i] = models.Message{Role: models.ToolRole, ToolCallID: r.call.ID, Content: r.text}
		if asText { // no call to refer to
			messages[i] = models.Message{Role: models.User, Content: fmt.Sprintf("Result of %s:\n%s", r.call.Name, r.text)}
		}
	}
	return messages
}

// failed converts the error that ended the loop to the error of Edit.
func failed(ctx context.Context, task *policies.Task, err error) error {
	task.Trace.Ending = policies.Failed
	if _, ok := errors.AsType[*models.Error](err); ok || ctx.Err() != nil {
		return policies.ModelFailure(ctx, task, err)
	}
	return policies.ToolFailure(err)
}
