//go:build linux

package containerd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentd/sandbox"
	"agentd/sandbox/internal/session"
	"agentd/sandbox/internal/system"
	"agentd/sandbox/sandboxtest"
	"agentd/vfs"
)

func TestScripts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files          vfs.Files
		code           string
		stdout, stderr string // stderr: what it contains
		exit           int
	}{
		"prints":                 {code: `print("näh ✓")`, stdout: "näh ✓\n"},
		"is __main__":            {code: `import sys; print(__name__, sys.argv)`, stdout: "__main__ ['/run/script.py']\n"},
		"reads":                  {files: vfs.Files{"a.txt": "abc"}, code: `print(open("a.txt").read())`, stdout: "abc\n"},
		"works in the workspace": {code: `import os; print(os.getcwd(), os.environ["PWD"])`, stdout: "/work/workspace /work/workspace\n"},
		"imports helpers":        {files: vfs.Files{"h.py": "x = 7", "p/__init__.py": "y = 8"}, code: "import h, p; print(h.x, p.y)", stdout: "7 8\n"},
		"helpers as programs":    {files: vfs.Files{"h.py": "print(__name__)"}, code: "import subprocess, sys; subprocess.run([sys.executable, 'h.py'], check=True)", stdout: "__main__\n"},
		"standard library":       {code: "import csv, json, sqlite3, decimal, zoneinfo, multiprocessing; print(json.dumps([1]))", stdout: "[1]\n"},
		"threads":                {code: "from concurrent.futures import ThreadPoolExecutor as T\nprint(sum(T(16).map(abs, range(100))))", stdout: "4950\n"},
		"process pools":          {code: "import multiprocessing as m\nwith m.Pool(4) as p: print(p.map(abs, [-1, 2]))", stdout: "[1, 2]\n"},
		"temporary files":        {code: "import tempfile; f = tempfile.NamedTemporaryFile(); f.write(b'x'); print(f.name[:5])", stdout: "/tmp/\n"},
		"no input":               {code: "import sys; print(repr(sys.stdin.read()))", stdout: "''\n"},
		"no descriptors":         {code: "import os; print([fd for fd in os.listdir('/proc/self/fd') if os.path.exists('/proc/self/fd/' + fd)])", stdout: "['0', '1', '2']\n"},
		"devices":                {code: "import os; print(sorted(os.listdir('/dev'))); open('/dev/null', 'w').write('x'); print(len(os.urandom(3)), len(open('/dev/zero', 'rb').read(4)))", stdout: "['fd', 'full', 'null', 'random', 'shm', 'stderr', 'stdin', 'stdout', 'urandom', 'zero']\n3 4\n"},
		"exit code":              {code: "import sys; sys.exit(7)", exit: 7},
		"signal":                 {code: "import os; os.kill(os.getpid(), 15)", exit: 143},
		"exception": {code: "def f():\n    raise ValueError('bad')\nf()", exit: 1,
			stderr: "File \"/run/script.py\", line 2, in f\n    raise ValueError('bad')\nValueError: bad"},
		"syntax error":     {code: "x = (", exit: 1, stderr: `File "/run/script.py", line 1`},
		"not UTF-8 output": {code: `import sys; sys.stdout.buffer.write(b"a\xffb\xe2\x82")`, stdout: "a\ufffdb\ufffd\ufffd"},
		"long script":      {code: "x = '" + strings.Repeat("é", 200_000) + "'\nprint(len(x))", stdout: "200000\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := sandboxtest.Workspace(t, c.files)
			got := sandboxtest.MustRun(t, newRunner(t, nil), ws, c.code)
			if got.Stdout != c.stdout || got.ExitCode != c.exit || !strings.Contains(got.Stderr, c.stderr) {
				t.Errorf("got %q, exit code %d, errors %s", got.Stdout, got.ExitCode, got.Stderr)
			}
			if got.Limit != sandbox.NoLimit || got.Truncated || got.Duration <= 0 {
				t.Errorf("got %+v", got)
			}
			if len(got.Changed)+len(got.Deleted)+len(got.Skipped) > 0 || !sandboxtest.Snapshot(t, ws).Equal(c.files) {
				t.Errorf("the workspace changed: %+v", got)
			}
		})
	}
}

