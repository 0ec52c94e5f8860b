package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"agentd/internal/eventually"
	"agentd/internal/printable"
	"agentd/tools/mcpserver"
)

// attack is a text that clears the screen, sets the title, writes to the clipboard,
// turns what follows around, and fakes a line of agentd's own.
const attack = "x\x1b[2J\x1b]0;owned\x07\x1b]52;c;b3du\x1b\\\u009b31m\u202eevil\u2066\x7f\x08\x08\nagentd: all is well\r"

// oneLine is one for documents, which have lines of their own.
var oneLine = strings.ReplaceAll(attack, "\n", " ")

// harmful are the characters of it that must not reach a terminal.
var harmful = regexp.MustCompile("[\\x00-\\x08\\x0b-\\x1f\\x7f\u0080-\u009f\u2028-\u202e\u2066-\u2069]")

// hostileData writes a data set whose every free text is an attack.
func hostileData(t *testing.T) string {
	t.Helper()
	sample := map[string]any{
		"sample_id": "x1", "sample_type": "accounting", "sample_name": attack,
		"metadata": map[string]any{"start_state": "s", "summary": attack, "context_license": attack, "context_origin_url": attack, "group" + attack: attack},
		"states": []any{
			map[string]any{"state_id": "s", "context": []string{"a.ledger"}, "prompts": []any{
				map[string]any{"prompt_id": attack, "target_state": attack, "prompt": attack, "semantic_operations": []string{attack}}}},
			map[string]any{"state_id": attack, "context": []string{"*.csv"}, "prompts": []any{
				map[string]any{"prompt_id": attack + "2", "target_state": "s", "prompt": attack}}},
		},
		"files": map[string]string{
			"s/a.ledger": "; " + oneLine + "\n2023/01/01 " + oneLine + "\n    a  1\n    b\n", "distractor_context/\u202ed.md": oneLine,
		},
	}
	raw, err := json.Marshal(sample)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "x.jsonl")
	if err := os.WriteFile(file, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// hostileModel answers with attacks, and to a model called denied with a 401.
func hostileModel(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked, _ := io.ReadAll(r.Body)
		if bytes.Contains(asked, []byte("denied")) {
			w.WriteHeader(http.StatusUnauthorized)
			_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": attack, "type": attack, "code": attack}})
			return
		}
		call := func(name string, arguments map[string]any) any {
			raw, _ := json.Marshal(arguments)
			return map[string]any{"id": "1", "type": "function", "function": map[string]any{"name": name, "arguments": string(raw)}}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"model": attack, "choices": []any{map[string]any{"finish_reason": attack, "message": map[string]any{
			"role": "assistant", "content": attack, "tool_calls": []any{
				call(attack, map[string]any{attack: attack}), call("write_file", map[string]any{"path": "o.csv", "content": attack}),
				call("read_file", map[string]any{"path": attack}), call("finish", map[string]any{}),
			}}}}, "usage": map[string]any{"prompt_tokens": 1, "completion_tokens": 1}})
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// hostileExperiment writes an experiment file of a model with that name in its body.
func hostileExperiment(t *testing.T, data, url, model string) string {
	t.Helper()
	raw, err := json.Marshal(map[string]any{ // JSON is YAML
		"name": "hostile", "models": []any{map[string]any{"name": attack, "model": model, "backoff": "1ms", "base_url": url + "/v1"}},
		"policies": []any{"agentic", map[string]any{"use": "direct", "name": attack}}, "environments": map[string]any{"data": data}, "relay": map[string]any{"round_trips": 1},
	})
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if _, err := printable.NewJSON(&text).Write(raw); err != nil { // YAML takes no control characters but as escapes
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "x.yaml")
	if err := os.WriteFile(file, text.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// said is all that a command prints, to files or on a terminal.
func said(t *testing.T, args ...string) string {
	t.Helper()
	command := exec.Command("agentd", args...)
	out, err := command.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return string(out)
}

// A text of a data set, a model or a server reaches no terminal as it is.
func TestNoTextOfOthersReachesATerminal(t *testing.T) {
	t.Parallel()
	data, url, db := hostileData(t), hostileModel(t), filepath.Join(t.TempDir(), "x.db")
	folder, other := filepath.Join(t.TempDir(), "in"), filepath.Join(t.TempDir(), "b.ledger")
	if err := os.WriteFile(other, []byte("2023/01/02 "+oneLine+"\n    a  2\n    b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	run := hostileExperiment(t, data, url, "m")
	for _, args := range [][]string{ // in this order: the first stores what others show
		{"run", run, "--db", db, "--trace", "full"},
		{"run", run, "--db", db, "--trace", "full", "--log-format", "text"},
		{"run", hostileExperiment(t, data, url, "denied"), "--db", db + "2"},
		{"run", hostileExperiment(t, data, url, "denied"), "--db", db + "3", "--log-format", "text"},
		{"run", run, "--dry-run"},
		{"watch", "--db", db, "hostile"},
		{"trace", "--db", db}, {"trace", "--db", db, "1"}, {"trace", "--db", db, "1", "1", "--contents"}, {"trace", "--db", db, "2", "2", "--contents"},
		{"report", "--db", db}, {"report", "--db", db, "--format", "markdown"}, {"report", "--db", db, "--format", "csv"},
		{"report", "--db", db, "--format", "latex"}, {"report", "--db", db, "--format", "json"}, {"report", "--db", db, "--name", attack},
		{"export", "--db", db, "--contents"}, {"export", "--db", db, "--rows", "calls", "--contents"},
		{"env", "list", "--data", data}, {"env", "show", "x1", "--files", "--data", data}, {"env", "validate", "--everything", "--data", data},
		{"env", "properties", "--data", data}, {"env", "interference", "--data", data}, {"env", "export", "--data", data}, {"env", "resize", "--tokens", "5", "--data", data},
		{"env", "test", "--data", data, "--repeats", "1", "--everything", "--db", db + "4"},
		{"env", "import", data, "--to", folder}, {"env", "list", "--data", folder},
		{"score", "--domain", "accounting", "--reference", filepath.Join(folder, "x1", "seed"), "--candidate", other},
		{"mcp", "--data", data, "--env", "x1", "--edit", attack},
		{attack}, {"env", "show", attack}, {"run", "--" + attack}, {"run", "--policy", attack},
	} {
		got := said(t, args...)
		if found := harmful.FindString(got); found != "" || strings.Contains(got, "\nagentd: all is well") {
			t.Errorf("agentd %.100q prints %q: %.3000q", args, found, got)
		}
	}
}

// On a terminal that holds for CSV too, which is exact elsewhere, and for tables with
// colours, which have no other sequences than those.
func TestATerminalIsToldOfColoursAlone(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "x.db")
	t.Log(said(t, "run", hostileExperiment(t, hostileData(t), hostileModel(t), "m"), "--db", db, "--trace", "full"))
	colours := regexp.MustCompile("\x1b\\[[0-9;]*m")
	for _, args := range [][]string{{"export", "--db", db, "--format", "csv", "--contents"}, {"report", "--db", db}, {"trace", "--db", db, "1", "1", "--contents"}} {
		got := onTerminal(t, args...)
		if len(got) == 0 {
			t.Errorf("agentd %q prints nothing", args)
		}
		if args[0] == "report" {
			got = colours.ReplaceAllString(got, "")
		}
		got = strings.ReplaceAll(got, "\r\n", "\n") // the terminal's own
		if found := harmful.FindString(got); found != "" {
			t.Errorf("agentd %q prints %q: %.2000q", args, found, got)
		}
	}
}

// A person is warned in words, a program in JSON.
func TestWarningsOnATerminalAreWords(t *testing.T) {
	t.Parallel()
	const former = "--max-failures is now --max-faults"
	args := []string{"run", "--env", "accounting1", "--max-failures", "1", "--dry-run"}
	if got := onTerminal(t, args...); !strings.Contains(got, former) || strings.Contains(got, `"level"`) {
		t.Errorf("on a terminal: %s", got)
	}
	if _, got := program(t, 0, args...); !strings.Contains(got, `"message":"`+former) {
		t.Errorf("elsewhere: %s", got)
	}
}

// onTerminal runs a command whose outputs are a terminal.
func onTerminal(t *testing.T, args ...string) string {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatalf("no terminal: %v", err)
	}
	defer screen.Close()
	if err := unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	terminal, err := os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command("agentd", args...)
	command.Stdout, command.Stderr = terminal, terminal
	var shown bytes.Buffer
	var reading sync.WaitGroup
	reading.Go(func() { _, _ = io.Copy(&shown, screen) })                                       // it ends with an error when the terminal is closed
	if err := command.Run(); err != nil && command.ProcessState.ExitCode() != exitNothingDone { // the model of others does nothing
		t.Errorf("agentd %q: %v", args, err)
	}
	if err := terminal.Close(); err != nil {
		t.Error(err)
	}
	reading.Wait()
	return shown.String()
}

// A command whose results could not be written has failed.
func TestAFullStandardOutputIsAFailure(t *testing.T) {
	t.Parallel()
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = full.Close() })
	dir := t.TempDir()
	db, pairs, ledger, script := filepath.Join(dir, "x.db"), filepath.Join(dir, "pairs.jsonl"), filepath.Join(dir, "x.ledger"), filepath.Join(dir, "x.py")
	for name, text := range map[string]string{
		pairs:  `{"id":"p","domain":"accounting","reference":{"a.ledger":"x"},"candidate":{"a.ledger":"x"}}`,
		ledger: "2024-03-07 * Bakery\n    Expenses:Food  18.40 EUR\n    Assets:Bank\n",
		script: "print('x')",
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_ = said(t, "run", "--model", "sim:weak", "--policy", "agentic", "--env", "accounting1", "--round-trips", "1", "--db", db)
	for _, args := range [][]string{
		{}, {"--help"}, {"--version"}, {"run", "--help"}, {"completion", "bash"},
		{"domains"}, {"policies"}, {"models"}, {"doctor", "--db", db},
		{"env", "list"}, {"env", "show", "accounting1"}, {"env", "validate", "accounting1"}, {"env", "validate", "--rules"}, {"env", "properties", "accounting1"}, {"env", "interference", "accounting1"},
		{"env", "export", "accounting1"}, {"env", "resize", "accounting1", "--tokens", "1000"}, {"env", "test", "accounting1", "--repeats", "1", "--model", "sim:perfect", "--db", filepath.Join(dir, "t.db")},
		{"run", "--dry-run"}, {"run", "--model", "sim:weak", "--policy", "agentic", "--env", "accounting1", "--round-trips", "1", "--db", db},
		{"trace", "--db", db}, {"trace", "--db", db, "1"}, {"trace", "--db", db, "1", "1"},
		{"report", "--db", db}, {"report", "--db", db, "--format", "markdown"}, {"report", "--db", db, "--format", "csv"}, {"report", "--db", db, "--format", "json"},
		{"report", "--db", db, "--format", "latex"}, {"report", "--db", db, "--format", "html"},
		{"export", "--db", db}, {"export", "--db", db, "--format", "csv"}, {"export", "--db", db, "--format", "parquet"}, {"export", "--db", db, "--rows", "calls"},
		{"score", "--pairs", pairs}, {"score", "--domain", "accounting", "--reference", ledger, "--candidate", ledger},
		{"serve", "--db", db, "--listen", "127.0.0.1:0"}, {"sim-server", "--listen", "127.0.0.1:0"}, {"mcp", "--env", "accounting1", "--listen", "127.0.0.1:0"},
		{"sandbox", "run", script}, {"sandbox", "run", "--json", script},
	} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			command := exec.Command("agentd", args...)
			var stderr bytes.Buffer
			command.Stdout, command.Stderr = full, &stderr
			_ = command.Run() // its status is looked at
			if got := command.ProcessState.ExitCode(); got != exitWorkFailed || !strings.Contains(stderr.String(), "no space left on device") {
				t.Errorf("exit status %d, want %d: %s", got, exitWorkFailed, &stderr)
			}
		})
	}
}

