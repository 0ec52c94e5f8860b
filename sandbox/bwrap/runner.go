package bwrap

import (
	"context"
	"errors"
	"strings"
	"sync"

	"agentd/sandbox/bwrap/internal/warm"
	"agentd/sandbox/internal/session"
)

// runner starts the scripts and commands of one interaction.
type runner struct {
	*session.Runner
	backend *Backend
	warm    *warm.Interpreter // nil before the first script, and when it was lost
	closing sync.WaitGroup    // lost interpreters
}

// Start implements session.Engine: a script goes to the warm interpreter, if there can
// be one, and all else has a sandbox of its own.
func (r *runner) Start(_ context.Context, job session.Job) (session.Process, error) {
	if r.backend.pool != nil && job.Command == nil && !job.Again && !isArchive(job.Script.Code) {
		p, err := r.startWarm(job)
		if !errors.Is(err, session.ErrLost) {
			return p, err
		}
	}
	return r.backend.host.Open(job)
}

// isArchive reports whether Python would run a text as an archive, which a warm
// interpreter does not look for.
func isArchive(code string) bool { return strings.Contains(code, "PK\x05\x06") }

func (r *runner) startWarm(job session.Job) (session.Process, error) {
	if r.warm == nil {
		var err error
		if r.warm, err = r.backend.pool.Take(job.Limits); err != nil {
			return nil, err
		}
	}
	p, err := r.warm.Start(job)
	if err != nil {
		r.drop()
		return nil, err
	}
	return warmProcess{p, r}, nil
}

// drop has the next script start with another interpreter.
func (r *runner) drop() {
	dropped := r.warm
	r.warm = nil
	r.closing.Go(func() { dropped.Close() })
}

// warmProcess is a script in the runner's warm interpreter.
type warmProcess struct {
	session.Process
	runner *runner
}

// Close implements session.Process.
func (p warmProcess) Close() error {
	err := p.Process.Close()
	if p.runner.warm.Lost() {
		p.runner.drop()
	}
	return err
}

// End implements session.Engine.
func (r *runner) End() error {
	var err error
	if r.warm != nil {
		err = r.warm.Close()
		r.warm = nil
	}
	r.closing.Wait()
	return err
}
