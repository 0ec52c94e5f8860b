//go:build linux

package cgroup

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"agentd/sandbox"
)

// TestGroups makes a real group. Where none can be made, the reason must say
// what to do.
func TestGroups(t *testing.T) {
	t.Parallel()
	parent, err := Find()
	if err != nil {
		if !errors.Is(err, ErrUnavailable) || os.Geteuid() == 0 {
			t.Fatal(err)
		}
		t.Logf("not as this user: %v", err)
		return
	}
	limits := sandbox.DefaultLimits()
	limits.MemoryBytes = 64 << 20
	g, err := Make(parent, limits, 3)
	if err != nil {
		t.Fatal(err)
	}
	script := exec.Command("sh", "-c", "read go; /usr/bin/python3 -c 'bytearray(200<<20)'; sleep 9 & sleep 9 & sleep 9 & sleep 9")
	stdin, err := script.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := script.Start(); err != nil {
		t.Fatal(err)
	}
	if err := g.Add(script.Process.Pid); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(stdin)
	script.Wait()
	hits, err := g.Hits()
	if err != nil || hits.OOMKills == 0 || hits.ForksRefused == 0 {
		t.Errorf("hits: %+v, %v", hits, err)
	}
	t.Logf("%s: %+v", parent.Describe(), hits)
	if err := g.Remove(); err != nil {
		t.Error(err)
	}
}

// Whoever comes first moves the whole process aside, and no other process fails by it.
func TestFindAtOnce(t *testing.T) {
	t.Parallel()
	var found, failed atomic.Int32
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if _, err := Find(); err != nil {
				t.Log(err)
				failed.Add(1)
				return
			}
			found.Add(1)
		})
	}
	all.Wait()
	if found.Load() > 0 && failed.Load() > 0 {
		t.Errorf("%d found where to make groups, %d did not", found.Load(), failed.Load())
	}
}

// CPU time is limited wherever Find says so.
func TestCPUTime(t *testing.T) {
	t.Parallel()
	parent, err := Find()
	if err != nil || !parent.LimitsCPU() {
		t.Skipf("CPU time cannot be limited here: %v", err)
	}
	limits := sandbox.DefaultLimits()
	limits.CPUs = 0.2
	g, err := Make(parent, limits, 3)
	if err != nil {
		t.Fatal(err)
	}
	script := exec.Command("sh", "-c", "read go; exec timeout 1 sh -c 'while :; do :; done'")
	stdin, err := script.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := script.Start(); err != nil {
		t.Fatal(err)
	}
	if err := g.Add(script.Process.Pid); err != nil {
		t.Error(err)
	}
	fmt.Fprintln(stdin)
	script.Wait()
	if times, err := count(g.file(parent.cpu, "cpu.stat"), "nr_throttled"); err != nil || times == 0 {
		t.Errorf("it was held back %d times, %v", times, err)
	}
	if err := g.Remove(); err != nil {
		t.Error(err)
	}
}

// A group of a process that is gone, with something that still runs in it.
func TestSweep(t *testing.T) {
	t.Parallel()
	parent, err := Find()
	if err != nil {
		t.Skip("no groups can be made here")
	}
	space, err := os.Readlink("/proc/self/ns/pid")
	if err != nil {
		t.Fatal(err)
	}
	name := fmt.Sprintf("agentd-%s-%d-1-1", strings.Trim(space, "pid:[]"), os.Getpid()) // started at another time
	left, err := makeNamed(name, kind{parent, sandbox.DefaultLimits(), 5})
	if err != nil {
		t.Fatal(err)
	}
	running := exec.Command("sleep", "100")
	if err := running.Start(); err != nil {
		t.Fatal(err)
	}
	if err := left.Add(running.Process.Pid); err != nil {
		t.Error(err)
	}
	go Sweep()
	if err := running.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
		t.Errorf("the process in it ended with %v", err)
	}
	Sweep()
	if exists(folderOf(left)) {
		t.Error("the group is still there")
	}
}

func TestNoGroup(t *testing.T) {
	t.Parallel()
	g, err := Make(nil, sandbox.DefaultLimits(), 1)
	if err != nil {
		t.Fatal(err)
	}
	hits, err := g.Hits()
	if err := errors.Join(err, g.Add(1), g.Remove()); err != nil || hits != (Hits{}) {
		t.Errorf("%+v, %v", hits, err)
	}
}

