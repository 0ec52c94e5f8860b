//go:build linux

package bwrap

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
	"go.uber.org/goleak"

	"agentd/sandbox"
	"agentd/sandbox/internal/system"
	"agentd/sandbox/sandboxtest"
	"agentd/vfs"
)

func TestMain(m *testing.M) {
	if os.Getenv(victimVariable) != "" {
		victim()
	}
	goleak.VerifyTestMain(closing{m})
}

// closing are tests after which their back end is closed.
type closing struct{ tests *testing.M }

func (c closing) Run() int {
	code := c.tests.Run()
	if b, err := shared(); err == nil && b.Close() != nil {
		return 1
	}
	return code
}

// shared is the back end of all tests. They fail without one: a sandbox that
// was never tried is none.
var shared = sync.OnceValues(func() (*Backend, error) { return New(context.Background()) })

func backend(t testing.TB) *Backend {
	t.Helper()
	b, err := shared()
	if err != nil {
		t.Fatalf("these tests need a working bubblewrap (apt-get install bubblewrap python3): %v", err)
	}
	return b
}

// newRunner returns a runner with default limits, changed by adjust.
func newRunner(t testing.TB, adjust func(*sandbox.Limits)) sandbox.Runner {
	t.Helper()
	return sandboxtest.NewRunner(t, backend(t), adjust)
}

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
		"reads bytes":            {files: vfs.Files{"a.png": "\x89PNG\x00\xff\r\n"}, code: `print(open("a.png", "rb").read())`, stdout: "b'\\x89PNG\\x00\\xff\\r\\n'\n"},
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
		"site-packages":          {code: "import sys; print(any('dist-packages' in p or 'site-packages' in p for p in sys.path))", stdout: "True\n"},
		"exit code":              {code: "import sys; sys.exit(7)", exit: 7},
		"signal":                 {code: "import os; os.kill(os.getpid(), 15)", exit: 143},
		"exception": {code: "def f():\n    raise ValueError('bad')\nf()", exit: 1,
			stderr: "File \"/run/script.py\", line 2, in f\n    raise ValueError('bad')\nValueError: bad"},
		"syntax error":                   {code: "x = (", exit: 1, stderr: `File "/run/script.py", line 1`},
		"not UTF-8 output":               {code: `import sys; sys.stdout.buffer.write(b"a\xffb\xe2\x82")`, stdout: "a\ufffdb\ufffd\ufffd"},
		"longer than the setup may take": {code: `import time; time.sleep(11)`},
		"long script":                    {code: "x = '" + strings.Repeat("é", 200_000) + "'\nprint(len(x))", stdout: "200000\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := sandboxtest.Workspace(t, c.files)
			got := sandboxtest.MustRun(t, newRunner(t, nil), ws, c.code)
			if got.Stdout != c.stdout || got.ExitCode != c.exit || !strings.Contains(got.Stderr, c.stderr) {
				t.Errorf("got %q, exit code %d, errors %s", got.Stdout, got.ExitCode, got.Stderr)
			}
			if got.TimedOut || got.OOMKilled || got.Truncated || got.Duration <= 0 {
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
	ws := sandboxtest.Workspace(t, vfs.Files{"same.txt": "s", "edit.txt": "before", "same size.txt": "abc", "gone.txt": "g", "sub/gone.txt": "g", "sub/deep/edit.txt": "1"})
	got := sandboxtest.MustRun(t, newRunner(t, nil), ws, `
import os, pathlib
p = pathlib.Path
p("edit.txt").write_text("after")
p("same size.txt").write_text("xyz")
os.remove("gone.txt"); os.remove("sub/gone.txt")
p("sub/deep/edit.txt").write_text("12")
p("new/a/b").mkdir(parents=True); p("new/a/b/ünïcode.txt").write_text("")
p("empty folder").mkdir()
os.chmod("same.txt", 0o000)
p("same.txt.tmp").write_text("s"); os.replace("same.txt.tmp", "same.txt"); os.chmod("same.txt", 0o6755)
raise SystemExit(3)
`)
	want := sandbox.Result{
		ExitCode: 3,
		Changed:  vfs.Files{"edit.txt": "after", "same size.txt": "xyz", "sub/deep/edit.txt": "12", "new/a/b/ünïcode.txt": ""},
		Deleted:  []string{"gone.txt", "sub/gone.txt"},
		Reads:    []string{},
	}
	got.Duration = 0
	if diff := cmp.Diff(want, got, cmp.Transformer("empty", func(s []string) int { return len(s) })); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(vfs.Files{"same.txt": "s", "edit.txt": "after", "same size.txt": "xyz", "sub/deep/edit.txt": "12", "new/a/b/ünïcode.txt": ""}, sandboxtest.Snapshot(t, ws)); diff != "" {
		t.Error(diff)
	}
}

func TestTheNextScriptSeesOnlyTheWorkspace(t *testing.T) {
	t.Parallel()
	run := newRunner(t, nil)
	ws := sandboxtest.Workspace(t, vfs.Files{"a": "1", "sub/b": "2", "sub/c": "3", "locked/d": "4"})
	sandboxtest.MustRun(t, run, ws, `
import os, socket
open("/tmp/left", "w").close()
open("kept", "w").write("k")
os.makedirs("x/y/z"); os.symlink("/etc/passwd", "x/y/link"); open("x/y/z/binary", "wb").write(b"\xff")
os.mkfifo("sub/fifo")
os.chmod("x/y/z", 0); os.chmod("x/y", 0); os.chmod("locked", 0)
`)
	for _, step := range []error{ws.Delete("sub/b"), ws.Delete("sub/c"), ws.Write("sub", "a file now"), ws.Write("a", "9"), ws.Write("d/e/f", "")} {
		if step != nil {
			t.Fatal(step)
		}
	}
	got := sandboxtest.MustRun(t, run, ws, sandboxtest.ListAll+`print(open("a").read(), open("sub").read(), os.listdir("/tmp"))`)
	if want := "['./a', './d', './d/e', './d/e/f', './kept', './locked', './locked/d', './sub']\n9 a file now []\n"; got.Stdout != want {
		t.Errorf("got %s%s\nwant %s", got.Stdout, got.Stderr, want)
	}
	// Another workspace in the same runner.
	if got := sandboxtest.MustRun(t, run, sandboxtest.Workspace(t, nil), sandboxtest.ListAll); got.Stdout != "[]\n" {
		t.Errorf("an empty workspace shows %s", got.Stdout)
	}
}

func TestReads(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		code string
		want []string
	}{
		"open":                     {`open("a").read()`, []string{"a"}},
		"pathlib":                  {`import pathlib; pathlib.Path("sub/b").read_text()`, []string{"sub/b"}},
		"in name order, each once": {`[open(f).read() for f in ("sub/b", "a", "sub/b")]`, []string{"a", "sub/b"}},
		"an empty file":            {`open("empty").read()`, []string{"empty"}},
		"mmap":                     {`import mmap; mmap.mmap(open("a").fileno(), 0, prot=mmap.PROT_READ)[0]`, []string{"a"}},
		"mmap never closed":        {`import mmap, os; mmap.mmap(os.open("a", os.O_RDONLY), 0, prot=mmap.PROT_READ)[0]; os._exit(0)`, []string{"a"}},
		"a child":                  {`import subprocess; subprocess.run(["cat", "a"])`, []string{"a"}},
		"a copy":                   {`import shutil; shutil.copy("a", "c")`, []string{"a"}},
		"under another name":       {`import os; os.rename("a", "z"); open("z").read()`, []string{"a"}},
		"through a link":           {`import os; os.symlink("a", "l"); open("l").read()`, []string{"a"}},
		"read and deleted":         {`import os; open("a").read(); os.remove("a")`, []string{"a"}},
		"read and written":         {`f = open("a", "r+"); f.read(); f.write("x")`, []string{"a"}},
		"before a crash":           {`import os; open("a").read(); os.kill(os.getpid(), 9)`, []string{"a"}},
		"import":                   {`import sys; sys.path[:0] = ["sub"]; import module`, []string{"sub/module.py"}},
		"list":                     {`import os; os.listdir("."); list(os.walk(".")); os.stat("a"); os.path.exists("a")`, nil},
		"only written":             {`open("a", "w").write("x"); open("sub/b", "a").write("x")`, nil},
		"its own file":             {`open("n", "w").write("x"); open("n").read()`, nil},
		"replaced first":           {`import os; open("n", "w").write("x"); os.replace("n", "a"); open("a").read()`, nil},
		"deleted":                  {`import os; os.remove("a")`, nil},
		"a hundred thousand times": {"for i in range(100_000): open('a').read(1) if i % 2 else open('sub/b').read(1)", []string{"a", "sub/b"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := sandboxtest.Workspace(t, vfs.Files{"a": "1", "sub/b": "2", "sub/module.py": "", "empty": "", "other": "3"})
			run := newRunner(t, nil)
			sandboxtest.MustRun(t, run, ws, "pass") // the second run reuses the folder
			got := sandboxtest.MustRun(t, run, ws, c.code)
			if diff := cmp.Diff(append([]string{}, c.want...), append([]string{}, got.Reads...)); diff != "" {
				t.Errorf("%s%s", diff, got.Stderr)
			}
			var recorded []string
			for _, read := range ws.Reads() {
				recorded = append(recorded, read.File)
				if read.Tool != "run_python" {
					t.Errorf("recorded %+v", read)
				}
			}
			if diff := cmp.Diff(c.want, recorded); diff != "" {
				t.Errorf("recorded: %s", diff)
			}
		})
	}
}

