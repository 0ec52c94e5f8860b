//go:build linux

package containerd

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentd/sandbox"
	"agentd/sandbox/sandboxtest"
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
		"named pipe": `import os; os.mkfifo("p"); open("p").read()`,
		"child":      `import subprocess; subprocess.run(["sleep", "60"])`,
		"kill all":   "import os, signal\nfor pid in (-1, 1):\n  try: os.kill(pid, signal.SIGKILL)\n  except OSError: pass\nsignal.pause()",
		"fork bomb":  "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := newRunner(t, func(l *sandbox.Limits) { l.WallTime = time.Second })
			ws := sandboxtest.Workspace(t, nil)
			got := sandboxtest.MustRun(t, run, ws, "open('partial', 'w').write('p')\nprint('started', flush=True)\n"+code)
			if !got.TimedOut || got.Limit != sandbox.LimitTime || got.ExitCode != 137 || got.OOMKilled || got.Duration > 8*time.Second {
				t.Errorf("got %+v", got)
			}
			if got.Stdout != "started\n" || got.Changed["partial"] != "p" {
				t.Errorf("what was done before the limit is lost: %+v", got)
			}
			if again := sandboxtest.MustRun(t, run, ws, "print(1)"); again.Stdout != "1\n" {
				t.Errorf("the next script: %+v", again)
			}
		})
	}
}

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

