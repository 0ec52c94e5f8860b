// Package policies says what carries out an interaction: one delegated edit,
// an instruction and files in, files and a trace out.
//
// A policy is one method, Edit, which works on the task's workspace and
// reports what it does to the task's trace. Each has a folder of its own;
// policies/catalog lists them. To add one, add a folder and a line there; what the
// folder tells the catalog is an entry.Entry.
package policies

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"agentd/models"
	"agentd/sandbox"
	"agentd/tools"
	"agentd/vfs"
)

// Policy carries out interactions. It is safe for concurrent use.
type Policy interface {
	// Name is what results call the policy.
	Name() string
	// Edit carries the task out on its workspace. A *Failure means that the
	// interaction failed and the relay goes on with what it left; ctx's error
	// that it was interrupted and must be run again; any other error that the
	// program or the machine is at fault.
	Edit(ctx context.Context, task *Task) error
}

// Protocol says how interactions follow each other in a relay: how an answer is read,
// what is carried on, and what is scored.
type Protocol string

const (
	// Published is that of the published harness, to the letter (docs/fidelity.md).
	Published Protocol = "published"
	// Clean leaves out what hides damage or invents it: answers are read with the
	// slips that models make forgiven, documents that a step has used up are dropped,
	// and only the files that were asked for are carried on and scored.
	Clean Protocol = "clean"
)

// Protocols lists the protocols there are, the default first.
func Protocols() []Protocol { return []Protocol{Published, Clean} }

// Limits bound one interaction. As options of a policy they are zero where the
// experiment's hold.
type Limits struct {
	Turns  int `yaml:"max_turns" json:"max_turns,omitempty"`   // completions
	Tokens int `yaml:"max_tokens" json:"max_tokens,omitempty"` // prompt and completion tokens of all turns
}

// DefaultLimits are those of the paper.
func DefaultLimits() Limits { return Limits{Turns: 25, Tokens: 500_000} }

// Or returns the limits with those of others where they are zero.
func (l Limits) Or(others Limits) Limits {
	return Limits{cmp.Or(l.Turns, others.Turns), cmp.Or(l.Tokens, others.Tokens)}
}

// Compact says what happens to a conversation that is longer than its model takes.
type Compact string

const (
	// NoCompact ends the interaction.
	NoCompact Compact = "off"
	// DropResults leaves the oldest tool results out, and the oldest files where a
	// conversation shows files.
	DropResults Compact = "drop-oldest-results"
	// Summary has the model sum up what went before, and goes on with the summary alone.
	Summary Compact = "summary-by-model"
)

// Compacts lists the ways there are, the default first.
func Compacts() []Compact { return []Compact{NoCompact, DropResults, Summary} }

// Dialogue says how the conversations of an experiment go on. Its zero value is the published
// protocol's: each is one request and its answer.
type Dialogue struct {
	// Continues says that a conversation may go on after its first request was answered.
	Continues bool
	Compact   Compact // empty means NoCompact
	// ContextTokens is how many tokens a request may have; 0 leaves that to the server.
	ContextTokens int
}

// IsZero reports whether the dialogue is the published protocol's.
func (d Dialogue) IsZero() bool {
	return !d.Continues && cmp.Or(d.Compact, NoCompact) == NoCompact && d.ContextTokens == 0
}

// Step says which interaction of an experiment a task is, the same for all arms.
type Step struct {
	Environment string
	Repeat      int // from 1
	Number      int // in its relay, from 1
}

// Task is one request of a user to be carried out: an interaction, or one user turn of it.
type Task struct {
	Step        Step
	Domain      string // of the documents
	Instruction string
	// Conversation is what was said before, and takes what is said now. It is empty at the
	// start of a conversation; nil means the same.
	Conversation *Conversation
	// UserTurn is the number of this user turn in its interaction, from 1; 0 means 1.
	UserTurn int
	// Part says that Instruction goes on with what the user turn before has begun: the files
	// to produce are the same, and the files in the workspace are as the policy has left them.
	Part bool
	// More says that the instruction is not complete yet. An answer in words is enough then.
	More bool
	// TargetWords is the length that a text shall have afterwards, in words; 0 if
	// the environment says nothing of it.
	TargetWords int
	Workspace   *vfs.Workspace
	// Targets are the names or patterns of the files to be produced.
	Targets []string
	// FileOrder lists all files, distractors included, in the order in which a
	// prompt shall show them. It is the same for all policies and models.
	FileOrder []string
	// Seed makes the interaction reproducible where a model takes a seed.
	Seed int64
	// NewRunner starts the interaction's sandbox.
	NewRunner func() (sandbox.Runner, error)
	// Exact is the exact program for this step, nil if there is none. It is
	// for the oracle policy alone.
	Exact func(vfs.Files) (vfs.Files, error)
	// Trace takes what the policy does.
	Trace *Trace
	// Answer is for a policy to set whose answer is all that is left of the
	// documents, instead of what the workspace holds; nil if that is what counts.
	Answer vfs.Files
}

