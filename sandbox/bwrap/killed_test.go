//go:build linux

package bwrap

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentd/sandbox"
	"agentd/sandbox/internal/owner"
	"agentd/vfs"
)

const victimVariable = "AGENTD_TEST_VICTIM"

// victim runs scripts until it is killed.
func victim() {
	b, err := New(context.Background())
	if err != nil {
		panic(err)
	}
	prefix, err := owner.Prefix()
	if err != nil {
		panic(err)
	}
	fmt.Println(prefix)
	for {
		run, err := b.NewRunner(sandbox.DefaultLimits())
		if err != nil {
			panic(err)
		}
		ws, err := vfs.New(vfs.Files{"a": "1"}, nil)
		if err != nil {
			panic(err)
		}
		if _, err := run.RunPython(context.Background(), ws, sandbox.Script{Code: "import os, time\nif os.fork(): time.sleep(0.01)\nelse: os.setsid(); time.sleep(1000)"}); err != nil {
			panic(err)
		}
		run.Close()
	}
}

// TestKilled kills agentd at many moments of a script, from before its sandbox
// is built to after its end.
func TestKilled(t *testing.T) {
	t.Parallel()
	for after := range 24 {
		name := startVictim(t, time.Duration(after)*3*time.Millisecond)
		deadline := time.Now().Add(10 * time.Second)
		for len(processesOf(name)) > 0 && time.Now().Before(deadline) {
			time.Sleep(10 * time.Millisecond)
		}
		if left := processesOf(name); len(left) > 0 {
			t.Logf("killed after %v, leaves %q for the next start", time.Duration(after)*3*time.Millisecond, left)
		}
		sweep()
		if left := append(processesOf(name), groupsOf(name)...); len(left) > 0 {
			t.Errorf("killed after %v, then swept, leaves %q", time.Duration(after)*3*time.Millisecond, left)
		}
		if left, _ := filepath.Glob(filepath.Join(os.TempDir(), name+"*")); len(left) > 0 {
			t.Errorf("folders are left: %q", left)
		}
	}
}

// startVictim starts one, kills it, and returns how what it owns is named.
func startVictim(t *testing.T, after time.Duration) string {
	t.Helper()
	again := exec.Command("/proc/self/exe")
	again.Env = append(os.Environ(), victimVariable+"=1")
	out, err := again.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	again.Stderr = os.Stderr
	if err := again.Start(); err != nil {
		t.Fatal(err)
	}
	name, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	time.Sleep(after)
	again.Process.Kill()
	again.Wait()
	return strings.TrimSpace(name)
}

// processesOf finds those named so, and those in cgroups named so.
func processesOf(name string) (found []string) {
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range lines {
		if line, err := os.ReadFile(file); err == nil && strings.HasPrefix(string(line), name) {
			found = append(found, file)
		}
	}
	for _, group := range groupsOf(name) {
		if procs, err := os.ReadFile(filepath.Join(group, "cgroup.procs")); err == nil && len(procs) > 0 {
			found = append(found, group+" "+string(procs))
		}
	}
	return found
}

func groupsOf(name string) (found []string) {
	filepath.WalkDir("/sys/fs/cgroup", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && strings.HasPrefix(entry.Name(), name) {
			found = append(found, path)
		}
		return nil
	})
	return found
}
