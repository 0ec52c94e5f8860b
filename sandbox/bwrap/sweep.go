package bwrap

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"syscall"

	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/living"
)

// processName ends the name under which bwrap is started; it begins with the
// name of this process.
const processName = "bwrap"

// sweep ends and removes what killed runs of agentd may have left behind:
// a bwrap that was killed so early that its first child had not yet asked to die
// with it, and cgroups. A sandbox of bubblewrap's has no folder outside of itself.
func sweep(parent cgroup.Parent) {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range lines {
		line, err := os.ReadFile(file)
		if err != nil {
			continue // gone
		}
		name, _, _ := bytes.Cut(line, []byte{0})
		if !bytes.HasSuffix(name, []byte("-"+processName)) || !living.Orphaned(string(name)) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file))); err == nil {
			syscall.Kill(pid, syscall.SIGKILL) // not ours to kill: another user's
		}
	}
	cgroup.Sweep(parent)
}
