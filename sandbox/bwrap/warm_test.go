//go:build linux

package bwrap

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentd/sandbox"
	"agentd/sandbox/bwrap/internal/warm"
	"agentd/sandbox/sandboxtest"
	"agentd/vfs"
)

// coldBackend is the back end of all tests with an interpreter for each script.
func coldBackend(t testing.TB) *Backend {
	t.Helper()
	cold := *backend(t)
	cold.pool = warm.NewPool(cold.host, 0, true)
	t.Cleanup(func() { closeBackend(t, &cold) })
	return &cold
}

func closeBackend(t testing.TB, b *Backend) {
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

// aloneBackend is the back end of all tests with a sandbox for each script.
func aloneBackend(t testing.TB) *Backend {
	t.Helper()
	alone := *backend(t)
	alone.pool = nil
	return &alone
}

// timing matches what is never the same twice: times and addresses.
var timing = regexp.MustCompile(`\d+\.\d+s|0x[0-9a-f]+`)

// corpus are scripts whose results must be the same however Python starts.
var corpus = map[string]string{
	"nothing":                   ``,
	"print":                     `print("näh ✓")`,
	"no newline at the end":     `import sys; sys.stdout.write("x")`,
	"both streams":              "import sys\nprint('out'); print('err', file=sys.stderr); print('out')",
	"buffered, then killed":     `import os; print("lost"); os.kill(os.getpid(), 9)`,
	"buffered, then _exit":      `import os; print("lost"); os._exit(3)`,
	"flushed, then _exit":       `import os; print("kept", flush=True); os._exit(3)`,
	"exit":                      `exit()`,
	"quit":                      `quit(4)`,
	"sys.exit()":                `import sys; sys.exit()`,
	"sys.exit(None)":            `import sys; sys.exit(None)`,
	"sys.exit(5)":               `import sys; sys.exit(5)`,
	"sys.exit(256 + 7)":         `import sys; sys.exit(256 + 7)`,
	"sys.exit(-1)":              `import sys; sys.exit(-1)`,
	"sys.exit(text)":            `import sys; sys.exit("a message")`,
	"sys.exit(object)":          `import sys; sys.exit([1, 2])`,
	"sys.exit(True)":            `import sys; sys.exit(True)`,
	"SystemExit subclass":       "class E(SystemExit): pass\nraise E(9)",
	"exit in a function":        "def f():\n  try: raise SystemExit(6)\n  finally: print('finally')\nf()",
	"exception":                 "def f(x):\n    return 1 / x\nf(0)",
	"chained exceptions":        "try: {}['k']\nexcept KeyError as e: raise ValueError('v') from e",
	"exception in exception":    "try: {}['k']\nexcept KeyError: undefined",
	"exception group":           "raise ExceptionGroup('g', [ValueError(1), TypeError(2)])",
	"exception with notes":      "e = ValueError('v'); e.add_note('a note'); raise e",
	"assertion":                 `assert 1 == 2, "math"`,
	"keyboard interrupt":        `raise KeyboardInterrupt`,
	"recursion":                 "def f(): f()\nf()",
	"syntax error":              "x = (",
	"indentation error":         "if 1:\nx",
	"null byte":                 "x = '\x00'",
	"not UTF-8 in a comment":    "# \xff\nprint(1)",
	"coding line":               "# -*- coding: latin-1 -*-\nprint('\xe9')",
	"byte order mark":           "\ufeffprint('bom')",
	"line ends of DOS":          "print(1)\r\nprint(2)\r\n",
	"warning":                   "import warnings; warnings.warn('careful')",
	"excepthook":                "import sys\nsys.excepthook = lambda *a: print('hook', a[0].__name__)\n1/0",
	"atexit":                    "import atexit\natexit.register(print, 'last')\nprint('first')",
	"atexit after an exception": "import atexit\natexit.register(print, 'last')\n1/0",
	"exit in atexit":            "import atexit, os\natexit.register(os._exit, 8)",
	"destructor at the end":     "class D:\n  def __del__(self): print('gone')\nd = D()",
	"thread that goes on":       "import threading, time\nthreading.Thread(target=lambda: (time.sleep(.1), print('late'))).start()\nprint('early')",
	"daemon thread":             "import threading, time\nthreading.Thread(target=time.sleep, args=(99,), daemon=True).start()",
	"exception in a thread":     "import threading\nt = threading.Thread(target=lambda: 1/0, name='T'); t.start(); t.join()",
	"thread pool":               "from concurrent.futures import ThreadPoolExecutor as T\nprint(sum(T(8).map(abs, range(100))))",
	"process pool":              "import multiprocessing as m\nwith m.Pool(3) as p: print(p.map(abs, [-1, 2]))",
	"process pool, spawned":     "import multiprocessing as m\nif __name__ == '__main__':\n  with m.get_context('spawn').Pool(2) as p: print(p.map(abs, [-1, 2]))",
	"fork":                      "import os\npid = os.fork()\nif pid == 0: os._exit(7)\nprint(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))",
	"subprocess":                "import subprocess, sys\nprint(subprocess.run([sys.executable, '-c', 'print(1); raise SystemExit(3)'], capture_output=True))",
	"shell":                     `import os; print(os.system("echo from a shell; exit 5") >> 8, flush=True)`,
	"child that goes on":        `import subprocess; subprocess.Popen(["sh", "-c", "sleep 100; echo never"])`,
	"asyncio":                   "import asyncio\nasync def f():\n  await asyncio.sleep(0); p = await asyncio.create_subprocess_exec('echo', 'x'); await p.wait()\nasyncio.run(f())",
	"SIGTERM":                   `import os; os.kill(os.getpid(), 15)`,
	"SIGSEGV":                   `import ctypes; ctypes.string_at(0)`,
	"abort":                     `import os; os.abort()`,
	"SIGINT":                    `import os, time; os.kill(os.getpid(), 2); time.sleep(1)`,
	"signal handler":            "import signal, os\nsignal.signal(signal.SIGUSR1, lambda *a: print('caught'))\nos.kill(os.getpid(), signal.SIGUSR1)",
	"alarm":                     "import signal, time\nsignal.alarm(1); time.sleep(5)",
	"signals as they were":      "import signal\nprint([(s.name, str(signal.getsignal(s))[:30]) for s in signal.valid_signals() if isinstance(s, signal.Signals)], signal.pthread_sigmask(0, []))",
	"broken pipe":               "import os\nr, w = os.pipe(); os.close(r)\nos.write(w, b'x')",
	"stdin":                     "import sys\nprint(repr(sys.stdin.read()), sys.stdin.isatty(), sys.stdout.isatty(), sys.stdout.encoding, sys.stdout.line_buffering, sys.stderr.errors)",
	"input()":                   `input("? ")`,
	"stdout closed":             "import sys; sys.stdout.close()",
	"binary":                    `import sys; sys.stdout.buffer.write(bytes(range(256)))`,
	"names of the main module":  "print(__name__, __file__, __doc__, __package__, __spec__, __builtins__, sorted(globals()))",
	"main module":               "import __main__, sys\nx = 5\nprint(__main__.x, sys.modules['__main__'].__dict__ is globals(), type(__loader__).__name__)",
	"pickle of a class in main": "import pickle\nclass C: pass\nprint(type(pickle.loads(pickle.dumps(C()))).__qualname__)",
	"dataclass":                 "from dataclasses import dataclass\n@dataclass\nclass P: x: int = 1\nprint(P())",
	"arguments and path":        "import sys\nprint(sys.argv, sys.orig_argv, sys.path, sys.flags, sys.executable, sys.prefix)",
	"command line":              `print(open("/proc/self/cmdline").read().split("\0"))`,
	"stack":                     "import traceback, sys, inspect\ntraceback.print_stack(); print(len(inspect.stack()), sys.getrecursionlimit())",
	"source of a function":      "import inspect\ndef f(): return 1\nprint(inspect.getsource(f))",
	"hashes":                    `print(hash("x"), list({"a", "b", "c", "d"}))`,
	"random numbers seeded":     `import random; random.seed(1); print(random.random())`,
	"random numbers differ":     "import os, random\nprint(len({os.urandom(8), os.urandom(8)}), random.random() != 0.5)",
	"environment":               "import os\nprint(sorted(os.environ.items()), os.getcwd())",
	"ids":                       "import os\nprint(os.getresuid(), os.getresgid(), os.getgroups(), os.getpid(), os.getppid(), os.getsid(0), os.getpgrp(), os.nice(0))",
	"processes":                 `import os; print(sorted(p for p in os.listdir("/proc") if p.isdigit()))`,
	"descriptors":               `import os; print([fd for fd in os.listdir("/proc/self/fd") if os.path.exists("/proc/self/fd/" + fd)])`,
	"limits":                    "import resource\nprint([(n, resource.getrlimit(getattr(resource, n))) for n in dir(resource) if n.startswith('RLIMIT')])",
	"rights":                    "print([l for l in open('/proc/self/status') if l.startswith(('Cap', 'NoNew', 'Seccomp:', 'Umask', 'Sig', 'Shd'))])",
	"root":                      "import os\nprint(sorted(os.listdir('/')), sorted(os.listdir('/run')), sorted(os.listdir('/run/site')), sorted(os.listdir('/dev')))",
	"modes":                     "import os\nprint([(p, oct(os.stat(p).st_mode), os.stat(p).st_uid) for p in ('/', '/tmp', '/work', '/work/workspace', '/run', '/run/script.py', 'in.txt')])",
	"size of folders":           "import os\nprint([os.statvfs(p).f_blocks for p in ('/tmp', '/work')])",
	"network":                   "import socket\ns = socket.create_server(('127.0.0.1', 8123)); c = socket.create_connection(('127.0.0.1', 8123)); print(c.getpeername())",
	"files":                     "print(open('in.txt').read()); open('out.txt', 'w').write('o'); import os; os.remove('gone.txt'); os.mkdir('d'); open('d/f', 'w')",
	"module in the workspace":   "import helper\nprint(helper.x, helper.__file__)",
	"module that is not there":  "import nothing_like_it",
	"locale and time":           "import locale, time\nprint(locale.getlocale(), locale.getpreferredencoding(), time.tzname)",
	"garbage":                   "import gc\nprint(gc.isenabled(), gc.get_threshold()); gc.collect()",
	"logging":                   "import logging\nlogging.basicConfig(level=logging.INFO); logging.info('i'); logging.error('e')",
	"memory error":              `bytearray(1 << 40)`,
	"no space":                  "for i in range(200): open(f'/tmp/{i}', 'wb').write(bytes(1 << 20))",
	"file too large":            `open("x", "wb").write(bytes(20 << 20))`,
	"too many processes":        "import os, time\nfor _ in range(100):\n  if os.fork() == 0: time.sleep(9); os._exit(0)",
	"end of time":               `import time; print("x", flush=True); time.sleep(60)`,
	"much output":               `for i in range(5000): print(i)`,
	"exit from a nested import": "open('leaves.py', 'w').write('raise SystemExit(2)')\nimport leaves",
	"compiled extension":        "import decimal, sqlite3, zlib\nprint(decimal.Decimal(1) / 3, sqlite3.connect(':memory:').execute('select 1').fetchall())",
	"doctest":                   "'''\n>>> 1 + 1\n3\n'''\nimport doctest; print(doctest.testmod())",
	"unittest":                  "import unittest\nclass T(unittest.TestCase):\n  def test(self): self.assertEqual(1, 2)\nunittest.main(argv=['x'], verbosity=0, exit=False)",
	"file left open":            "f = open('left.txt', 'w'); f.write('kept')",
	"file closed":               "with open('left.txt', 'w') as f: f.write('kept')",
	"file detached":             "f = open('left.txt', 'w'); f.write('kept'); b = f.detach()",
	"file in another module":    "import os; os.left = open('left.txt', 'w'); os.left.write('kept')",
	"database left open":        "import sqlite3\nc = sqlite3.connect('d.db'); c.execute('pragma journal_mode=wal'); c.execute('create table t (x)'); c.execute('insert into t values (1)')\nimport os; print(sorted(os.listdir()))",
	"suspended generator":       "def g():\n  try: yield 1\n  finally: print('finally')\nx = g(); next(x)",
	"weak reference":            "import weakref\nclass C: pass\nc = C(); r = weakref.ref(c, lambda _: print('gone'))",
	"finalizer":                 "import weakref\nclass C: pass\nc = C(); f = weakref.finalize(c, print, 'final')",
	"destructor without a dict": "class D:\n  __slots__ = ()\n  def __del__(self): print('gone')\nd = D()",
	"destructor in a cycle":     "class D:\n  def __del__(self): print('gone')\nd = D(); d.d = d; del d",
	"own stdout":                "import sys\nclass S:\n  def write(self, t): sys.__stdout__.write(t.upper())\n  def flush(self): sys.__stdout__.write('flushed\\n')\nsys.stdout = S(); print('x')",
	"own stdout, a file":        "import sys; sys.stdout = open('out.txt', 'w'); print('x')",
	"no stdout":                 "import sys; print('x'); sys.stdout = None",
	"os._exit is another":       "import os; os._exit = print; print('x')",
	"exit without a name":       "import sys; del __file__; sys.exit(3)",
	"exit without names":        "import sys; e = sys.exit; globals().clear(); __import__('sys').exit(3)",
	"exit in a destructor":      "class D:\n  def __del__(self): raise SystemExit(4)\nd = D()",
	"collector's callback":      "import gc\ngc.callbacks.append(lambda *a: None); print(1)",
	"child that ends":           "import os\nif os.fork() == 0: print('child')\nelse: os.wait(); print('parent')",
	"child's exit code":         "import os, sys\nif os.fork() == 0: sys.exit(5)\nprint(os.waitstatus_to_exitcode(os.wait()[1]))",
	"signals to init":           "import os, signal\nfor s in range(1, 65):\n  if s != 9:\n    try: os.kill(1, s)\n    except OSError as e: print(s, e)\nprint('x')",
	"child of another signal":   "import ctypes, os, time\nif ctypes.CDLL(None).syscall(56 if os.uname().machine == 'x86_64' else 220, 0, 0, 0, 0, 0) == 0:\n  time.sleep(100); open('late', 'w')\nprint('x')",
	"archive":                   "print(1) # PK\x05\x06" + strings.Repeat("\x00", 18),
	"usual modules":             "import collections, csv, datetime, functools, glob, io, itertools, json, math, pathlib, random, re, string\nprint(json.dumps({'a': [1.5]}), re.sub('a+', 'b', 'caat'), pathlib.Path('in.txt').read_text(), datetime.date(2024, 1, 2), csv.list_dialects(), random.Random(1).random(), math.pi)",
	"random state":              "import random; random.seed(7); print(random.sample(range(100), 5), random.getstate()[0])",
	"both folders":              "import os, subprocess\nprint(os.getcwd(), os.environ['PWD'], sorted(os.listdir('/work')), sorted(os.listdir('/work/workspace')), os.path.islink('/work/workspace'))\nsubprocess.run('pwd; echo $PWD', shell=True)",
	"workspace removed":         "import shutil; shutil.rmtree('/work/workspace')",
	"module beside it":          "open('/work/beside.py', 'w').write('x = 8')\nimport beside; print(beside.x, beside.__file__)",
	"profile of site":           "import site, sys\nprint(site.ENABLE_USER_SITE, 'sitecustomize' in sys.modules, 'usercustomize' in sys.modules)",
}

// corpusAbove names scripts of the corpus that are run in the folder above as well.
var corpusAbove = []string{
	"environment", "arguments and path", "command line", "root", "modes", "both folders", "workspace removed", "module beside it",
	"module in the workspace", "module that is not there", "subprocess", "process pool, spawned", "exception", "exit from a nested import",
}

// TestColdAndWarm runs the corpus in every way. The runners are the same for all
// scripts, so each script is also one that comes after others.
func TestColdAndWarm(t *testing.T) {
	t.Parallel()
	files := vfs.Files{"in.txt": "in", "gone.txt": "g", "helper.py": "x = 7"}
	brief := func(l *sandbox.Limits) { l.WallTime = 3 * time.Second }
	alone := sandboxtest.NewRunner(t, aloneBackend(t), brief)
	others := map[string]sandbox.Runner{"cold": sandboxtest.NewRunner(t, coldBackend(t), brief), "warm": newRunner(t, brief)}
	once := func(run sandbox.Runner, script sandbox.Script) sandbox.Result {
		got := sandboxtest.MustRunScript(t, run, sandboxtest.Workspace(t, files), script)
		got.Duration = 0
		for _, text := range []*string{&got.Stdout, &got.Stderr} {
			*text = timing.ReplaceAllString(*text, "…")
		}
		return got
	}
	scripts := make(map[string]sandbox.Script)
	for name, code := range corpus {
		scripts[name] = sandboxtest.Inside(code)
	}
	for _, name := range corpusAbove {
		scripts[name+", above"] = sandbox.Script{Code: corpus[name]}
	}
	for name, code := range scripts {
		want := once(alone, code)
		for way, run := range others {
			got := once(run, code)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s: alone (-) and %s (+) differ:\n%s", name, way, diff)
			}
			if got.Limit == sandbox.NoLimit && name != "archive" && run.(*runner).warm.Current == nil {
				t.Errorf("%s: was not run %s but alone", name, way)
			}
		}
	}
}

