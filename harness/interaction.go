package harness

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"agentd/domains"
	"agentd/environments"
	"agentd/harness/judge"
	"agentd/internal/charset"
	"agentd/internal/fidelity"
	"agentd/models"
	"agentd/policies"
	"agentd/results"
	"agentd/results/record"
	"agentd/tools"
	"agentd/vfs"
)

// step is one interaction of a relay: an edit in one direction.
type step struct {
	number    int // from 1
	edit      environments.Edit
	direction results.Direction
}

func stepOf(env *environments.Environment, schedule []int, number int) step {
	s := step{number: number, edit: env.Edits[schedule[(number-1)/2]], direction: results.Forward}
	if number%2 == 0 {
		s.direction = results.Backward
	}
	return s
}

func (s step) instruction() string {
	return s.edit.Instruction(s.direction == results.Backward)
}

// targets are the names or patterns of the files the step must produce.
func (s step) targets(env *environments.Environment) []string {
	if s.direction == results.Backward {
		return env.Targets
	}
	return s.edit.Targets
}

// exact returns the step's exact program, nil if the edit has no oracle.
func (s step) exact(env *environments.Environment, d domains.Domain) func(vfs.Files) (vfs.Files, error) {
	oracle, ok := env.OracleFor(s.edit, d)
	switch {
	case !ok:
		return nil
	case s.direction == results.Backward:
		return oracle.Backward
	}
	return oracle.Forward
}

// attempt is a step after the policy has finished, with its record so far.
type attempt struct {
	step
	documents   vfs.Files
	distractors vfs.Files
	exact       func(vfs.Files) (vfs.Files, error)
	task        *policies.Task
	in          *results.Interaction
	// incomplete says that a file that the step should make is missing.
	incomplete bool
}

// attempt has the policy work on the documents. talk is the relay's conversation so far.
func (r *relay) attempt(ctx context.Context, s step, documents vfs.Files, talk *policies.Conversation) (*attempt, error) {
	distractors := r.env.Distractors
	if !r.Distractors {
		distractors = nil
	}
	workspace, err := r.protocol.workspace(documents, distractors)
	if err != nil {
		return nil, fmt.Errorf("relay %d, interaction %d: %w", r.record.ID, s.number, err)
	}
	if documents, err = workspace.Documents(); err != nil {
		return nil, err
	}
	exact := s.exact(r.env, r.domain)
	names := workspace.Names()
	task := &policies.Task{
		Step:         policies.Step{Environment: r.env.Name, Repeat: r.record.Repeat, Number: s.number},
		Domain:       r.env.Domain,
		Conversation: &policies.Conversation{Messages: talk.Messages, Files: talk.Files, Session: talk.Session},
		TargetWords:  r.env.TargetWords(),
		Workspace:    workspace,
		FileOrder:    fileOrder(names, r.Seed, r.env.Name, r.record.Repeat, s.number),
		Seed:         taskSeed(r.Seed, r.env.Name, r.record.Repeat, s.number),
		NewRunner:    r.newRunner,
		Trace:        &policies.Trace{},
	}
	turns := r.userTurns(s)
	in := &results.Interaction{
		Relay: r.record.ID, Number: s.number, Edit: s.edit.Name, Direction: s.direction,
		Started: time.Now(), Distractors: len(names) - len(documents),
	}
	if r.Turns.Parts || r.Turns.Revisions > 0 {
		for _, turn := range turns {
			in.UserTurns = append(in.UserTurns, turn.UserTurn)
		}
	}
	err = r.say(models.WithStep(ctx, fmt.Sprintf("%s/%d/%s/%d", r.env.Name, r.record.Repeat, r.policy.Name(), s.number)), task, turns)
	in.Duration = time.Since(in.Started)
	var failure *policies.Failure
	if errors.As(err, &failure) {
		in.Failure, in.Detail = string(failure.Reason), failure.Detail
	} else if err != nil {
		return nil, fmt.Errorf("relay %d, interaction %d: %w", r.record.ID, s.number, err)
	}
	a := &attempt{step: s, documents: documents, distractors: distractors, exact: exact, task: task, in: in}
	return a, r.noteConversation(a, talk)
}

