//go:build linux

package sandboxtest

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentd/sandbox"
	"agentd/vfs"
)

// RunCommands checks that commands get what they are promised, and that what they must not do
// has no effect or ends them. Of the races, every pair of kinds is run if allRaces is set and not Again: how tools open
// entries is the same in every back end and for every user. Otherwise those remain that would lead tools out of the sandbox.
func RunCommands(t *testing.T, backend sandbox.Backend, allRaces bool) {
	t.Parallel()
	for name, test := range map[string]func(*testing.T, sandbox.Backend){
		"ordinary": ordinaryCommands, "misbehaving": misbehavingCommands, "printing": printingCommand,
		"sharing files": sharingCommand, "in the way of tools": obstructingCommands, "races": racingCommands(allRaces && !again()),
		"told to stop": stubbornCommands, "many connections": connectingCommand, "impossible": impossibleCommands,
		"a bundle that others use": sharedBundle, "terminals of others": sharedTerminals,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, backend)
		})
	}
}

// runCommand runs a command on a workspace; zero limits are the default ones.
func runCommand(t *testing.T, backend sandbox.Backend, ws *vfs.Workspace, c sandbox.Command) sandbox.Result {
	t.Helper()
	if c.Limits == (sandbox.Limits{}) {
		c.Limits = sandbox.DefaultLimits()
	}
	result, err := NewRunner(t, backend, nil).RunCommand(t.Context(), ws, c)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// sh is a command for the shell.
func sh(script string) sandbox.Command { return sandbox.Command{Args: []string{"sh", "-c", script}} }

// python is a command for Python, which has a client of HTTP.
func python(script string) sandbox.Command {
	return sandbox.Command{Args: []string{"python3", "-c", "import os, urllib.request\n" +
		"def ask(path): return urllib.request.urlopen('http://" + sandbox.CommandServer + "/' + path, timeout=20).read().decode()\n" + script}}
}

func ordinaryCommands(t *testing.T, backend sandbox.Backend) {
	folder := t.TempDir()
	if err := errors.Join(
		os.Chmod(filepath.Dir(folder), 0o755), os.Chmod(folder, 0o755),
		os.WriteFile(filepath.Join(folder, "run"), []byte("#!/bin/sh\necho ran with \"$@\"; touch /agent/x"), 0o755),
	); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		command        sandbox.Command
		stdout, stderr string // stderr: what it contains
		exit           int
	}{
		"prints":             {sh("echo hello; echo there >&2"), "hello\n", "there", 0},
		"works in its files": {sh("pwd; cat a.txt"), "/work/workspace\ncontent", "", 0},
		"exit code":          {sh("exit 7"), "", "", 7},
		"dies":               {sh("kill -9 $$"), "", "", 137},
		"is not there":       {sandbox.Command{Args: []string{"no-such-program"}}, "", "no-such-program: ", 127},
		"arguments":          {sandbox.Command{Args: []string{"printf", "%s|", "a b", "", "$HOME", "ü\n"}}, "a b||$HOME|ü\n|", "", 0},
		"environment":        {sandbox.Command{Args: []string{"sh", "-c", "echo $A; env | grep -c KEY"}, Env: []string{"A=b=c d"}}, "b=c d\n0\n", "", 1},
		"a file of its own":  {sandbox.Command{Args: []string{"./in/tidy"}, Executable: []string{"in/tidy"}}, "tidied\n", "", 0},
		"not executable":     {sandbox.Command{Args: []string{"./in/tidy"}}, "", "Permission denied", 126},
		"its task":           {sandbox.Command{Args: []string{"cat", sandbox.CommandTask}, Task: "what to do"}, "what to do", "", 0},
		"a program of ours, which it cannot change": {sandbox.Command{Args: []string{"/agent/run", "x"}, Folder: folder}, "ran with x\n", "Read-only", 1},
		"a terminal of its own": {python("import pty; print(os.waitstatus_to_exitcode(pty.spawn(['sh', '-c', 'test -t 0 && exec true >/dev/tty'])), os.listdir('/dev/pts'))"),
			"0 ['ptmx']\n", "", 0},
		"no descriptors": {sh("ls /proc/self/fd | tr '\\n' ' '"), "0 1 2 3 ", "", 0}, // 3 is that of ls
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := Workspace(t, vfs.Files{"a.txt": "content", "in/tidy": "#!/bin/sh\necho tidied\n"})
			got := runCommand(t, backend, ws, c.command)
			if got.Stdout != c.stdout || !strings.Contains(got.Stderr, c.stderr) || got.ExitCode != c.exit {
				t.Errorf("got %+v", got)
			}
			if len(got.Changed)+len(got.Deleted)+len(got.Skipped) > 0 {
				t.Errorf("the workspace changed: %+v", got)
			}
		})
	}
}

