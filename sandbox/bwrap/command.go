package bwrap

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/netutil"

	"agentd/sandbox"
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

// mostConnections is how many connections of a command are answered at a time.
const mostConnections = 64

var _ sandbox.Commander = (*runner)(nil)

// RunCommand implements sandbox.Commander.
func (r *runner) RunCommand(ctx context.Context, ws *vfs.Workspace, c sandbox.Command) (result sandbox.Result, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return result, fmt.Errorf("running a command: the sandbox: %w", os.ErrClosed)
	}
	if err := errors.Join(ctx.Err(), usable(c)); err != nil {
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
	tree, visit, err := r.enter(session.Command, s, before)
	if err != nil {
		return result, err
	}
	defer tree.Close()
	defer r.closing.Go(visit.Close)

	serving := &serving{channel: channel, exchange: r.exchange(ws, visit, c.Limits)}
	serving.start(c.Serve)
	result, err = s.run(ctx, c.Limits)
	serving.stop() // before the files are looked at
	if err != nil {
		return result, err
	}
	result.Truncated = budget.Truncated()
	if err := r.backend.identity.do(func() error { return visit.Look(c.Limits) }); err != nil {
		return result, err
	}
	visit.Apply(ws, &result)
	return result, nil
}

// usable says why a command cannot be run at all.
func usable(c sandbox.Command) error {
	for _, text := range slices.Concat(c.Args, c.Env, []string{c.Folder}) {
		if strings.ContainsRune(text, 0) {
			return fmt.Errorf("the command has a zero byte in %q", text)
		}
	}
	switch {
	case len(c.Args) == 0:
		return errors.New("there is no command to run")
	case c.Folder != "" && !filepath.IsAbs(c.Folder):
		return fmt.Errorf("the folder %s of a command is no absolute path", c.Folder)
	}
	return checkLimits(c.Limits)
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
	group, err := b.group(c.Limits, own)
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
	own := []string{
		"--seccomp", fmt.Sprint(seccompFD),
		"--size", fmt.Sprint(max(c.Limits.DiskBytes, 1)), "--tmpfs", "/tmp",
		"--size", fmt.Sprint(max(room, 1)), "--tmpfs", workspaceAt,
		"--ro-bind-data", fmt.Sprint(taskFD), sandbox.CommandTask,
	}
	if c.Folder != "" {
		own = append(own, "--ro-bind", c.Folder, sandbox.CommandFiles)
	}
	for _, variable := range c.Env {
		name, value, _ := strings.Cut(variable, "=")
		own = append(own, "--setenv", name, value)
	}
	return joined(b.shared(), own, finish)
}

// exchange brings the workspace and the folder of a command together, one call at
// a time.
func (r *runner) exchange(ws *vfs.Workspace, visit *session.Visit, limits sandbox.Limits) sandbox.Exchange {
	var mu sync.Mutex
	return func(do func() error) error {
		mu.Lock()
		defer mu.Unlock()
		return visit.Exchange(ws, limits, r.backend.identity.do, do)
	}
}

// serving is the answering of a command's connections.
type serving struct {
	channel  *os.File
	exchange sandbox.Exchange
	running  sync.WaitGroup

	mu       sync.Mutex
	stopped  bool
	listener net.Listener
}

// start answers as soon as the launcher has handed its listener out.
func (s *serving) start(serve func(net.Listener, sandbox.Exchange)) {
	if serve == nil {
		return
	}
	s.running.Go(func() {
		if l := s.receive(); l != nil {
			serve(l, s.exchange)
		}
	})
}

// receive waits for the listener; nil if none comes.
func (s *serving) receive() net.Listener {
	files, err := receiveFiles(s.channel, 1, time.Time{})
	if err != nil {
		return nil
	}
	defer files[0].Close()
	l, err := net.FileListener(files[0])
	if err != nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		l.Close()
		return nil
	}
	s.listener = netutil.LimitListener(l, mostConnections)
	return s.listener
}

// stop ends the answering and waits for that.
func (s *serving) stop() {
	s.mu.Lock()
	s.stopped = true
	if s.listener != nil {
		s.listener.Close()
	}
	s.mu.Unlock()
	s.running.Wait() // the launcher is gone, so that it is not waited for any more
}
