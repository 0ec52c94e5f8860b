//go:build linux

package sandboxtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"agentd/sandbox"
	"agentd/sandbox/internal/seccomp"
)

// quick is for scripts that end by their wall time, or may.
func quick(l *sandbox.Limits) { l.WallTime = time.Second }

// pyString is a string literal of Python's.
func pyString(s string) string {
	literal, _ := json.Marshal(s) // Python reads all that this writes
	return string(literal)
}

// processes try to outlive the script, or to harm other processes.
func processes() []Attack {
	const daemon = `
import os, subprocess, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        for fd in range(3): os.close(fd)
        os.execv(sys.executable, ["python3", "-c", "import signal, time\nfor s in range(1, 65):\n  try: signal.signal(s, signal.SIG_IGN)\n  except (OSError, ValueError): pass\nwhile True: time.sleep(1)", "%MARKER%"])
    os._exit(0)
subprocess.Popen(["sleep", "1000.5"], start_new_session=True)
time.sleep(0.3)
`
	row := func(name, code string, check Check) Attack {
		return Attack{Area: "processes", Name: name, Limits: quick, Code: code, Check: check}
	}
	return []Attack{
		row("fork bomb", "import os\nwhile True: os.fork()", endedBy(sandbox.LimitProcesses, sandbox.LimitTime, sandbox.LimitMemory)),
		row("fork bomb that goes on", "import os\nwhile True:\n  try: os.fork()\n  except OSError: pass", endedBy(sandbox.LimitTime, sandbox.LimitMemory)),
		row("threads", "import threading, time\nwhile True: threading.Thread(target=time.sleep, args=(9,), daemon=True).start()", endedBy(sandbox.LimitProcesses, sandbox.LimitMemory)),
		{Area: "processes", Name: "daemon, then an end", Code: daemon, Check: finds},
		row("daemon, then no end", daemon+"time.sleep(60)", endedBy(sandbox.LimitTime)),
		row("kill everything", `
import os, signal
for pid in [-1] + [int(p) for p in os.listdir("/proc") if p.isdigit() and int(p) != os.getpid()]:
    for sig in (signal.SIGTERM, signal.SIGSTOP, signal.SIGKILL):
        try: os.kill(pid, sig)
        except OSError: pass`, ends),
		row("stop everything", `
import os, signal
for pid in [-1] + [int(p) for p in os.listdir("/proc") if p.isdigit()]:
    try: os.kill(pid, signal.SIGSTOP)
    except OSError: pass`, ends),
		row("other processes' memory", `
import os
for p in os.listdir("/proc"):
    if p.isdigit() and int(p) != os.getpid():
        for file in ("mem", "environ", "fd/0", "root/etc/passwd"):
            try: print(p, file, open(f"/proc/{p}/{file}", "r+b" if file == "mem" else "rb").read(10))
            except OSError: pass`, func(got sandbox.Result) error {
			if strings.Contains(got.Stdout, "mem") && strings.Contains(got.Stdout, "b'\\x7f") {
				return errors.New("want no memory read")
			}
			return nil
		}),
		row("all signals ignored", `
import signal, time
for s in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}: signal.signal(s, signal.SIG_IGN)
time.sleep(60)`, endedBy(sandbox.LimitTime)),
		row("stopped", "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)", endedBy(sandbox.LimitTime)),
		row("limits of its own raised", `
import resource
for name in ("RLIMIT_AS", "RLIMIT_FSIZE", "RLIMIT_NPROC", "RLIMIT_CORE"):
    which = getattr(resource, name)
    soft, hard = resource.getrlimit(which)
    try: resource.setrlimit(which, (soft + 1, hard + 1)); print("raised", name)
    except (ValueError, OSError): pass`, finds),
	}
}

