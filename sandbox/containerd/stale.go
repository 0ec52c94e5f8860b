//go:build linux

package containerd

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	client "github.com/containerd/containerd/v2/client"
	"github.com/containerd/errdefs"

	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/owner"
)

// ownerLabel is a label of every container, with the value "agentd". The container's name
// identifies its process (package owner).
const ownerLabel = "agentd/owner"

// startingTime is how long a container of another PID namespace may have no running task
// before it counts as abandoned.
const startingTime = time.Minute

// settlingTime is how long the daemon needs at most to finish starting a task.
const settlingTime = time.Second

// removeStale removes the containers of agentd processes that have ended.
func removeStale(ctx context.Context, c *client.Client) error {
	containers, err := c.Containers(ctx, fmt.Sprintf("labels.%q==agentd", ownerLabel))
	if err != nil {
		return fmt.Errorf("listing containers: %w", err)
	}
	var failed []error
	for _, found := range containers {
		if owner.Ended(found.ID()) || abandoned(ctx, found) {
			awaitTask(ctx, found)
			failed = append(failed, removeOrphan(ctx, found))
		}
	}
	endShims()
	cgroup.Sweep() // of containers whose shim has ended; the daemon may have given them up
	return errors.Join(failed...)
}

// endShims ends the shims of processes that have ended, which takes root. If agentd is killed
// while its container is made, the daemon is interrupted and forgets the shim. When the shim ends,
// the daemon cleans up.
func endShims() {
	owner.KillLeft(func(args []string) string {
		at := slices.Index(args, "-id") + 1
		if at == 0 || at == len(args) || !strings.Contains(args[0], "containerd-shim") {
			return ""
		}
		return args[at]
	})
}

// abandoned reports whether a container has had no running task for long. When an agentd dies, its
// supervisors end, and so do their tasks. This works even if the agentd's process number means
// nothing here, as after a restart of the container or machine that it ran on.
func abandoned(ctx context.Context, container client.Container) bool {
	info, err := container.Info(ctx, client.WithoutRefreshedMetadata)
	if err != nil || time.Since(info.CreatedAt) < startingTime {
		return false
	}
	task, err := container.Task(ctx, nil)
	if err != nil {
		return errdefs.IsNotFound(err)
	}
	status, err := task.Status(ctx)
	return err == nil && status.Status == client.Stopped
}

// awaitTask waits for the task of a container that was only just made. The daemon starts the task
// even if agentd is killed meanwhile, and needs the container for that.
func awaitTask(ctx context.Context, container client.Container) {
	info, err := container.Info(ctx, client.WithoutRefreshedMetadata)
	if err != nil {
		return
	}
	for time.Since(info.CreatedAt) < settlingTime && ctx.Err() == nil {
		if task, err := container.Task(ctx, nil); err == nil {
			if status, err := task.Status(ctx); err == nil && status.Status != client.Created {
				return
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// removeOrphan removes a container that is no longer used. It also ends a stuck shim, such as one
// whose client died.
func removeOrphan(ctx context.Context, container client.Container) error {
	err := remove(ctx, container, politeTime)
	for began := time.Now(); err != nil && ctx.Err() == nil && time.Since(began) < answerTime; {
		endShims()
		time.Sleep(50 * time.Millisecond) // gives the daemon time to clean up
		err = remove(ctx, container, politeTime)
	}
	return err
}

// politeTime is how long a shim may take to end before it is killed.
const politeTime = 3 * time.Second

// remove kills all processes of a container and removes it, if it is still there.
func remove(ctx context.Context, container client.Container, within time.Duration) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), within)
	defer cancel()
	task, err := container.Task(ctx, nil)
	if err == nil {
		_, err = task.Delete(ctx, client.WithProcessKill)
	}
	if err != nil && !errdefs.IsNotFound(err) {
		return fmt.Errorf("ending container %s: %w", container.ID(), err)
	}
	if err := container.Delete(ctx, client.WithSnapshotCleanup); err != nil && !errdefs.IsNotFound(err) {
		return fmt.Errorf("removing container %s: %w", container.ID(), err)
	}
	return nil
}
