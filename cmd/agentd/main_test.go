package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"agentd/internal/eventually"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"agentd": main})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("COLUMNS", "250") // so that no table leaves anything out
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "race" {
				return false, fmt.Errorf("there is no condition %s", name)
			}
			return builtForRaces(), nil
		},
	})
}

// builtForRaces reports whether the race detector is in this binary.
func builtForRaces() bool {
	info, _ := debug.ReadBuildInfo()
	return info != nil && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

func TestServersThatRefuse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lists          bool // the server lists its models, and refuses requests alone
		status         int  // 0: the server hangs up
		exit           int
		asked          int32 // at most so many requests; that is how soon a run ends
		stdout, stderr string
	}{
		"a request that is refused ends its arm after three":   {false, 400, 1, 4, "broken +direct +3 +20 +3 ", "broken, direct: .*arm ended: 3 requests in a row were refused with status 400: status 400 Bad Request: no; change what the server names"},
		"a server that is down ends its model's arms":          {false, 503, 1, 50, "broken +direct +2 +40 +2 ", "broken: .*server down: 3 interactions in a row"},
		"a key that is refused ends its arm after three":       {true, 401, 1, 4, "broken +direct +3 +20 +3 ", "3 requests in a row were refused with status 401: .*check the key"},
		"a path that the server does not know is told as such": {false, 404, 1, 4, "broken +direct +3 +20 +3 ", "status 404: .*check base_url"},
		"a key that is refused at once ends the run":           {false, 401, 1, 1, "^$", "model broken: access denied: status 401 Unauthorized: no; is the key right\\?"},
		"a server that hangs up ends the run":                  {false, 0, 1, 2, "^$", "model broken: .*; is it running, and is base_url right\\?"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				if c.status == 0 {
					panic(http.ErrAbortHandler)
				}
				if c.lists && r.Method == http.MethodGet {
					_, _ = w.Write([]byte(`{"data": []}`))
					return
				}
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(`{"error": {"message": "no"}}`))
			}))
			defer server.Close()
			file := filepath.Join(t.TempDir(), "x.yaml")
			text := "models: [{name: broken, backoff: 1ms, base_url: " + server.URL + "/v1}]\npolicies: [direct]\nenvironments: {names: [accounting1, calendar1, geodata1, recipe1]}\nrelay: {round_trips: 10}\n"
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			run := exec.Command("agentd", "run", file, "--report", "--db", filepath.Join(t.TempDir(), "x.db"))
			var stdout, stderr bytes.Buffer
			run.Stdout, run.Stderr = &stdout, &stderr
			run.Env = append(run.Environ(), "COLUMNS=250")
			_ = run.Run() // its status is looked at
			if got := run.ProcessState.ExitCode(); got != c.exit {
				t.Errorf("exit status %d, want %d", got, c.exit)
			}
			if !regexp.MustCompile(c.stdout).Match(stdout.Bytes()) || !regexp.MustCompile(c.stderr).Match(stderr.Bytes()) {
				t.Errorf("stdout %s, stderr %s", &stdout, &stderr)
			}
			if n := asked.Load(); n > c.asked {
				t.Errorf("%d requests before the end, want at most %d", n, c.asked)
			}
		})
	}
}

func TestAnInterruptIsExitStatus130(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "x.db")
	run := exec.Command("agentd", "run", "--round-trips", "500", "--model", "sim:weak", "--policy", "direct", "--db", db)
	var stderr bytes.Buffer
	run.Stderr = &stderr
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	eventually.Holds(t, "it works, so that it listens to signals", func() bool { _, err := os.Stat(db); return err == nil })
	_ = run.Process.Signal(os.Interrupt)
	_ = run.Wait() // its status is looked at
	if got := run.ProcessState.ExitCode(); got != exitInterrupted || !strings.Contains(stderr.String(), "goes on from there") {
		t.Errorf("exit status %d, want %d: %s", got, exitInterrupted, &stderr)
	}
}

// A client that stays connected after finish does not keep the interaction open.
func TestAnInteractionByMCPEndsWithFinish(t *testing.T) {
	t.Parallel()
	serve := exec.CommandContext(t.Context(), "agentd", "mcp", "--env", "accounting1", "--direction", "backward")
	in, err := serve.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var score bytes.Buffer
	serve.Stderr = &score
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for i, request := range []string{
		`"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}`,
		`"method":"tools/call","params":{"name":"write_file","arguments":{"path":"makerspace.ledger","content":"; nothing"}}`,
		`"method":"tools/call","params":{"name":"finish","arguments":{}}`,
	} {
		fmt.Fprintf(in, "{\"jsonrpc\":\"2.0\",\"id\":%d,%s}\n", i, request)
		if i == 0 {
			fmt.Fprintln(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		}
		if !lines.Scan() || strings.Contains(lines.Text(), `"error"`) || strings.Contains(lines.Text(), `"isError":true`) {
			t.Fatalf("%s is answered by %s", request, lines.Text())
		}
		if i == 0 && !strings.Contains(lines.Text(), "Files to produce:") {
			t.Errorf("the client is not told its task: %s", lines.Text())
		}
	}
	if err := serve.Wait(); err != nil || !strings.Contains(score.String(), "backward: RS 0.0000 strict 0.0000, bytes: no newline at the end, finished after 2 tool calls") {
		t.Errorf("%v: %s", err, &score)
	}
}

// Everything that this command prints goes through package printable, so that no text
// of others reaches a terminal as it is.
func TestNothingIsPrintedAsItIs(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for n, line := range strings.Split(string(text), "\n") {
			if regexp.MustCompile(`\bfmt\.(Fprint|Print)|\bprintln?\(|\bos\.Std(out|err)\.Write`).MatchString(line) {
				t.Errorf("%s:%d: %s; use printable.Fprintf", file, n+1, strings.TrimSpace(line))
			}
		}
	}
}