// What a command must not do has no effect or ends it.
func misbehavingCommands(t *testing.T, backend sandbox.Backend) {
	for name, c := range map[string]struct {
		command sandbox.Command
		limit   sandbox.Limit
		stdout  string
	}{
		"hangs":               {sh("echo begun; sleep 60"), sandbox.LimitTime, "begun\n"},
		"ignores signals":     {sh("trap '' TERM INT HUP; while :; do sleep 1; done"), sandbox.LimitTime, ""},
		"leaves a daemon":     {sh("setsid sleep 60 >/dev/null 2>&1 & echo left"), sandbox.NoLimit, "left\n"},
		"forks without end":   {python("while True:\n  try: os.fork()\n  except OSError: pass"), sandbox.LimitTime, ""},
		"fills the workspace": {sh("cat /dev/zero | while :; do head -c 9000000 > $((i=i+1)) || exit 3; done"), sandbox.LimitDisk, ""},
		"fills /tmp":          {sh("i=0; while :; do i=$((i+1)); head -c 9000000 /dev/zero > /tmp/$i || exit 3; done"), sandbox.LimitDisk, ""},
		"eats memory":         {python("x = []\nwhile True: x.append(b'x' * (1 << 24))"), sandbox.LimitMemory, ""},
		"calls home":          {sh("python3 -c 'import socket; socket.create_connection((\"1.1.1.1\", 80), 5)' 2>&1 | tail -1"), sandbox.NoLimit, "OSError: [Errno 101] Network is unreachable\n"},
		"asks another port":   {python("import socket\ntry: socket.create_connection(('127.0.0.1', 8001), 5)\nexcept OSError as e: print(e)"), sandbox.NoLimit, "[Errno 111] Connection refused\n"},
		"looks for secrets":   {sh("cat /root/.netrc /etc/shadow /proc/1/environ 2>/dev/null | wc -c"), sandbox.NoLimit, "0\n"},
		"types into its terminal": {python(`
import fcntl, pty, termios
pid, terminal = pty.fork()
if pid == 0:
  try: fcntl.ioctl(0, termios.TIOCSTI, b"x")
  except PermissionError: os._exit(3)
  os._exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))`), sandbox.NoLimit, "3\n"},
		"writes among the devices": {sh("for d in /dev /dev/pts /dev/shm/../dev /run /run/dev /run/dev/shm /run/dev/pts; do touch $d/x 2>/dev/null && echo $d; done"), sandbox.NoLimit, ""},
		"mounts":                   {sh("mount -t tmpfs none /tmp 2>/dev/null || echo refused"), sandbox.NoLimit, "refused\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := Workspace(t, vfs.Files{"a.txt": "content"})
			c.command.Limits = sandbox.DefaultLimits()
			c.command.Limits.WallTime = 3 * time.Second
			if c.limit != sandbox.LimitTime {
				c.command.Limits.WallTime = 60 * time.Second
			}
			c.command.Serve = func(l net.Listener, _ sandbox.Exchange) { serve(l, http.NotFound) }
			got := runCommand(t, backend, ws, c.command)
			if got.Limit != c.limit || got.Stdout != c.stdout {
				t.Errorf("ended by %q, exit code %d, printed %q, errors %q", got.Limit, got.ExitCode, got.Stdout, got.Stderr)
			}
			if content, err := ws.Peek("a.txt"); err != nil || content != "content" {
				t.Errorf("the document is %q, %v", content, err)
			}
		})
	}
}

