//go:build linux

package bwrap

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"agentd/sandbox"
	"agentd/sandbox/sandboxtest"
	"agentd/vfs"
)

func TestTimeOut(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{
		"sleep": `import time; time.sleep(60)`,
		"spin":  `while True: pass`,
		"ignored signals": `import signal, time
for s in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}: signal.signal(s, signal.SIG_IGN)
time.sleep(60)`,
		"stopped":    `import os, signal; os.kill(os.getpid(), signal.SIGSTOP)`,
		"full pipe":  `import os; r, w = os.pipe(); os.write(w, b"x" * (1 << 20))`,
		"named pipe": `import os; os.mkfifo("p"); open("p").read()`,
		"child":      `import subprocess; subprocess.run(["sleep", "60"])`,
		"kill all":   "import os, signal\nfor pid in (-1, 1):\n  try: os.kill(pid, signal.SIGKILL)\n  except OSError: pass\nsignal.pause()",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := newRunner(t, func(l *sandbox.Limits) { l.WallTime = 500 * time.Millisecond })
			ws := sandboxtest.Workspace(t, nil)
			got := sandboxtest.MustRun(t, run, ws, "open('partial', 'w').write('p')\nprint('started', flush=True)\n"+code)
			if !got.TimedOut || got.ExitCode != 137 || got.OOMKilled || got.Duration > 5*time.Second {
				t.Errorf("got %+v", got)
			}
			if got.Stdout != "started\n" || got.Changed["partial"] != "p" {
				t.Errorf("what was done before the limit is lost: %+v", got)
			}
		})
	}
}

// Not parallel: it measures what this program allocates.
func TestMemoryOfTheHarnessIsBounded(t *testing.T) {
	run := newRunner(t, nil)
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	done, peak := make(chan struct{}), make(chan uint64)
	go func() {
		most := before.HeapAlloc
		for {
			select {
			case <-done:
				peak <- most
				return
			case <-time.After(10 * time.Millisecond):
				runtime.ReadMemStats(&now)
				most = max(most, now.HeapAlloc)
			}
		}
	}()
	sandboxtest.MustRun(t, run, sandboxtest.Workspace(t, nil), `
import os
for _ in range(1024): os.write(1, b"x" * (1 << 20))
for i in range(40): open(f"big{i}", "wb").write(b"x" * (15 << 20))
`)
	close(done)
	// 64 MiB are taken back, and copied once into the workspace.
	if grown := <-peak - before.HeapAlloc; grown > 300<<20 {
		t.Errorf("the heap grew by %d MiB", grown>>20)
	} else {
		t.Logf("the heap grew by %d MiB", grown>>20)
	}
}

func TestProcessesAreCountedForEachSandbox(t *testing.T) {
	t.Parallel()
	run := newRunner(t, nil)
	got := sandboxtest.MustRun(t, run, sandboxtest.Workspace(t, nil), `
import os, signal
n = 1
try:
    while True:
        if os.fork() == 0: signal.pause()
        n += 1
except BlockingIOError: print(n)`)
	if got.Stdout != "64\n" {
		t.Errorf("got %s%s processes", got.Stdout, got.Stderr)
	}
}

func TestWorkspaceLimitsAreSkipped(t *testing.T) {
	t.Parallel()
	files := vfs.Files{}
	for i := range vfs.MaxFiles - 1 {
		files[fmt.Sprint("f", i)] = "x"
	}
	ws := sandboxtest.Workspace(t, files)
	got := sandboxtest.MustRun(t, newRunner(t, nil), ws, "for n in '123': open('new' + n, 'w')\nopen('f0', 'w').write('changed')")
	if len(got.Changed) != 2 || len(got.Skipped) != 2 || len(got.Deleted) != 0 || !strings.Contains(got.Skipped[0].Reason, "1000 files") {
		t.Errorf("changed %v, deleted %v, skipped %v", got.Changed.Names(), got.Deleted, got.Skipped)
	}
}
