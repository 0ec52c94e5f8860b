//go:build linux

package sandboxtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentd/sandbox"
	"agentd/vfs"
)

// filesOut try to get at files of the host.
func filesOut() []Attack {
	const reach = `
import os
def attempt(path):
    for f in (os.listdir, lambda p: open(p, "rb").read(100)):
        try: print(path, f(path))
        except OSError: pass
`
	row := func(name, code string) Attack {
		return Attack{Area: "files out", Name: name, Code: reach + code, Check: finds}
	}
	here, _ := os.Getwd()
	if here == "/" {
		here = "/var/lib"
	}
	return []Attack{
		row("system", `for p in ("/etc/shadow", "/etc/passwd", "/etc/hostname", "/root", "/var", "/sys", "/opt", "/mnt", "/boot"): attempt(p)`),
		row("homes", `for p in ("/home", "/root/.ssh", os.path.expanduser("~root")): attempt(p)`),
		row("the database", `for p in (`+pyString(here)+`, `+pyString(filepath.Join(here, "agentd.db"))+`): attempt(p)`),
		row("other temporary files", `print(*os.listdir("/tmp"), sep="", end="")`),
		row("through the first process", `for p in ("/proc/1/root/etc/shadow", "/proc/1/root/home", "/proc/1/cwd/../etc/shadow"): attempt(p)`),
		row("through descriptors", "for fd in range(3, 100): attempt(f'/proc/self/fd/{fd}')\nfor fd in range(3, 100): attempt(f'/proc/1/fd/{fd}')"),
		row("processes of the host", `
n = sum(p.isdigit() for p in os.listdir("/proc"))
if n > 8: print(n, "processes")`),
		row("kernel files", `
for p in ("/proc/kcore", "/proc/kmsg", "/proc/1/mem"): attempt(p)
for p in ("/proc/sysrq-trigger", "/proc/sys/kernel/hostname", "/proc/sys/kernel/core_pattern"):
    try: open(p, "w").write("1"); print("wrote", p)
    except OSError: pass`),
		row("devices", `
import stat
for p in os.listdir("/dev"):
    if stat.S_ISBLK(os.lstat("/dev/" + p).st_mode): print(p)
for p in ("/dev/mem", "/dev/kmsg", "/dev/fuse", "/dev/kvm", "/dev/net/tun", "/dev/vsock", "/dev/ptmx", "/dev/pts", "/dev/tty"):
    if os.path.exists(p): print(p)`),
		row("writing to the system", `
for p in ("/x", "/usr/x", "/bin/x", "/usr/lib/python3/x", "/run/x", "/run/script.py", "/dev/x", "/etc/x"):
    try: open(p, "w"); print("wrote", p)
    except OSError: pass`),
	}
}

