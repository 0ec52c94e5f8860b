//go:build linux

package warm

import (
	"context"
	"strings"
	"sync"

	"agentd/sandbox/internal/session"
)

// Scripts is a session.Engine that starts the scripts of one interaction in a warm
// interpreter. It gets another when that one is lost.
type Scripts struct {
	Current *Interpreter // nil before the first script, and when it could not be had

	pool    *Pool
	closing sync.WaitGroup // interpreters that were lost
}

// Scripts returns what starts the scripts of one interaction. The caller must end it.
func (p *Pool) Scripts() *Scripts { return &Scripts{pool: p} }

// Start starts a script. If the error wraps session.ErrLost, the script can be run
// without a warm interpreter.
func (s *Scripts) Start(_ context.Context, job session.Job) (session.Process, error) {
	if s.Current != nil && s.Current.lost {
		s.drop()
	}
	if s.Current == nil {
		var err error
		if s.Current, err = s.pool.take(job.Limits); err != nil {
			return nil, err
		}
	}
	p, err := s.Current.start(job)
	if err != nil {
		s.drop()
	}
	return p, err
}

// drop has the next script start with another interpreter.
func (s *Scripts) drop() {
	dropped := s.Current
	s.Current = nil
	s.closing.Go(func() { dropped.Close() })
}

// End ends the interpreter.
func (s *Scripts) End() error {
	var err error
	if s.Current != nil {
		err = s.Current.Close()
		s.Current = nil
	}
	s.closing.Wait()
	return err
}

// Suits reports whether a job can be started in a warm interpreter. A command cannot, nor
// a text that Python would run as an archive, which the interpreter does not look for.
func Suits(job session.Job) bool {
	return job.Command == nil && !job.Again && !strings.Contains(job.Script.Code, "PK\x05\x06")
}
