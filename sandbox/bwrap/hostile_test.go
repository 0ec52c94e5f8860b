package bwrap

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"agentd/sandbox"
	"agentd/vfs"
)

// running reports whether a process with the marker in its command line exists
// on the host.
func running(marker string) bool {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, file := range files {
		if line, err := os.ReadFile(file); err == nil && strings.Contains(string(line), marker) {
			return true
		}
	}
	return false
}

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
			ws := workspace(t, nil)
			got := mustRun(t, run, ws, "open('partial', 'w').write('p')\nprint('started', flush=True)\n"+code)
			if !got.TimedOut || got.ExitCode != 137 || got.OOMKilled || got.Duration > 5*time.Second {
				t.Errorf("got %+v", got)
			}
			if got.Stdout != "started\n" || got.Changed["partial"] != "p" {
				t.Errorf("what was done before the limit is lost: %+v", got)
			}
		})
	}
}

func TestNothingOutlivesTheScript(t *testing.T) {
	t.Parallel()
	for name, ending := range map[string]string{"that ends": "", "that times out": "time.sleep(60)"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			marker := fmt.Sprintf("agentd-test-%d-%s", time.Now().UnixNano(), strings.ReplaceAll(name, " ", "-"))
			run := newRunner(t, func(l *sandbox.Limits) { l.WallTime = 2 * time.Second })
			mustRun(t, run, workspace(t, nil), fmt.Sprintf(`
import os, subprocess, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in range(3): os.close(fd)
        os.execv(sys.executable, ["python3", "-c", "import signal, time\nfor s in range(1, 65):\n  try: signal.signal(s, signal.SIG_IGN)\n  except (OSError, ValueError): pass\nwhile True: time.sleep(1)", %q])
    os._exit(0)
subprocess.Popen(["sleep", "1000"], start_new_session=True)
time.sleep(0.5)
%s`, marker, ending))
			if running(marker) { // no second of grace is needed
				t.Error("a daemon of the script still runs")
			}
		})
	}
}

