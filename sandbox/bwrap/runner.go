package bwrap

import (
	"context"
	"errors"

	"agentd/sandbox/bwrap/internal/box"
	"agentd/sandbox/bwrap/internal/warm"
	"agentd/sandbox/internal/session"
)

// runner starts the scripts and commands of one interaction.
type runner struct {
	*session.Runner
	host *box.Host
	warm *warm.Scripts // nil where each script has a sandbox of its own
}

// Start implements session.Engine: a script goes to the warm interpreter, if there can
// be one, and all else has a sandbox of its own.
func (r *runner) Start(ctx context.Context, job session.Job) (session.Process, error) {
	if r.warm != nil && warm.Suits(job) {
		p, err := r.warm.Start(ctx, job)
		if !errors.Is(err, session.ErrLost) {
			return p, err
		}
	}
	return r.host.Open(job)
}

// End implements session.Engine.
func (r *runner) End() error {
	if r.warm == nil {
		return nil
	}
	return r.warm.End()
}
