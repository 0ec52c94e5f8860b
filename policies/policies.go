// Package policies defines what carries out an interaction, which is one delegated edit: an
// instruction and files go in, files and a trace come out.
//
// A policy has one main method, Edit, which works on the task's workspace and records what it
// does in the task's trace. Each policy has its own folder. To add one, add a folder, whose
// entry.Entry describes it, and a line in policies/catalog.
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
	// Name returns the policy's name in results.
	Name() string
	// Edit carries out the task in its workspace. A *Failure means that the interaction failed,
	// and the relay goes on with the files that it left. ctx's error means that it was
	// interrupted and must be run again. Any other error is a fault of the program or the
	// machine.
	Edit(ctx context.Context, task *Task) error
}

// Protocol defines how the interactions of a relay follow each other: how an answer is read,
// which files are carried on, and what is scored.
type Protocol string

const (
	// Published follows the published harness exactly (docs/fidelity.md).
	Published Protocol = "published"
	// Clean avoids the rules that hide or invent damage. Common mistakes in answers are
	// accepted, used-up documents are removed, and only requested files are carried on and
	// scored.
	Clean Protocol = "clean"
)

// Protocols lists the protocols, the default first.
func Protocols() []Protocol { return []Protocol{Published, Clean} }

// Limits limit one interaction. As a policy's options, zero means the experiment's limit.
type Limits struct {
	Turns  int `yaml:"max_turns" json:"max_turns,omitempty"`   // completions
	Tokens int `yaml:"max_tokens" json:"max_tokens,omitempty"` // prompt and completion tokens of all turns
}

// DefaultLimits returns the paper's limits.
func DefaultLimits() Limits { return Limits{Turns: 25, Tokens: 500_000} }

// Or returns the limits, with those of others where they are zero.
func (l Limits) Or(others Limits) Limits {
	return Limits{cmp.Or(l.Turns, others.Turns), cmp.Or(l.Tokens, others.Tokens)}
}

// Compact says what happens to a conversation that exceeds the model's context.
type Compact string

const (
	// NoCompact ends the interaction.
	NoCompact Compact = "off"
	// DropResults drops the oldest tool results, and the oldest files if a conversation shows
	// files.
	DropResults Compact = "drop-oldest-results"
	// Summary asks the model for a summary and continues with the summary alone.
	Summary Compact = "summary-by-model"
)

// Compacts lists the values, the default first.
func Compacts() []Compact { return []Compact{NoCompact, DropResults, Summary} }

// Dialogue controls how an experiment's conversations continue. The zero value is that of the
// published protocol: each conversation is one request and its answer.
type Dialogue struct {
	// Continues says that a conversation may continue after the answer to its first request.
	Continues bool
	Compact   Compact // empty means NoCompact
	// ContextTokens is the largest number of tokens of a request; 0 for the server's limit.
	ContextTokens int
}

// IsZero reports whether the dialogue is the published protocol's.
func (d Dialogue) IsZero() bool {
	return !d.Continues && cmp.Or(d.Compact, NoCompact) == NoCompact && d.ContextTokens == 0
}

// Step identifies an interaction of an experiment. It is the same for all arms.
type Step struct {
	Environment string
	Repeat      int // from 1
	Number      int // in its relay, from 1
}

// Task is one request of a user: an interaction, or one user turn of it.
type Task struct {
	Step        Step
	Domain      string // of the documents
	Instruction string
	// Conversation holds the earlier messages, and receives the new ones. Empty or nil at the
	// start of a conversation.
	Conversation *Conversation
	// UserTurn is the number of this user turn in its interaction, from 1; 0 means 1.
	UserTurn int
	// Part says that Instruction continues that of the previous user turn: the files to produce
	// are the same, and the workspace is as the policy left it.
	Part bool
	// More says that the instruction is still incomplete. An answer without files is then
	// enough.
	More bool
	// TargetWords is the required length of a text after the edit, in words; 0 if there is
	// none.
	TargetWords int
	Workspace   *vfs.Workspace
	// Targets are the names or patterns of the files to produce.
	Targets []string
	// FileOrder lists all files, distractors included, in the order in which prompts must list
	// them. It is the same for all policies and models.
	FileOrder []string
	// Seed makes the interaction reproducible if the model accepts a seed.
	Seed int64
	// NewRunner starts the interaction's sandbox.
	NewRunner func() (sandbox.Runner, error)
	// Exact is the exact program for this step, nil if there is none. Only the oracle policy
	// may use it.
	Exact func(vfs.Files) (vfs.Files, error)
	// Trace records what the policy does.
	Trace *Trace
	// Answer may be set by a policy whose answer replaces the documents in the workspace; nil
	// otherwise.
	Answer vfs.Files
}

// Session returns a session with agentd's tools in the task's workspace. From then on the
// workspace's file names are paths (vfs.Workspace.KeepPaths).
func (t *Task) Session(set []tools.Tool) (*tools.Session, error) {
	if err := t.Workspace.KeepPaths(); err != nil {
		return nil, err
	}
	return tools.NewSession(t.Workspace, t.NewRunner, set), nil
}

// PublishedSession returns a session with tools of the published harness in the task's
// workspace.
func (t *Task) PublishedSession(set []tools.Tool) *tools.Session {
	t.Trace.PublishedTools = true
	return tools.NewPublished(t.Workspace, t.NewRunner, set)
}

// ToolFailure returns the failure of an interaction whose tools stopped working.
func ToolFailure(err error) error {
	if crash, ok := errors.AsType[*tools.Crash](err); ok {
		return Failf(PublishedCrash, "%s", crash.Reason)
	}
	return Failf(SandboxFailure, "%v", err)
}

// Reason is the reason why an interaction failed.
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

// OfService reports whether an interaction failed because no completion or no sandbox was
// available. Such an interaction measured nothing: it has no score, and the relay stops.
func (r Reason) OfService() bool { return r == ModelError || r == SandboxFailure || r == TooLong }

// Failure is a failed interaction that counts as a measurement: it is recorded, and the relay
// goes on.
type Failure struct {
	Reason Reason
	Detail string
}

func (f *Failure) Error() string { return fmt.Sprintf("%s: %s", f.Reason, f.Detail) }

// ModelFailure converts an error of a model to an error of Edit. It returns ctx's error if the
// request was interrupted. It returns the error itself if no request would be served, for
// example because of a wrong key or a server that is down. Otherwise it returns a Failure. A
// conversation that is too long is the model's failure if the model has already answered in it.
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