// A page of another site cannot use the tools, and a server that other machines reach
// says so.
func TestMCPOverHTTPKeepsPagesOut(t *testing.T) {
	t.Parallel()
	for address, warned := range map[string]bool{"127.0.0.1:0": false, "0.0.0.0:0": true} {
		t.Run(address, func(t *testing.T) {
			t.Parallel()
			serve := exec.Command("agentd", "mcp", "--env", "accounting1", "--listen", address)
			var stderr bytes.Buffer
			serve.Stderr = &stderr
			out, err := serve.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := serve.Start(); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewScanner(out)
			if !lines.Scan() {
				t.Fatalf("no address: %s", &stderr)
			}
			url := strings.Replace(lines.Text(), "[::]", "127.0.0.1", 1) // all addresses
			own := strings.TrimSuffix(url, "/mcp")
			const list = `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
			for _, c := range []struct {
				host, origin, body string
				want               int
			}{
				{"", "", list, 200},
				{"", own, list, 200},
				{"", "http://evil.example", list, 403},
				{"", "null", list, 403},
				{"evil.example", "", list, map[bool]int{false: 421, true: 403}[warned]}, // where names are not known, the library refuses others on loopback
				{"", "", strings.Repeat(" ", mcpserver.MostRequestBytes+1) + list, 413},
			} {
				if got := posted(t, url, c.host, c.origin, c.body); got != c.want {
					t.Errorf("host %q, origin %q, %d bytes: status %d, want %d", c.host, c.origin, len(c.body), got, c.want)
				}
			}
			if err := serve.Process.Signal(os.Interrupt); err != nil {
				t.Error(err)
			}
			for lines.Scan() { // the score
			}
			_ = serve.Wait() // it was interrupted
			if got := strings.Contains(stderr.String(), "there is no password"); got != warned {
				t.Errorf("warned: %v, want %v: %s", got, warned, &stderr)
			}
		})
	}
}

// posted is the status with which a request is answered.
func posted(t *testing.T, url, host, origin, body string) int {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Host = host
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	if origin != "" {
		request.Header.Set("Origin", origin)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	return answer.StatusCode
}

// A command that waits for somebody else's bytes ends when it is told to.
func TestWhatWaitsForOthersEndsWhenTold(t *testing.T) {
	t.Parallel()
	silent := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-silent:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(func() { close(silent); server.Close() })
	db := filepath.Join(t.TempDir(), "x.db")
	experiment := filepath.Join(t.TempDir(), "x.yaml")
	text := "models: [{name: m, base_url: " + server.URL + "/v1}]\npolicies: [direct]\nenvironments: {names: [accounting1]}\nrelay: {round_trips: 1}\n"
	if err := os.WriteFile(experiment, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_ = said(t, "run", "--model", "sim:weak", "--policy", "direct", "--env", "accounting1", "--round-trips", "1", "--db", db)
	for name, args := range map[string][]string{
		"pairs that do not come":        {"score", "--pairs", "-"},
		"a download that does not come": {"env", "pull", "--url", server.URL, "--to", filepath.Join(t.TempDir(), "x.jsonl")},
		"a client that does not come":   {"mcp", "--env", "accounting1", "--listen", "127.0.0.1:0"},
		"a client that says nothing":    {"mcp", "--env", "accounting1"},
		"a visitor that does not come":  {"serve", "--db", db, "--listen", "127.0.0.1:0"},
		"a model that does not answer":  {"run", experiment, "--db", db + "2", "--grace", "1s"},
		"stand-ins that nobody asks":    {"sim-server", "--listen", "127.0.0.1:0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			command := exec.Command("agentd", args...)
			in, err := command.StdinPipe() // which stays open
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			var said bytes.Buffer
			command.Stdout, command.Stderr = &said, &said
			if err := command.Start(); err != nil {
				t.Fatal(err)
			}
			eventually.Holds(t, "it waits", waits(command.Process.Pid))
			if err := command.Process.Signal(syscall.SIGTERM); err != nil && !errors.Is(err, os.ErrProcessDone) {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- command.Wait() }()
			select {
			case <-ended: // its status is another test's
			case <-time.After(time.Minute):
				_ = command.Process.Kill()
				<-ended
				t.Errorf("it did not end: %s", &said)
			}
		})
	}
}

// waits returns a condition that holds once a process has used no processor for a tenth of a second,
// or has ended.
func waits(pid int) func() bool {
	used, since := "", time.Now()
	return func() bool {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			return true
		}
		_, after, _ := strings.Cut(string(stat), ") ") // the name before may have spaces
		fields := strings.Fields(after)
		if now := strings.Join(fields[11:13], " "); now != used { // utime and stime
			used, since = now, time.Now()
		}
		return time.Since(since) > 100*time.Millisecond
	}
}