// A module of the workspace is found before the one of the library that the
// interpreter has loaded.
func TestModulesOfUsualNames(t *testing.T) {
	t.Parallel()
	ws := sandboxtest.Workspace(t, vfs.Files{"json.py": "x = 1", "csv/__init__.py": "x = 2", "re.txt": ""})
	run := newRunner(t, nil)
	for range 2 {
		got := sandboxtest.MustRun(t, run, ws, "import json, csv, string; print(json.x, csv.x, string.digits)")
		if got.Stdout != "1 2 0123456789\n" || run.(*runner).warm.Current == nil {
			t.Errorf("got %+v", got)
		}
	}
}

// A runner whose interpreter has ended runs its scripts alone or with another.
func TestLostInterpreters(t *testing.T) {
	t.Parallel()
	run := newRunner(t, nil)
	once := func(code string) {
		t.Helper()
		if got := sandboxtest.MustRun(t, run, sandboxtest.Workspace(t, nil), code); got.Stdout != "1\n" || got.ExitCode != 0 {
			t.Errorf("got %+v", got)
		}
	}
	once("print(1)")
	run.(*runner).warm.Current.Kill()
	once("print(1)")
	once("print(1)")
	if run.(*runner).warm.Current == nil {
		t.Error("the interpreter was not replaced")
	}
}

