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
	"testing"

	"agentd/sandbox"
	"agentd/vfs"
)

// kinds are what an entry of a folder can be, with the Python that makes one at p.
// %OUTSIDE% is a folder of the host's.
var kinds = []struct{ name, make string }{
	{"nothing", "pass"},
	{"file", "open(p, 'w').write('x')"},
	{"hard link", "open(p, 'w').write('x'); os.link(p, p + '.again')"},
	{"folder", "os.mkdir(p); open(p + '/f', 'w').write('x')"},
	{"link out", "os.symlink('%OUTSIDE%', p)"},
	{"link in", "os.symlink('other', p)"},
	{"pipe", "os.mkfifo(p)"},
	{"socket", "socket.socket(socket.AF_UNIX).bind(p)"},
}

// race replaces what has a name by something of another kind, without end, while the command
// calls every tool.
const race = `
import ctypes, os, socket, urllib.error
def first(p): %FIRST%
def second(p): %SECOND%
libc = ctypes.CDLL(None)
here, there = b"%PATH%", b"/work/there"
first("/work/here"); second("/work/there")
try: os.rename("/work/here", here)
except OSError: pass
for _ in range(2):
    if os.fork() == 0:
        while True:
            if libc.renameat2(-100, here, -100, there, 2):
                for a, b in ((here, there), (there, here)):
                    try: os.rename(a, b)
                    except OSError: pass
for round in range(20):
    for tool in ("look", "write", "write-below", "delete", "delete-below"):
        try: ask(tool)
        except urllib.error.HTTPError: pass
print("came back")
`

// racingCommands replace a file, a folder or the folder of the workspace while tools read it
// and write to it. No link is followed, and no pipe is waited for. Without all, one of the two is always a link out.
func racingCommands(all bool) func(*testing.T, sandbox.Backend) {
	return func(t *testing.T, backend sandbox.Backend) {
		for _, path := range []string{"/work/workspace/d", sandbox.Workspace} {
			for i, first := range kinds {
				for _, second := range kinds[i:] {
					if path == sandbox.Workspace && first.name != "folder" && second.name != "folder" ||
						!all && first.name != "link out" && second.name != "link out" {
						continue
					}
					t.Run(fmt.Sprintf("%s as %s and %s", filepath.Base(path), first.name, second.name), func(t *testing.T) {
						t.Parallel()
						runRace(t, backend, path, first.make, second.make)
					})
				}
			}
		}
	}
}

func runRace(t *testing.T, backend sandbox.Backend, path, first, second string) {
	const secret = "what only the host knows"
	outside := t.TempDir()
	file := filepath.Join(outside, "f")
	if err := errors.Join(os.Chmod(outside, 0o777), os.WriteFile(file, []byte(secret), 0o666), os.Chmod(file, 0o666)); err != nil {
		t.Fatal(err)
	}
	ws := Workspace(t, vfs.Files{"other/f": "x", keep: kept})
	tools := map[string]func() error{
		"look":         func() error { return nil },
		"write":        func() error { return ws.Write("d", "by tool") },
		"write-below":  func() error { return ws.Write("d/f", "by tool") },
		"delete":       func() error { return ws.Delete("d") },
		"delete-below": func() error { return ws.Delete("d/f") },
	}
	fill := strings.NewReplacer("%FIRST%", first, "%SECOND%", second, "%PATH%", path)
	c := python(strings.ReplaceAll(fill.Replace(race), "%OUTSIDE%", outside))
	c.Serve = func(l net.Listener, exchange sandbox.Exchange) {
		serve(l, func(w http.ResponseWriter, r *http.Request) {
			if err := exchange(tools[strings.TrimPrefix(r.URL.Path, "/")]); err != nil {
				http.Error(w, err.Error(), http.StatusConflict)
			}
		})
	}
	got := runCommand(t, backend, ws, c)
	if got.Stdout != "came back\n" {
		t.Errorf("%s", summary(got))
	}
	for name, content := range Snapshot(t, ws) {
		if content == secret {
			t.Errorf("%s is the host's", name)
		}
	}
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 1 {
		t.Errorf("the host's folder has %d entries, %v", len(entries), err)
	}
	info, err := os.Lstat(file)
	content, readErr := os.ReadFile(file)
	if err := errors.Join(err, readErr); err != nil || info.Mode() != fs.FileMode(0o666) || string(content) != secret {
		t.Errorf("the host's file is %v, %q, %v", info, content, err)
	}
}
