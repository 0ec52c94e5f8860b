// Package policies says what carries out an interaction: one delegated edit,
// an instruction and files in, files and a trace out.
//
// A policy is one method, Edit, which works on the task's workspace and
// reports what it does to the task's trace. Each has a folder of its own;
// policies/catalog lists them. To add one, add a folder and a line there.
package policies

import (
	"context"
	"errors"
	"fmt"

	"agentd/models"
	"agentd/sandbox"
	"agentd/vfs"
)

// Policy carries out interactions. It is safe for concurrent use.
type Policy interface {
	Name() string
	// Edit carries the task out on its workspace. A *Failure means that the
	// interaction failed and the relay goes on with what it left; ctx's error
	// that it was interrupted and must be run again; any other error that the
	// program or the machine is at fault.
	Edit(ctx context.Context, task *Task) error
}

// Step says which interaction of an experiment a task is, the same for all arms.
type Step struct {
	Environment string
	Repeat      int // from 1
	Number      int // in its relay, from 1
}

// Task is one interaction to be carried out.
type Task struct {
	Step        Step
	Instruction string
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
}

// Reason says why an interaction failed.
type Reason string

const (
	ModelError     Reason = "model error"     // no completion could be had
	TurnBudget     Reason = "turn budget"     // the model used up its turns
	TokenBudget    Reason = "token budget"    // the model used up its tokens
	CostBudget     Reason = "cost budget"     // the interaction cost as much as it may
	TimeBudget     Reason = "time budget"     // the command took longer than it may
	CommandFailure Reason = "command failure" // the command failed, or a limit of its sandbox ended it
	BadAnswer      Reason = "bad answer"      // the answer held no files, or strange ones
	MissingTarget  Reason = "missing target"  // a file that was asked for is not there
	SandboxFailure Reason = "sandbox failure" // the sandbox did not work
	NoOracle       Reason = "no oracle"       // the edit has no exact program, or it refused
	NotRecorded    Reason = "not recorded"    // there are no calls to repeat
)

// Failure is an interaction that failed in a way that belongs to the
// measurement: it is recorded, and the relay goes on.
type Failure struct {
	Reason Reason
	Detail string
}

func (f *Failure) Error() string { return fmt.Sprintf("%s: %s", f.Reason, f.Detail) }

// ModelFailure is what a policy returns for an error of its model: ctx's error
// if it was interrupted, the error itself if no request would be served (a wrong
// key or a server that is down is not the model's doing), else a Failure.
func ModelFailure(ctx context.Context, err error) error {
	var model *models.Error
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &model) && model.Kind.EndsWork():
		return err
	}
	return Failf(ModelError, "%v", err)
}

// Failf returns a Failure.
func Failf(reason Reason, format string, args ...any) *Failure {
	return &Failure{reason, fmt.Sprintf(format, args...)}
}
