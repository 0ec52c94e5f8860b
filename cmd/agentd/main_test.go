package main

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
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
	})
}

func TestServersThatRefuse(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status         int
		exit           int
		stdout, stderr string
	}{
		"a refused request is a failure of the interaction":                   {400, 0, "broken +direct +4 +4 ", `"level":"warn".*"interaction":1.*"message":"model error"`},
		"a server that is down ends the run, and few interactions are stored": {503, 1, "^$", "model broken: server down: 3 interactions in a row"},
		"a denied key ends the run":                                           {401, 1, "^$", "model broken: access denied: .*"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(`{"error": {"message": "no"}}`))
			}))
			defer server.Close()
			file := filepath.Join(t.TempDir(), "x.yaml")
			text := "models: [{name: broken, backoff: 1ms, base_url: " + server.URL + "/v1}]\npolicies: [direct]\nenvironments: {names: [accounting1]}\nrelay: {round_trips: 2}\n"
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			run := exec.Command("agentd", "run", file, "--db", filepath.Join(t.TempDir(), "x.db"))
			var stdout, stderr bytes.Buffer
			run.Stdout, run.Stderr = &stdout, &stderr
			_ = run.Run() // its status is looked at
			if got := run.ProcessState.ExitCode(); got != c.exit {
				t.Errorf("exit status %d, want %d", got, c.exit)
			}
			if !regexp.MustCompile(c.stdout).Match(stdout.Bytes()) || !regexp.MustCompile(c.stderr).Match(stderr.Bytes()) {
				t.Errorf("stdout %s, stderr %s", &stdout, &stderr)
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
	for _, err := os.Stat(db); err != nil; _, err = os.Stat(db) { // it works, so it listens
		time.Sleep(time.Millisecond)
	}
	_ = run.Process.Signal(os.Interrupt)
	_ = run.Wait() // its status is looked at
	if got := run.ProcessState.ExitCode(); got != exitInterrupted || !strings.Contains(stderr.String(), "goes on from there") {
		t.Errorf("exit status %d, want %d: %s", got, exitInterrupted, &stderr)
	}
}
