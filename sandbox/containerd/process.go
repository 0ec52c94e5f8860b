//go:build linux

package containerd

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	v1 "github.com/containerd/cgroups/v3/cgroup1/stats"
	v2 "github.com/containerd/cgroups/v3/cgroup2/stats"
	client "github.com/containerd/containerd/v2/client"
	"github.com/containerd/containerd/v2/pkg/cio"
	"github.com/containerd/typeurl/v2"
	"github.com/opencontainers/runtime-spec/specs-go"

	"agentd/sandbox/internal/session"
)

// process is a script or a command in a container. It is a session.Process.
type process struct {
	session.Sandbox
	runner    *runner
	container *container
	spec      *specs.Process

	process client.Process // nil before it is released
	io      *cio.DirectIO
	exited  <-chan client.ExitStatus

	killing sync.Once
	killed  chan struct{} // closed when nothing runs any more
	died    error         // error of ending the process
	lost    bool          // whether the container's state is unknown
	code    int
	counted bool // how often memory ran out
}

// Release implements session.Process.
func (p *process) Release() error {
	if err := p.start(); err != nil {
		return fmt.Errorf("starting a process in the container: %w", err)
	}
	return nil
}

func (p *process) start() error {
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	c := p.container
	c.execs++
	id := fmt.Sprintf("script-%d", c.execs)
	var err error
	p.process, err = c.task.Exec(ctx, id, p.spec, func(string) (cio.IO, error) {
		p.io, err = p.runner.backend.streams(c.id+"-"+id, false)
		return p.io, err
	})
	if err != nil {
		return err
	}
	p.Streams.Drain(p.io.Stdout, p.io.Stderr)
	// Do not use the context above: this call waits for as long as the script runs.
	if p.exited, err = p.process.Wait(context.Background()); err != nil {
		return err
	}
	return p.process.Start(ctx)
}

// Kill implements session.Process. The supervisor kills the process. If the kernel has killed the
// supervisor because memory ran out, the container is stopped.
func (p *process) Kill() {
	p.killing.Do(func() {
		defer close(p.killed)
		if p.container.supervisor.kill() != nil {
			p.lost = true
			p.died = p.container.stop()
		}
	})
	<-p.killed
}

// Wait implements session.Process.
func (p *process) Wait() error {
	if p.exited == nil { // it was not started
		p.Kill()
		return p.died
	}
	var status client.ExitStatus
	var late error
	select {
	case status = <-p.exited:
		p.Kill() // ends the processes that it left running
	case <-p.killed:
		select {
		case status = <-p.exited:
		case <-time.After(supervisorTime):
			late = errors.New("containerd does not tell how the script ended")
		}
	}
	// Do not wait for a process outside that still has the output open.
	closing := time.AfterFunc(supervisorTime, func() { p.io.Close() })
	defer closing.Stop()
	p.Streams.Wait()
	p.code = int(status.ExitCode())
	if err := errors.Join(p.died, late, status.Error()); err != nil {
		p.lost = true
		return fmt.Errorf("waiting for the script: %w", err)
	}
	return nil
}

// Ending implements session.Process.
func (p *process) Ending() (session.Ending, error) {
	return session.Ending{ExitCode: p.code, OOMKilled: p.lost || p.ranOutOfMemory()}, nil
}

// ranOutOfMemory reports whether, since the last call, the kernel killed processes of the
// container because memory ran out.
func (p *process) ranOutOfMemory() bool {
	p.counted = true
	before := p.container.oomKills
	p.container.countOOMKills(context.Background())
	return p.container.oomKills > before
}

// countOOMKills updates oomKills, if the runtime reports the number.
func (c *container) countOOMKills(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	metric, err := c.task.Metrics(ctx)
	if err != nil || metric.GetData() == nil {
		return
	}
	decoded, err := typeurl.UnmarshalAny(metric.GetData())
	if err != nil {
		return
	}
	switch m := decoded.(type) {
	case *v1.Metrics:
		c.oomKills = m.GetMemoryOomControl().GetOomKill()
	case *v2.Metrics:
		c.oomKills = m.GetMemoryEvents().GetOomKill()
	}
}

// Close implements session.Process. The container is kept for the next script, unless its
// state is unknown.
func (p *process) Close() error {
	p.Kill()
	if p.io != nil {
		p.io.Cancel()
		p.io.Close()
		p.Streams.Wait()
	}
	if p.process != nil {
		p.container.closing.Go(func() { // it is not waited for
			ctx, cancel := context.WithTimeout(context.Background(), answerTime)
			defer cancel()
			p.process.Delete(ctx) // if this fails, removing the container does it
		})
	}
	switch {
	case p.container != p.runner.container:
		return p.container.remove()
	case p.lost || p.container.supervisor.clear() != nil:
		return p.runner.End()
	}
	if !p.counted {
		p.ranOutOfMemory() // or it would count for the next script
	}
	return nil
}
