// Package noop returns the files untouched: what a round trip scores when
// nobody does the work.
package noop

import (
	"context"

	"agentd/policies"
)

// Policy does nothing.
type Policy struct{}

func (Policy) Name() string { return "noop" }

// Edit leaves the workspace as it is.
func (Policy) Edit(_ context.Context, task *policies.Task) error {
	task.Trace.Ending = policies.Finished
	return nil
}
