package containerd

import (
	"context"
	"os"
	"strings"
	"syscall"

	v1 "github.com/containerd/cgroups/v3/cgroup1/stats"
	v2 "github.com/containerd/cgroups/v3/cgroup2/stats"
	"github.com/containerd/typeurl/v2"
	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/output"
)

const killedExit = 128 + int(syscall.SIGKILL)

// ending is what is known of how a script ended.
type ending struct {
	stopped    bool // by us, when its time was over
	exitCode   int
	stderr     string // the end of it
	oomKilled  bool   // the kernel killed processes for want of memory
	keeperGone bool   // among them the container's first
	full       bool   // there is no room left in /tmp or the workspace
}

// limit names the limit that ended a script. One that ends well was ended by
// none, whatever it met on its way; of one that fails, the kernel's counts tell,
// or the exception that it did not catch.
func (e ending) limit() sandbox.Limit {
	exception, message, _ := strings.Cut(output.LastLine(e.stderr), ":")
	raised := func(name, text string) bool {
		return e.exitCode == 1 && strings.HasSuffix(exception, name) && strings.Contains(message, text)
	}
	switch {
	case e.keeperGone && !e.stopped:
		return sandbox.LimitMemory
	case e.stopped:
		return sandbox.LimitTime
	case e.exitCode == 0:
		return sandbox.NoLimit
	case e.oomKilled,
		raised("MemoryError", ""), // NumPy's is called _ArrayMemoryError
		raised("OSError", "Cannot allocate memory"):
		return sandbox.LimitMemory
	case e.full, raised("OSError", "No space left on device"), raised("OSError", "File too large"):
		return sandbox.LimitDisk
	// Those who cannot fork are many, and write over each other.
	case e.exitCode == 1 && strings.Contains(e.stderr, "BlockingIOError: [Errno 11] Resource temporarily unavailable"),
		raised("RuntimeError", "can't start new thread"):
		return sandbox.LimitProcesses
	}
	return sandbox.NoLimit
}

// full reports whether no room is left in a folder that scripts can write to.
func (c *container) full() bool {
	for _, folder := range []*os.File{c.above, c.tmp} {
		var state unix.Statfs_t
		if err := unix.Fstatfs(int(folder.Fd()), &state); err == nil && (state.Bavail == 0 || state.Ffree == 0) {
			return true
		}
	}
	return false
}

// hadOOMKills reports whether the kernel killed processes for want of memory
// since it was last asked.
func (c *container) hadOOMKills(gone bool) bool {
	if gone {
		return true
	}
	before := c.oomKills
	c.oomKills = c.countOOMKills(context.Background())
	return c.oomKills > before
}

// countOOMKills returns how many processes of the container the kernel has
// killed for want of memory. A runtime that does not tell counts as none.
func (c *container) countOOMKills(ctx context.Context) uint64 {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	metric, err := c.task.Metrics(ctx)
	if err != nil || metric.GetData() == nil {
		return c.oomKills
	}
	decoded, err := typeurl.UnmarshalAny(metric.GetData())
	if err != nil {
		return c.oomKills
	}
	switch m := decoded.(type) {
	case *v1.Metrics:
		return m.GetMemoryOomControl().GetOomKill()
	case *v2.Metrics:
		return m.GetMemoryEvents().GetOomKill()
	default:
		return c.oomKills
	}
}