func printingCommand(t *testing.T, backend sandbox.Backend) {
	c := sh("head -c 1073741824 /dev/zero; echo done > done")
	c.Limits = sandbox.DefaultLimits()
	c.Limits.WallTime = 5 * time.Minute // on a machine that is busy
	got := runCommand(t, backend, Workspace(t, nil), c)
	if !got.Truncated || len([]rune(got.Stdout)) != sandbox.DefaultLimits().OutputChars || got.Changed["done"] != "done\n" {
		t.Errorf("%d bytes kept, truncated %v, changed %v", len(got.Stdout), got.Truncated, got.Changed)
	}
}

// answer serves one interaction's requests: /tool brings the files together and
// writes one.
func answer(t *testing.T, ws *vfs.Workspace, tool func() error) func(net.Listener, sandbox.Exchange) {
	return func(l net.Listener, exchange sandbox.Exchange) {
		mux := http.NewServeMux()
		mux.HandleFunc("/hello", func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") })
		mux.HandleFunc("/tool", func(w http.ResponseWriter, _ *http.Request) {
			if err := exchange(tool); err != nil {
				http.Error(w, err.Error(), http.StatusConflict)
			}
		})
		if err := serve(l, mux.ServeHTTP); !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	}
}

// serve answers until the listener is closed and every answer has been given, as
// sandbox.Command.Serve must.
func serve(l net.Listener, handler http.HandlerFunc) error {
	var answering sync.RWMutex // held for reading by those who answer
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answering.RLock()
		defer answering.RUnlock()
		handler(w, r)
	})}
	err := server.Serve(l)
	server.Close()
	answering.Lock()
	defer answering.Unlock()
	return err
}

// A command and the tools that it calls always see the same files.
func sharingCommand(t *testing.T, backend sandbox.Backend) {
	ws, err := vfs.New(vfs.Files{"a.txt": "a", "gone.txt": "g", "read.txt": "r"}, vfs.Files{"x.md": "x", "y.md": "y"})
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	c := python(`
import os
print(ask("hello"), open("x.md").read())
open("made.txt", "w").write("by command"); os.remove("gone.txt"); os.makedirs("d"); open("d/f", "w").write("f")
ask("tool")
print(open("a.txt").read(), os.path.exists("d/f"), open("new/tool.txt").read())
open("a.txt", "w").write("once more")
ask("tool")
print(open("a.txt").read(), os.path.exists("made.txt"))
open("last.txt", "w").write("l")
`)
	c.Serve = answer(t, ws, func() error {
		calls++
		files := Snapshot(t, ws)
		if calls == 1 {
			want := vfs.Files{"a.txt": "a", "read.txt": "r", "x.md": "x", "y.md": "y", "made.txt": "by command", "d/f": "f"}
			if diff := cmp.Diff(want, files); diff != "" {
				t.Errorf("the first call finds: %s", diff)
			}
			return errors.Join(ws.Write("a.txt", "by tool"), ws.Delete("d/f"), ws.Write("new/tool.txt", "t"))
		}
		if files["a.txt"] != "once more" {
			t.Errorf("the second call finds a.txt as %q", files["a.txt"])
		}
		return errors.Join(ws.Write("a.txt", "by tool again"), ws.Delete("made.txt"))
	})
	got := runCommand(t, backend, ws, c)
	if want := "hello x\nby tool False t\nby tool again False\n"; got.Stdout != want || got.ExitCode != 0 {
		t.Errorf("printed %q, want %q; %s", got.Stdout, want, got.Stderr)
	}
	want := vfs.Files{"a.txt": "by tool again", "read.txt": "r", "x.md": "x", "y.md": "y", "new/tool.txt": "t", "last.txt": "l"}
	if diff := cmp.Diff(want, Snapshot(t, ws)); diff != "" {
		t.Errorf("in the end: %s", diff)
	}
	var reads []string
	for _, r := range ws.Reads() {
		reads = append(reads, r.File+" by "+r.Tool)
	}
	// It read new/tool.txt and a.txt after the tool had written them, too.
	if diff := cmp.Diff([]string{"a.txt by exec", "new/tool.txt by exec", "x.md by exec"}, reads); diff != "" {
		t.Errorf("reads: %s", diff)
	}
}

