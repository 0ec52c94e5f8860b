package bwrap

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"agentd/sandbox"
	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/output"
	"agentd/sandbox/internal/session"
	"agentd/vfs"
)

// A command has a sandbox of its own. The only thing in its network that answers is
// ours: its launcher makes a socket that listens there, and hands it out to us
// before it becomes the command. So connections come straight to agentd, nothing
// forwards them, and there is no file on the host.

//go:embed launcher.py
var launcher string

var _ sandbox.Commander = (*runner)(nil)

// RunCommand implements sandbox.Commander.
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
	runtime.LockOSThread() // see box
	defer runtime.UnlockOSThread()
	budget := output.NewBudget(c.Limits.OutputChars)
	x, channel, err := r.backend.openCommand(c, room(before, c.Limits), budget)
	defer func() { err = errors.Join(err, x.close()) }()
	if err != nil {
		return result, err
	}
	defer channel.Close()
	s := x.script()
	visit, err := r.enter(session.Command, s, before)
	if err != nil {
		return result, err
	}

	serving := session.Serve(c, func() (*os.File, error) {
		files, err := expect(channel, "listener", 1, time.Time{})
		if err != nil {
			return nil, err
		}
		return files[0], nil
	}, visit.Exchanges(ws, c.Limits))
	result, err = s.run(ctx, c.Limits)
	if err := serving.Stop(); err != nil { // before the files are looked at
		return sandbox.Result{}, err // the visit is still in use
	}
	defer r.closing.Go(visit.Close)
	if err != nil {
		return result, err
	}
	result.Truncated = budget.Truncated()
	if err := visit.Look(c.Limits); err != nil {
		return result, err
	}
	visit.Apply(ws, &result)
	return result, nil
}

// openCommand builds a sandbox, in which the command waits for its files. The
// caller must close it, also after an error; the channel is where its launcher
// hands the listener out.
func (b *Backend) openCommand(c sandbox.Command, room int64, budget *output.Budget) (*box, *os.File, error) {
	none := &box{initFD: -1}
	ours, theirs, err := channelPair()
	if err != nil {
		return none, nil, err
	}
	l := launch{options: b.commandOptions(c, room), command: b.command(c), files: map[int]*os.File{listenerFD: theirs}}
	defer func() { closeAll(slices.Collect(maps.Values(l.files))...) }()
	for number, text := range map[int]string{seccompFD: string(b.filter), taskFD: c.Task, siteFD: ""} {
		file, err := inMemory(text)
		if err != nil {
			ours.Close()
			return none, nil, err
		}
		l.files[number] = file
	}
	group, err := cgroup.Make(b.parent, c.Limits, c.Limits.Processes+own)
	if err != nil {
		ours.Close()
		return none, nil, err
	}
	x, err := b.build(l, group, budget, func(x *box) error {
		if _, err := x.ready.Read(make([]byte, 1)); err != nil {
			return errNotBuilt
		}
		return x.openFolders()
	})
	if err != nil {
		ours.Close()
		return x, nil, err
	}
	return x, ours, nil
}

// command is what bwrap starts. Memory is limited by what a process can write to
// (data): runtimes such as Node's reserve address space far beyond what they use.
func (b *Backend) command(c sandbox.Command) []string {
	port := "0"
	if c.Serve != nil {
		_, port, _ = net.SplitHostPort(sandbox.CommandServer)
	}
	return slices.Concat([]string{"/bin/sh", "-c", gate, "sh"}, b.limited(c.Limits, "data"),
		[]string{b.host.python, "-I", "-S", "-c", launcher, fmt.Sprint(listenerFD), port}, c.Args)
}

// commandOptions are bwrap's options for a command.
func (b *Backend) commandOptions(c sandbox.Command, room int64) string {
	own := append(writable(c.Limits, room), "--ro-bind-data", fmt.Sprint(taskFD), sandbox.CommandTask)
	if c.Folder != "" {
		own = append(own, "--ro-bind", c.Folder, sandbox.CommandFiles)
	}
	for _, variable := range c.Env {
		name, value, _ := strings.Cut(variable, "=")
		own = append(own, "--setenv", name, value)
	}
	return joined(b.shared(), own, finish(sandbox.InWorkspace))
}
