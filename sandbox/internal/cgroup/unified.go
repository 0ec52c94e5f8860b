package cgroup

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/containerd/cgroups/v3/cgroup2"
	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/owner"
)

const unifiedMount = "/sys/fs/cgroup"

// answerTime is how long systemd may take to answer.
const answerTime = 10 * time.Second

// unified makes groups of version 2, below one folder.
type unified struct {
	mount string
	above string // path below mount, beginning with a slash
	cpu   bool   // the controller for CPU time is there as well
}

type unifiedGroup struct {
	*cgroup2.Manager
	folder string
}

// findUnified looks for a folder below which groups can be made: agentd's own,
// if it was delegated, or else the top one, which takes root.
func findUnified(mount string, pid int) (Parent, error) {
	own, err := cgroup2.PidGroupPath(pid)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if prefix, err := owner.Prefix(); err == nil && strings.HasPrefix(filepath.Base(own), prefix) {
		own = filepath.Dir(own) // from where an earlier call has moved us
	}
	var failed error
	for _, above := range slices.Compact([]string{own, "/"}) {
		u := &unified{mount: mount, above: above}
		if err = u.delegated(); err == nil {
			err = u.enable(pid)
		}
		if err == nil {
			err = tryOut(u)
		}
		if err == nil {
			return u, nil
		}
		if failed != nil {
			err = fmt.Errorf("%w; %w", failed, err)
		}
		failed = err
	}
	return nil, fmt.Errorf("%w: %w; to have one, start agentd with: systemd-run --user --scope -p Delegate=yes agentd …",
		ErrUnavailable, failed)
}

// delegated fails for a unit that systemd has not delegated. In such a unit systemd
// may change the controllers at any time, and it ends the whole unit when the kernel
// kills a process in it, or in a group below, because memory ran out.
func (u *unified) delegated() error {
	unit := filepath.Base(u.above)
	if kind := filepath.Ext(unit); kind != ".service" && kind != ".scope" {
		return nil
	}
	folder := filepath.Join(u.mount, u.above)
	for _, attribute := range []string{"trusted.delegate", "user.delegate"} { // what only root sees, and all do
		value := make([]byte, 8)
		if n, err := unix.Getxattr(folder, attribute, value); err == nil && string(value[:n]) == "1" {
			return nil
		}
	}
	if strings.Contains(u.above, "/user@") { // whose own systemd does not mark it, but tells
		ctx, cancel := context.WithTimeout(context.Background(), answerTime)
		defer cancel()
		told, err := exec.CommandContext(ctx, "systemctl", "--user", "show", "--property=Delegate", unit).Output()
		if err == nil && strings.TrimSpace(string(told)) == "Delegate=yes" {
			return nil
		}
	}
	return fmt.Errorf("%s was not delegated by systemd", folder)
}

// enable has the controllers passed on to groups below. A folder that does so
// must hold no process itself, so if it holds just us, we move.
func (u *unified) enable(pid int) error {
	folder := filepath.Join(u.mount, u.above)
	there, err := words(filepath.Join(folder, "cgroup.controllers"))
	if err != nil {
		return err
	}
	want := []string{"memory", "pids"}
	for _, controller := range want {
		if !slices.Contains(there, controller) {
			return fmt.Errorf("%s does not have the controller %s", folder, controller)
		}
	}
	if u.cpu = slices.Contains(there, "cpu"); u.cpu {
		want = append(want, "cpu")
	}
	passed, err := words(filepath.Join(folder, "cgroup.subtree_control"))
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(want), func(c string) bool { return slices.Contains(passed, c) })
	if len(missing) == 0 {
		return nil
	}
	pass := func() error {
		return write(filepath.Join(folder, "cgroup.subtree_control"), "+"+strings.Join(missing, " +"))
	}
	if err = pass(); !errors.Is(err, syscall.EBUSY) {
		return err
	}
	if err := moveAside(folder, pid); err != nil {
		return err
	}
	return pass()
}

// moveAside moves this process to a group of its own, if it is alone.
func moveAside(folder string, pid int) error {
	procs, err := words(filepath.Join(folder, "cgroup.procs"))
	if err != nil {
		return err
	}
	if !slices.Equal(procs, []string{strconv.Itoa(pid)}) {
		return fmt.Errorf("%s holds other processes than agentd", folder)
	}
	prefix, err := owner.Prefix()
	if err != nil {
		return err
	}
	aside := filepath.Join(folder, prefix+"main")
	if err := os.Mkdir(aside, 0o755); err != nil {
		return err
	}
	return write(filepath.Join(aside, "cgroup.procs"), strconv.Itoa(pid))
}

func (u *unified) Describe() string { return "cgroup v2" }

func (u *unified) LimitsCPU() bool { return u.cpu }

func (u *unified) make(name string, limits sandbox.Limits, processes int) (group, error) {
	none := int64(0)
	resources := &cgroup2.Resources{
		Memory: &cgroup2.Memory{Max: &limits.MemoryBytes},
		Pids:   &cgroup2.Pids{Max: int64(processes)},
	}
	if exists(filepath.Join(u.mount, u.above, "memory.swap.max")) || u.above == "/" && exists("/proc/swaps") {
		resources.Memory.Swap = &none
	}
	if u.cpu {
		quota, over := int64(limits.CPUs*float64(period.Microseconds())), uint64(period.Microseconds())
		resources.CPU = &cgroup2.CPU{Max: cgroup2.NewCPUMax(&quota, &over)}
	}
	path := filepath.Join(u.above, name)
	made, err := cgroup2.NewManager(u.mount, path, resources)
	if err != nil {
		return nil, err
	}
	return &unifiedGroup{made, filepath.Join(u.mount, path)}, nil
}

func (u *unified) mounts() []string { return []string{u.mount} }

func (g *unifiedGroup) add(pid int) error { return g.AddProc(uint64(pid)) }

func (g *unifiedGroup) files() (oomControl, pidsEvents string) {
	return filepath.Join(g.folder, "memory.events"), filepath.Join(g.folder, "pids.events")
}

func (g *unifiedGroup) remove() error { return Destroy(g.folder) }

func words(file string) ([]string, error) {
	data, err := os.ReadFile(file)
	return strings.Fields(string(data)), err
}

// write writes to a file that is there.
func write(file, text string) error {
	opened, err := os.OpenFile(file, os.O_WRONLY, 0)
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
