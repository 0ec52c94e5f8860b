//go:build linux

package session

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"agentd/sandbox"
	"agentd/sandbox/internal/reads"
	"agentd/vfs"
)

// slowEngine takes a second of the test's own clock for each sandbox, and then has none.
type slowEngine struct {
	mu         sync.Mutex
	now, most  int
	beginnings int
}

var errNone = errors.New("no sandbox")

func (e *slowEngine) Start(context.Context, Job) (Process, error) {
	e.count(1)
	time.Sleep(time.Second)
	e.count(-1)
	return nil, errNone
}

func (e *slowEngine) count(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.now += n
	e.most = max(e.most, e.now)
	e.beginnings += max(0, n)
}

func (e *slowEngine) End() error { return nil }

// Of many commands that start at the same time a few get their sandboxes first, and the
// others wait for them, however long that takes, or until they are told to stop.
func TestManyCommandsWaitForTheirSandboxes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer func(all chan struct{}) { starting = all }(starting)
		starting = make(chan struct{}, cap(starting)) // of this bubble
		engine := &slowEngine{}
		run := func(ctx context.Context) error {
			ws, err := vfs.New(vfs.Files{"a.txt": "a"}, nil)
			if err != nil {
				return err
			}
			r, err := NewRunner(engine, nil, &reads.Pool{}, sandbox.DefaultLimits())
			if err != nil {
				return err
			}
			_, err = r.RunCommand(ctx, ws, sandbox.Command{Args: []string{"true"}, Limits: sandbox.DefaultLimits()})
			return errors.Join(err, r.Close())
		}
		commands := 100 * runtime.NumCPU()
		var running sync.WaitGroup
		for range commands {
			running.Go(func() {
				if err := run(t.Context()); !errors.Is(err, errNone) {
					t.Error(err)
				}
			})
		}
		synctest.Wait()
		ctx, stop := context.WithCancel(t.Context())
		running.Go(func() {
			if err := run(ctx); !errors.Is(err, context.Canceled) {
				t.Errorf("told to stop while it waits: %v", err)
			}
		})
		synctest.Wait()
		stop()
		running.Wait()
		if engine.most != cap(starting) || engine.beginnings != commands {
			t.Errorf("%d sandboxes made at the same time, want %d; %d in all, want %d", engine.most, cap(starting), engine.beginnings, commands)
		}
	})
}
