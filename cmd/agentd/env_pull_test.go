package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// pulled runs agentd env pull and returns its exit status and output.
func pulled(t *testing.T, args ...string) (int, string) {
	t.Helper()
	c := exec.Command("agentd", append([]string{"env", "pull"}, args...)...)
	out, _ := c.CombinedOutput() // its status is looked at
	return c.ProcessState.ExitCode(), string(out)
}

func TestPull(t *testing.T) {
	t.Parallel()
	file, err := exec.Command("agentd", "env", "export").Output()
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(file)
	wanted := hex.EncodeToString(sum[:])
	var asked atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) == 1 { // cut off
			w.Header().Set("Content-Length", "1000000")
			_, _ = w.Write(file[:len(file)/2])
			return
		}
		http.ServeContent(w, r, "x", time.Time{}, bytes.NewReader(file))
	}))
	defer server.Close()
	to := filepath.Join(t.TempDir(), "x.jsonl")
	flags := []string{"--url", server.URL, "--sha256", wanted, "--to", to}
	for _, how := range []string{"downloaded", "there already"} {
		if status, out := pulled(t, flags...); status != 0 || !strings.Contains(out, "("+how+"): ") || !strings.Contains(out, " domains with ") {
			t.Errorf("exit status %d, want 0 with %q: %s", status, how, out)
		}
	}
	if got, err := os.ReadFile(to); err != nil || !bytes.Equal(got, file) {
		t.Errorf("%d bytes, %v, not the file", len(got), err)
	}
	if n := asked.Load(); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}

func TestPullRefuses(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/page" {
			w.WriteHeader(http.StatusNotFound)
			return
		}
		_, _ = w.Write([]byte("<html>"))
	}))
	t.Cleanup(server.Close)
	there := filepath.Join(t.TempDir(), "mine.jsonl")
	if err := os.WriteFile(there, []byte("notes"), 0o644); err != nil {
		t.Fatal(err)
	}
	someSum := strings.Repeat("0", 64)
	for name, c := range map[string]struct {
		args   []string
		status int
		says   string
	}{
		"another file":       {[]string{"--url", server.URL + "/page", "--sha256", someSum}, exitWorkFailed, "wrong file: 6 bytes with the SHA-256"},
		"no file":            {[]string{"--url", server.URL, "--sha256", someSum}, exitWorkFailed, "404 Not Found"},
		"no sum":             {[]string{"--sha256", "5618"}, exitUsage, `--sha256 "5618": use the 64 hexadecimal digits`},
		"no time":            {[]string{"--timeout", "0s"}, exitUsage, "use a time above zero"},
		"no time in all":     {[]string{"--total-timeout", "0s"}, exitUsage, "--total-timeout 0s: use a time above zero"},
		"a file in the way":  {[]string{"--to", there}, exitUsage, "another file has this name"},
		"an address of mist": {[]string{"--url", "ftp://x"}, exitUsage, "use an http or https address"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			args := append([]string{"--to", filepath.Join(t.TempDir(), "x.jsonl")}, c.args...)
			if status, out := pulled(t, args...); status != c.status || !strings.Contains(out, c.says) {
				t.Errorf("exit status %d, want %d with %q: %s", status, c.status, c.says, out)
			}
		})
	}
	if got, err := os.ReadFile(there); err != nil || string(got) != "notes" {
		t.Errorf("a file that was there: %q, %v", got, err)
	}
}
