//go:build linux

package containerd

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"

	client "github.com/containerd/containerd/v2/client"
	"github.com/containerd/containerd/v2/core/containers"
	"github.com/containerd/containerd/v2/pkg/cio"
	"github.com/containerd/containerd/v2/pkg/oci"
	"github.com/containerd/errdefs"
	"github.com/google/uuid"

	"agentd/sandbox/internal/passing"
	"agentd/sandbox/internal/session"
)

// container runs the scripts of one interaction, or one command.
type container struct {
	id         string
	room       int64 // size of the workspace and the folder above together
	container  client.Container
	task       client.Task
	io         *cio.DirectIO
	supervisor *supervisor
	above, tmp *os.File // folders inside
	listener   *os.File // of a command; or nil
	execs      int
	oomKills   uint64 // processes that the kernel has killed because memory ran out
	closing    sync.WaitGroup
}

// newContainer starts a container for a job. At first, only its supervisor runs there.
func (b *Backend) newContainer(ctx context.Context, job session.Job) (*container, error) {
	// Do not use the caller's context: an interrupted daemon leaves parts of the container.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	defer cancel()
	random := uuid.NewString()[:8]
	c := &container{id: b.prefix + random, room: job.Room}
	greeting, err := listen(filepath.Join(b.folder, streamsName, random))
	if err != nil {
		return nil, err
	}
	defer greeting.Close()
	if err = c.start(ctx, b, greeting, job); err == nil {
		return c, nil
	}
	return nil, errors.Join(fmt.Errorf("starting a container: %w", err), c.remove())
}

func (c *container) start(ctx context.Context, b *Backend, greeting *net.UnixListener, job session.Job) (err error) {
	spec := b.specification(c.id, greeting.Addr().String(), job)
	options := []client.NewContainerOpts{
		client.WithRuntime(b.options.Runtime, nil),
		client.WithContainerLabels(map[string]string{ownerLabel: "agentd"}),
		client.WithSpec(spec, asItIs),
	}
	if b.image != "" {
		options = append(options, withRoot(b.image, c.id))
	}
	if c.container, err = b.client.NewContainer(ctx, c.id, options...); err != nil {
		return err
	}
	c.task, err = c.container.NewTask(ctx, func(string) (cio.IO, error) {
		c.io, err = b.streams(c.id, true)
		return c.io, err
	})
	if err != nil {
		return err
	}
	c.supervisor = newSupervisor(c.io.Stdin, c.io.Stdout)
	if err := c.task.Start(ctx); err != nil {
		return err
	}
	if _, err := c.io.Stdin.Write([]byte(supervisorScript)); err != nil {
		return err
	}
	files := []**os.File{&c.above, &c.tmp}
	if job.Port() != "" {
		files = append(files, &c.listener)
	}
	received, err := receive(greeting, len(files))
	if err != nil {
		return err
	}
	for i, file := range received {
		*files[i] = file
	}
	// The shim closes the supervisor's input, so that the supervisor ends when agentd does.
	if err := c.task.CloseIO(ctx, client.WithStdinCloser); err != nil {
		return err
	}
	c.countOOMKills(ctx)
	return nil
}

// asItIs keeps the client from changing a specification.
func asItIs(context.Context, oci.Client, *containers.Container, *oci.Spec) error { return nil }

// stop ends all processes of the container, and waits until they are gone.
func (c *container) stop() error {
	c.io.Stdin.Close()
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	exited, err := c.task.Wait(ctx)
	if err == nil {
		err = c.task.Kill(ctx, syscall.SIGKILL, client.WithKillAll)
		if err == nil || errdefs.IsNotFound(err) {
			status := <-exited
			err = status.Error()
		}
	}
	if err != nil && !errdefs.IsNotFound(err) { // not found: it has ended already
		return fmt.Errorf("ending container %s: %w", c.id, err)
	}
	return nil
}

// remove ends all processes of the container and removes it.
func (c *container) remove() error {
	if c.container == nil {
		return nil
	}
	c.closing.Wait()
	if c.io != nil {
		c.io.Stdin.Close() // the supervisor ends
	}
	err := remove(context.Background(), c.container, answerTime)
	if c.io != nil {
		c.io.Cancel()
		c.io.Close()
	}
	if c.supervisor != nil {
		for range c.supervisor.answers { // until its reader has ended
		}
	}
	passing.CloseAll(c.above, c.tmp, c.listener)
	return err
}

// streams makes the named pipes for a process's standard streams.
func (b *Backend) streams(id string, stdin bool) (*cio.DirectIO, error) {
	pipes, err := cio.NewFIFOSetInDir(filepath.Join(b.folder, streamsName), id, false)
	if err != nil {
		return nil, err
	}
	if !stdin {
		pipes.Stdin = ""
	}
	return cio.NewDirectIO(context.Background(), pipes)
}