// kernel calls what the filter of system calls refuses, one by one.
func kernel() []Attack {
	const call = `
import ctypes, errno
libc = ctypes.CDLL(None, use_errno=True)
def attempt(name, number, *args):
    ctypes.set_errno(0)
    got = libc.syscall(ctypes.c_long(number), *(ctypes.c_long(a) for a in args + (0,) * (6 - len(args))))
    e = ctypes.get_errno()
    if got != -1 or e not in (errno.EPERM, errno.ENOSYS): print(name, args, "gave", got, errno.errorcode.get(e))
`
	var attacks []Attack
	for _, rule := range seccomp.Rules() {
		var code strings.Builder
		code.WriteString(call)
		for _, arguments := range refused(rule) {
			fmt.Fprintf(&code, "attempt(%q, %d%s)\n", rule.Name, rule.Number, arguments)
		}
		attacks = append(attacks, Attack{Area: "kernel", Name: rule.Name, Code: code.String(), Check: finds})
	}
	return append(attacks, Attack{Area: "kernel", Name: "what programs need", Code: `
import multiprocessing, os, socket, subprocess, threading
threading.Thread(target=print, args=("thread",)).run()
print(subprocess.run(["echo", "child"], capture_output=True, text=True).stdout.strip())
with multiprocessing.Pool(2) as p: print(p.map(abs, [-1]))
socket.socketpair(); socket.socket(socket.AF_INET6); os.openpty if False else None
print(os.getpid() > 0)`, Check: prints("thread\nchild\n[1]\nTrue\n")})
}

// refused lists arguments that a rule refuses, as Python reads them.
func refused(rule seccomp.Rule) (arguments []string) {
	if rule.When == nil {
		return []string{""}
	}
	with := func(value uint32) {
		arguments = append(arguments, strings.Repeat(", 0", int(rule.When.Argument))+fmt.Sprintf(", %d", value))
	}
	for bit := uint32(1); bit != 0; bit <<= 1 {
		if rule.When.Bits&bit != 0 {
			with(bit)
		}
	}
	for _, value := range rule.When.Equal {
		with(value)
	}
	if rule.When.NotEqual != nil {
		for _, value := range []uint32{16, 17, 38, 40} { // netlink, packet, alg, vsock; and no execution domain
			with(value)
		}
	}
	return arguments
}

// network tries every way out.
func network() []Attack {
	const attempt = `
import socket
def attempt(family, kind, address, send=False):
    try:
        s = socket.socket(family, kind); s.settimeout(1)
        if send: s.sendto(b"x", address)
        else: s.connect(address)
        print("reached", address)
    except OSError: pass
`
	row := func(name, code string) Attack {
		return Attack{Area: "network", Name: name, Code: attempt + code, Check: finds}
	}
	return []Attack{
		row("TCP", `attempt(socket.AF_INET, socket.SOCK_STREAM, ("1.1.1.1", 53)); attempt(socket.AF_INET6, socket.SOCK_STREAM, ("2606:4700:4700::1111", 53))`),
		row("UDP", `attempt(socket.AF_INET, socket.SOCK_DGRAM, ("1.1.1.1", 53), True)`),
		row("names", "try: print(socket.getaddrinfo('example.com', 80))\nexcept OSError: pass"),
		row("the host's loopback", "for port in (%PORT%, 22, 80, 443, 5432, 8000, 8080, 11434): attempt(socket.AF_INET, socket.SOCK_STREAM, ('127.0.0.1', port))"),
		row("cloud metadata", `attempt(socket.AF_INET, socket.SOCK_STREAM, ("169.254.169.254", 80))`),
		row("abstract sockets", `
names = [line.split()[-1] for line in open("/proc/net/unix").readlines()[1:] if len(line.split()) > 7]
print(*names, sep="", end="")
for name in ("%ABSTRACT%", "/tmp/.X11-unix/X0", "dbus"): attempt(socket.AF_UNIX, socket.SOCK_STREAM, "\0" + name)`),
		row("sockets of daemons", `
for path in ("%SOCKET%", "/run/containerd/containerd.sock", "/var/run/docker.sock", "/run/docker.sock", "/run/dbus/system_bus_socket", "/run/systemd/private"):
    attempt(socket.AF_UNIX, socket.SOCK_STREAM, path)`),
		row("interfaces", "names = [line.split(':')[0].strip() for line in open('/proc/net/dev').readlines()[2:]]\nif names != ['lo']: print(names)"),
		row("raw sockets", `attempt(socket.AF_INET, socket.SOCK_RAW, ("127.0.0.1", 0)); attempt(socket.AF_PACKET, socket.SOCK_RAW, ("lo", 0))`),
	}
}
