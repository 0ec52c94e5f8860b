//go:build linux

package warm

import (
	"context"
	"strings"
	"sync"

	"agentd/sandbox/internal/session"
)

// Scripts is a session.Engine that starts the scripts of one interaction in a warm interpreter. If
// that one is lost, it gets another.
type Scripts struct {
	Current *Interpreter // nil before the first script, and if none was available

	pool    *Pool
	closing sync.WaitGroup // interpreters that were lost
}

// Scripts returns an Engine for one interaction. The caller must end it.
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

// drop gives up the current interpreter, so that the next script gets another.
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

// Suits reports whether a job can be started in a warm interpreter. A command cannot, and neither
// can a text that Python would run as an archive, because the interpreter does not check for
// archives.
func Suits(job session.Job) bool {
	return job.Command == nil && !job.Again && !strings.Contains(job.Script.Code, "PK\x05\x06")
}
