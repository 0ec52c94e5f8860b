//go:build linux

package sandboxtest

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"agentd/sandbox"
	"agentd/vfs"
)

// meeting is where commands that run at the same time wait for each other: every request is
// answered when all have asked.
type meeting struct {
	all     int
	mu      sync.Mutex
	waiting int
	open    chan struct{} // closed when all are there
}

func newMeeting(all int) *meeting { return &meeting{all: all, open: make(chan struct{})} }

// serve is a sandbox.Command.Serve.
func (m *meeting) serve(l net.Listener, _ sandbox.Exchange) {
	serve(l, func(_ http.ResponseWriter, r *http.Request) {
		m.mu.Lock()
		open := m.open
		if m.waiting++; m.waiting == m.all {
			close(open)
			m.waiting, m.open = 0, make(chan struct{})
		}
		m.mu.Unlock()
		select {
		case <-open:
		case <-r.Context().Done():
		}
	})
}

// together runs commands in Python at the same time, each as an interaction of its own.
// meet() in them waits for the others.
func together(t *testing.T, backend sandbox.Backend, folder string, programs ...string) []sandbox.Result {
	t.Helper()
	place := newMeeting(len(programs))
	results := make([]sandbox.Result, len(programs))
	var group sync.WaitGroup
	for i, program := range programs {
		c := python("def meet(): ask('meet')\n" + program)
		c.Folder, c.Serve, c.Limits = folder, place.serve, sandbox.DefaultLimits()
		c.Limits.WallTime *= slower()
		runner, ws := NewRunner(t, backend, nil), Workspace(t, vfs.Files{keep: kept})
		group.Go(func() {
			var err error
			if results[i], err = runner.RunCommand(t.Context(), ws, c); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	return results
}

// witness prints what a command sees of its bundle.
const witness = `
import hashlib, subprocess
def look():
    seen = hashlib.sha256()
    for folder, folders, files in os.walk("/agent"):
        folders.sort()
        for name in sorted(folders + files):
            path = os.path.join(folder, name)
            s = os.lstat(path)
            seen.update(repr((path, s.st_mode, s.st_size, s.st_mtime_ns, s.st_nlink)).encode())
            if name in files: seen.update(open(path, "rb").read())
    return seen.hexdigest(), subprocess.run(["/agent/run"], capture_output=True, text=True).stdout
`

// vandal tries to change the bundle, or what lies where it is, in every way, and prints
// those that worked.
const vandal = `
import ctypes, fcntl, mmap, struct
libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long
def attempt(name, f, *args, **more):
    try: f(*args, **more)
    except (OSError, ValueError): return
    print("could", name)
def call(name, f, *args):
    if f(*args) != -1: print("could", name)
def syscall(name, number, *args): call(name, libc.syscall, ctypes.c_long(number), *args)
NULL = None
uid = os.getuid()
for top in ("/agent", "/proc/self/root/agent", "/proc/1/root/agent", "/proc/self/cwd/../../agent"):
    data, lib = top + "/data", top + "/lib"
    for mode in ("w", "a", "r+b", "x"): attempt("open " + mode, open, data, mode)
    attempt("make a file", open, top + "/new", "w")
    attempt("make a nameless file", os.open, top, os.O_RDWR | os.O_TMPFILE)
    attempt("truncate", os.truncate, data, 0)
    attempt("remove", os.unlink, data)
    attempt("remove a folder", os.rmdir, lib)
    attempt("rename", os.rename, data, top + "/other")
    attempt("rename over", os.rename, top + "/run", data)
    attempt("move away", os.rename, data, "/work/data")
    attempt("move in", os.rename, "/work/workspace/keep.txt", data)
    attempt("move the folder", os.rename, top, "/work/agent")
    attempt("make a folder", os.mkdir, top + "/folder")
    attempt("make a link", os.symlink, "/tmp", top + "/link")
    attempt("make a pipe", os.mkfifo, top + "/pipe")
    attempt("link out", os.link, data, "/work/workspace/data")
    attempt("link in", os.link, "/work/workspace/keep.txt", top + "/keep")
    attempt("chmod", os.chmod, data, 0o777)
    attempt("chmod the folder", os.chmod, top, 0o777)
    attempt("chown", os.chown, data, uid, uid)
    attempt("times", os.utime, data)
    attempt("attributes", os.setxattr, data, "user.x", b"x")
    try: fd = os.open(data, os.O_RDONLY)
    except OSError: continue
    attempt("open again for writing", open, f"/proc/self/fd/{fd}", "r+b")
    attempt("write by a map", mmap.mmap, fd, 0, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
    attempt("flags", fcntl.ioctl, fd, 0x40086602, struct.pack("l", 0x40))
    attempt("write", os.write, fd, b"x")
    attempt("fchmod", os.fchmod, fd, 0o777)
    attempt("ftruncate", os.ftruncate, fd, 0)
    attempt("fallocate", os.posix_fallocate, fd, 0, 100)
    os.close(fd)

BIND, REMOUNT, MOVE, REC, RDONLY = 4096, 32, 8192, 16384, 1
os.makedirs("/tmp/mine", exist_ok=True)
def mounts():
    call("bind over it", libc.mount, b"/tmp/mine", b"/agent", NULL, BIND, NULL)
    call("bind over a file", libc.mount, b"/work/workspace/keep.txt", b"/agent/data", NULL, BIND, NULL)
    call("mount over it", libc.mount, b"none", b"/agent", b"tmpfs", 0, NULL)
    call("overlay it", libc.mount, b"none", b"/agent", b"overlay", 0, b"lowerdir=/agent,upperdir=/tmp/mine,workdir=/tmp/mine")
    for flags in (REMOUNT, REMOUNT | BIND, REMOUNT | BIND | REC): call("remount it", libc.mount, NULL, b"/agent", NULL, flags, NULL)
    call("move it", libc.mount, b"/agent", b"/tmp/mine", NULL, MOVE, NULL)
    call("bind it elsewhere", libc.mount, b"/agent", b"/tmp/mine", NULL, BIND, NULL)
    for flags in (0, 2, 8): call("unmount it", libc.umount2, b"/agent", flags)
    syscall("clone the mount", 428, -100, b"/agent", 1)
    syscall("set the mount's attributes", 442, -100, b"/agent", 0, struct.pack("QQQQ", 0, RDONLY, 0, 0), 32)
    syscall("open a file system", 430, b"tmpfs", 0)
    call("change the root", libc.chroot, b"/tmp/mine")
mounts()
for flags in (0x00020000, 0x10000000, 0x10020000): # a mount, a user namespace, both
    pid = os.fork()
    if pid == 0:
        call("leave its namespaces", libc.unshare, flags)
        mounts()
        os._exit(0)
    os.waitpid(pid, 0)
`

// sharedBundle has commands use one bundle at the same time, of which one tries to change what
// the other one sees.
func sharedBundle(t *testing.T, backend sandbox.Backend) {
	folder := bundleOf(t, map[string]string{"run": "#!/bin/sh\necho the bundle is as it was\n", "data": "data", "lib/part.txt": "part"})
	before := standingOf(t, folder)
	results := together(t, backend, folder,
		witness+"before = look(); meet(); meet(); print(look() == before, before[1], end='')",
		"meet()\nimport traceback\ntry:\n"+indented(vandal)+"\nexcept BaseException: traceback.print_exc()\nmeet()",
		witness+"meet(); meet(); print(look()[1], end='')")
	for i, want := range []string{"True the bundle is as it was\n", "", "the bundle is as it was\n"} {
		if got := results[i]; got.Stdout != want || got.Stderr != "" || got.ExitCode != 0 || got.Limit != sandbox.NoLimit {
			t.Errorf("command %d: %s", i+1, summary(got))
		}
	}
	if diff := cmp.Diff(before, standingOf(t, folder)); diff != "" {
		t.Errorf("the bundle: %s", diff)
	}
}

// indented is Python inside of a block.
func indented(code string) string { return "  " + strings.ReplaceAll(code, "\n", "\n  ") }

// bundleOf makes a folder that every user can read.
func bundleOf(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	err := errors.Join(os.Chmod(filepath.Dir(folder), 0o755), os.Chmod(folder, 0o755))
	for name, content := range files {
		path := filepath.Join(folder, name)
		err = errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o755), os.Chmod(path, 0o755))
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// standingOf describes all that is in a folder.
func standingOf(t *testing.T, folder string) (lines []string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		content := ""
		if info.Mode().IsRegular() {
			raw, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			content = string(raw)
		}
		lines = append(lines, fmt.Sprintf("%s %v %v %q", path, info.Mode(), info.ModTime().Format(time.RFC3339Nano), content))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

// ownTerminal holds a terminal in which a secret was typed, and says its number.
const ownTerminal = `
import pty, tty
control, terminal = pty.openpty()
tty.setraw(terminal)
print(os.ttyname(terminal))
os.write(control, b"typed")
meet(); meet()
os.set_blocking(terminal, False)
print(os.read(terminal, 100))
`

// otherTerminals looks for terminals that are not its own, and prints what it finds.
const otherTerminals = `
import glob
meet()
found = sorted(n for n in os.listdir("/dev/pts") if n != "ptmx")
print(found)
for path in [f"/dev/pts/{n}" for n in range(64)] + ["/dev/tty", "/dev/console"] + [f"/dev/tty{n}" for n in range(8)] + glob.glob("/proc/[0-9]*/fd/*"):
    try:
        fd = os.open(path, os.O_RDWR | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError: continue
    if os.isatty(fd): print("reached", path)
    os.close(fd)
# A new terminal is the first of its own: numbers of others are not even taken.
print(os.ttyname(os.openpty()[1]))
for n in range(64): # by the number of a terminal, without a path
    try: os.mknod(f"/tmp/tty{n}", 0o20666, os.makedev(136, n)); os.open(f"/tmp/tty{n}", os.O_RDWR | os.O_NONBLOCK); print("made", n)
    except OSError: pass
meet()
`

// sharedTerminals has two commands with a terminal each, while the host has one open, too.
func sharedTerminals(t *testing.T, backend sandbox.Backend) {
	host, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	results := together(t, backend, "", ownTerminal, otherTerminals)
	for i, want := range []string{"/dev/pts/0\nb'typed'\n", "[]\n/dev/pts/0\n"} {
		got := results[i]
		got.Stdout = strings.ReplaceAll(got.Stdout, "/run/dev/pts/", "/dev/pts/") // where bwrap mounts them
		if got.Stdout != want || got.Stderr != "" || got.ExitCode != 0 {
			t.Errorf("command %d: %s", i+1, summary(got))
		}
	}
}
