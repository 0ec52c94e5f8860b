//go:build linux

package containerd

import (
	"context"
	"errors"

	"agentd/sandbox"
	"agentd/sandbox/internal/output"
	"agentd/sandbox/internal/session"
	"agentd/sandbox/internal/system"
)

// runner starts the scripts and commands of one interaction. The scripts share a
// container.
type runner struct {
	*session.Runner
	backend   *Backend
	container *container // nil before the first script, and after a failure
}

// Start implements session.Engine. A command has a container for itself.
func (r *runner) Start(ctx context.Context, job session.Job) (session.Process, error) {
	start := r.forScript
	if job.Command != nil {
		start = r.forCommand
	}
	c, err := start(ctx, job)
	if err != nil {
		return nil, err
	}
	return &process{
		Sandbox: session.Sandbox{Above: c.above, Tmp: c.tmp, Listener: c.listener, Streams: output.NewStreams(job.Limits.OutputChars)},
		runner:  r, container: c, spec: r.backend.process(job), killed: make(chan struct{}),
	}, nil
}

// forScript returns the container of the scripts, with the script in it.
func (r *runner) forScript(ctx context.Context, job session.Job) (*container, error) {
	give := func() error { return r.container.supervisor.write(system.ScriptAt, job.Script.Code) }
	// Round the size up. Otherwise an interaction that adds to its files would need a new
	// container for each script.
	const step = 8 << 20
	held := job.Room - job.Limits.DiskBytes
	job.Room = job.Limits.DiskBytes + (held+step-1)/step*step
	if r.container != nil && r.container.room >= job.Room && give() == nil {
		return r.container, nil
	}
	err := r.End()
	if err == nil {
		r.container, err = r.backend.newContainer(ctx, job)
	}
	if err != nil {
		return nil, err
	}
	if err := give(); err != nil {
		return nil, errors.Join(err, r.End())
	}
	return r.container, nil
}

// forCommand returns a container with the command's task in it.
func (r *runner) forCommand(ctx context.Context, job session.Job) (*container, error) {
	c, err := r.backend.newContainer(ctx, job)
	if err != nil {
		return nil, err
	}
	if err := c.supervisor.write(sandbox.CommandTask, job.Command.Task); err != nil {
		return nil, errors.Join(err, c.remove())
	}
	return c, nil
}

// End implements session.Engine. It removes the container with all its processes.
func (r *runner) End() error {
	if r.container == nil {
		return nil
	}
	c := r.container
	r.container = nil
	return c.remove()
}
