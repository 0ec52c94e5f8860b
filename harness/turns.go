package harness

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"agentd/domains"
	"agentd/environments"
	"agentd/policies"
	"agentd/results"
	"agentd/vfs"
)

// Turns says how the user of an experiment gives requests. The zero value is the published
// protocol: each interaction is a conversation of its own with one request.
type Turns struct {
	// Carried continues one conversation through all interactions of a relay.
	Carried bool
	// Parts gives an instruction that has parts one part at a time.
	Parts bool
	// Revisions is the number of additional requests in a forward step that are taken back again.
	Revisions int
}

// Continue reports whether conversations go on after their first request was answered.
func (t Turns) Continue() bool { return t.Carried || t.Parts || t.Revisions > 0 }

// userTurn is one request of the user.
type userTurn struct {
	results.UserTurn
	targets []string
	exact   func(vfs.Files) (vfs.Files, error)
	part    bool // continues the turn before it
	more    bool // the next turn continues it
}

// userTurns are what the user says in a step, in order: the step's instruction, whole or in
// parts, and before or after it the requests that are taken back.
func (r *relay) userTurns(s step) []userTurn {
	own := userTurn{UserTurn: results.UserTurn{Kind: results.Request, Edit: s.edit.Name, Text: s.instruction()}, targets: s.targets(r.env), exact: s.exact(r.env, r.domain)}
	turns := []userTurn{own}
	parts := s.edit.Parts.Forward
	if s.direction == results.Backward {
		parts = s.edit.Parts.Backward
	}
	if r.Turns.Parts && len(parts) > 1 {
		turns = nil
		for i, text := range parts {
			turn := own
			turn.Kind, turn.Text, turn.part, turn.more = results.Part, text, i > 0, i < len(parts)-1
			turns = append(turns, turn)
		}
	}
	if s.direction == results.Backward || r.Turns.Revisions == 0 || r.domain == nil {
		return turns
	}
	random := source(fmt.Sprintf("revisions\x00%d", s.number), r.Seed, r.env.Name, r.record.Repeat)
	for _, revision := range r.revisions(s, random) {
		asked := revision.turns()
		if revision.after {
			turns = slices.Concat(turns, asked)
		} else {
			turns = slices.Concat(asked, turns)
		}
	}
	return turns
}

// revision is an edit that is asked for and taken back.
type revision struct {
	edit   environments.Edit
	oracle domains.Edit
	back   []string // targets of the state that is restored
	after  bool     // it comes after the step's own request
}

// takenBack begins a request that takes back an earlier one.
const takenBack = "Leave that out after all. "

func (v revision) turns() []userTurn {
	return []userTurn{
		{UserTurn: results.UserTurn{Kind: results.Revision, Edit: v.edit.Name, Text: v.edit.Forward}, targets: v.edit.Targets, exact: v.oracle.Forward},
		{UserTurn: results.UserTurn{Kind: results.TakenBack, Edit: v.edit.Name, Text: takenBack + v.edit.Backward}, targets: v.back, exact: v.oracle.Backward},
	}
}

// revisions chooses the edits that are requested and taken back in a step. It depends only on the
// seed and its exact states, so all arms have the same ones. An edit may follow the step's request
// if its exact program accepts the state after that request and restores it, with the files that
// its instruction names. If there is none, as in environments whose edits all begin with the
// seed's files, edits precede the request and restore the seed.
func (r *relay) revisions(s step, random *rand.Rand) []revision {
	own := s.exact(r.env, r.domain)
	if own == nil {
		return nil
	}
	state, err := own(r.env.Seed)
	if err != nil {
		return nil
	}
	var after, before []revision
	for _, at := range random.Perm(len(r.env.Edits)) {
		other := r.env.Edits[at]
		if other.Name == s.edit.Name {
			continue
		}
		oracle, ok := r.env.OracleFor(other, r.domain)
		if !ok {
			continue
		}
		if len(without(r.env.Targets, state.Names(), vfs.Matches)) == 0 && undone(oracle, state) {
			after = append(after, revision{other, oracle, s.edit.Targets, true})
		} else if undone(oracle, r.env.Seed) {
			before = append(before, revision{other, oracle, r.env.Targets, false})
		}
		if len(after) == r.Turns.Revisions {
			break
		}
	}
	chosen := slices.Concat(after, before)
	return chosen[:min(len(chosen), r.Turns.Revisions)]
}

// undone reports whether an exact program accepts the files and gives them back again.
func undone(oracle domains.Edit, files vfs.Files) bool {
	there, err := oracle.Forward(files)
	if err != nil {
		return false
	}
	back, err := oracle.Backward(there)
	return err == nil && back.Equal(files)
}

// say has the policy answer the user turns of a step, one after the other. The step ends with
// the first turn that fails.
func (r *relay) say(ctx context.Context, task *policies.Task, turns []userTurn) error {
	for i, turn := range turns {
		if i > 0 {
			if err := r.prepare(task); err != nil {
				return err
			}
		}
		task.Instruction, task.Targets, task.Exact = turn.Text, turn.targets, turn.exact
		task.Part, task.More, task.UserTurn, task.Trace.UserTurn = turn.part, turn.more, i+1, i+1
		if err := r.policy.Edit(ctx, task); err != nil {
			task.Targets = turns[len(turns)-1].targets
			return err
		}
	}
	return nil
}

// prepare readies the workspace for another user turn.
func (r *relay) prepare(task *policies.Task) error {
	if task.Answer != nil {
		if err := task.Workspace.ReplaceDocuments(task.Answer); err != nil {
			return policies.Failf(policies.BadAnswer, "%v", err)
		}
		task.Answer = nil
	}
	if err := task.Workspace.Settle(); err != nil {
		return err
	}
	task.FileOrder = fileOrder(task.Workspace.Names(), r.Seed, r.env.Name, r.record.Repeat, task.Step.Number)
	return nil
}

// mostConversation is the largest conversation, in bytes of JSON, that is stored for the trace
// alone.
const mostConversation = 16 << 20

// noteConversation records the conversation of a step, if the next step continues it or the full
// trace is kept.
func (r *relay) noteConversation(a *attempt, before *policies.Conversation) error {
	talk := a.task.Talk()
	if !r.FullTrace {
		talk.Tools, talk.Asides = nil, nil
	}
	if r.Turns.Carried {
		files, err := a.task.Workspace.Snapshot()
		if err != nil {
			return err
		}
		talk.Files = policies.HashesOf(files)
	} else {
		a.task.Conversation = nil // no longer needed
		if !r.FullTrace || len(talk.Messages) == 0 {
			return nil
		}
		talk.Session = nil
	}
	text, err := talk.Since(before.Messages)
	if r.Turns.Carried || len(text) <= mostConversation {
		a.in.Conversation = &text
	}
	return err
}

// conversation returns a relay's conversation so far; empty if its interactions do not share one.
func (r *relay) conversation(ctx context.Context, store *results.Store) (*policies.Conversation, error) {
	if !r.Turns.Carried {
		return &policies.Conversation{}, nil
	}
	additions, err := store.Conversation(ctx, r.record.ID)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(additions))
	for i, addition := range additions {
		texts[i] = addition.Text
	}
	talk, err := policies.Restore(texts)
	if err != nil {
		return nil, fmt.Errorf("relay %d: %w", r.record.ID, err)
	}
	return talk, nil
}
