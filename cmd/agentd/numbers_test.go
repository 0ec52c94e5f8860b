package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentd/results/resultstest"
)

var update = flag.Bool("update", false, "write the stored figures")

// program runs agentd, and returns what it prints. Its status must be want.
func program(t *testing.T, want int, arguments ...string) (stdout, stderr string) {
	t.Helper()
	run := exec.CommandContext(t.Context(), "agentd", arguments...)
	var out, complaints bytes.Buffer
	run.Stdout, run.Stderr = &out, &complaints
	_ = run.Run() // its status is looked at
	if got := run.ProcessState.ExitCode(); got != want {
		t.Fatalf("agentd %s: exit status %d, want %d: %s", strings.Join(arguments, " "), got, want, &complaints)
	}
	return out.String(), complaints.String()
}

// written writes a file of its own folder.
func written(t *testing.T, name, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// The clean protocol scores as agentd did when it had no other. The figures are of every
// built-in environment. They change with an evaluator, a document or an instruction; then
// go test ./cmd/agentd -run CleanScores -update writes them.
func TestCleanScoresAreThoseOfBefore(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "x.db")
	program(t, 0, "run", "--protocol", "clean", "--model", "sim:frontier,sim:weak", "--policy", "agentic,direct", "--round-trips", "2", "--db", db)
	rows, _ := program(t, 0, "export", "--format", "csv", "--db", db)
	all, err := csv.NewReader(strings.NewReader(rows)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"gen_ai.request.model", "gen_ai.agent.name", "environment", "interaction", "error.type", "rs", "strict", "forward", "fallback"}
	var places []int
	for _, name := range names {
		for k, column := range all[0] {
			if column == name {
				places = append(places, k)
			}
		}
	}
	var got strings.Builder
	for _, row := range all {
		for k, place := range places {
			if k > 0 {
				got.WriteByte(',')
			}
			got.WriteString(row[place])
		}
		got.WriteByte('\n')
	}
	golden := filepath.Join("testdata", "clean.csv")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(got.String(), "\n")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if len(all) != 1+52*2*2*4 {
		t.Errorf("%d interactions, want %d", len(all)-1, 52*2*2*4)
	}
}

// reported is a report as JSON, as far as it matters here.
type reported struct {
	Sections map[string][]struct {
		Name string
		Rows []struct {
			Labels map[string]string
			Cells  map[string]struct {
				Value    *float64
				Doubtful bool
			}
		}
	}
	Notes []string
}

// Controls do no work: a model that refuses, one that gives back what it was given, one
// whose answers end at the output limit, a server that answers 400, a command that does
// nothing. The document survives them all.
func TestControlsAreMarked(t *testing.T) {
	t.Parallel()
	var requests atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost { // the others ask what is served
			requests.Add(1)
		}
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error": {"message": "max_completion_tokens is too large: 16000"}}`))
	}))
	defer server.Close()
	file := written(t, "x.yaml", `name: x
models: ["sim:refuse", "sim:echo", "sim:cut", {name: broken, base_url: "`+server.URL+`/v1", backoff: 1ms, price: {input: 1, output: 2}}]
policies: [direct, agentic, {use: exec, name: idle, command: ["true"]}]
environments: {names: [accounting1, calendar1, geodata1, recipe1, subtitles1, makefile1]}
relay: {round_trips: 2}
`)
	for _, protocol := range []string{"published", "clean"} {
		t.Run(protocol, func(t *testing.T) {
			requests.Store(0)
			db := filepath.Join(t.TempDir(), "x.db")
			_, stderr := program(t, 1, "run", file, "--protocol", protocol, "--db", db)
			if n := requests.Load(); n != 2*3 {
				t.Errorf("the server that refuses has had %d requests, want 3 of each of two arms", n)
			}
			for _, said := range []string{"broken, direct: ", "broken, agentic: ", "3 requests in a row were refused with status 400: ", "max_completion_tokens is too large: 16000", "change what the server names"} {
				if !strings.Contains(stderr, said) {
					t.Errorf("nothing says %q: %s", said, stderr)
				}
			}
			text, _ := program(t, exitNothingDone, "report", "--format", "json", "--db", db)
			var report reported
			if err := json.Unmarshal([]byte(text), &report); err != nil {
				t.Fatal(err)
			}
			arms := map[string]bool{}
			for _, table := range append(report.Sections["survival"], report.Sections["domains"]...) {
				for _, row := range table.Rows {
					arm := row.Labels["model"] + " " + row.Labels["policy"]
					switch table.Name {
					case "rs", "strict":
						arms[arm] = true
						done := row.Cells[table.Name+"_done"].Value
						marked := done != nil && *done < 0.95 || row.Cells[table.Name+"_2"].Doubtful
						if !marked {
							t.Errorf("table %s: nothing marks %s, of which %v was done", table.Name, arm, *done)
						}
					case "rs_done", "strict_done":
						for name, cell := range row.Cells {
							if cell.Value != nil && name != "relays" && !strings.HasPrefix(arm, "sim:cut") {
								t.Errorf("table %s: %s of %s is %v, though no work was done", table.Name, name, arm, *cell.Value)
							}
						}
					case "readiness":
						if ready := row.Cells["grade_1"].Value; ready != nil && *ready != 0 {
							t.Errorf("%s is ready for %v domains", arm, *ready)
						}
					}
				}
			}
			if len(arms) != 4*3 {
				t.Errorf("there are rows for %v", arms)
			}
		})
	}
}

