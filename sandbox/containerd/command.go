package containerd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	"agentd/sandbox"
	"agentd/sandbox/internal/session"
	"agentd/vfs"
)

var _ sandbox.Commander = (*runner)(nil)

// RunCommand implements sandbox.Commander. A command has a container of its own. The
// only thing in its network that answers is ours: the keeper makes a socket that
// listens there and hands it over to us with the folders.
func (r *runner) RunCommand(ctx context.Context, ws *vfs.Workspace, c sandbox.Command) (result sandbox.Result, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return result, fmt.Errorf("running a command: the sandbox: %w", os.ErrClosed)
	}
	if err := errors.Join(ctx.Err(), c.Check()); err != nil {
		return result, err
	}
	before, err := ws.Snapshot()
	if err != nil {
		return result, err
	}
	s := stay{room: room(before, c.Limits), limits: c.Limits, folder: c.Folder}
	if c.Serve != nil {
		_, s.port, _ = net.SplitHostPort(sandbox.CommandServer)
	}
	own, err := r.backend.newContainer(ctx, s)
	if err != nil {
		return result, err
	}
	defer func() { err = errors.Join(err, own.remove()) }()
	if err := own.keeper.write(sandbox.CommandTask, c.Task); err != nil {
		return result, err
	}
	v, err := r.enter(session.Command, own, before)
	if err != nil {
		return result, err
	}

	listener := func() (*os.File, error) { return own.listener, nil }
	serving := session.Serve(c, listener, v.Exchanges(ws, c.Limits))
	result, err = v.run(ctx, r.backend.commandProcess(c))
	if err := serving.Stop(); err != nil { // before the files are looked at
		return sandbox.Result{}, err // the visit is still in use
	}
	defer v.leave()
	if err == nil {
		err = v.look()
	}
	if err != nil {
		return sandbox.Result{}, err
	}
	v.Apply(ws, &result)
	return result, nil
}
