package main

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"agentd/harness/experiment"
	"agentd/sandbox/sandboxtest"
)

// stubbornPrelude defines what the commands of sandboxtest.Stubborn call, by what agentd
// serves them.
const stubbornPrelude = `#!/usr/bin/python3
import json, os, socket, urllib.request
def post(url, body):
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    try:
        with urllib.request.urlopen(urllib.request.Request(url, json.dumps(body).encode(), headers)) as answer: return answer.read()
    except OSError: pass
def ready(): post(os.environ["OPENAI_BASE_URL"] + "/chat/completions", {"model": "m", "messages": [{"role": "user", "content": "ready"}]})
def tool(): post(os.environ["AGENTD_MCP_URL"], {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "list", "arguments": {}}})
def connect(): return socket.create_connection(("127.0.0.1", 8000))
`

// For any command, agentd ends when it is told to.
func TestSIGTERMEndsRunsWithStubbornCommands(t *testing.T) {
	t.Parallel()
	commands := map[string]string{"waits for a model that never answers": "ready(); ready()"}
	for name, code := range sandboxtest.Stubborn {
		commands[name] = code
	}
	moments := rand.New(rand.NewPCG(1, 1))
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		moment := time.Duration(moments.IntN(300)) * time.Millisecond
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stubborn(t, stubbornPrelude+commands[name], moment)
		})
	}
}

// stubborn runs a command and tells agentd to end a moment after the command has asked its model.
func stubborn(t *testing.T, program string, moment time.Duration) {
	ready, over := make(chan struct{}), make(chan struct{})
	asked := sync.OnceFunc(func() { close(ready) })
	first := true
	var mu sync.Mutex
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet { // asks what is served
			http.NotFound(w, r)
			return
		}
		mu.Lock()
		answer := first
		first = false
		mu.Unlock()
		if !answer {
			<-over
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(`{"choices": [{"message": {"role": "assistant", "content": "go on"}, "finish_reason": "stop"}], "usage": {}}`))
		asked()
	}))
	defer model.Close()
	defer close(over)

	dir := t.TempDir()
	agent, file := filepath.Join(dir, "agent.py"), filepath.Join(dir, "x.yaml")
	text := "models: [{name: m, base_url: " + model.URL + "/v1}]\npolicies: [{use: exec, command: [" + agent + "]}]\n" +
		"environments: {names: [accounting1]}\nrelay: {round_trips: 1}\n"
	for path, content := range map[string]string{agent: program, file: text} {
		if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command("agentd", "run", file, "--db", filepath.Join(dir, "x.db"), "--grace", "1s")
	var output bytes.Buffer
	run.Stdout, run.Stderr = &output, &output
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = run.Wait() // its status is looked at
	}()
	select {
	case <-ready:
	case <-ended:
		t.Fatalf("it ends before it is told to: %s", &output)
	}
	time.Sleep(moment) // at any moment after it has begun
	if err := run.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	hung := time.AfterFunc(2*time.Minute, func() { _ = run.Process.Signal(syscall.SIGQUIT) })
	defer hung.Stop()
	<-ended
	if got := run.ProcessState.ExitCode(); got != exitInterrupted || !strings.Contains(output.String(), "goes on from there") {
		t.Errorf("exit status %d, want %d: %s", got, exitInterrupted, &output)
	}
}

// Where the file system proc is not mounted there is no sandbox, and the message says
// what to do.
func TestWithoutProc(t *testing.T) {
	t.Parallel()
	script := filepath.Join(t.TempDir(), "x.py")
	if err := os.WriteFile(script, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	own := []string{"--mount"}
	if os.Geteuid() != 0 {
		own = append(own, "--user", "--map-root-user")
	}
	for _, name := range experiment.Sandboxes() {
		run := exec.Command("unshare", append(own, "sh", "-c",
			`agentd=$(command -v agentd) && mount -t tmpfs none /proc && exec "$agentd" sandbox run --sandbox "$0" "$1"`, name, script)...)
		out, _ := run.CombinedOutput()
		text := string(out)
		if run.ProcessState.ExitCode() != exitWorkFailed || strings.Count(text, "\n") != 1 || !strings.Contains(text, "mount -t proc proc /proc") {
			t.Errorf("%s: exit status %d: %s", name, run.ProcessState.ExitCode(), text)
		}
	}
}