func TestChangesComeBack(t *testing.T) {
	t.Parallel()
	ws := sandboxtest.Workspace(t, vfs.Files{"same.txt": "s", "edit.txt": "before", "gone.txt": "g", "sub/deep/edit.txt": "1"})
	run := newRunner(t, nil)
	for range 2 { // in a new container, then in a used one
		if err := errors.Join(ws.Write("edit.txt", "before"), ws.Write("gone.txt", "g"), ws.Write("sub/deep/edit.txt", "1")); err != nil {
			t.Fatal(err)
		}
		got := sandboxtest.MustRun(t, run, ws, `
import os, pathlib
p = pathlib.Path
p("edit.txt").write_text("after")
os.remove("gone.txt")
p("sub/deep/edit.txt").write_text("12")
p("new/a/b").mkdir(parents=True, exist_ok=True); p("new/a/b/ünïcode.txt").write_text(open("edit.txt").read() + str(os.getpid()))
p("empty folder").mkdir()
os.symlink("/etc/passwd", "link"); os.mkfifo("pipe")
os.chmod("same.txt", 0)
raise SystemExit(3)
`)
		if got.ExitCode != 3 || len(got.Skipped) != 2 || !strings.HasPrefix(got.Changed["new/a/b/ünïcode.txt"], "after") {
			t.Fatalf("got %+v", got)
		}
		if diff := cmp.Diff([]string{"gone.txt"}, got.Deleted); diff != "" {
			t.Error(diff)
		}
		want := vfs.Files{"same.txt": "s", "edit.txt": "after", "sub/deep/edit.txt": "12", "new/a/b/ünïcode.txt": got.Changed["new/a/b/ünïcode.txt"]}
		if diff := cmp.Diff(want, sandboxtest.Snapshot(t, ws)); diff != "" {
			t.Error(diff)
		}
	}
}

func TestReads(t *testing.T) {
	t.Parallel()
	run := newRunner(t, nil)
	for name, c := range map[string]struct {
		code string
		want []string
	}{
		"open":            {`open("a").read()`, []string{"a"}},
		"an empty file":   {`open("empty").read()`, []string{"empty"}},
		"mmap":            {`import mmap; mmap.mmap(open("a").fileno(), 0, prot=mmap.PROT_READ)[0]`, []string{"a"}},
		"a child":         {`import subprocess; subprocess.run(["cat", "a"])`, []string{"a"}},
		"through a link":  {`import os; os.symlink("a", "l"); open("l").read()`, []string{"a"}},
		"list":            {`import os; os.listdir("."); list(os.walk(".")); os.stat("a")`, nil},
		"only written":    {`open("a", "w").write("x")`, nil},
		"replaced first":  {`import os; open("n", "w").write("x"); os.replace("n", "a"); open("a").read()`, nil},
		"by what is left": {"import os\nif os.fork() == 0:\n  open('a').read(); os.execvp('sleep', ['sleep', '100'])\nos.wait3(os.WNOHANG); import time; time.sleep(0.3)", []string{"a"}},
	} {
		t.Run(name, func(t *testing.T) {
			ws := sandboxtest.Workspace(t, vfs.Files{"a": "1", "sub/b": "2", "empty": "", "other": "3"})
			got := sandboxtest.MustRun(t, run, ws, c.code)
			if diff := cmp.Diff(append([]string{}, c.want...), append([]string{}, got.Reads...)); diff != "" {
				t.Errorf("%s%s", diff, got.Stderr)
			}
			if len(ws.Reads()) != len(c.want) {
				t.Errorf("recorded %v", ws.Reads())
			}
		})
	}
}