// Interpreters of one zygote have nothing in common that a script can reach.
func TestInteractionsApart(t *testing.T) {
	t.Parallel()
	const look = `import os, socket, sys
print(sorted(p for p in os.listdir("/proc") if p.isdigit()), os.listdir("/tmp"), open("/proc/self/cgroup").read().count(".."), hasattr(sys, "left"))
for n in ("net", "cgroup"): print(os.readlink("/proc/self/ns/" + n))
try: socket.create_connection(("127.0.0.1", 8125), 1)
except OSError as e: print(e.strerror)
`
	one, two := newRunner(t, nil), newRunner(t, nil)
	seen := func(run sandbox.Runner) (alone string, namespaces []string) {
		t.Helper()
		got := sandboxtest.MustRun(t, run, sandboxtest.Workspace(t, nil), look)
		lines := strings.Split(strings.TrimSpace(got.Stdout), "\n")
		if len(lines) != 4 {
			t.Fatalf("got %+v", got)
		}
		return lines[0] + " " + lines[3], lines[1:3]
	}
	const nothing = "['1', '2'] [] 0 False Connection refused"
	// These namespaces are the interaction's, and there for as long as it is.
	alone, ones := seen(one)
	if alone != nothing {
		t.Errorf("the first sees %s", alone)
	}
	serving := make(chan struct{})
	go func() {
		defer close(serving)
		_, err := one.RunPython(t.Context(), sandboxtest.Workspace(t, nil),
			sandboxtest.Inside("import socket, sys, time\nsys.left = 1; open('/tmp/left', 'w'); s = socket.create_server(('127.0.0.1', 8125)); time.sleep(1)"))
		if err != nil {
			t.Error(err)
		}
	}()
	time.Sleep(300 * time.Millisecond)
	alone, twos := seen(two)
	<-serving
	if alone != nothing {
		t.Errorf("the second sees %s", alone)
	}
	for i := range ones {
		if ones[i] == twos[i] {
			t.Errorf("both are in %s", ones[i])
		}
	}
}