func TestNothingOutlivesTheScript(t *testing.T) {
	t.Parallel()
	for name, ending := range map[string]string{"that ends": "", "that times out": "time.sleep(60)"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			marker := fmt.Sprintf("agentd-test-%d-%s", time.Now().UnixNano(), strings.ReplaceAll(name, " ", "-"))
			run := newRunner(t, func(l *sandbox.Limits) { l.WallTime = 2 * time.Second })
			sandboxtest.MustRun(t, run, sandboxtest.Workspace(t, nil), fmt.Sprintf(`
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
			got := sandboxtest.MustRun(t, run, sandboxtest.Workspace(t, nil), c.code)
			if got.Stdout != c.stdout || !got.Truncated {
				t.Errorf("%d bytes of output, truncated: %v, %s", len(got.Stdout), got.Truncated, got.Stderr)
			}
		})
	}
}

func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	run := newRunner(t, func(l *sandbox.Limits) { l.MemoryBytes = 256 << 20 })
	for name, c := range map[string]struct {
		code string
		oom  bool
	}{
		"too much":      {`x = bytearray(8 << 30)`, true},
		"bit by bit":    {"x = []\nwhile True: x.append(bytes(1 << 20))", true},
		"in sum":        {"import os, signal\nfor _ in range(8):\n  if os.fork() == 0:\n    x = b'x' * (100 << 20); signal.pause()\nstatus = os.wait()[1]\nraise SystemExit(os.WTERMSIG(status))", true},
		"caught":        {"try: bytearray(8 << 30)\nexcept MemoryError: print('caught')", false},
		"killed itself": {`import os; os.kill(os.getpid(), 9)`, false},
		"within":        {`x = bytearray(100 << 20)`, false},
		"other errors":  {`raise ValueError("MemoryError")`, false},
	} {
		t.Run(name, func(t *testing.T) {
			got := sandboxtest.MustRun(t, run, sandboxtest.Workspace(t, nil), c.code)
			if got.OOMKilled != c.oom || got.OOMKilled != (got.Limit == sandbox.LimitMemory) || got.TimedOut {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestProcessLimit(t *testing.T) {
	t.Parallel()
	for _, most := range []int{4, 64} {
		run := newRunner(t, func(l *sandbox.Limits) { l.Processes = most })
		got := sandboxtest.MustRun(t, run, sandboxtest.Workspace(t, nil), `
import os, signal
n = 1
try:
    while True:
        if os.fork() == 0: signal.pause()
        n += 1
except BlockingIOError: print(n)`)
		if got.Stdout != fmt.Sprintln(most) {
			t.Errorf("got %s%s processes, want %d", got.Stdout, got.Stderr, most)
		}
	}
}

func TestCPULimit(t *testing.T) {
	t.Parallel()
	run := newRunner(t, func(l *sandbox.Limits) { l.CPUs = 0.2 })
	got := sandboxtest.MustRun(t, run, sandboxtest.Workspace(t, nil), `
import time
began, used = time.monotonic(), time.process_time()
while time.monotonic() < began + 1: pass
print(time.process_time() - used)`)
	var used float64
	if _, err := fmt.Sscan(got.Stdout, &used); err != nil || used > 0.4 {
		t.Errorf("a fifth of a processor gave %s s in a second (%v)", strings.TrimSpace(got.Stdout), err)
	}
}

// Not parallel: it sets the environment of the whole test program.
func TestSecrets(t *testing.T) {
	const secret = "sk-not-a-real-key"
	t.Setenv("OPENAI_API_KEY", secret)
	got := sandboxtest.MustRun(t, newRunner(t, nil), sandboxtest.Workspace(t, nil), `
import glob, os
print("environment:", *sorted(os.environ))
for file in glob.glob("/proc/[0-9]*/environ"):
    try: print(open(file).read())
    except OSError as e: print(e.strerror)
for path in ["/etc/shadow", "/etc/passwd", "/root", "/home", "/var", "/sys", "/opt", "/mnt", "/run/docker.sock", "/run/containerd", "/proc/1/root/etc/shadow"]:
    if os.path.lexists(path): print("there:", path)
print("ids:", os.getresuid(), os.getresgid(), os.getgroups(), "processes:", len(glob.glob("/proc/[0-9]*")))
print(open("/proc/1/cmdline").read())
`)
	if strings.Contains(got.Stdout, secret) || strings.Contains(got.Stdout, "there:") {
		t.Error(got.Stdout)
	}
	for _, want := range []string{
		"environment: HOME LANG MALLOC_ARENA_MAX OMP_NUM_THREADS OPENBLAS_NUM_THREADS PATH PWD PYTHONDONTWRITEBYTECODE PYTHONHASHSEED PYTHONPATH\n",
		"ids: (1000, 1000, 1000) (1000, 1000, 1000) [] processes: 2\n",
	} {
		if !strings.Contains(got.Stdout, want) {
			t.Errorf("got\n%s%s, want %s", got.Stdout, got.Stderr, want)
		}
	}
}

func TestReadOnlySystem(t *testing.T) {
	t.Parallel()
	got := sandboxtest.MustRun(t, newRunner(t, nil), sandboxtest.Workspace(t, nil), `
import os
for path in ["/x", "/usr/x", "/bin/x", "/run/x", "/run/script.py", "/dev/x", "/proc/sys/kernel/hostname", "/proc/sysrq-trigger", "/etc/x"]:
    try: open(path, "w"); print("wrote", path)
    except OSError: pass
for path in ["/dev/null", "/usr", "/run/script.py", "/tmp"]:
    try: os.chmod(path, 0o777); print("changed", path)
    except OSError: pass
try:
    for i in range(100): open(f"/tmp/{i}", "wb").write(bytes(1 << 20))
except OSError as e: print(i, e.strerror)
try: os.mknod("d", 0o20666, os.makedev(1, 3)); print("made a device")
except OSError as e: print(e.strerror)
try: open("large", "wb").write(bytes(32 << 20)); print("made a large file")
except OSError as e: print(e.strerror)
`)
	if want := "64 No space left on device\nOperation not permitted\nFile too large\n"; got.Stdout != want {
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
	got := sandboxtest.MustRun(t, newRunner(t, nil), sandboxtest.Workspace(t, nil), fmt.Sprintf(`
import socket
def attempt(family, address):
    try: socket.socket(family).connect(address); print("connected to", address)
    except OSError: pass
attempt(socket.AF_INET, ("127.0.0.1", %d))
attempt(socket.AF_INET, ("1.1.1.1", 53))
attempt(socket.AF_UNIX, "\0" + %q)
attempt(socket.AF_UNIX, %q)
try: print(socket.getaddrinfo("example.com", 80))
except OSError: pass
`, listener.Addr().(*net.TCPAddr).Port, strings.TrimPrefix(abstract.Addr().String(), "@"), backend(t).options.Address))
	if got.Stdout != "" || got.ExitCode != 0 {
		t.Errorf("got %s%s", got.Stdout, got.Stderr)
	}
}

// TestSystemCalls makes each call with arguments that a kernel without a filter
// would not answer by EPERM to a script, or that would be allowed.
func TestSystemCalls(t *testing.T) {
	t.Parallel()
	if len(native()) == 0 || native()[0] != "SCMP_ARCH_X86_64" {
		t.Skip("the numbers below are those of amd64")
	}
	got := sandboxtest.MustRun(t, newRunner(t, nil), sandboxtest.Workspace(t, nil), `
import ctypes, errno, os, socket
libc = ctypes.CDLL(None, use_errno=True)
def call(name, number, *args):
    ctypes.set_errno(0)
    result = libc.syscall(number, *(ctypes.c_long(a) for a in args))
    if result != -1 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):
        print("not refused:", name, result, os.strerror(ctypes.get_errno()))
NEW = {"NEWNS": 0x20000, "NEWCGROUP": 0x2000000, "NEWUTS": 0x4000000, "NEWIPC": 0x8000000, "NEWUSER": 0x10000000, "NEWPID": 0x20000000, "NEWNET": 0x40000000}
for name, flag in NEW.items():
    call("unshare " + name, 272, flag)
    call("clone " + name, 56, flag | 17, 0, 0, 0, 0)
for name, number, *args in [
    ("clone3", 435, 0, 0), ("setns", 308, 0, 0), ("mount", 165, 0, 0, 0, 0, 0), ("umount2", 166, 0, 0), ("pivot_root", 155, 0, 0),
    ("chroot", 161, 0), ("open_tree", 428, -1, 0, 0), ("move_mount", 429, -1, 0, -1, 0, 0), ("fsopen", 430, 0, 0), ("fsconfig", 431, -1, 0, 0, 0, 0),
    ("fsmount", 432, -1, 0, 0), ("fspick", 433, -1, 0, 0), ("mount_setattr", 442, -1, 0, 0, 0, 0), ("bpf", 321, 0, 0, 0),
    ("perf_event_open", 298, 0, 0, -1, -1, 0), ("io_uring_setup", 425, 1, 0), ("io_uring_enter", 426, -1, 0, 0, 0, 0), ("io_uring_register", 427, -1, 0, 0, 0),
    ("add_key", 248, 0, 0, 0, 0, -4), ("request_key", 249, 0, 0, 0, 0), ("keyctl", 250, 0, -4, 0, 0, 0), ("userfaultfd", 323, 1),
    ("ptrace", 101, 0, 0, 0, 0), ("process_vm_readv", 310, os.getpid(), 0, 0, 0, 0, 0), ("process_vm_writev", 311, os.getpid(), 0, 0, 0, 0, 0),
    ("kexec_load", 246, 0, 0, 0, 0), ("kexec_file_load", 320, -1, -1, 0, 0, 0), ("init_module", 175, 0, 0, 0), ("finit_module", 313, -1, 0, 0),
    ("delete_module", 176, 0, 0), ("reboot", 169, 0, 0, 0, 0), ("swapon", 167, 0, 0), ("swapoff", 168, 0), ("quotactl", 179, 0, 0, 0, 0),
    ("open_by_handle_at", 304, -1, 0, 0), ("name_to_handle_at", 303, -1, 0, 0, 0, 0), ("acct", 163, 0), ("settimeofday", 164, 0, 0),
    ("clock_settime", 227, 0, 0), ("clock_adjtime", 305, 0, 0), ("adjtimex", 159, 0), ("personality", 135, 0x0040000), ("modify_ldt", 154, 0, 0, 0), ("lookup_dcookie", 212, 0, 0, 0),
    ("pidfd_getfd", 438, -1, 0, 0), ("syslog", 103, 3, 0, 0), ("kcmp", 312, os.getpid(), os.getpid(), 0, 0, 1), ("shmget", 29, 0, 4096, 0o1600),
    ("semget", 64, 0, 1, 0o1600), ("msgget", 68, 0, 0o1600), ("mq_open", 240, 0, 0, 0, 0), ("fanotify_init", 300, 0, 0), ("vmsplice", 278, -1, 0, 0, 0),
    ("ioctl TIOCSTI", 16, 0, 0x5412, 0), ("ioctl TIOCSTI, high bits", 16, 0, 0x100005412, 0), ("ioctl TIOCLINUX", 16, 0, 0x541c, 0),
    ("x32 getpid", 0x40000000 + 39),
]:
    pid = os.fork()
    if pid == 0: call(name, number, *args); print(end="", flush=True); os._exit(0)
    os.waitpid(pid, 0)
for family in range(3, 46):
    if family == socket.AF_INET6: continue
    call("socket family %d" % family, 41, family, 2, 0)
    call("socket family %d, high bits" % family, 41, (1 << 32) + family, 2, 0)
print("allowed:", libc.ioctl(1, 0x5413, 0) == -1 and ctypes.get_errno() != errno.EPERM, socket.socket().fileno() > 0, libc.personality(0xffffffff))
`)
	if got.Stdout != "allowed: True True 0\n" || got.ExitCode != 0 {
		t.Errorf("got %s%s", got.Stdout, got.Stderr)
	}
}