func TestCancellation(t *testing.T) {
	t.Parallel()
	run := newRunner(t, nil)
	ws := sandboxtest.Workspace(t, vfs.Files{"a": "1"})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	began := time.Now()
	_, err := run.RunPython(ctx, ws, sandboxtest.Inside("open('a', 'w').write('2'); open('b', 'w')\nimport time; time.sleep(60)"))
	if !errors.Is(err, context.Canceled) || time.Since(began) > 5*time.Second {
		t.Errorf("after %v: %v", time.Since(began), err)
	}
	if got := sandboxtest.Snapshot(t, ws); !got.Equal(vfs.Files{"a": "1"}) {
		t.Errorf("the workspace is %v", got)
	}
	if _, err := run.RunPython(ctx, ws, sandbox.Script{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
	if got := sandboxtest.MustRun(t, run, ws, sandboxtest.ListAll+"print(open('a').read())"); got.Stdout != "['./a']\n1\n" {
		t.Errorf("the next script sees %s", got.Stdout)
	}
}

func TestManyRunnersAtOnce(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	for i := range 24 {
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
	run := newRunner(t, func(l *sandbox.Limits) { l.MemoryBytes = 1 << 20 })
	if got := sandboxtest.MustRun(t, run, sandboxtest.Workspace(t, nil), ""); got.ExitCode == 0 {
		t.Errorf("Python started in 1 MiB: %+v", got)
	}
}

func TestDescribe(t *testing.T) {
	t.Parallel()
	lines := strings.Join(backend(t).Describe(), "\n")
	for _, want := range []string{"bubblewrap ", "Python 3.", "uid 1000", "only its own lo", "refused", "limited in s"} {
		if !strings.Contains(lines, want) {
			t.Errorf("%q is missing in\n%s", want, lines)
		}
	}
}

// Not parallel: it changes the environment of the whole test program.
func TestMissingPrograms(t *testing.T) {
	backend(t)
	t.Setenv("PATH", t.TempDir())
	if _, err := New(t.Context()); !errors.Is(err, sandbox.ErrUnavailable) || !strings.Contains(err.Error(), "apt-get install bubblewrap python3") {
		t.Errorf("without bwrap: %v", err)
	}
	if _, err := system.Program("Python", "/nowhere/python3", "/etc/hostname"); err == nil {
		t.Error("found a Python where there is none")
	}
}

func TestNewStopsWithItsContext(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(ctx); err == nil {
		t.Error("New worked with an ended context")
	}
}