func TestOutputIsBounded(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ code, stdout string }{
		"one line of a gigabyte": {`import os
for _ in range(1024): os.write(1, b"x" * (1 << 20))`, strings.Repeat("x", 10_000)},
		"endless lines": {`while True: print("ab")`, strings.Repeat("ab\n", 4000)[:10_000]},
		"characters":    {`print("é" * 20_000)`, strings.Repeat("é", 10_000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := newRunner(t, func(l *sandbox.Limits) { l.WallTime = 5 * time.Second })
			got := mustRun(t, run, workspace(t, nil), c.code)
			if got.Stdout != c.stdout || !got.Truncated {
				t.Errorf("%d bytes of output, truncated: %v, %s", len(got.Stdout), got.Truncated, got.Stderr)
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
	mustRun(t, run, workspace(t, nil), `
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

func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code string
		oom  bool
	}{
		"too much":     {`x = bytearray(8 << 30)`, true},
		"bit by bit":   {"x = []\nwhile True: x.append(bytes(1 << 20))", true},
		"caught":       {"try: bytearray(8 << 30)\nexcept MemoryError: print('caught')", false},
		"killed":       {`import os; os.kill(os.getpid(), 9)`, true}, // cannot be told apart
		"within":       {`x = bytearray(200 << 20)`, false},
		"other errors": {`raise ValueError("MemoryError")`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := mustRun(t, newRunner(t, nil), workspace(t, nil), c.code)
			if got.OOMKilled != c.oom || got.TimedOut {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestProcessLimit(t *testing.T) {
	t.Parallel()
	t.Run("fork bomb", func(t *testing.T) {
		t.Parallel()
		run := newRunner(t, func(l *sandbox.Limits) { l.WallTime = 3 * time.Second })
		got := mustRun(t, run, workspace(t, nil), "import os\nwhile True:\n  try: os.fork()\n  except OSError as e: os.path.exists('error') or open('error', 'a').write(str(e))")
		if !got.TimedOut || !strings.Contains(got.Changed["error"], "temporarily unavailable") {
			t.Errorf("got %+v", got)
		}
	})
	t.Run("counts each sandbox for itself", func(t *testing.T) {
		t.Parallel()
		run := newRunner(t, nil)
		got := mustRun(t, run, workspace(t, nil), `
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
	})
}

// Not parallel: it sets the environment of the whole test program.
func TestSecrets(t *testing.T) {
	const secret = "sk-not-a-real-key"
	t.Setenv("OPENAI_API_KEY", secret)
	got := mustRun(t, newRunner(t, nil), workspace(t, nil), `
import glob, os
print("environment:", *sorted(os.environ))
for file in glob.glob("/proc/[0-9]*/environ"):
    try: print(open(file).read())
    except OSError as e: print(e.strerror)
for path in ["/etc/shadow", "/etc/passwd", "/root", "/home", "/var", "/sys", "/opt", "/mnt", "/run/docker.sock", "/proc/1/root/etc/shadow"]:
    if os.path.lexists(path): print("there:", path)
print("ids:", os.getresuid(), os.getresgid(), "processes:", len(glob.glob("/proc/[0-9]*")))
`)
	if strings.Contains(got.Stdout, secret) || strings.Contains(got.Stdout, "there:") {
		t.Error(got.Stdout)
	}
	for _, want := range []string{
		"environment: HOME LANG MALLOC_ARENA_MAX OMP_NUM_THREADS OPENBLAS_NUM_THREADS PATH PWD PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONPATH\n",
		"ids: (1000, 1000, 1000) (1000, 1000, 1000) processes: 2\n",
	} {
		if !strings.Contains(got.Stdout, want) {
			t.Errorf("got\n%s%s, want %s", got.Stdout, got.Stderr, want)
		}
	}
}

func TestReadOnlySystem(t *testing.T) {
	t.Parallel()
	got := mustRun(t, newRunner(t, nil), workspace(t, nil), `
import os
for path in ["/x", "/usr/x", "/bin/x", "/run/x", "/run/script.py", "/dev/x", "/proc/sys/kernel/hostname", "/etc/x"]:
    try: open(path, "w"); print("wrote", path)
    except OSError: pass
try:
    for i in range(100): open(f"/tmp/{i}", "wb").write(bytes(1 << 20))
except OSError as e: print(i, e.strerror)
`)
	if got.Stdout != "64 No space left on device\n" && backend(t).host.canSizeTmpfs {
		t.Errorf("got %s%s", got.Stdout, got.Stderr)
	}
}

func TestNoNetwork(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	abstract, err := net.Listen("unix", fmt.Sprintf("@agentd-test-%d", time.Now().UnixNano()))
	if err != nil {
		t.Fatal(err)
	}
	defer abstract.Close()
	got := mustRun(t, newRunner(t, nil), workspace(t, nil), fmt.Sprintf(`
import socket
def attempt(family, address):
    try: socket.socket(family).connect(address); print("connected to", address)
    except OSError: pass
attempt(socket.AF_INET, ("127.0.0.1", %d))
attempt(socket.AF_INET, ("1.1.1.1", 53))
attempt(socket.AF_UNIX, "\0" + %q)
try: print(socket.getaddrinfo("example.com", 80))
except OSError: pass
`, listener.Addr().(*net.TCPAddr).Port, strings.TrimPrefix(abstract.Addr().String(), "@")))
	if got.Stdout != "" || got.ExitCode != 0 {
		t.Errorf("got %s%s", got.Stdout, got.Stderr)
	}
}

func TestWhatIsNotTakenBack(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code    string
		file    string // that is skipped
		reason  string // part of it
		deleted bool   // keep.txt is gone
	}{
		"symbolic link":             {`os.symlink("/etc/passwd", "l")`, "l", "symbolic link", false},
		"link to a folder":          {`os.symlink("/usr", "l")`, "l", "symbolic link", false},
		"link out of the workspace": {`os.symlink("../../../../etc/passwd", "l")`, "l", "symbolic link", false},
		"link in place of a file":   {`os.remove("keep.txt"); os.symlink("/etc/passwd", "keep.txt")`, "keep.txt", "symbolic link", true},
		"hard link":                 {`open("x", "w"); os.link("x", "y")`, "x", "hard link", false},
		"hard link to a file":       {`os.link("keep.txt", "y")`, "y", "hard link", true},
		"named pipe":                {`os.mkfifo("p")`, "p", "named pipe", false},
		"socket":                    {`socket.socket(socket.AF_UNIX).bind("s")`, "s", "socket", false},
		"device":                    {`os.mknod("d", stat.S_IFCHR | 0o666, os.makedev(0, 0))`, "d", "device", false},
		"binary":                    {`open("b", "wb").write(b"a\xff")`, "b", "not UTF-8", false},
		"binary in place of a file": {`open("keep.txt", "wb").write(b"kee\xff")`, "keep.txt", "not UTF-8", true},
		"newline":                   {`open("a\nb", "w")`, `"a\nb"`, "control", false},
		"escape":                    {`open("a\x1bb", "w")`, `"a\x1bb"`, "control", false},
		"invalid name":              {`open(b"a\xffb", "w")`, `"a\xffb"`, "UTF-8", false},
		"bad folder name":           {`os.mkdir(b"a\xff"); open(b"a\xff/f", "w")`, `"a\xff"`, "UTF-8", false},
		"too deep":                  {`os.makedirs("1/2/3/4/5/6/7/8"); open("1/2/3/4/5/6/7/8/f", "w")`, "1/2/3/4/5/6/7/8/f", "8 levels", false},
		"a file too many":           {"for i in range(2000): open(f'{i:04}', 'w')", "and 980 more", "too many files", false},
		"thirty thousand files":     {"for i in range(30_000): open(f'{i:06}', 'w').close()", "and 28980 more", "too many files", false},
		"too much":                  {"for i in range(5): open(str(i), 'w').write('x' * (15 << 20))", "4", "for all files", false},
		"unreadable folder":         {`os.mkdir("u"); os.mkfifo("u/p"); os.chmod("u", 0)`, "u/p", "named pipe", false},
		"very deep":                 {"for i in range(10_000): os.mkdir('d'); os.chdir('d')", "d/d/d/d/d/d/d/d/d", "8 levels", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws, run := workspace(t, vfs.Files{"keep.txt": "keep"}), newRunner(t, nil)
			got := mustRun(t, run, ws, "import os, socket, stat\n"+c.code)
			if got.ExitCode != 0 {
				t.Fatal(got.Stderr)
			}
			if len(got.Skipped) > mostNamed+5 {
				t.Errorf("%d entries are skipped by name", len(got.Skipped))
			}
			found := false
			for _, skipped := range got.Skipped {
				found = found || skipped.File == c.file && strings.Contains(skipped.Reason, c.reason)
			}
			if !found {
				t.Errorf("%q (%s) is not among %v", c.file, c.reason, got.Skipped)
			}
			if deleted := len(got.Deleted) == 1 && got.Deleted[0] == "keep.txt"; deleted != c.deleted {
				t.Errorf("deleted: %v", got.Deleted)
			}
			// What comes next sees the workspace and nothing else.
			want := len(ws.Names())
			next := mustRun(t, run, ws, `import os; print(sum(len(files) for _, _, files in os.walk(".")), any(os.path.islink(f) for f in os.listdir()))`)
			if next.Stdout != fmt.Sprintln(want, "False") {
				t.Errorf("the next script sees %s, want %d files", next.Stdout, want)
			}
		})
	}
}

