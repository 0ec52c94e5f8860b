// Package verify adds a second look to any other policy: the model gets the instruction and a
// diff of what was done, and may correct it.
package verify

import (
	"context"
	"embed"
	"errors"
	"text/template"

	"agentd/policies"
	"agentd/policies/agentic"
	"agentd/policies/dialogue"
	"agentd/policies/entry"
	"agentd/policies/prompt"
	"agentd/tools"
)

//go:embed *.md
var prompts embed.FS

// Policy runs another policy and then checks its work.
type Policy struct {
	first        policies.Policy
	look         agentic.Loop
	system, user *template.Template
}

// Options are the options of the second look.
type Options struct {
	policies.Limits `yaml:",inline"`
}

// New returns the policy. The second look has the tools of the first policy if that is a loop,
// otherwise those of agentic.
func (o *Options) New(in entry.Ingredients) (policies.Policy, error) {
	look := agentic.LoopOf(in, o.Limits)
	look.Tools = agentic.Clean().Tools
	if loop, ok := in.First.(*agentic.Policy); ok {
		look.Tools, look.Published = loop.Kind().Tools, loop.Kind().Published
	}
	return New(in.First, look, in.Prompts)
}

// Entry is the policy in the catalog.
func Entry() entry.Entry {
	return entry.Entry{
		Name: "verify", Summary: "verify(POLICY): any other policy, then a second look at what it changed, with tools to correct it",
		NeedsModel: true, NeedsSandbox: true, Over: true, Converses: true, Traits: entry.Traits{Tools: true}, Prompts: prompt.Files(prompts), Options: &Options{},
	}
}

// New returns a policy that checks the work of first. look sets the model, limits and tools of
// the second look.
func New(first policies.Policy, look agentic.Loop, source *prompt.Source) (*Policy, error) {
	p := &Policy{first: first, look: look}
	var err error
	if p.system, err = source.Load(prompts, "verify", "system.md"); err != nil {
		return nil, err
	}
	p.user, err = source.Load(prompts, "verify", "user.md")
	return p, err
}

// Name implements policies.Policy.
func (p *Policy) Name() string { return "verify(" + p.first.Name() + ")" }

// Edit runs the first policy, and then the second look unless the first policy failed.
func (p *Policy) Edit(ctx context.Context, task *policies.Task) (err error) {
	if err := p.first.Edit(ctx, task); err != nil || task.More {
		return err // an incomplete instruction cannot be checked yet
	}
	if task.Answer != nil {
		if err := task.Workspace.ReplaceDocuments(task.Answer); err != nil {
			return policies.Failf(policies.BadAnswer, "%v", err)
		}
		task.Answer = nil
	}
	session, err := p.look.Session(task)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	session.PermitFinish()
	now, err := task.Workspace.Snapshot()
	if err != nil {
		return err
	}
	start, err := task.Workspace.Start()
	if err != nil {
		return err
	}
	messages, err := agentic.Open(task, p.system, p.user, prompt.Values{Changes: tools.Changes(start, now)}, now.Names())
	if err != nil {
		return err
	}
	aside := *task // the second look does not belong to the conversation
	aside.Conversation = nil
	err = p.look.Run(ctx, &aside, session, &dialogue.Thread{Messages: messages, Request: 1})
	talk, said := task.Talk(), aside.Talk()
	talk.Asides = append(talk.Asides, policies.Aside{After: len(talk.Messages), Messages: said.Messages, Tools: said.Tools})
	return err
}
