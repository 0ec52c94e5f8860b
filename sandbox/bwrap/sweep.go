package bwrap

import (
	"strings"

	"agentd/sandbox/bwrap/internal/box"
	"agentd/sandbox/internal/cgroup"
	"agentd/sandbox/internal/owner"
)

// sweep ends and removes what killed runs of agentd may have left behind: a bwrap that
// was killed so early that its first child had not yet asked to die with it, and
// cgroups. A sandbox of bubblewrap's has no folder outside of itself.
func sweep(groups cgroup.Parent) {
	owner.KillLeft(func(args []string) string {
		if !strings.HasSuffix(args[0], "-"+box.ProcessName) {
			return ""
		}
		return args[0]
	})
	cgroup.Sweep(groups)
}
