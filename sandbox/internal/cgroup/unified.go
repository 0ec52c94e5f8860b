//go:build linux

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

	"github.com/containerd/cgroups/v3"
	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/sandbox/internal/owner"
)

// answerTime is how long systemd may take to answer.
const answerTime = 10 * time.Second

// unified is a folder below which groups of version 2 may be made.
type unified struct {
	mount string
	above string // path below mount, beginning with a slash
}

// findUnified looks for a folder below which groups can be made: agentd's own,
// if it was delegated, or otherwise the top one, which takes root.
func findUnified(mount string, pid int) (*Parent, error) {
	_, own, err := cgroups.ParseCgroupFileUnified(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err == nil && own == "" {
		err = errors.New("agentd is in no group of version 2")
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if prefix, err := owner.Prefix(); err == nil && strings.HasPrefix(filepath.Base(own), prefix) {
		own = filepath.Dir(own) // from where an earlier call has moved us
	}
	var failed []string
	for _, above := range slices.Compact([]string{own, "/"}) {
		parent, err := unified{mount, above}.open(pid)
		if err == nil {
			err = tryOut(parent)
		}
		if err == nil {
			return parent, nil
		}
		failed = append(failed, err.Error())
	}
	return nil, fmt.Errorf("%w: %s; to have one, start agentd with: systemd-run --user --scope -p Delegate=yes agentd …",
		ErrUnavailable, strings.Join(failed, "; "))
}

// delegated fails for a unit that systemd has not delegated. Systemd may change the
// controllers of such a unit at any time, and ends the whole unit when the kernel kills a
// process in it or below because memory ran out.
func (u unified) delegated() error {
	unit := filepath.Base(u.above)
	if kind := filepath.Ext(unit); kind != ".service" && kind != ".scope" {
		return nil
	}
	folder := u.folder()
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

func (u unified) folder() string { return filepath.Join(u.mount, u.above) }

// open enables the controllers for groups below the folder. The folder may then hold no
// process itself, so if agentd is the only one there, it moves to a group of its own.
func (u unified) open(pid int) (*Parent, error) {
	if err := u.delegated(); err != nil {
		return nil, err
	}
	folder := u.folder()
	there, err := words(filepath.Join(folder, "cgroup.controllers"))
	if err != nil {
		return nil, err
	}
	want := []string{"memory", "pids"}
	for _, controller := range want {
		if !slices.Contains(there, controller) {
			return nil, fmt.Errorf("%s does not have the controller %s", folder, controller)
		}
	}
	parent := &Parent{version: 2, memory: folder, pids: folder, oomEvents: "memory.events", settings: unifiedSettings}
	if slices.Contains(there, "cpu") {
		parent.cpu = folder
		want = append(want, "cpu")
	}
	passed, err := words(filepath.Join(folder, "cgroup.subtree_control"))
	if err != nil {
		return nil, err
	}
	missing := slices.DeleteFunc(want, func(c string) bool { return slices.Contains(passed, c) })
	if len(missing) == 0 {
		return parent, nil
	}
	pass := func() error {
		return write(filepath.Join(folder, "cgroup.subtree_control"), "+"+strings.Join(missing, " +"))
	}
	err = pass()
	if errors.Is(err, syscall.EBUSY) {
		if err = moveAside(folder, pid); err == nil {
			err = pass()
		}
	}
	if err != nil {
		return nil, err
	}
	return parent, nil
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

func unifiedSettings(p *Parent, limits sandbox.Limits) []setting {
	set := []setting{{p.memory, "memory.max", fmt.Sprint(limits.MemoryBytes)}}
	// The top folder has no such file for itself, but groups below it have.
	if exists(filepath.Join(p.memory, "memory.swap.max")) || p.memory == mounted && exists("/proc/swaps") {
		set = append(set, setting{p.memory, "memory.swap.max", "0"})
	}
	if p.LimitsCPU() {
		set = append(set, setting{p.cpu, "cpu.max", fmt.Sprint(quota(limits), " ", period.Microseconds())})
	}
	return set
}

func words(file string) ([]string, error) {
	data, err := os.ReadFile(file)
	return strings.Fields(string(data)), err
}