// filesBack leave things that must not be taken back, or followed.
func filesBack() []Attack {
	row := func(name, code string, check Check) Attack {
		return Attack{Area: "files back", Name: name, Code: "import os, socket, stat\n" + code, Check: check}
	}
	spared := deletes() // keep.txt is as it was
	return []Attack{
		row("symbolic link", `os.symlink("/etc/passwd", "l")`, all(skips("l", "symbolic link"), spared)),
		row("link to a folder", `os.symlink("/usr", "l")`, all(skips("l", "symbolic link"), spared)),
		row("link out of the workspace", `os.symlink("../../../../etc/passwd", "l")`, skips("l", "symbolic link")),
		row("link in place of a file", `os.remove("keep.txt"); os.symlink("/etc/passwd", "keep.txt")`, all(skips(keep, "symbolic link"), deletes(keep))),
		row("loop of folders", `os.makedirs("a/b"); os.symlink("..", "a/b/c"); os.symlink("loop", "loop")`, all(skips("a/b/c", "symbolic link"), skips("loop", "symbolic link"))),
		row("hard link", `open("x", "w"); os.link("x", "y")`, skips("x", "hard link")),
		row("hard link to a file", `os.link("keep.txt", "y")`, all(skips("y", "hard link"), deletes(keep))),
		row("hard link to the system", `
try: os.link("/usr/bin/python3", "y", follow_symlinks=True)
except OSError: pass`, spared),
		row("named pipe", `os.mkfifo("p")`, skips("p", "named pipe")),
		row("socket", `socket.socket(socket.AF_UNIX).bind("s")`, skips("s", "socket")),
		row("device", `
try: os.mknod("d", stat.S_IFCHR | 0o666, os.makedev(1, 1)); open("d", "rb").read(1); print("read memory")
except PermissionError: pass`, finds),
		row("set-uid", `open("s", "w").write("x"); os.chmod("s", 0o6755)`, func(got sandbox.Result) error {
			if got.Changed["s"] != "x" {
				return errors.New("want the text of it")
			}
			return nil
		}),
		row("two points", `
try: open("../../escaped", "w"); print("escaped")
except OSError: pass
open("..escaped", "w").write("x")`, finds),
		row("newline in a name", `open("a\nb", "w")`, skips(`"a\nb"`, "control")),
		row("escape in a name", `open("a\x1bb", "w")`, skips(`"a\x1bb"`, "control")),
		row("name that is not UTF-8", `open(b"a\xffb", "w")`, skips(`"a\xffb"`, "UTF-8")),
		row("folder that is not UTF-8", `os.mkdir(b"a\xff"); open(b"a\xff/f", "w")`, skips(`"a\xff"`, "UTF-8")),
		row("binary", `open("b", "wb").write(b"a\xff")`, skips("b", "not UTF-8")),
		row("picture", `open("p.png", "wb").write(bytes(range(256)))`, func(got sandbox.Result) error {
			want := make([]byte, 256)
			for i := range want {
				want[i] = byte(i)
			}
			if got.Changed["p.png"] != string(want) {
				return fmt.Errorf("want its 256 bytes, not %q", got.Changed["p.png"])
			}
			return nil
		}),
		row("binary in place of a file", `open("keep.txt", "wb").write(b"kee\xff")`, all(skips(keep, "not UTF-8"), deletes(keep))),
		row("too deep", `os.makedirs("1/2/3/4/5/6/7/8"); open("1/2/3/4/5/6/7/8/f", "w")`, skips("1/2/3/4/5/6/7/8/f", "8 levels")),
		once(row("ten thousand folders deep", "for i in range(10_000): os.mkdir('d'); os.chdir('d')", skips("d/d/d/d/d/d/d/d/d", "8 levels"))),
		row("unreadable folder", `os.mkdir("u"); os.mkfifo("u/p"); os.chmod("u", 0)`, skips("u/p", "named pipe")),
		row("unreadable workspace", `os.chmod(".", 0)`, spared),
		row("two thousand files", "for i in range(2000): open(f'{i:04}', 'w').close()", all(skips("and 980 more", "too many files"), spared)),
		once(row("a hundred thousand files", "for i in range(100_000): open(f'{i:06}', 'w').close()", all(skips("and 98980 more", "too many files"), spared))),
		row("sparse file of 1 TiB", `
try: os.truncate(os.open("sparse", os.O_CREAT | os.O_RDWR), 1 << 40)
except OSError as e: print(e.strerror)`, prints("File too large\n")),
		row("byte at 1 TiB", `
try: os.pwrite(os.open("seek", os.O_CREAT | os.O_RDWR), b"x", 1 << 40)
except OSError as e: print(e.strerror)`, prints("File too large\n")),
		row("file of 1 GiB", `
with open("large", "wb", buffering=0) as f:
    for _ in range(1024):
        if f.write(bytes(1 << 20)) < 1 << 20: break`, all(endedBy(sandbox.LimitDisk), spared)),
		{Area: "files back", Name: "file that grows while it is copied", Limits: quick, Code: `
import os, subprocess, sys
subprocess.Popen([sys.executable, "-c", "f = open('grows', 'a')\nwhile True: f.write('x' * 100); f.flush(); f.truncate(0)"], start_new_session=True)
os._exit(0)`, Check: func(got sandbox.Result) error {
			if len(got.Changed["grows"]) > 100 {
				return errors.New("want at most one writing of it")
			}
			return nil
		}},
	}
}

// filesIn hands in names that no workspace may hold.
func filesIn(t *testing.T, backend sandbox.Backend) {
	for _, name := range []string{"../../x", "/etc/x", "a/../../x", "", ".", "a\x00b", "a\nb", "a\xff", strings.Repeat("d/", 9) + "f"} {
		if _, err := vfs.New(vfs.Files{name: "x"}, nil); err == nil {
			t.Errorf("a workspace takes %q", name)
		}
	}
	// These are names like others, and must not get in the way of anything.
	for _, name := range []string{"workspace", "_script.py", "script.py", "run/script.py", "tmp/x", "usr/bin/python3", "sh", "python3", "os.pyc"} {
		ws, err := vfs.New(vfs.Files{name: "mine"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		runner, err := backend.NewRunner(sandbox.DefaultLimits())
		if err != nil {
			t.Fatal(err)
		}
		got, err := runner.RunPython(t.Context(), ws, Inside("print(open("+pyString(name)+").read())"))
		if err := errors.Join(err, runner.Close()); err != nil || got.Stdout != "mine\n" {
			t.Errorf("%s: %v\n%s", name, err, summary(got))
		}
	}
}
