//go:build linux

package sandboxtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"

	"agentd/sandbox"
	"agentd/vfs"
)

// folders work above the workspace: with its folder, and with what lies next to it.
func folders() []Attack {
	row := func(name, code string, check Check) Attack {
		return Attack{Area: "folder above", Name: name, Code: "import glob, os, shutil, socket, subprocess, sys, time\n" + code, Check: check}
	}
	patient := func(a Attack, change func(*sandbox.Limits)) Attack { a.Limits = change; return a }
	disk := endedBy(sandbox.LimitDisk)
	const gone = "shutil.rmtree('workspace')\n"
	const away = "os.rename('workspace', 'moved')\n"
	rows := []Attack{
		row("what lies there", `
print(os.getcwd(), os.environ["PWD"], os.listdir(), [d for d, _, _ in os.walk(".")], glob.glob("*/*"))
print(os.path.islink("workspace"), open("workspace/keep.txt").read())`,
			all(prints("/work /work ['workspace'] ['.', './workspace'] ['workspace/keep.txt']\nFalse keep\n"), leaves(nil))),
		row("files next to the workspace", `
open("left.txt", "w").write("x"); os.makedirs("more/folders"); os.symlink("workspace", "link"); open("workspace/made.txt", "w").write("m")`,
			leaves(vfs.Files{"made.txt": "m"})),
		row("modules next to the workspace", `
for name in ("sitecustomize", "usercustomize"): open(name + ".py", "w").write("import sys; sys.modules['planted'] = sys")
open("helper.py", "w").write("x = 5"); open("workspace/inner.py", "w").write("y = 6")
import helper, inner
print(helper.x, inner.y, subprocess.run([sys.executable, "-c", "import helper, sys; print(helper.x, 'planted' in sys.modules)"], capture_output=True, text=True).stdout)
os.remove("workspace/inner.py")`,
			prints("5 6 5 False\n\n")),

		row("removed", gone, lost("removed")),
		row("removed from inside", "os.chdir('workspace'); shutil.rmtree(os.path.abspath('.'))", lost("removed")),
		row("removed and made again", gone+`os.makedirs("workspace/sub"); open("workspace/new.txt", "w").write("n"); open("workspace/sub/f", "w").write("f")`,
			leaves(vfs.Files{"new.txt": "n", "sub/f": "f"}, keep)),
		row("removed and made again, empty", gone+`os.mkdir("workspace")`, leaves(nil, keep)),
		row("replaced by another folder", `os.makedirs("other"); open("other/o.txt", "w").write("o"); `+away+`os.rename("other", "workspace")`,
			leaves(vfs.Files{"o.txt": "o"}, keep)),
		row("moved away", away, lost("removed")),
		row("replaced by a file", away+`open("workspace", "w").write("x")`, lost("file")),
		row("replaced by a pipe", away+`os.mkfifo("workspace")`, lost("named pipe")),
		row("replaced by a socket", away+`socket.socket(socket.AF_UNIX).bind("workspace")`, lost("socket")),
		row("replaced by a link to itself", away+`os.symlink("workspace", "workspace")`, lost("symbolic link")),
		row("replaced by a link to nothing", away+`os.symlink("nowhere", "workspace")`, lost("symbolic link")),
	}
	for _, target := range []string{"moved", ".", "/work/moved", "/tmp", "/", "/usr", "/etc", "../etc", "/proc/self/cwd", "/proc/self/root", "/proc/1/root"} {
		rows = append(rows, row("replaced by a link to "+target, away+"open('moved/secret', 'w'); os.symlink("+pyString(target)+", 'workspace')", lost("symbolic link")))
	}
	return append(rows,
		row("exchanged with a link", `
import ctypes
os.symlink("/usr", "link")
if ctypes.CDLL(None, use_errno=True).renameat2(-100, b"workspace", -100, b"link", 2): print("not exchanged")`, lost("symbolic link")),
		row("a link next to an unreadable workspace", `os.symlink("/etc", "link"); os.chmod("workspace", 0); os.chmod(".", 0)`, leaves(nil)),
		row("set-uid and sticky", `os.chmod("workspace", 0o7777); os.chmod(".", 0o7777)`, leaves(nil)),
		row("a file system of its own", `
import ctypes
libc = ctypes.CDLL(None)
for call in (lambda: libc.mount(b"none", b"workspace", b"tmpfs", 0, None), lambda: libc.mount(b"/usr", b"workspace", None, 4096, None),
             lambda: libc.umount2(b"/work", 2), lambda: os.rename("/work", "/work2"), lambda: os.rmdir("/work"),
             lambda: os.rename("workspace", "workspace/inside"), lambda: os.link("workspace", "again")):
    try:
        if call() == 0: print("it worked")
    except OSError: pass`, all(finds, leaves(nil))),
		row("attributes", `
for path in (".", "workspace"):
    try: os.setxattr(path, "user.left", b"x")
    except OSError: pass`, all(finds, leaves(nil))),
		patient(row("full", "for i in range(10_000): open(f'{i}', 'wb').write(bytes(1 << 20))", all(disk, leaves(nil))), nil),
		patient(row("full, then the workspace too", `
for path, size in (("a", 1 << 20), ("b", 1), ("workspace/more", 1)):
    try:
        for i in range(10_000): open(f"{path}{i}", "wb", buffering=0).write(bytes(size))
    except OSError as e: print(path, e.strerror)`, func(got sandbox.Result) error {
			if !strings.HasSuffix(got.Stdout, "workspace/more No space left on device\n") || len(got.Changed) > 1 {
				return errors.New("want no room in the workspace either")
			}
			return nil
		}), nil),
		once(patient(row("crumbs without end", "i = 0\nwhile True: i += 1; open(str(i), 'wb').close()",
			endedBy(sandbox.LimitDisk, sandbox.LimitMemory, sandbox.LimitTime)), nil)),
		once(row("ten thousand folders deep", "for i in range(10_000): os.mkdir('d'); os.chdir('d')", leaves(nil))),
		once(row("ten thousand folders deep, as the workspace", away+"os.mkdir('workspace'); os.chdir('workspace')\nfor i in range(10_000): os.mkdir('d'); os.chdir('d')",
			skips("d/d/d/d/d/d/d/d/d", "8 levels"))),
		// The process that swaps the folder is killed before we look: what we find does not change.
		patient(row("swapped all along by what is left running", `
os.makedirs("other"); open("other/o.txt", "w").write("o"); os.symlink("/usr", "link")
for _ in range(3):
    if os.fork() == 0:
        while True:
            for a, b in (("workspace", "away"), ("other", "workspace"), ("workspace", "other"), ("link", "workspace"), ("workspace", "link"), ("away", "workspace")):
                try: os.rename(a, b)
                except OSError: pass
time.sleep(0.2); os._exit(0)`, whole), quick),
		patient(row("swapped all along until the end of time", `
os.symlink("/usr", "link")
while True: os.rename("workspace", "away"); os.rename("link", "workspace"); os.rename("workspace", "link"); os.rename("away", "workspace")`,
			all(endedBy(sandbox.LimitTime), whole)), quick),
	)
}

// leaves wants exactly these files changed, and these deleted.
func leaves(changed vfs.Files, deleted ...string) Check {
	return func(got sandbox.Result) error {
		if !got.Changed.Equal(changed) || !slices.Equal(got.Deleted, deleted) || len(got.Skipped) > 0 {
			return fmt.Errorf("want %v changed, %q deleted and nothing skipped", changed, deleted)
		}
		return nil
	}
}

// lost wants nothing taken back, for a reason that contains the word.
func lost(word string) Check {
	return all(skips(sandbox.SkippedWorkspace, word), func(got sandbox.Result) error {
		if len(got.Changed)+len(got.Deleted) > 0 || len(got.Skipped) != 1 {
			return errors.New("want the workspace's files as they were")
		}
		return nil
	})
}

// whole wants the content of one of the swapped folders, not a mixture.
func whole(got sandbox.Result) error {
	if lost("")(got) == nil || cmp.Equal(got.Changed, vfs.Files{"o.txt": "o"}) && slices.Equal(got.Deleted, []string{keep}) {
		return nil
	}
	return leaves(nil)(got)
}