// One container serves all scripts of an interaction; they must not notice.
func TestTheNextScriptSeesACleanMachine(t *testing.T) {
	t.Parallel()
	for name, code := range map[string]string{
		"files in /tmp":        `import os; os.makedirs("/tmp/a/b"); open("/tmp/a/b/f", "w").write("x"); os.chmod("/tmp/a", 0); os.mkfifo("/tmp/p"); os.symlink("/", "/tmp/l")`,
		"deep folders":         "import os; os.chdir('/tmp')\nfor i in range(3000): os.mkdir('d'); os.chdir('d')",
		"shared memory":        `from multiprocessing import shared_memory as s; m = s.SharedMemory("left", create=True, size=100); m.buf[0] = 7; import os; os._exit(0)`,
		"a semaphore":          `import ctypes; l = ctypes.CDLL(None); print(l.shmget(77, 4096, 0o1666) , l.semget(77, 1, 0o1666), l.msgget(77, 0o1666))`,
		"a daemon":             "import os, time\nif os.fork() == 0:\n  os.setsid()\n  if os.fork() == 0: time.sleep(1000)\n  os._exit(0)\nos.wait()",
		"a stopped child":      "import os, signal, subprocess\np = subprocess.Popen(['sleep', '1000']); os.kill(p.pid, signal.SIGSTOP)",
		"planted modules":      `open("sitecustomize.py", "wb").write(b"print('planted \xff')"); import os; os.makedirs("json"); os.symlink("/tmp", "json/x")`,
		"an abstract socket":   "import os, socket, time\nif os.fork() == 0:\n  s = socket.socket(socket.AF_UNIX); s.bind('\\0left'); s.listen(); time.sleep(1000)",
		"a fork bomb":          "import os\ntry:\n  while True: os.fork()\nexcept OSError: pass\nimport time; time.sleep(100)",
		"changed interpreter":  "import os\nfor f in ('/usr/lib/python3/dist-packages/x.pth', '/usr/bin/python3', '/etc/ld.so.preload', '/run/script.py'):\n  try: open(f, 'a'); print('opened', f)\n  except OSError: pass",
		"kills its supervisor": "import os, signal\nfor s in (9, 15, 2, 19):\n  try: os.kill(1, s); print('sent')\n  except PermissionError: pass",
		"opens its supervisor": "for f in ('mem', 'fd/0', 'root/usr', 'environ', 'cwd'):\n  try: open('/proc/1/' + f, 'rb'); print('opened', f)\n  except PermissionError: pass",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			run := newRunner(t, func(l *sandbox.Limits) { l.WallTime = 3 * time.Second })
			ws := sandboxtest.Workspace(t, vfs.Files{"a": "1"})
			got := sandboxtest.MustRun(t, run, ws, code)
			if strings.Contains(got.Stdout, "opened") || strings.Contains(got.Stdout, "sent") || got.ExitCode != 0 && !got.TimedOut {
				t.Errorf("got %+v", got)
			}
			next := sandboxtest.MustRun(t, run, ws, `
import ctypes, json, os, socket
print(os.listdir("/tmp"), os.listdir("/work/workspace"), len([p for p in os.listdir("/proc") if p.isdigit()]))
libc = ctypes.CDLL(None)
print(libc.shmget(77, 0, 0), libc.semget(77, 0, 0), libc.msgget(77, 0))
try: socket.socket(socket.AF_UNIX).connect("\0left"); print("connected")
except OSError: pass
`)
			if want := "[] ['a'] 2\n-1 -1 -1\n"; next.Stdout != want || next.Stderr != "" {
				t.Errorf("the next script sees %s%s, want %s", next.Stdout, next.Stderr, want)
			}
		})
	}
}

func TestCancellation(t *testing.T) {
	t.Parallel()
	run := newRunner(t, nil)
	ws := sandboxtest.Workspace(t, vfs.Files{"a": "1"})
	sandboxtest.MustRun(t, run, ws, "")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	began := time.Now()
	_, err := run.RunPython(ctx, ws, sandboxtest.Inside("open('a', 'w').write('2'); open('b', 'w')\nimport time; time.sleep(60)"))
	if !errors.Is(err, context.Canceled) || time.Since(began) > 10*time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
	if got := sandboxtest.Snapshot(t, ws); !got.Equal(vfs.Files{"a": "1"}) {
		t.Errorf("the workspace is %v", got)
	}
	if got := sandboxtest.MustRun(t, run, ws, "import os; print(os.listdir(), open('a').read())"); got.Stdout != "['a'] 1\n" {
		t.Errorf("the next script sees %s", got.Stdout)
	}
}

