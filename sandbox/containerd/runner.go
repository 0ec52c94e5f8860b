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
	container *container // nil before the first script, and after trouble
}

// Start implements session.Engine.
func (r *runner) Start(ctx context.Context, job session.Job) (session.Process, error) {
	find := r.forScript
	if job.Command != nil {
		find = r.forCommand
	}
	c, err := find(ctx, job)
	if err != nil {
		return nil, err
	}
	return &process{
		Sandbox: session.Sandbox{Above: c.above, Tmp: c.tmp, Listener: c.listener, Streams: output.NewStreams(job.Limits.OutputChars)},
		runner:  r, container: c, spec: r.backend.process(job), killed: make(chan struct{}),
	}, nil
}

// forScript returns the container with the script in it.
func (r *runner) forScript(ctx context.Context, job session.Job) (*container, error) {
	use := purpose{room: inSteps(job), limits: job.Limits}
	if c := r.container; c != nil && (c.purpose.room < use.room || c.supervisor.write(system.ScriptAt, job.Script.Code) != nil) {
		if err := r.End(); err != nil {
			return nil, err
		}
	}
	if r.container != nil {
		return r.container, nil
	}
	var err error
	if r.container, err = r.backend.newContainer(ctx, use); err != nil {
		return nil, err
	}
	if err := r.container.supervisor.write(system.ScriptAt, job.Script.Code); err != nil {
		return nil, errors.Join(err, r.End())
	}
	return r.container, nil
}

// inSteps is the room for the files of a job, rounded up. Otherwise an interaction that
// adds to its files would need a new container for each script.
func inSteps(job session.Job) int64 {
	const step = 8 << 20
	held := job.Room - job.Limits.DiskBytes
	return job.Limits.DiskBytes + (held+step-1)/step*step
}

// forCommand returns a container for a command alone, with its task in it.
func (r *runner) forCommand(ctx context.Context, job session.Job) (*container, error) {
	c, err := r.backend.newContainer(ctx, purpose{room: job.Room, limits: job.Limits, folder: job.Command.Folder, port: job.Command.Port()})
	if err != nil {
		return nil, err
	}
	if err := c.supervisor.write(sandbox.CommandTask, job.Command.Task); err != nil {
		return nil, errors.Join(err, c.remove())
	}
	return c, nil
}

// End implements session.Engine: it removes the container, and with it all that runs.
func (r *runner) End() error {
	if r.container == nil {
		return nil
	}
	c := r.container
	r.container = nil
	return c.remove()
}
