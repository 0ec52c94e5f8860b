//go:build linux

package sandboxtest

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"agentd/sandbox"
	"agentd/vfs"
)

// Stubborn are commands in Python that try to run for ever. They call three functions, which
// the caller must define: ready, once, when they have begun; tool, which has a tool read their
// files; and connect, which returns a new connection to the server.
var Stubborn = map[string]string{
	"sleeps and ignores signals": `
import signal, time
for s in set(signal.Signals) - {signal.SIGKILL, signal.SIGSTOP}: signal.signal(s, signal.SIG_IGN)
ready(); time.sleep(1000)`,
	"stops itself": `
import signal
ready(); os.kill(os.getpid(), signal.SIGSTOP)`,
	"forks without end": `
ready()
while True:
    try: os.fork()
    except OSError: pass`,
	"prints without end": `
ready()
while True: os.write(1, b"x" * 65536)`,
	"swaps a folder for a pipe while a tool looks": `
if os.fork() == 0:
    while True:
        for step in (os.mkdir, os.rmdir, os.mkfifo, os.unlink):
            try: step("d")
            except OSError: pass
ready()
while True: tool()`,
	"swaps the workspace for a pipe while a tool looks": `
if os.fork() == 0:
    os.mkfifo("/work/pipe")
    while True:
        for a, b in (("workspace", "away"), ("pipe", "workspace"), ("workspace", "pipe"), ("away", "workspace")):
            try: os.rename("/work/" + a, "/work/" + b)
            except OSError: pass
ready()
while True: tool()`,
	"makes and removes files while a tool looks": `
if os.fork() == 0:
    i = 0
    while True:
        i += 1; open(f"n{i}", "w").close()
        if i > 1000: os.remove(f"n{i - 1000}")
ready()
while True: tool()`,
	"fills its files while a tool looks": `
if os.fork() == 0:
    while True:
        try:
            with open("large", "wb") as f:
                for _ in range(1000): f.write(bytes(1 << 16))
        except OSError: pass
ready()
while True: tool()`,
	"asks by many at once and reads no answer": `
for _ in range(30):
    if os.fork() == 0:
        while True: tool()
ready()
held = [connect() for _ in range(40)]
for c in held: c.sendall(b"POST /tool HTTP/1.1\r\nHost: x\r\nContent-Length: 100000000\r\n\r\n{")
import time; time.sleep(1000)`,
	"opens ten thousand connections": `
ready()
` + tenThousand + `
import time; time.sleep(1000)`,
}

// tenThousand opens ten thousand connections from a few processes, which hold them.
const tenThousand = `
import socket
made, making = os.pipe()
holders = []
for _ in range(12):
    pid = os.fork()
    holders.append(pid)
    if pid == 0:
        held = []
        while len(held) < 900:
            s = socket.socket(); s.setblocking(False)
            try: s.connect(("127.0.0.1", 8000))
            except BlockingIOError: pass
            held.append(s)
        os.write(making, b"x")
        import time; time.sleep(1000)
for _ in holders: os.read(made, 1)
`

// stubbornCommands checks that the commands end when their context does.
func stubbornCommands(t *testing.T, backend sandbox.Backend) {
	for name, code := range Stubborn {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			c := python("import socket\n" +
				"def ready(): ask('ready')\n" +
				"def tool():\n  try: ask('tool')\n  except OSError: pass\n" +
				"def connect(): return socket.create_connection(('127.0.0.1', 8000))\n" + code)
			c.Limits = sandbox.DefaultLimits()
			c.Limits.WallTime = time.Hour
			c.Serve = func(l net.Listener, exchange sandbox.Exchange) {
				serve(l, func(w http.ResponseWriter, r *http.Request) {
					if r.URL.Path == "/ready" {
						time.AfterFunc(300*time.Millisecond, stop)
						return
					}
					_ = exchange(func() error { return nil }) // what is in the way is
				})
			}
			_, err := NewRunner(t, backend, nil).RunCommand(ctx, Workspace(t, vfs.Files{keep: kept}), c)
			if !errors.Is(err, context.Canceled) {
				t.Errorf("told to stop, it ends with %v", err)
			}
		})
	}
}

// connectingCommand opens ten thousand connections. Only a few are answered at the same
// time; after they are closed, the next one is answered as usual.
func connectingCommand(t *testing.T, backend sandbox.Backend) {
	const most = 64
	var counted *countingListener
	c := python(tenThousand + `
import signal, time
time.sleep(1)
for pid in holders: os.kill(pid, signal.SIGKILL)
for pid in holders: os.waitpid(pid, 0)
print(ask("hello"))
`)
	c.Serve = func(l net.Listener, _ sandbox.Exchange) {
		counted = &countingListener{Listener: l}
		serve(counted, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "hello") })
	}
	got := runCommand(t, backend, Workspace(t, nil), c)
	if got.Stdout != "hello\n" || counted.peak != most {
		t.Errorf("%d connections at a time, want %d; %s", counted.peak, most, summary(got))
	}
}

// countingListener counts connections that are open at the same time.
type countingListener struct {
	net.Listener
	mu         sync.Mutex
	open, peak int
}

func (l *countingListener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		l.add(1)
	}
	return &countedConn{Conn: conn, gone: sync.OnceFunc(func() { l.add(-1) })}, err
}

func (l *countingListener) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open += n
	l.peak = max(l.peak, l.open)
}

type countedConn struct {
	net.Conn
	gone func()
}

func (c *countedConn) Close() error {
	c.gone() // first: the next one is let in when it is closed
	return c.Conn.Close()
}
