package containerd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	client "github.com/containerd/containerd/v2/client"
	"github.com/containerd/errdefs"

	"agentd/sandbox/internal/living"
)

// Labels of every container. The name that living gives it says the same, and
// is what the next New goes by; the labels are for people.
const (
	labelOwner = "agentd/owner" // always "agentd"
	labelPID   = "agentd/pid"
	labelStart = "agentd/start" // clock ticks from the start of the machine to that of the process
)

// labels name this process. The prefix is that of package living: mark, PID
// namespace, pid, start.
func labels(prefix string) map[string]string {
	parts := strings.Split(prefix, "-")
	return map[string]string{labelOwner: "agentd", labelPID: strconv.Itoa(os.Getpid()), labelStart: parts[3]}
}

// startingTime is how long a container may be without a running task before it
// counts as left behind, where its owner cannot be looked for.
const startingTime = time.Minute

// settlingTime is how old a container must be for what the daemon was doing
// about it to have come to an end.
const settlingTime = time.Second

// removeStale removes the containers of agentd processes that have ended.
func removeStale(ctx context.Context, c *client.Client) error {
	containers, err := c.Containers(ctx, fmt.Sprintf("labels.%q==agentd", labelOwner))
	if err != nil {
		return fmt.Errorf("listing containers: %w", err)
	}
	var failed []error
	for _, found := range containers {
		if living.Orphaned(found.ID()) || abandoned(ctx, found) {
			awaitTask(ctx, found)
			failed = append(failed, removeOrphan(ctx, found))
		}
	}
	endShims()
	return errors.Join(append(failed, removeCgroups())...)
}

// endShims ends the shims of processes that have ended. An agentd that is killed
// while its container is being made interrupts the daemon, which then forgets
// the shim; when that ends too, it clears up. Who is not root cannot do this.
func endShims() {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range lines {
		line, err := os.ReadFile(file)
		if err != nil {
			continue // gone
		}
		args := strings.Split(string(line), "\x00")
		at := slices.Index(args, "-id") + 1
		if at == 0 || at == len(args) || !strings.Contains(args[0], "containerd-shim") || !living.Orphaned(args[at]) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

// removeCgroups removes the cgroups of containers whose shim has ended, which the
// daemon is about to do, or has given up.
func removeCgroups() error {
	if os.Geteuid() != 0 {
		return nil
	}
	var failed []error
	for _, pattern := range []string{"/sys/fs/cgroup/agentd-*", "/sys/fs/cgroup/*/agentd-*"} {
		groups, _ := filepath.Glob(pattern)
		for _, group := range groups {
			if living.Orphaned(filepath.Base(group)) {
				failed = append(failed, removeCgroup(group))
			}
		}
	}
	return errors.Join(failed...)
}

// removeCgroup kills what runs in a cgroup and removes it.
func removeCgroup(group string) error {
	for began := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		err := os.Remove(group)
		if err == nil || errors.Is(err, os.ErrNotExist) || time.Since(began) > settlingTime {
			return ignoreNotExist(err)
		}
		members, _ := os.ReadFile(filepath.Join(group, "cgroup.procs"))
		for _, member := range strings.Fields(string(members)) {
			if pid, err := strconv.Atoi(member); err == nil && pid > 1 {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}

func ignoreNotExist(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// abandoned reports whether a container has been without a running task for
// long. When an agentd dies its keepers end, and so do their tasks; this tells
// also where its pid means nothing to us, as after a restart of the container
// or the machine that it ran on.
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

// awaitTask waits for the task of a container that was made just now. If agentd
// is killed while the daemon starts it, it comes to be all the same, and must not
// find its container gone.
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

// removeOrphan removes a container that nobody uses. A shim whose client died
// halfway may be stuck for long; it is ended where that is possible.
func removeOrphan(ctx context.Context, container client.Container) error {
	err := remove(ctx, container, politeTime)
	for began := time.Now(); err != nil && ctx.Err() == nil && time.Since(began) < answerTime; {
		endShims()
		time.Sleep(50 * time.Millisecond) // the daemon clears up
		err = remove(ctx, container, politeTime)
	}
	return err
}

// politeTime is how long a shim may take to end before it is killed.
const politeTime = 3 * time.Second

// remove kills all processes of a container and removes it. Something that is
// gone already is no error.
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

// folderMark begins the names of back ends' own folders, in place of the mark of
// living. Scripts see the path in /proc/self/mountinfo, where it need not tell
// them whom they work for.
const (
	folderMark = "containers-"
	livingMark = "agentd-"
)

// makeFolder makes the private folder of a back end.
func makeFolder(prefix string) (string, error) {
	folder, err := os.MkdirTemp(living.TemporaryFolder(), folderMark+strings.TrimPrefix(prefix, livingMark))
	if err != nil {
		return "", fmt.Errorf("making a folder for containers: %w", err)
	}
	// The first process of a container must reach its root file system, as a
	// user that has no other rights here.
	return folder, os.Chmod(folder, 0o711)
}

// removeStaleFolders removes the folders of processes that have ended.
func removeStaleFolders() error {
	folders, err := filepath.Glob(filepath.Join(living.TemporaryFolder(), folderMark+"*"))
	if err != nil {
		return err
	}
	var failed []error
	for _, folder := range folders {
		name := livingMark + strings.TrimPrefix(filepath.Base(folder), folderMark)
		info, err := os.Lstat(folder)
		if err == nil && info.IsDir() && isOwn(info) && living.Orphaned(name) {
			failed = append(failed, os.RemoveAll(folder))
		}
	}
	return errors.Join(failed...)
}