// Nothing that a command leaves where a tool reads or writes is followed or waited for.
func obstructingCommands(t *testing.T, backend sandbox.Backend) {
	outside := filepath.Join(t.TempDir(), "outside")
	for name, prepare := range map[string]string{
		"a link out":             "os.remove('a.txt'); os.symlink('" + outside + "', 'a.txt')",
		"a link to a folder":     "os.symlink('" + filepath.Dir(outside) + "', 'new')",
		"a pipe":                 "os.remove('a.txt'); os.mkfifo('a.txt')",
		"a folder with files":    "os.remove('a.txt'); os.mkdir('a.txt'); open('a.txt/x', 'w').write('x')",
		"a loop":                 "os.symlink('new', 'new')",
		"no permissions":         "os.chmod('a.txt', 0); os.chmod('.', 0)",
		"a hard link":            "os.link('a.txt', 'b.txt')",
		"many files":             "for i in range(20000): open(str(i), 'w')",
		"files that come and go": "\nif os.fork() == 0:\n  i = 0\n  while True:\n    i += 1; open(f'n{i}', 'w').close()\n    if i > 50: os.remove(f'n{i - 50}')",
		"names that change":      "\nfor i in range(200): open(f'{i}', 'w').close()\nif os.fork() == 0:\n  while True:\n    for i in range(200): os.rename(f'{i}', f'r{i}'); os.rename(f'r{i}', f'{i}')",
		"leases":                 "import fcntl, signal; signal.signal(signal.SIGIO, signal.SIG_IGN)\nfor kind in (fcntl.F_RDLCK, fcntl.F_WRLCK):\n  try: f = open('a.txt', 'r+' if kind else 'r'); fcntl.fcntl(f, fcntl.F_SETLEASE, kind); print('leased')\n  except PermissionError: pass\n",
		"no rights, all along":   "\nif os.fork() == 0:\n  while True: os.chmod('.', 0); os.chmod('.', 0o755); os.chmod('a.txt', 0)",
		"no workspace":           "import shutil; shutil.rmtree('/work/workspace'); os.symlink('/usr', '/work/workspace'); os.chdir('/')",
		"changes all along":      "\nfor _ in range(3):\n  if os.fork() == 0:\n    while True: open('a.txt', 'w').write('x' * 10000); os.rename('a.txt', 'b.txt')",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ws := Workspace(t, vfs.Files{"a.txt": "a"})
			c := python(prepare + `
for _ in range(5):
    try: ask("tool")
    except urllib.error.HTTPError as e: pass
print("came back")`)
			c.Serve = answer(t, ws, func() error { return errors.Join(ws.Write("a.txt", "by tool"), ws.Write("new/file", "n")) })
			got := runCommand(t, backend, ws, c)
			if got.Stdout != "came back\n" {
				t.Errorf("%+v", got)
			}
			if _, err := os.Lstat(outside); err == nil {
				t.Error("something was written outside of the sandbox")
			}
		})
	}
}

func impossibleCommands(t *testing.T, backend sandbox.Backend) {
	for name, c := range map[string]sandbox.Command{
		"no program":  {Limits: sandbox.DefaultLimits()},
		"a zero byte": {Args: []string{"echo", "a\x00b"}, Limits: sandbox.DefaultLimits()},
		"no limits":   {Args: []string{"echo"}},
		"no path":     {Args: []string{"echo"}, Folder: "some/where", Limits: sandbox.DefaultLimits()},
	} {
		if _, err := NewRunner(t, backend, nil).RunCommand(t.Context(), Workspace(t, nil), c); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