// Version 2 is looked at in a folder that stands in for the kernel's.
func TestUnified(t *testing.T) {
	t.Parallel()
	mount := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(mount, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	put("own/cgroup.controllers", "cpu memory\n")
	put("own/cgroup.subtree_control", "")
	u := unified{mount, "/own"}
	if _, err := u.open(1); err == nil || !strings.Contains(err.Error(), "pids") {
		t.Errorf("without a needed controller: %v", err)
	}
	put("own/cgroup.controllers", "cpu memory pids io\n")
	parent, err := u.open(1)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(mount, "own/cgroup.subtree_control")); string(got) != "+memory +pids +cpu" {
		t.Errorf("asked for %q", got)
	}
	put("own/memory.swap.max", "max")
	for _, file := range []string{"memory.max", "memory.swap.max", "pids.max", "cpu.max"} {
		put("own/g/"+file, "max") // as the kernel does; made by writing, only root could read them
	}
	g, err := makeNamed("g", kind{parent, sandbox.DefaultLimits(), 66})
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"memory.max": "536870912", "memory.swap.max": "0", "pids.max": "66", "cpu.max": "100000 100000"} {
		if got, _ := os.ReadFile(filepath.Join(mount, "own/g", file)); string(got) != want {
			t.Errorf("%s is %q, want %q", file, got, want)
		}
	}
	put("own/g/memory.events", "low 0\noom 2\noom_kill 1\n")
	put("own/g/pids.events", "max 5\n")
	if hits, err := g.Hits(); err != nil || hits != (Hits{OOMKills: 1, ForksRefused: 5}) {
		t.Errorf("%+v, %v", hits, err)
	}
	put("own/cgroup.procs", "1\n77\n")
	if err := moveAside(filepath.Join(mount, "own"), 1); err == nil || !strings.Contains(err.Error(), "other processes") {
		t.Errorf("next to others: %v", err)
	}
	for above, want := range map[string]bool{"/": true, "/own": true, "/docker/0123": true, "/user.slice/session-1.scope": false, "/system.slice/a.service": false} {
		put(filepath.Join(above, "cgroup.controllers"), "")
		if err := (unified{mount, above}).delegated(); (err == nil) != want {
			t.Errorf("%s: delegated %v, want %v", above, err, want)
		}
	}
}

// A group that is given back stands in for a new one, if nothing is left in it or
// was refused.
func TestCache(t *testing.T) {
	t.Parallel()
	parent, err := Find()
	if err != nil {
		t.Skipf("no group can be made here: %v", err)
	}
	var cache Cache
	limits := sandbox.DefaultLimits()
	take := func(limits sandbox.Limits) *Group {
		t.Helper()
		g, err := cache.Get(parent, limits, 3)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	within := func(g *Group, code string) *exec.Cmd {
		t.Helper()
		script := exec.Command("sh", "-c", "read go; "+code)
		stdin, err := script.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(script.Start(), g.Add(script.Process.Pid)); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(stdin)
		return script
	}
	give := func(g *Group) {
		t.Helper()
		if err := cache.Put(g); err != nil {
			t.Error(err)
		}
	}
	first := take(limits)
	within(first, "exit").Wait()
	give(first)
	if take(limits) != first {
		t.Error("the first was not kept")
	}
	give(first)
	fewer := limits
	fewer.MemoryBytes /= 2
	other := take(fewer)
	if other == first {
		t.Error("one of other limits was taken")
	}
	give(other)
	if _, err := os.Stat(folderOf(other)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("one of other limits is kept: %v", err)
	}
	refusing := take(limits)
	within(refusing, "sleep 9 & sleep 9 & sleep 9 & sleep 9").Wait()
	give(refusing)
	second := take(limits)
	if second == refusing {
		t.Error("one that had refused processes was kept")
	}
	left := within(second, "sleep 99")
	give(second)
	left.Wait() // it was killed
	third := take(limits)
	if third == second {
		t.Error("one with a process in it was kept")
	}
	give(third)
	if err := cache.Close(); err != nil {
		t.Error(err)
	}
	late := take(limits)
	give(late)
	for _, g := range []*Group{third, late} {
		if _, err := os.Stat(folderOf(g)); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", folderOf(g), err)
		}
	}
}

func folderOf(g *Group) string { return g.file(g.parent.pids, "") }
