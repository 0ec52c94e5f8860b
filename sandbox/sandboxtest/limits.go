//go:build linux

package sandboxtest

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"strings"

	"agentd/sandbox"
)

// limits use more than they may.
func limits() []Attack {
	row := func(area, name, code string, check Check) Attack {
		return Attack{Area: area, Name: name, Limits: quick, Code: code, Check: check}
	}
	patient := func(a Attack) Attack { a.Limits = nil; return a }
	memory, disk, time := endedBy(sandbox.LimitMemory), endedBy(sandbox.LimitDisk), endedBy(sandbox.LimitTime)
	return []Attack{
		row("memory", "8 GiB", `x = bytearray(8 << 30)`, memory),
		patient(row("memory", "bit by bit", "x = []\nwhile True: x.append(b'x' * (1 << 20))", memory)),
		patient(row("memory", "by many processes", `
import os, time
for _ in range(20):
    if os.fork() == 0:
        x = bytearray(100 << 20)
        for i in range(0, len(x), 4096): x[i] = 1
        time.sleep(60)
import sys
while True:
    pid, status = os.wait()
    if status: sys.exit(1)`, memory)),
		patient(row("memory", "caught", "try: bytearray(8 << 30)\nexcept MemoryError: print('caught')", prints("caught\n"))),
		patient(row("memory", "within", `x = bytearray(200 << 20)`, finds)),
		patient(row("memory", "error of another kind", `raise ValueError("MemoryError")`, ends)),
		row("CPU", "spin", `while True: pass`, time),
		row("CPU", "sleep", `import time; time.sleep(60)`, time),
		row("CPU", "long computation without a check for signals", `10 ** 10 ** 10`, endedBy(sandbox.LimitTime, sandbox.LimitMemory)),
		row("CPU", "waiting for what never comes", `import os; os.mkfifo("p"); open("p").read()`, time),
		row("CPU", "full pipe", `import os; r, w = os.pipe(); os.write(w, b"x" * (1 << 20))`, time),
		patient(row("disk", "fill /tmp", "for i in range(10_000): open(f'/tmp/{i}', 'wb').write(bytes(1 << 20))", disk)),
		patient(row("disk", "fill the workspace", "for i in range(10_000): open(str(i), 'wb').write(bytes(1 << 20))", disk)),
		once(patient(row("disk", "fill the workspace with crumbs", "for i in range(1_000_000): open(str(i), 'wb').write(b'x')", endedBy(sandbox.LimitDisk, sandbox.LimitMemory, sandbox.LimitTime)))),
		patient(row("disk", "empty files without end", "i = 0\nwhile True: i += 1; open(f'/tmp/{i}', 'wb').close()", endedBy(sandbox.LimitDisk, sandbox.LimitMemory, sandbox.LimitTime))),
		patient(row("disk", "one large file", `open("x", "wb").write(bytes(100 << 20))`, disk)),
		patient(row("disk", "caught", `
try:
    for i in range(200): open(f"/tmp/{i}", "wb").write(bytes(1 << 20))
except OSError as e: print(e.strerror)`, prints("No space left on device\n"))),
	}
}

// outputs print too much, or what does no good on a terminal.
func outputs() []Attack {
	cut := func(stream func(sandbox.Result) string, want string) Check {
		return func(got sandbox.Result) error {
			if stream(got) != want || !got.Truncated {
				return fmt.Errorf("want %d characters and no more", len([]rune(want)))
			}
			return nil
		}
	}
	stdout := func(got sandbox.Result) string { return got.Stdout }
	stderr := func(got sandbox.Result) string { return got.Stderr }
	row := func(name, code string, check Check) Attack {
		return Attack{Area: "output", Name: name, Limits: quick, Code: "import os, sys\n" + code, Check: check}
	}
	lines := strings.Repeat("ab\n", 4000)[:10_000]
	return []Attack{
		row("endless stdout", `while True: print("ab")`, cut(stdout, lines)),
		row("endless stderr", `while True: print("ab", file=sys.stderr)`, cut(stderr, lines)),
		once(Attack{Area: "output", Name: "one line of 1 GiB", Code: "import os\nfor _ in range(1024): os.write(1, b'x' * (1 << 20))", Check: cut(stdout, strings.Repeat("x", 10_000))}),
		{Area: "output", Name: "characters of two bytes", Code: `print("é" * 20_000)`, Check: cut(stdout, strings.Repeat("é", 10_000))},
		row("binary", `os.write(1, bytes(range(128, 256)))`, func(got sandbox.Result) error {
			if !strings.Contains(got.Stdout, "\ufffd") {
				return errors.New("want the bytes that are no characters replaced")
			}
			return nil
		}),
		row("terminal escapes", `os.write(1, b"\x1b[2J\x1b]0;title\x07\x9b31m\xc2\x9b31m\x7f\x00a\tb\r\nc\rd\n")`,
			prints("␛[2J␛]0;title␇\ufffd31m\ufffd31m␡␀a\tb\r\nc␍d\n")),
	}
}

