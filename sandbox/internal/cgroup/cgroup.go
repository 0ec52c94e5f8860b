//go:build linux

// Package cgroup limits the resources that all processes of one sandbox use together, with cgroups
// of version 1 or 2. Groups are made below agentd's own cgroup, so its limits also apply to
// scripts.
package cgroup

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// ErrUnavailable is wrapped by the error of Find; the message says why no cgroup can be made
// and how to get one.
var ErrUnavailable = errors.New("no cgroup can be made")

// mounted is the folder of cgroups of version 2, and of the hierarchies of version 1.
const mounted = "/sys/fs/cgroup"

// Parent is where groups are made: below one folder, or with version 1 below one folder
// for each controller.
type Parent struct {
	version           int    // of cgroups: 1 or 2
	memory, pids, cpu string // folders of the controllers; cpu is "" if it is not delegated
	oomEvents         string // file of a group that counts processes killed because memory ran out
	settings          func(*Parent, sandbox.Limits) []setting
}

// setting is a limit: the text to write to a file of a group.
type setting struct{ controller, file, value string }

// Describe names the version.
func (p *Parent) Describe() string { return fmt.Sprintf("cgroup v%d", p.version) }

// LimitsCPU reports whether CPU time is limited, as memory and processes always are.
func (p *Parent) LimitsCPU() bool { return p.cpu != "" }

// folders returns the folders of the controllers, each once.
func (p *Parent) folders() []string {
	folders := slices.DeleteFunc([]string{p.memory, p.pids, p.cpu}, func(folder string) bool { return folder == "" })
	slices.Sort(folders)
	return slices.Compact(folders)
}

// Group limits one sandbox. A nil *Group imposes no limit.
type Group struct {
	kind
	name string // of its folders
}

// Hits counts how often processes met limits.
type Hits struct {
	OOMKills     uint64 // processes killed because memory ran out
	ForksRefused uint64 // processes and threads not started
}

// period is the time over which CPU time is counted.
const period = 100 * time.Millisecond

// quota is the CPU time in a period, in microseconds.
func quota(limits sandbox.Limits) int64 { return int64(limits.CPUs * float64(period.Microseconds())) }

// patience is how long killed processes may take to leave their group.
const patience = 2 * time.Second

var made atomic.Int64

// finding is held while Find moves this process to another group.
var finding sync.Mutex

// Find finds out whether groups can be made, by making one.
func Find() (*Parent, error) {
	finding.Lock()
	defer finding.Unlock()
	switch cgroups.Mode() {
	case cgroups.Unified:
		return findUnified(mounted, os.Getpid())
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
		return nil, fmt.Errorf("%w: nothing is mounted at %s", ErrUnavailable, mounted)
	}
}

// tryOut makes a group and removes it.
func tryOut(parent *Parent) error {
	trial, err := Make(parent, sandbox.DefaultLimits(), 1)
	if err != nil {
		return err
	}
	return trial.Remove()
}

// Make makes a group in which at most this many processes may exist at the same time. With a nil
// parent it returns a nil group.
func Make(parent *Parent, limits sandbox.Limits, processes int) (*Group, error) {
	if parent == nil {
		return nil, nil
	}
	prefix, err := owner.Prefix()
	if err != nil {
		return nil, err
	}
	return makeNamed(fmt.Sprintf("%s%d", prefix, made.Add(1)), kind{parent, limits, processes})
}

func makeNamed(name string, k kind) (*Group, error) {
	g := &Group{k, name}
	if err := g.make(); err != nil {
		return nil, errors.Join(fmt.Errorf("making a cgroup: %w", err), g.Remove())
	}
	return g, nil
}

func (g *Group) make() error {
	for _, folder := range g.parent.folders() {
		if err := os.Mkdir(g.file(folder, ""), 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
			return err
		}
	}
	processes := setting{g.parent.pids, "pids.max", strconv.Itoa(g.processes)}
	for _, set := range append(g.parent.settings(g.parent, g.limits), processes) {
		if err := write(g.file(set.controller, set.file), set.value); err != nil {
			return err
		}
	}
	return nil
}

// file is the path of a file of the group in the folder of a controller.
func (g *Group) file(controller, name string) string { return filepath.Join(controller, g.name, name) }

// Add moves a process into the group. Everything that it starts from then on is in the group, too.
func (g *Group) Add(pid int) error {
	if g == nil {
		return nil
	}
	for _, folder := range g.parent.folders() {
		if err := write(g.file(folder, "cgroup.procs"), strconv.Itoa(pid)); err != nil {
			return fmt.Errorf("putting the sandbox into its cgroup: %w", err)
		}
	}
	return nil
}

// Hits returns the counts since the group was made.
func (g *Group) Hits() (Hits, error) {
	if g == nil {
		return Hits{}, nil
	}
	kills, err := count(g.file(g.parent.memory, g.parent.oomEvents), "oom_kill")
	if err != nil {
		return Hits{}, err
	}
	forks, err := count(g.file(g.parent.pids, "pids.events"), "max")
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // Linux 4.8
		return Hits{}, err
	}
	return Hits{OOMKills: kills, ForksRefused: forks}, nil
}

// Remove removes the group and kills what is left in it.
func (g *Group) Remove() error {
	if g == nil {
		return nil
	}
	var failed []error
	for _, folder := range g.parent.folders() {
		failed = append(failed, Destroy(g.file(folder, "")))
	}
	if err := errors.Join(failed...); err != nil {
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

// Sweep removes the groups that killed runs of agentd left in any hierarchy, and ends their
// processes. It leaves groups that cannot be removed to the next Sweep.
func Sweep() {
	filepath.WalkDir(mounted, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.IsDir() || !owner.Ended(entry.Name()) {
			return nil
		}
		Destroy(path)
		return fs.SkipDir
	})
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

// write writes to a file that is there.
func write(file, text string) error {
	opened, err := os.OpenFile(file, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = opened.WriteString(text)
	return errors.Join(err, opened.Close())
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