// conclude completes the record: the documents that are carried on, their score, and the trace.
func (r *relay) conclude(ctx context.Context, a *attempt) error {
	copyTrace(a.in, a.task, r.FullTrace)
	if policies.Reason(a.in.Failure).OfService() && r.stopsOnFault() {
		a.in.Output, a.in.Unscored = a.documents, results.ServiceFault
		a.in.GivenUp = r.steps() - a.number
		return nil
	}
	if err := r.protocol.carry(a); err != nil {
		return fmt.Errorf("relay %d, interaction %d: %w", r.record.ID, a.number, err)
	}
	made := r.protocol.made(a)
	if a.direction == results.Forward {
		done := executed(a, made)
		a.in.Executed = &done
		a.in.Forward = r.forwardScore(a, made)
		if err := r.judgeForward(ctx, a, made); err != nil {
			return fmt.Errorf("relay %d, judging interaction %d: %w", r.record.ID, a.number, err)
		}
	}
	if !r.protocol.scores(a, r.domain) {
		return nil
	}
	if err := r.score(ctx, a); err != nil {
		return fmt.Errorf("relay %d, scoring interaction %d: %w", r.record.ID, a.number, err)
	}
	return nil
}

// score compares the documents with the seed, if the domain is built. The error
// is a score's fault.
func (r *relay) score(ctx context.Context, a *attempt) error {
	if r.seedDocument == nil {
		return nil
	}
	in, reference, judge := a.in, r.seedDocument, ""
	if r.asksJudge() {
		// Score what was paid for, even if the run is being interrupted.
		session := r.Judge.Session(context.WithoutCancel(ctx))
		defer func() { noteJudging(in, session.Spent()) }()
		reference, judge = r.domain.(domains.Judged).WithJudge(session).Against(r.env.Seed), r.Judge.Name()
	}
	candidate := r.protocol.scored(a)
	s := reference.Compare(candidate)
	if s.Crash && r.protocol.crashed(a, s.Problem) {
		return s.Fault
	}
	in.Approximate = cmp.Or(s.Approximate, in.Approximate)
	if in.Direction == results.Forward { // a program, which has one after every step
		in.ForwardRS = &s.RS
		return s.Fault
	}
	in.Bytes, in.Broken = bytesKept(r.env.Seed, candidate, s.Strict), r.broken(candidate)
	if s.Basis == domains.Fallback {
		in.Fallback = &results.Fallback{
			Similarity: s.RS, Strict: s.Strict,
			Reference: s.Elements.Reference, Candidate: s.Elements.Candidate, Problem: s.Problem,
		}
		return s.Fault
	}
	in.Score = &results.Score{
		RS: s.RS, Strict: s.Strict, Components: s.Components,
		Reference: s.Elements.Reference, Candidate: s.Elements.Candidate, Problem: s.Problem, Unreadable: s.Unreadable,
	}
	if s.Basis == domains.Opinion {
		in.Score.Judge = judge
	}
	return s.Fault
}

// bytesKept returns how much of a seed's bytes remains; nil for pictures. Scores name no
// differences, so the missing words show what changed.
func bytesKept(seed, candidate vfs.Files, strict float64) *fidelity.Kept {
	if seed.HasBinary() {
		return nil
	}
	var changed []string
	if strict < 1 {
		changed = []string{}
	}
	return cmp.Or(fidelity.Of(seed, candidate, charset.Encoding{}, changed), &fidelity.Kept{})
}

// broken says where the format of the seed is lost, as results.Interaction.Broken describes.
func (r *relay) broken(candidate vfs.Files) []string {
	document := ""
	if len(r.env.Seed) == 1 {
		document = r.env.Seed.Names()[0]
	}
	places := []string{}
	for _, slip := range r.seedDocument.Broken(candidate) {
		places = append(places, slip.In(document))
	}
	return places
}