func TestManyRunnersAtOnce(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	for i := range 8 {
		run := newRunner(t, nil)
		ws := sandboxtest.Workspace(t, vfs.Files{"n": fmt.Sprint(i)})
		wg.Go(func() {
			for range 3 {
				got, err := run.RunPython(t.Context(), ws, sandboxtest.Inside("n = open('n').read(); open('n', 'w').write(str(int(n) + 100))"))
				if err != nil || got.ExitCode != 0 {
					t.Errorf("%v %s", err, got.Stderr)
				}
			}
			if got := sandboxtest.Snapshot(t, ws); got["n"] != fmt.Sprint(i+300) {
				t.Errorf("runner %d has %v", i, got)
			}
		})
	}
	wg.Wait()
}

// A container that somebody removes is replaced.
func TestTheContainerIsMadeAnew(t *testing.T) {
	t.Parallel()
	d := theDaemon(t)
	b, err := New(t.Context(), Options{Address: d.Address})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	run, err := b.NewRunner(sandbox.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	for range 2 {
		sandboxtest.MustRun(t, run, sandboxtest.Workspace(t, nil), "")
		if err := remove(t.Context(), run.(*runner).container.container, answerTime); err != nil {
			t.Fatal(err)
		}
	}
}

// Where a runtime or kernel has no user namespaces, the rest has to do.
func TestWithoutUserNamespace(t *testing.T) {
	t.Parallel()
	plain := *backend(t)
	if os.Geteuid() != 0 {
		t.Skip("an ordinary user has no other identity")
	}
	plain.identity = identity{system.User{UID: scriptUID, GID: scriptUID}, false}
	if _, err := session.TryOut(t.Context(), &plain, nil); err != nil {
		t.Fatal(err)
	}
	run, err := plain.NewRunner(sandbox.DefaultLimits())
	if err != nil {
		t.Fatal(err)
	}
	defer run.Close()
	ws := sandboxtest.Workspace(t, vfs.Files{"a": "1"})
	got := sandboxtest.MustRun(t, run, ws, `
import os, signal
open("b", "w").write(open("a").read() + str(os.getuid())); os.makedirs("/tmp/x/y"); os.chmod("/tmp/x", 0)
n = 1
try:
    while True:
        if os.fork() == 0: signal.pause()
        n += 1
except BlockingIOError: print(n)`)
	if got.Changed["b"] != "11000" || got.Stdout != "64\n" || len(got.Reads) != 1 {
		t.Errorf("got %+v", got)
	}
	if next := sandboxtest.MustRun(t, run, ws, "import os; print(os.listdir('/tmp'))"); next.Stdout != "[]\n" {
		t.Errorf("the next script sees %s", next.Stdout)
	}
}

func TestClosedRunner(t *testing.T) {
	t.Parallel()
	run := newRunner(t, nil)
	sandboxtest.MustRun(t, run, sandboxtest.Workspace(t, nil), "")
	for range 2 {
		if err := run.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := run.RunPython(t.Context(), sandboxtest.Workspace(t, nil), sandbox.Script{}); !errors.Is(err, os.ErrClosed) {
		t.Errorf("running: %v", err)
	}
}

func TestUnusableLimits(t *testing.T) {
	t.Parallel()
	if _, err := backend(t).NewRunner(sandbox.Limits{}); err == nil {
		t.Error("limits of zero were accepted")
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	lines := strings.Join(backend(t).Describe(), "\n")
	for _, want := range []string{"containerd ", "runc", "Python 3.", "uid 1000", "user namespace", "only its own lo", "cgroup", "filtered"} {
		if !strings.Contains(lines, want) {
			t.Errorf("%q is missing in\n%s", want, lines)
		}
	}
	t.Log(lines)
}
