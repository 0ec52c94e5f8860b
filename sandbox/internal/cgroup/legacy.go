package cgroup

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/containerd/cgroups/v3/cgroup1"
	"github.com/opencontainers/runtime-spec/specs-go"

	"agentd/sandbox"
)

// legacy makes groups of version 1, which has a hierarchy for each controller.
type legacy struct {
	controllers []cgroup1.Subsystem
	above       map[cgroup1.Name]string // agentd's own cgroup in each
}

// legacyGroup is one group in all of the hierarchies.
type legacyGroup struct {
	cgroup1.Cgroup
	legacy *legacy
	name   string
}

func findLegacy() (*legacy, error) {
	all, err := cgroup1.Default()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	l := &legacy{above: make(map[cgroup1.Name]string)}
	for _, controller := range all {
		switch name := controller.Name(); name {
		case cgroup1.Memory, cgroup1.Pids, cgroup1.Cpu:
			if l.above[name], err = cgroup1.NestedPath("")(name); err != nil {
				return nil, fmt.Errorf("%w: finding agentd's own: %w", ErrUnavailable, err)
			}
			l.controllers = append(l.controllers, controller)
		}
	}
	for _, needed := range []cgroup1.Name{cgroup1.Memory, cgroup1.Pids, cgroup1.Cpu} {
		if _, there := l.above[needed]; !there {
			return nil, fmt.Errorf("%w: the controller %s of cgroup v1 is not mounted", ErrUnavailable, needed)
		}
	}
	return l, nil
}

func (l *legacy) Describe() string { return "cgroup v1" }

func (l *legacy) LimitsCPU() bool { return true } // or findLegacy fails

func (l *legacy) hierarchy() ([]cgroup1.Subsystem, error) { return l.controllers, nil }

func (l *legacy) make(name string, limits sandbox.Limits, processes int) (group, error) {
	most, quota, over := int64(processes), int64(limits.CPUs*float64(period.Microseconds())), uint64(period.Microseconds())
	resources := &specs.LinuxResources{
		// Swap counts memory and swap together, so there is none.
		Memory: &specs.LinuxMemory{Limit: &limits.MemoryBytes, Swap: l.swap(limits.MemoryBytes)},
		Pids:   &specs.LinuxPids{Limit: &most},
		CPU:    &specs.LinuxCPU{Quota: &quota, Period: &over},
	}
	path := func(controller cgroup1.Name) (string, error) {
		return filepath.Join(l.above[controller], name), nil
	}
	made, err := cgroup1.New(path, resources, cgroup1.WithHierarchy(l.hierarchy))
	if err != nil {
		return nil, errors.Join(err, l.remove(name))
	}
	return &legacyGroup{made, l, name}, nil
}

// swap is the limit on memory and swap together, nil where the kernel was
// started without accounting for it.
func (l *legacy) swap(memory int64) *int64 {
	if !exists(l.folder(cgroup1.Memory, "memory.memsw.limit_in_bytes")) {
		return nil
	}
	return &memory
}

func (l *legacy) remove(name string) error {
	var failed []error
	for controller := range l.above {
		failed = append(failed, Destroy(l.folder(controller, name)))
	}
	return errors.Join(failed...)
}

// folder is where a group of one hierarchy lies.
func (l *legacy) folder(controller cgroup1.Name, name string) string {
	return filepath.Join(l.mount(controller), l.above[controller], name)
}

func (l *legacy) mount(controller cgroup1.Name) string {
	for _, c := range l.controllers {
		if placed, ok := c.(interface{ Path(string) string }); ok && c.Name() == controller {
			return placed.Path("/")
		}
	}
	return ""
}

func (l *legacy) mounts() (mounts []string) {
	for controller := range l.above {
		mounts = append(mounts, l.mount(controller))
	}
	return mounts
}

func (g *legacyGroup) add(pid int) error { return g.AddProc(uint64(pid)) }

func (g *legacyGroup) files() (oomControl, pidsEvents string) {
	return g.legacy.folder(cgroup1.Memory, g.name+"/memory.oom_control"), g.legacy.folder(cgroup1.Pids, g.name+"/pids.events")
}

func (g *legacyGroup) remove() error { return g.legacy.remove(g.name) }