// asksJudge reports whether a judge gives the scores.
func (r *relay) asksJudge() bool {
	_, judged := r.domain.(domains.Judged)
	return judged && r.Judge != nil
}

func noteJudging(in *results.Interaction, spent judge.Spent) {
	in.Judging = results.Judging{Asked: spent.Asked, Prompt: spent.Usage.Prompt, Completion: spent.Usage.Completion, Cost: spent.Cost}
	in.UnknownAttempts += spent.Unknown
}

// forwardScore compares what a forward step made with what its exact program
// makes of the same documents; nil without one, or if it refuses them.
func (r *relay) forwardScore(a *attempt, output vfs.Files) *float64 {
	if a.exact == nil {
		return nil
	}
	expect := func() *domains.Expectation {
		expected, err := a.exact(a.documents)
		if err != nil {
			return nil
		}
		return domains.Expect(r.domain, a.documents, expected)
	}
	if a.documents.Equal(r.env.Seed) {
		first := firstStep{r.env.Name, a.edit.Name}
		make := expect
		expect = func() *domains.Expectation { return r.expectations.of(first, make) }
	}
	expected := expect()
	if expected == nil {
		return nil
	}
	score, approximate := expected.Score(output)
	a.in.Approximate = approximate
	return &score
}

// judgeForward asks the judge how far a forward step did what a judged edit asks for. A step that
// was not carried out scores nothing without a request. If the judge gives no usable answer, there
// is no opinion. The error means that the judge could not be reached.
func (r *relay) judgeForward(ctx context.Context, a *attempt, output vfs.Files) error {
	statements := a.edit.Judged
	if r.Judge == nil || len(statements) == 0 {
		return nil
	}
	opinion := &results.Opinion{Judge: r.Judge.Name(), Ratings: make([]int, len(statements))}
	if *a.in.Executed {
		// Judge what was paid for, even if the run is being interrupted.
		session := r.Judge.Session(context.WithoutCancel(ctx))
		ratings, err := session.Edit(a.instruction(), statements, a.documents, output)
		noteJudging(a.in, session.Spent())
		if errors.Is(err, domains.ErrNoAnswer) {
			return nil
		}
		if err != nil {
			return err
		}
		opinion.Ratings = ratings
	}
	a.in.ForwardOpinion = opinion
	return nil
}

// firstStep is an edit of a seed. All relays expect the same result of it.
type firstStep struct{ environment, edit string }

// copyTrace converts a policy's trace into the stored form. Only a full trace has messages and the
// inputs and outputs of tools.
func copyTrace(in *results.Interaction, task *policies.Task, full bool) {
	trace := task.Trace
	in.Ending, in.Complaint, in.PublishedTools = string(trace.Ending), trace.Complaint, trace.PublishedTools
	if full {
		in.Printed = trace.Printed
	}
	in.Usage = record.Usage{Tokens: record.Tokens(trace.Usage()), Cost: trace.Cost()}
	for _, turn := range trace.Turns {
		if turn.Changed > 0 && turn.Text != nil {
			turn.Way = policies.WayOfText(*turn.Text)
		}
		if !full {
			turn.Text, turn.Thought = nil, nil
		}
		in.Turns = append(in.Turns, turn)
		in.UnknownAttempts += turn.UnknownAttempts
	}
	for _, call := range trace.Calls {
		if call.Changed > 0 {
			call.Way = policies.WayOf(call.Tool, *call.Arguments)
		}
		if !full {
			call.Arguments, call.Answer = nil, nil
		}
		in.ToolCalls = append(in.ToolCalls, call)
	}
	for _, read := range task.Workspace.Reads() {
		in.Reads = append(in.Reads, record.Read{
			File: read.File, Origin: read.Origin.String(), Tool: read.Tool, ByScript: tools.ReadsInside(read.Tool),
		})
	}
}