// Session returns a session with tools of ours on the task's workspace, whose names are
// paths from here on.
func (t *Task) Session(set []tools.Tool) (*tools.Session, error) {
	if err := t.Workspace.KeepPaths(); err != nil {
		return nil, err
	}
	return tools.NewSession(t.Workspace, t.NewRunner, set), nil
}

// PublishedSession returns a session with tools of the published harness on the task's
// workspace.
func (t *Task) PublishedSession(set []tools.Tool) *tools.Session {
	t.Trace.PublishedTools = true
	return tools.NewPublished(t.Workspace, t.NewRunner, set)
}

// ToolFailure is the failure of an interaction whose tools could not go on.
func ToolFailure(err error) error {
	if crash, ok := errors.AsType[*tools.Crash](err); ok {
		return Failf(PublishedCrash, "%s", crash.Reason)
	}
	return Failf(SandboxFailure, "%v", err)
}

// Reason says why an interaction failed.
type Reason string

const (
	ModelError     Reason = "model error"     // no completion could be had
	TooLong        Reason = "too long"        // the first request, with the documents, was longer than the model takes
	TurnBudget     Reason = "turn budget"     // the model used up its turns
	TokenBudget    Reason = "token budget"    // the model used up its tokens
	ContextBudget  Reason = "context budget"  // the conversation became longer than the model takes
	CostBudget     Reason = "cost budget"     // the interaction cost as much as it may
	TimeBudget     Reason = "time budget"     // the command took longer than it may
	CommandFailure Reason = "command failure" // the command failed, or a limit of its sandbox ended it
	BadAnswer      Reason = "bad answer"      // the answer held no files, or strange ones
	MissingTarget  Reason = "missing target"  // a file that was asked for is not there
	StrayFile      Reason = "stray file"      // a file is there that fits none of those that were asked for
	SandboxFailure Reason = "sandbox failure" // the sandbox did not work
	NoOracle       Reason = "no oracle"       // the edit has no exact program, or it refused
	NotRecorded    Reason = "not recorded"    // there are no calls to repeat
	PublishedCrash Reason = "published crash" // the published harness would stop with an exception
)

// OfService reports whether an interaction failed because no completion could be had, or no
// sandbox. Nothing was measured then: it has no score, and the relay stops.
func (r Reason) OfService() bool { return r == ModelError || r == SandboxFailure || r == TooLong }

// Failure is an interaction that failed in a way that belongs to the
// measurement: it is recorded, and the relay goes on.
type Failure struct {
	Reason Reason
	Detail string
}

func (f *Failure) Error() string { return fmt.Sprintf("%s: %s", f.Reason, f.Detail) }

// ModelFailure is what a policy returns for an error of its model: ctx's error
// if it was interrupted, the error itself if no request would be served (a wrong
// key or a server that is down is not the model's doing), otherwise a Failure. That a
// conversation has become too long is the doing of a model that has answered before, in
// this interaction or in one that the conversation goes on with.
func ModelFailure(ctx context.Context, task *Task, err error) error {
	var model *models.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &model) && model.Kind.EndsWork():
		return err
	case errors.As(err, &model) && model.Kind == models.ContextLength && (task.Trace.Answered() || !task.Talk().Empty()):
		return Failf(ContextBudget, "%v", err)
	case errors.As(err, &model) && model.Kind == models.ContextLength:
		return Failf(TooLong, "%v", err)
	}
	return Failf(ModelError, "%v", err)
}

// Failf returns a Failure.
func Failf(reason Reason, format string, args ...any) *Failure {
	return &Failure{reason, fmt.Sprintf(format, args...)}
}
