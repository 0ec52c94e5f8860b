// Package session runs the scripts of one interaction, for any sandbox that
// can run one script in a folder.
package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"

	"agentd/sandbox"
	"agentd/sandbox/internal/folder"
	"agentd/vfs"
)

// Place is where a script and its files lie on the host.
type Place struct {
	Workspace string // folder that the script works in
	Script    string // file with its text
}

// Execute runs the script of a place within the limits. When it returns, no
// process of the script exists any more. Of the result it leaves the fields
// about files alone.
type Execute func(ctx context.Context, place Place, limits sandbox.Limits) (sandbox.Result, error)

// Session runs scripts one at a time, all in one private folder. It is a
// sandbox.Runner.
type Session struct {
	owner   *folder.Owner
	limits  sandbox.Limits
	execute Execute
	end     func() error

	mu      sync.Mutex
	folder  *folder.Folder // nil before the first script
	closed  bool
	closing sync.WaitGroup // watches, which are slow to close
}

var _ sandbox.Runner = (*Session)(nil)

// New returns a session whose files belong to the owner. Close calls end, if
// it is not nil, before it removes the folder.
func New(owner *folder.Owner, limits sandbox.Limits, execute Execute, end func() error) *Session {
	return &Session{owner: owner, limits: limits, execute: execute, end: end}
}

// RunPython implements sandbox.Runner.
func (s *Session) RunPython(ctx context.Context, ws *vfs.Workspace, code string) (sandbox.Result, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return sandbox.Result{}, fmt.Errorf("running a script: the sandbox: %w", os.ErrClosed)
	}
	if err := ctx.Err(); err != nil {
		return sandbox.Result{}, err
	}
	if s.folder == nil {
		made, err := folder.New(s.owner)
		if err != nil {
			return sandbox.Result{}, err
		}
		s.folder = made
	}
	result, err := s.run(ctx, ws, code)
	if err != nil {
		return sandbox.Result{}, errors.Join(err, s.folder.Reset())
	}
	return result, nil
}

// run brings everything in, has the script run, and takes back what it left.
func (s *Session) run(ctx context.Context, ws *vfs.Workspace, code string) (sandbox.Result, error) {
	before, err := ws.Snapshot()
	if err != nil {
		return sandbox.Result{}, err
	}
	if err := s.folder.WriteScript(code); err != nil {
		return sandbox.Result{}, err
	}
	place := Place{Workspace: s.folder.Workspace(), Script: s.folder.Script()}
	visit, err := Enter(Script, s.folder.Tree(), place.Workspace, before)
	if err != nil {
		return sandbox.Result{}, err
	}
	defer s.closing.Go(visit.Close)
	result, err := s.execute(ctx, place, s.limits)
	if err != nil {
		return sandbox.Result{}, err
	}
	if err := visit.Look(s.limits); err != nil {
		return sandbox.Result{}, err
	}
	if err := s.folder.Settle(visit.left); err != nil {
		return sandbox.Result{}, err
	}
	visit.Apply(ws, &result)
	return result, nil
}

// Folder returns the path of the private folder, "" where there is none.
func (s *Session) Folder() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.folder == nil {
		return ""
	}
	return s.folder.Path()
}

// Close waits for a script that still runs, which its wall time or context
// ends, and removes the folder.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closing.Wait()
	if s.closed {
		return nil
	}
	s.closed = true
	var failed []error
	if s.end != nil {
		failed = append(failed, s.end())
	}
	if s.folder != nil {
		if err := s.folder.Remove(); err != nil {
			failed = append(failed, fmt.Errorf("removing the sandbox's folder: %w", err))
		}
	}
	return errors.Join(failed...)
}
