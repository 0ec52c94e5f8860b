package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestServeAnswersUntilItIsInterrupted(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "x.db")
	run := exec.CommandContext(t.Context(), "agentd", "run", "--db", db, "--name", "short",
		"--model", "sim:weak", "--policy", "direct", "--env", "accounting1", "--round-trips", "1")
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	serve := exec.CommandContext(t.Context(), "agentd", "serve", "--db", db, "--listen", "127.0.0.1:0")
	out, err := serve.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := serve.Start(); err != nil {
		t.Fatal(err)
	}
	var address string
	if _, err := fmt.Fscanln(bufio.NewReader(out), &address); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]int{"": 200, "relays/1": 200, "relays/2": 404} {
		answer, err := http.Get(address + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		if err != nil || answer.StatusCode != want || want == 200 && !strings.Contains(string(body), "short") {
			t.Errorf("%s: status %d, want %d (%v): %s", path, answer.StatusCode, want, err, body)
		}
		answer.Body.Close()
	}
	if err := serve.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := serve.Wait(); err != nil {
		t.Errorf("an interrupted server ends with %v", err)
	}
}
