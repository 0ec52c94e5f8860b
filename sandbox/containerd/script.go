package containerd

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	client "github.com/containerd/containerd/v2/client"
	"github.com/containerd/containerd/v2/pkg/cio"
	"github.com/opencontainers/runtime-spec/specs-go"

	"agentd/sandbox/internal/output"
)

// script is one exec in a container, of a script or a command.
type script struct {
	process        client.Process
	io             *cio.DirectIO
	exited         <-chan client.ExitStatus
	stdout, stderr *output.Stream
	drained        sync.WaitGroup
}

// start starts the script; its output is read from now on.
func (s *script) start(b *Backend, c *container, process *specs.Process) error {
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	c.execs++
	id := fmt.Sprintf("script-%d", c.execs)
	var err error
	s.process, err = c.task.Exec(ctx, id, process, func(string) (cio.IO, error) {
		s.io, err = b.streams(c.id+"-"+id, false)
		return s.io, err
	})
	if err != nil {
		return err
	}
	s.drained.Go(func() { s.stdout.Drain(s.io.Stdout) })
	s.drained.Go(func() { s.stderr.Drain(s.io.Stderr) })
	// Not the context above: this one has to wait for as long as the script runs.
	if s.exited, err = s.process.Wait(context.Background()); err != nil {
		return err
	}
	return s.process.Start(ctx)
}

// await waits for the script to end, and reports whether instead ctx or the
// wall time did.
func (s *script) await(ctx context.Context, wallTime time.Duration) (stopped bool) {
	ctx, cancel := context.WithTimeout(ctx, wallTime)
	defer cancel()
	select {
	case status := <-s.exited:
		again := make(chan client.ExitStatus, 1)
		again <- status
		s.exited = again
		return false
	case <-ctx.Done():
		return true
	}
}

// finish returns the exit code of a script that is no more, once its output
// has been read. Should anybody hold the output open all the same, it does not wait for
// that.
func (s *script) finish() (int, error) {
	select {
	case status := <-s.exited:
		if err := status.Error(); err != nil {
			return 0, fmt.Errorf("waiting for the script: %w", err)
		}
		late := time.AfterFunc(keeperTime, func() { s.io.Close() })
		defer late.Stop()
		s.drained.Wait()
		return int(status.ExitCode()), nil
	case <-time.After(keeperTime):
		return 0, errors.New("containerd does not tell how the script ended")
	}
}

// close ends the reading of output and removes the exec, which nobody has to
// wait for.
func (s *script) close(closing *sync.WaitGroup) {
	if s.io != nil {
		s.io.Cancel()
		s.io.Close()
	}
	s.drained.Wait()
	if s.process == nil {
		return
	}
	closing.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), answerTime)
		defer cancel()
		s.process.Delete(ctx) // what does not work, removing the container does
	})
}