// secrets look for what the machine knows.
func secrets() []Attack {
	names := []string{}
	if home, err := os.UserHomeDir(); err == nil && home != "/nonexistent" && home != "/root" {
		names = append(names, home)
	}
	if who, err := user.Current(); err == nil && who.Username != "root" && who.Username != "nobody" {
		names = append(names, "/"+who.Username+"/")
	}
	var known []string
	for _, name := range append(names, "agentd.db", "/tmp/agentd-", "/home/", "/root/") {
		known = append(known, pyString(name))
	}
	search := "known = [" + strings.Join(known, ", ") + "]\n" + `
import glob, os
def search(pattern):
    for file in glob.glob(pattern):
        try: text = open(file, errors="replace").read()
        except OSError: continue
        for word in known + ["` + secretVariable + `"]:
            if word in text: print(file, "has", word)
`
	row := func(name, code string) Attack {
		return Attack{Area: "secrets", Name: name, Code: search + code, Check: finds}
	}
	return []Attack{
		row("environment", `
search("/proc/[0-9]*/environ")
for name in os.environ:
    if name not in ("HOME", "LANG", "MALLOC_ARENA_MAX", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "PATH", "PWD", "PYTHONDONTWRITEBYTECODE", "PYTHONHASHSEED", "PYTHONPATH"): print(name)`),
		row("command lines", `search("/proc/[0-9]*/cmdline")`),
		row("mounts", `search("/proc/self/mountinfo"); search("/proc/self/mounts"); search("/proc/1/mountinfo")`),
		row("cgroups", `search("/proc/self/cgroup")`),
		row("who runs it", `
if 0 in os.getresuid() + os.getresgid() or os.getgroups() not in ([], [os.getgid()], [65534]): print(os.getresuid(), os.getresgid(), os.getgroups())
for line in open("/proc/self/status"):
    if line.startswith("Cap") and not line.startswith("CapBnd") and int(line.split()[1], 16): print(line)
    if line.startswith("NoNewPrivs") and line.split()[1] != "1": print(line)
    if line.startswith("Seccomp:") and line.split()[1] != "2": print(line)`),
	}
}

// leftovers prepare the ground for the next script, which aftermath then runs.
func leftovers() []Attack {
	row := func(name, code string) Attack {
		return Attack{Area: "next script", Name: name, Code: code, Check: ends}
	}
	return []Attack{
		row("files in /tmp", `import os; open("/tmp/left", "w"); os.mkdir("/tmp/folder"); open("/dev/shm/left", "w")`),
		row("shared memory", `
from multiprocessing import shared_memory
m = shared_memory.SharedMemory("left", create=True, size=100); m.buf[:4] = b"left"; import os; os._exit(0)`),
		row("processes", `import subprocess; subprocess.Popen(["sleep", "1001.5"], start_new_session=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)`),
		row("environment", `import os, sys, builtins; os.environ["LEFT"] = "x"; sys.planted = builtins.planted = 1; sys.path.insert(0, "/tmp")`),
		row("interpreter files", `
import os, site, sys
for folder in sys.path + site.getsitepackages():
    try: open(os.path.join(folder, "planted.pth"), "w").write("import sys; sys.modules['planted'] = sys")
    except OSError: pass
for f in os.listdir("."):
    if f.endswith(".pth"): os.remove(f)`),
		row("planted in the workspace", `
for name in ("sitecustomize", "usercustomize"): open(name + ".py", "w").write("import sys; sys.modules['planted'] = sys")
open("planted.pth", "w").write("import sys; sys.modules['planted'] = sys")`),
		row("user's site", `
import os, site
folder = site.getusersitepackages()
try: os.makedirs(folder); open(folder + "/usercustomize.py", "w").write("import sys; sys.modules['planted'] = sys")
except OSError: pass`),
		row("priorities and limits", `
import os, resource
def attempt(change, *args):
    try: change(*args)
    except OSError: pass
os.nice(5)
for kind in (os.PRIO_PROCESS, os.PRIO_PGRP, os.PRIO_USER): attempt(os.setpriority, kind, 0, 6)
for p in [0] + [int(p) for p in os.listdir("/proc") if p.isdigit()]:
    attempt(os.setpriority, os.PRIO_PROCESS, p, 10)
    attempt(os.sched_setaffinity, p, {min(os.sched_getaffinity(0))})
    attempt(os.sched_setscheduler, p, os.SCHED_BATCH, os.sched_param(0))
    for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_STACK, resource.RLIMIT_CPU): attempt(resource.prlimit, p, limit, (200000, 200000))
    attempt(lambda: open(f"/proc/{p or 'self'}/oom_score_adj", "w").write("777"))`),
	}
}
