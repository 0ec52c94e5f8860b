// Package cgroup limits what the processes of one sandbox use together, through
// cgroups of version 1 or 2.
//
// Groups are made below the cgroup that agentd itself runs in, so that its own
// limits hold for scripts as well.
package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/containerd/cgroups/v3"

	"agentd/sandbox"
	"agentd/sandbox/internal/owner"
)

// ErrUnavailable is wrapped by the error of Find where no cgroup can be made;
// the message says why and how to get one.
var ErrUnavailable = errors.New("no cgroup can be made")

// Parent is where groups are made.
type Parent interface {
	// Describe names the version.
	Describe() string
	// LimitsCPU tells whether CPU time is limited as memory and processes are.
	LimitsCPU() bool
	// make makes a group with the limits, in which so many processes may exist.
	make(name string, limits sandbox.Limits, processes int) (group, error)
	// mounts are the folders below which groups, and those that other runs of
	// agentd left, may lie.
	mounts() []string
}

// group is one cgroup, in every hierarchy that is used.
type group interface {
	add(pid int) error
	files() (oomControl, pidsEvents string)
	remove() error
}

// Group limits one sandbox. A nil *Group imposes no limit.
type Group struct {
	group group
	kind  kind
}

// Hits counts how often limits were met.
type Hits struct {
	OOMKills     uint64 // processes killed because memory ran out
	ForksRefused uint64 // processes and threads not started
}

// period is the time over which CPU time is counted.
const period = 100 * time.Millisecond

// patience is how long killed processes may take to leave their group.
const patience = 2 * time.Second

var made atomic.Int64

// finding is held while Find moves this process to another group.
var finding sync.Mutex

// Find finds out whether groups can be made, by making one.
func Find() (Parent, error) {
	finding.Lock()
	defer finding.Unlock()
	switch cgroups.Mode() {
	case cgroups.Unified:
		return findUnified(unifiedMount, os.Getpid())
	case cgroups.Legacy, cgroups.Hybrid:
		parent, err := findLegacy()
		if err != nil {
			return nil, err
		}
		if err := tryOut(parent); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
		}
		return parent, nil
	default:
		return nil, fmt.Errorf("%w: nothing is mounted at /sys/fs/cgroup", ErrUnavailable)
	}
}

// tryOut makes a group and removes it.
func tryOut(parent Parent) error {
	trial, err := Make(parent, sandbox.DefaultLimits(), 1)
	if err != nil {
		return err
	}
	return trial.Remove()
}

// Make makes a group in which so many processes may exist at the same time. A nil
// parent makes a nil group.
func Make(parent Parent, limits sandbox.Limits, processes int) (*Group, error) {
	if parent == nil {
		return nil, nil
	}
	prefix, err := owner.Prefix()
	if err != nil {
		return nil, err
	}
	g, err := parent.make(fmt.Sprintf("%s%d", prefix, made.Add(1)), limits, processes)
	if err != nil {
		return nil, fmt.Errorf("making a cgroup: %w", err)
	}
	return &Group{g, kind{parent, limits, processes}}, nil
}

// Add puts a process, and all that it starts from then on, into the group.
func (g *Group) Add(pid int) error {
	if g == nil {
		return nil
	}
	if err := g.group.add(pid); err != nil {
		return fmt.Errorf("putting the sandbox into its cgroup: %w", err)
	}
	return nil
}

// Hits counts since the group was made.
func (g *Group) Hits() (Hits, error) {
	if g == nil {
		return Hits{}, nil
	}
	oom, pids := g.group.files()
	kills, err := count(oom, "oom_kill")
	if err != nil {
		return Hits{}, err
	}
	forks, err := count(pids, "max")
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // Linux 4.8
		return Hits{}, err
	}
	return Hits{OOMKills: kills, ForksRefused: forks}, nil
}

// Remove removes the group. Should a process be left in it, it is killed.
func (g *Group) Remove() error {
	if g == nil {
		return nil
	}
	if err := g.group.remove(); err != nil {
		return fmt.Errorf("removing the sandbox's cgroup: %w", err)
	}
	return nil
}

// count reads a number from a file of lines "key number".
func count(file, key string) (uint64, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(data)) {
		if value, ok := strings.CutPrefix(strings.TrimSpace(line), key+" "); ok {
			return strconv.ParseUint(value, 10, 64)
		}
	}
	return 0, nil
}

// Sweep removes the groups that killed runs of agentd have left, with all that
// runs in them. The next Sweep tries again what could not be removed.
func Sweep(parent Parent) {
	if parent == nil {
		return
	}
	for _, mount := range parent.mounts() {
		filepath.WalkDir(mount, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return nil
			}
			if owner.Ended(entry.Name()) {
				Destroy(path)
				return fs.SkipDir
			}
			return nil
		})
	}
}

// Destroy kills what still runs in a group of one hierarchy and removes it.
func Destroy(path string) error {
	for wait := time.Millisecond; ; wait *= 2 {
		err := os.Remove(path)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if !errors.Is(err, syscall.EBUSY) || wait > patience {
			return err
		}
		procs, err := os.ReadFile(filepath.Join(path, "cgroup.procs"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, field := range strings.Fields(string(procs)) {
			if pid, err := strconv.Atoi(field); err == nil && pid > 1 {
				syscall.Kill(pid, syscall.SIGKILL)
			}
		}
		time.Sleep(wait)
	}
}
