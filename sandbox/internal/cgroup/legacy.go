//go:build linux

package cgroup

import (
	"fmt"
	"path/filepath"

	"github.com/containerd/cgroups/v3/cgroup1"

	"agentd/sandbox"
)

// findLegacy finds agentd's own group of version 1 in the hierarchy of each controller.
func findLegacy() (*Parent, error) {
	folders := make(map[cgroup1.Name]string)
	for _, controller := range []cgroup1.Name{cgroup1.Memory, cgroup1.Pids, cgroup1.Cpu} {
		own, err := cgroup1.NestedPath("")(controller)
		if err != nil {
			return nil, fmt.Errorf("%w: finding agentd's own for the controller %s of cgroup v1: %w", ErrUnavailable, controller, err)
		}
		folders[controller] = filepath.Join(mounted, string(controller), own)
	}
	return &Parent{
		version: 1, memory: folders[cgroup1.Memory], pids: folders[cgroup1.Pids], cpu: folders[cgroup1.Cpu],
		oomEvents: "memory.oom_control", settings: legacySettings,
	}, nil
}

func legacySettings(p *Parent, limits sandbox.Limits) []setting {
	memory := fmt.Sprint(limits.MemoryBytes)
	set := []setting{
		{p.memory, "memory.limit_in_bytes", memory},
		{p.cpu, "cpu.cfs_period_us", fmt.Sprint(period.Microseconds())},
		{p.cpu, "cpu.cfs_quota_us", fmt.Sprint(quota(limits))},
	}
	// This limit is on memory and swap together, so there is no swap. The kernel has it
	// only if it was started with swap accounting.
	if exists(filepath.Join(p.memory, "memory.memsw.limit_in_bytes")) {
		set = append(set, setting{p.memory, "memory.memsw.limit_in_bytes", memory})
	}
	return set
}
