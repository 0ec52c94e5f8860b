//go:build linux

package cgroup

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/containerd/cgroups/v3"
	"github.com/moby/sys/mountinfo"

	"agentd/sandbox"
)

// findLegacy finds agentd's own group of version 1 in the hierarchy of each controller.
func findLegacy() (*Parent, error) {
	own, _, err := cgroups.ParseCgroupFileUnified("/proc/self/cgroup")
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	hierarchies, err := mountinfo.GetMounts(mountinfo.FSTypeFilter("cgroup"))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	folders := make(map[string]string)
	for _, controller := range []string{"memory", "pids", "cpu"} {
		if folders[controller], err = legacyFolder(controller, own, hierarchies); err != nil {
			return nil, fmt.Errorf("%w: finding agentd's own for the controller %s of cgroup v1: %w", ErrUnavailable, controller, err)
		}
	}
	return &Parent{
		version: 1, memory: folders["memory"], pids: folders["pids"], cpu: folders["cpu"],
		oomEvents: "memory.oom_control", settings: legacySettings,
	}, nil
}

// legacyFolder returns the folder of agentd's own group of a controller. The paths in own count
// from the top of the controller's hierarchy; in a container only a part of that may be mounted.
func legacyFolder(controller string, own map[string]string, hierarchies []*mountinfo.Info) (string, error) {
	path, ok := own[controller]
	if !ok {
		return "", errors.New("it is not active")
	}
	for _, mount := range hierarchies {
		if !slices.Contains(strings.Split(mount.VFSOptions, ","), controller) {
			continue
		}
		below, err := filepath.Rel(mount.Root, path)
		if err != nil {
			return "", err
		}
		return filepath.Join(mounted, controller, filepath.Join("/", below)), nil
	}
	return "", errors.New("its hierarchy is not mounted")
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
