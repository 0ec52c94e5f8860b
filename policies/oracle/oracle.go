// Package oracle carries every edit out exactly, by its oracle: what a perfect
// editor scores.
package oracle

import (
	"context"

	"agentd/policies"
	"agentd/policies/entry"
)

// Policy runs the exact program of each step.
type Policy struct{}

// Name implements policies.Policy.
func (Policy) Name() string { return "oracle" }

// Edit replaces the documents by what the step's exact program makes of them.
func (Policy) Edit(_ context.Context, task *policies.Task) error {
	if task.More { // it acts once the instruction is complete
		task.Trace.Ending = policies.Finished
		return nil
	}
	task.Trace.Ending = policies.Failed
	if task.Exact == nil {
		return policies.Failf(policies.NoOracle, "the edit has no exact program")
	}
	documents, err := task.Workspace.Documents()
	if err != nil {
		return err
	}
	result, err := task.Exact(documents)
	if err != nil {
		return policies.Failf(policies.NoOracle, "the exact program refused its input: %v", err)
	}
	if err := task.Workspace.ReplaceDocuments(result); err != nil {
		return err
	}
	task.Trace.Ending = policies.Finished
	return nil
}

// New returns the policy, which has no options.
func (p Policy) New(entry.Ingredients) (policies.Policy, error) { return p, nil }

// Entry is the policy in the catalog.
func Entry() entry.Entry {
	return entry.Entry{Name: "oracle", Summary: "carries every edit out exactly; needs no model", Converses: true, Options: &Policy{}}
}