func TestFilesTooLargeCannotBeMade(t *testing.T) {
	t.Parallel()
	got := mustRun(t, newRunner(t, nil), workspace(t, nil), `
import os
def attempt(what, f):
    try: f(); print("made", what)
    except OSError as e: print(e.strerror)
attempt("sparse", lambda: os.truncate(os.open("sparse", os.O_CREAT | os.O_RDWR), 1 << 40))
attempt("seek", lambda: os.pwrite(os.open("seek", os.O_CREAT | os.O_RDWR), b"x", 1 << 40))
attempt("large", lambda: open("large", "wb").write(bytes(32 << 20)))
attempt("device", lambda: os.mknod("null", 0o20666, os.makedev(1, 3)))
`)
	if want := "File too large\nFile too large\nFile too large\nOperation not permitted\n"; got.Stdout != want {
		t.Errorf("got %s", got.Stdout)
	}
}

func TestWorkspaceLimitsAreSkipped(t *testing.T) {
	t.Parallel()
	files := vfs.Files{}
	for i := range vfs.MaxFiles - 1 {
		files[fmt.Sprint("f", i)] = "x"
	}
	ws := workspace(t, files)
	got := mustRun(t, newRunner(t, nil), ws, "for n in '123': open('new' + n, 'w')\nopen('f0', 'w').write('changed')")
	if len(got.Changed) != 2 || len(got.Skipped) != 2 || len(got.Deleted) != 0 || !strings.Contains(got.Skipped[0].Reason, "1000 files") {
		t.Errorf("changed %v, deleted %v, skipped %v", got.Changed.Names(), got.Deleted, got.Skipped)
	}
}