// outage is a model server that fails while it is down: after the first requests on an
// environment, all others on it.
func outage(t *testing.T, marker string, after int) (server *httptest.Server, down *atomic.Bool) {
	t.Helper()
	models := exec.Command("agentd", "sim-server", "--listen", "127.0.0.1:0")
	out, err := models.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := models.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = models.Process.Signal(os.Interrupt)
		_ = models.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	base, err := url.Parse(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: base.Scheme, Host: base.Host})
	down = &atomic.Bool{}
	var seen atomic.Int32
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if down.Load() && bytes.Contains(body, []byte(marker)) && seen.Add(1) > int32(after) {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server, down
}

// Relays that an outage ended go on from the first interaction that it failed, and the
// tables are those of a run that met none.
func TestRetryAfterAnOutageIsTheUndisturbedRun(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(*testing.T) string{
		"SQLite":     func(t *testing.T) string { return filepath.Join(t.TempDir(), "x.db") },
		"PostgreSQL": func(t *testing.T) string { return resultstest.Postgres(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server, down := outage(t, "makerspace.ledger", 5)
			file := written(t, "x.yaml", `name: x
models: [{name: weak, model: "sim:weak", base_url: "`+server.URL+`/v1", seeded: true, backoff: 1ms, attempts: 2, price: {input: 1, output: 2}}]
policies: [direct, agentic]
environments: {names: [accounting1, calendar1, subtitles1]}
relay: {round_trips: 4}
`)
			tables := func(db string) string {
				text, _ := program(t, 0, "report", "--section", "survival,comparison,domains,critical,damage,hidden", "--format", "csv", "--db", db)
				return text
			}
			calm, rough := filepath.Join(t.TempDir(), "calm.db"), database(t)
			program(t, 0, "run", file, "--db", calm)
			down.Store(true)
			_, stderr := program(t, 1, "run", file, "--db", rough)
			down.Store(false)
			broken := tables(rough)
			if broken == tables(calm) || !strings.Contains(stderr, "--retry faults") {
				t.Fatalf("the outage changed nothing, or nothing says what to do: %s", stderr)
			}
			// Begun again without more, the experiment leaves them alone.
			program(t, 1, "run", file, "--db", rough)
			if diff := cmp.Diff(broken, tables(rough)); diff != "" {
				t.Errorf("run again without --retry: %s", diff)
			}
			program(t, 0, "run", file, "--db", rough, "--retry", "faults")
			if diff := cmp.Diff(tables(calm), tables(rough)); diff != "" {
				t.Errorf("-undisturbed +taken up again\n%s", diff)
			}
			if diff := cmp.Diff(steps(t, calm), steps(t, rough)); diff != "" {
				t.Errorf("-undisturbed +taken up again\n%s", diff)
			}
			var replaced int
			for relay := 1; relay <= 6; relay++ {
				for number := 1; number <= 8; number++ {
					text, _ := program(t, 0, "trace", strconv.Itoa(relay), strconv.Itoa(number), "--db", rough)
					replaced += strings.Count(text, "Done again at ")
				}
			}
			if replaced != 2 {
				t.Errorf("the traces show %d attempts that were replaced, want one of each relay that failed", replaced)
			}
		})
	}
}
