package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"agentd/internal/eventually"
	"agentd/results/resultstest"
)

// A database of others names a server and any environment variable. Going on with its experiment sends the value
// only if the command line or the environment names the two together.
func TestAStoredExperimentSendsNoKeyThatNobodyNamed(t *testing.T) {
	t.Parallel()
	const planted = "planted-secret-0a1b"
	for name, c := range map[string]struct{ model, variable string }{
		"a key":          {"key_env: AWS_SECRET_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY"},
		"the usual key":  {"seeded: false", "OPENAI_API_KEY"},
		"a header":       {`headers: {X-Trace: "trace ${AWS_SECRET_ACCESS_KEY}"}`, "AWS_SECRET_ACCESS_KEY"},
		"a key of maker": {"api: messages, key_env: ANTHROPIC_API_KEY", "ANTHROPIC_API_KEY"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked, told atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				if strings.Contains(fmt.Sprint(r.Header), planted) {
					told.Add(1)
				}
				fmt.Fprint(w, `{"choices": [{"message": {"content": "done"}, "finish_reason": "stop"}], "content": [{"type": "text", "text": "done"}],
					"stop_reason": "end_turn", "usage": {"prompt_tokens": 1000, "completion_tokens": 1000, "input_tokens": 1000, "output_tokens": 1000}}`)
			}))
			t.Cleanup(server.Close)
			dir := t.TempDir()
			text := fmt.Sprintf("name: theirs\nmodels: [{name: m, base_url: %q, price: {input: 1, output: 1}, attempts: 1, %s}]\n"+
				"policies: [direct]\nenvironments: {names: [accounting1]}\nrelay: {round_trips: 4}\n", server.URL, c.model)
			if err := os.WriteFile(filepath.Join(dir, "x.yaml"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			agentd := func(variables []string, args ...string) string {
				command := exec.Command("agentd", args...)
				command.Dir = dir
				command.Env = append(os.Environ(), variables...)
				out, _ := command.CombinedOutput()
				return string(out)
			}
			// The others begin it with a key of theirs, and the limit on costs ends it early.
			said := agentd([]string{c.variable + "=theirs"}, "run", "x.yaml", "--max-usd", "0.0000001")
			if asked.Load() == 0 || told.Load() != 0 {
				t.Fatalf("it was not begun: %s", said)
			}
			mine, resume := []string{c.variable + "=" + planted}, []string{"resume", "theirs", "--max-usd", "0.003"}
			before := asked.Load()
			said = agentd(mine, resume...)
			if told.Load() != 0 || asked.Load() != before {
				t.Errorf("the server was told the value of %s", c.variable)
			}
			if !strings.Contains(said, "would send the value of "+c.variable+" to "+server.URL) || !strings.Contains(said, "--key "+server.URL+"="+c.variable) {
				t.Errorf("it says: %s", said)
			}
			other := append(resume[:len(resume):len(resume)], "--key", "https://example.org="+c.variable, "--key", server.URL+"=OTHER")
			if said = agentd(mine, other...); told.Load() != 0 {
				t.Errorf("another server was named, and it was told: %s", said)
			}
			if said = agentd(append(mine, "AGENTD_KEYS=example.org=A, "+server.URL+"="+c.variable), resume...); told.Load() == 0 {
				t.Errorf("named by the environment, it is not sent: %s", said)
			}
			told.Store(0)
			resume[len(resume)-1] = "1"
			if said = agentd(mine, append(resume, "--key", server.URL+"/v1="+c.variable)...); told.Load() == 0 {
				t.Errorf("named by the command line, it is not sent: %s", said)
			}
		})
	}
}

// A worker takes up experiments of others as well, and sends no key of its machine that was not named for the server.
func TestAWorkerSendsNoKeyThatNobodyNamed(t *testing.T) {
	t.Parallel()
	db := resultstest.Postgres(t)
	const planted, variable = "planted-secret-1b2c", "AWS_SECRET_ACCESS_KEY"
	var asked, told atomic.Int32
	stuck := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.Contains(fmt.Sprint(r.Header), planted):
			told.Add(1)
		case r.Method == http.MethodPost:
			asked.Add(1)
			<-stuck
		}
		fmt.Fprint(w, `{"choices": [{"message": {"content": "done"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 10, "completion_tokens": 10}}`)
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(stuck) })
	file := filepath.Join(t.TempDir(), "x.yaml")
	text := fmt.Sprintf("name: theirs\nmodels: [{name: m, base_url: %q, key_env: %s, price: {input: 1, output: 1}, attempts: 1}]\n"+
		"policies: [direct]\nenvironments: {names: [accounting1]}\nrelay: {round_trips: 2}\n", server.URL, variable)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	during := func(key string, until func() bool, args ...string) {
		t.Helper()
		c := exec.Command("agentd", append(args, "--db", db, "--take-over-after", "1s")...)
		c.Env = append(os.Environ(), variable+"="+key)
		log, err := os.CreateTemp(t.TempDir(), "log")
		if err != nil {
			t.Fatal(err)
		}
		defer log.Close()
		c.Stdout, c.Stderr = log, log
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() {
			_ = c.Process.Kill()
			_ = c.Wait()
		}()
		says := func() string {
			said, _ := os.ReadFile(log.Name())
			return string(said)
		}
		eventually.Holds(t, "the server or the user is told", func() bool {
			return until() || strings.Contains(says(), "would send the value of "+variable+" to "+server.URL)
		})
	}
	during("theirs", func() bool { return asked.Load() > 0 }, "run", file)
	during(planted, func() bool { return told.Load() > 0 }, "worker")
	if told.Load() != 0 {
		t.Error("the server was told a key that nobody named for it")
	}
	during(planted, func() bool { return told.Load() > 0 }, "worker", "--key", server.URL+"="+variable)
	if told.Load() == 0 {
		t.Error("named by the command line, the key is not sent")
	}
}
