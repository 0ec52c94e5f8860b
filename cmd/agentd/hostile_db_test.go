package main

import (
	"bytes"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/internal/layout"
	"agentd/internal/peak"
	"agentd/report"
	"agentd/report/export"
	"agentd/report/relay"
	"agentd/report/viewer"
	"agentd/results"
	"agentd/results/record"
	"agentd/vfs"
)

// lookUp shows a database as every command and page does that reads one. What it
// returns are the errors, none of which may be a panic.
func lookUp(t testing.TB, path string) (all []error) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("panic: %v\n%s", r, debug.Stack())
		}
	}()
	store, err := results.OpenReading(path)
	if err != nil {
		return []error{err}
	}
	defer func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}()
	note := func(err error) { all = append(all, err) }
	ctx := t.Context()
	experiment, err := store.Find(ctx, "")
	note(err)
	if err == nil {
		r, err := report.Build(ctx, store, experiment, report.Options{Category: domaincatalog.Category})
		note(err)
		if err == nil {
			_, err := report.Build(ctx, store, experiment, report.Options{Category: domaincatalog.Category, Similarity: true})
			note(err)
			_, err = report.Build(ctx, store, experiment, report.Options{Category: domaincatalog.Category, Compliance: true})
			note(err)
			_, err = report.Build(ctx, store, experiment, report.Options{Category: domaincatalog.Category, Failures: domaincatalog.Lookup})
			note(err)
			sections, err := r.Sections()
			note(err)
			for _, format := range []string{"text", "json", "html"} {
				note(r.Write(io.Discard, format, sections, report.TextStyle{Screen: layout.Screen{Colour: true}, Everything: true}))
			}
		}
		for kind, format := range map[string]string{export.Interactions: export.JSONL, export.Turns: export.CSV, export.Calls: export.Parquet, export.Reads: export.CSV} {
			note(export.Write(ctx, io.Discard, store, experiment, export.Options{Format: format, Kind: kind, Contents: true}))
		}
		note(export.WritePublished(ctx, filepath.Join(t.TempDir(), "published"), store, experiment))
	}
	tracing := relay.Printer{Store: store, Out: io.Discard, Find: domaincatalog.Lookup, Contents: true}
	note(tracing.List(ctx, experiment, relay.Choice{}))
	note(tracing.Relay(ctx, 1))
	for number := range 2 {
		note(tracing.Interaction(ctx, 1, number+1))
	}
	return append(all, visit(t, store, "/", "/experiments/x", "/experiments/x/matrix", "/relays/1", "/relays/1/1", "/relays/1/2", "/relays/1/2?against=seed",
		"/search", "/search?tool=finish", "/search?file=a&error=b&failure=any", "/search?before=9")...)
}

// visit opens pages of the viewer. A status of 500 is an error.
func visit(t testing.TB, store *results.Store, paths ...string) (all []error) {
	t.Helper()
	pages, err := viewer.New(store, viewer.Options{Lookup: domaincatalog.Lookup})
	if err != nil {
		t.Fatal(err)
	}
	defer pages.Close()
	for _, path := range paths {
		answer := httptest.NewRecorder()
		pages.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, path, nil))
		if answer.Code == http.StatusInternalServerError {
			all = append(all, fmt.Errorf("%s: %d %s", path, answer.Code, answer.Body))
		}
	}
	return all
}

// ordinary makes a database of one relay with two interactions, as agentd stores them.
func ordinary(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.db")
	store, err := results.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	env := environments.Environment{
		Name: "tiny1", Domain: "accounting", Seed: vfs.Files{"a.ledger": "2023/01/01 X\n    a  1\n    b\n"}, Targets: []string{"a.ledger"},
		Edits:    []environments.Edit{{Name: "e", Forward: "Go", Backward: "Come", Targets: []string{"b.csv"}, Operations: []string{"sorting"}}},
		Metadata: domains.Metadata{"k": "v"},
	}
	if err := store.PutContents(t.Context(), []string{env.Encode()}); err != nil {
		t.Fatal(err)
	}
	price, score := 0.5, 0.25
	stored, err := store.Begin(t.Context(), "x", results.Manifest{
		Models: []results.Model{{Name: "m", Spec: []byte(`{"name":"m"}`)}}, Policies: []string{"agentic"}, Environments: map[string]string{"tiny1": env.Hash()},
		RoundTrips: 1, Repeats: 1, Schedule: "round-robin", Limits: []byte(`{}`),
	}, &price, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Begin(t.Context(), "x", results.Manifest{
		Models: []results.Model{{Name: "m", Spec: []byte(`{"name":"m"}`)}}, Policies: []string{"agentic"}, Environments: map[string]string{"tiny1": env.Hash()},
		RoundTrips: 1, Repeats: 1, Schedule: "round-robin", Limits: []byte(`{}`), Seed: 7,
	}, &price, true); err != nil { // so that a change is stored
		t.Fatal(err)
	}
	relays, err := store.Plan(t.Context(), []results.Relay{
		{Experiment: stored.ID, Model: "m", Policy: "agentic", Environment: "tiny1", Domain: "accounting", Repeat: 1, Schedule: []string{"e"}},
		{Experiment: stored.ID, Model: "m", Policy: "direct", Environment: "tiny1", Domain: "accounting", Repeat: 1, Schedule: []string{"e"}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	text := "said"
	for _, relay := range relays {
		for number := 1; number <= 2; number++ {
			in := results.Interaction{
				Relay: relay.ID, Number: number, Edit: "e", Direction: results.Forward, Started: time.Now(), Ending: "finished", Distractors: 1,
				Usage:     record.Usage{Tokens: record.Tokens{Prompt: 1}, Cost: &price},
				Turns:     []record.Turn{{Usage: record.Usage{Tokens: record.Tokens{Prompt: 1}, Cost: &price}, Finish: "stop", Text: &text}},
				ToolCalls: []record.Call{{Turn: 1, Tool: "finish", ArgNames: []string{"a"}, Error: "b", Arguments: &text, Answer: &text}},
				Reads:     []record.Read{{File: "a.ledger", Origin: "document", Tool: "read_file"}},
				Output:    vfs.Files{"b.csv": "x"}, Strays: []string{"c"},
			}
			if number == 2 {
				in.Direction, in.Output = results.Backward, vfs.Files{"a.ledger": "2023/01/01 Y\n    a  1\n    b\n"}
				in.Score = &results.Score{RS: score, Strict: score, Components: map[string]float64{"c": 1}, Reference: 1, Candidate: 1}
			}
			if err := store.Append(t.Context(), &in, nil); err != nil {
				t.Fatal(err)
			}
		}
	}
	return path
}

// tampered copies a database and runs statements on the copy, which no constraint
// refuses.
func tampered(t testing.TB, original, statements string, args ...any) string {
	t.Helper()
	raw, err := os.ReadFile(original)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "t.db")
	if err := os.WriteFile(path, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(statements, args...); err != nil && !strings.Contains(err.Error(), "datatype mismatch") { // of row ids
		t.Fatalf("%s: %v", statements, err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// unconstrained is the ordinary database without types and constraints.
func unconstrained(t testing.TB) string {
	t.Helper()
	return tampered(t, ordinary(t), `PRAGMA writable_schema = ON;
		UPDATE sqlite_schema SET sql = replace(replace(replace(replace(sql, 'NOT NULL', ''), ' INTEGER', ' ANY'), ' TEXT', ' BLOB'), ' REAL', ' ANY')
		WHERE tbl_name IN ('experiments', 'changes', 'arms', 'relays', 'interactions', 'turns', 'tool_calls', 'reads', 'contents') AND sql NOT LIKE '%PRIMARY KEY,%' AND type = 'table';
		UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL', '') WHERE type = 'table' AND name NOT LIKE 'river%' AND name NOT LIKE 'sqlite%';
		PRAGMA writable_schema = RESET`)
}

// fields lists all columns of the tables that are read.
func fields(t testing.TB, path string) (all [][2]string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	rows, err := db.Query(`SELECT s.name, c.name FROM sqlite_schema s, pragma_table_info(s.name) c
		WHERE s.type = 'table' AND s.name IN ('experiments', 'changes', 'arms', 'relays', 'interactions', 'turns', 'tool_calls', 'reads', 'contents')`)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var field [2]string
		if err := rows.Scan(&field[0], &field[1]); err != nil {
			t.Fatal(err)
		}
		all = append(all, field)
	}
	return all
}

// hostileValues are what a field is set to, as SQL.
func hostileValues() []string {
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) // encoding/json reads 10,000
	return []string{
		"NULL", "'x'", "-1", "1e999", "9223372036854775807", "0.5", "x'ff00'", "'[null]'", "'{\"a\":\"../../x\"}'", "'" + deep + "'",
	}
}

func TestNoValueOfADatabaseIsAPanic(t *testing.T) {
	t.Parallel()
	if errs := errors.Join(lookUp(t, ordinary(t))...); errs != nil {
		t.Fatalf("the ordinary database: %v", errs)
	}
	original := unconstrained(t)
	if errs := errors.Join(lookUp(t, original)...); errs != nil {
		t.Fatalf("without constraints: %v", errs)
	}
	all := fields(t, original)
	if len(all) < 90 {
		t.Fatalf("only %d fields are known", len(all))
	}
	for i, field := range all {
		t.Run(field[0]+"."+field[1], func(t *testing.T) {
			t.Parallel()
			for j, value := range hostileValues() {
				if (i+j)%2 == 0 { // every value is tried in half of the fields; FuzzDatabase tries more
					continue
				}
				path := tampered(t, original, fmt.Sprintf("PRAGMA ignore_check_constraints = ON; UPDATE OR IGNORE %s SET %s = %s", field[0], field[1], value))
				_ = lookUp(t, path) // its errors are no panics
			}
		})
	}
}

// zeros is a text of zeros as contents are stored, a thousandth of its size.
func zeros(t testing.TB, size int) []byte {
	t.Helper()
	zip, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return zip.EncodeAll(make([]byte, size), nil)
}

func TestABombInADatabaseIsToldAndTakesLittle(t *testing.T) { // not in parallel: it measures memory
	original := ordinary(t)
	tooLarge := zeros(t, 1<<30)
	many := zeros(t, 30<<20)
	for name, c := range map[string]struct {
		statements string
		args       []any
		says       string
	}{
		"a gigabyte in a document":       {"UPDATE contents SET zstd = $1", []any{tooLarge}, "unpacking content"},
		"80 MB in many frames":           {"UPDATE contents SET zstd = $1", []any{bytes.Repeat(zeros(t, 8<<20), 10)}, "unpacking content"},
		"a blob of 40 MB":                {"UPDATE contents SET zstd = zeroblob(40000000)", nil, "too big"},
		"a detail of 40 MB":              {"UPDATE interactions SET detail = zeroblob(40000000)", nil, "too big"},
		"a detail of 10 MB":              {"UPDATE interactions SET detail = cast(zeroblob(10000000) AS TEXT)", nil, "has texts of"},
		"a view":                         {"ALTER TABLE experiments RENAME TO e; CREATE VIEW experiments AS WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n+1 FROM r) SELECT e.* FROM e, r", nil, "view experiments"},
		"a generated column":             {"ALTER TABLE reads ADD COLUMN g AS (zeroblob(1000000000))", nil, "column g of reads"},
		"a trigger":                      {"CREATE TRIGGER t AFTER INSERT ON reads BEGIN DELETE FROM reads; END", nil, "trigger t"},
		"the number of an interaction":   {"UPDATE interactions SET number = 4000000000000000 WHERE number = 2", nil, "has a number that none has"},
		"the turn of a call":             {"UPDATE tool_calls SET turn = 4000000000", nil, "has a tool call of turn"},
		"a schedule of a million":        {"UPDATE relays SET schedule = $1", []any{"[" + strings.Repeat(`"e",`, 1_000_000) + `"e"]`}, "too much JSON"},
		"a schedule of twenty thousand":  {"UPDATE relays SET schedule = $1", []any{"[" + strings.Repeat(`"e",`, 20_000) + `"e"]`}, "round trips"},
		"a manifest that is deep":        {"UPDATE experiments SET manifest = $1", []any{strings.Repeat(`{"limits":`, 10_000) + "1" + strings.Repeat("}", 10_000)}, "too much JSON"},
		"a manifest of many":             {"UPDATE experiments SET manifest = $1", []any{`{"models":[` + strings.Repeat("{},", 1_000_000) + "{}]}"}, "too much JSON"},
		"a snapshot of many large files": {manyLargeFiles(t, 30), []any{many}, "have more than 96 MiB together"},
	} {
		path := tampered(t, original, c.statements, c.args...)
		var errs error
		took := peak.Heap(func() { errs = errors.Join(lookUp(t, path)...) })
		if errs == nil || !strings.Contains(errs.Error(), c.says) {
			t.Errorf("%s: %.500v, want %q", name, errs, c.says)
		}
		// A page may read 96 MiB. What earlier pages read and is not collected yet counts, too: how
		// much that is depends on the machine's other work.
		const most = 512 << 20
		if took > most {
			t.Errorf("%s: it took %d MB, at most %d are meant", name, took>>20, most>>20)
		}
	}
}

// manyLargeFiles are statements that store one content, whose argument is $1, under many
// hashes, all of them documents of one interaction.
func manyLargeFiles(t testing.TB, n int) string {
	t.Helper()
	var b strings.Builder
	var names []string
	for i := range n {
		hash := fmt.Sprintf("%064x", i+1)
		fmt.Fprintf(&b, "INSERT INTO contents VALUES (x'%s', $1);", hash)
		names = append(names, fmt.Sprintf("%q:%q", fmt.Sprint("f", i), hash))
	}
	fmt.Fprintf(&b, "UPDATE interactions SET output = '{%s}'", strings.Join(names, ","))
	return b.String()
}

// A file of SQLite with other bytes in it is refused, or read as far as it goes.
func FuzzDatabase(f *testing.F) {
	path := ordinary(f)
	raw, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(100, []byte("x"))
	f.Add(len(raw)/2, bytes.Repeat([]byte{0xff}, 64))
	f.Add(28, []byte{0, 0, 0, 1}) // the number of pages
	f.Fuzz(func(t *testing.T, at int, patch []byte) {
		changed := slices.Clone(raw)
		at = max(at, -at) % len(changed)
		copy(changed[max(at, 0):], patch)
		path := filepath.Join(t.TempDir(), "f.db")
		if err := os.WriteFile(path, changed, 0o644); err != nil {
			t.Fatal(err)
		}
		_ = lookUp(t, path) // its errors are no panics
	})
}

// FuzzStoredJSON has the parts of a database that are JSON say anything.
func FuzzStoredJSON(f *testing.F) {
	original := ordinary(f)
	f.Add(`{"environments":{"tiny1":"`+hex.EncodeToString(make([]byte, 32))+`"},"models":[{"name":"m"}]}`, `["e"]`, `{"b.csv":"00"}`)
	f.Add(`{"seed":-1}`, `[1]`, `{"":""}`)
	f.Fuzz(func(t *testing.T, manifest, schedule, output string) {
		path := tampered(t, original, "UPDATE experiments SET manifest = $1; UPDATE relays SET schedule = $2; UPDATE interactions SET output = $3, components = $3, strays = $2",
			manifest, schedule, output)
		_ = lookUp(t, path)
	})
}

// FuzzViewerAddress asks the viewer for anything.
func FuzzViewerAddress(f *testing.F) {
	store, err := results.OpenReading(ordinary(f))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { _ = store.Close() })
	for _, address := range []string{"/", "/experiments/x", "/experiments/x/matrix", "/relays/1/2?against=seed", "/search?tool=a&before=1", "/experiments/..%2f..", "/relays/99999999999999999999/1"} {
		f.Add(address, "localhost")
	}
	pages, err := viewer.New(store, viewer.Options{Lookup: domaincatalog.Lookup})
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(pages.Close)
	f.Fuzz(func(t *testing.T, address, origin string) {
		request, err := http.NewRequest(http.MethodGet, "http://localhost"+address, nil)
		if err != nil {
			return
		}
		request.Header.Set("Origin", origin)
		answer := httptest.NewRecorder()
		pages.ServeHTTP(answer, request)
		if answer.Code == http.StatusInternalServerError {
			t.Errorf("%q: %s", address, answer.Body)
		}
	})
}

// A database on a read-only mount is read: one that was closed, one that was left by a
// killed process, and one that another process works on. Where what was stored last
// cannot be had, that is said rather than left out.
func TestADatabaseOnAReadOnlyMount(t *testing.T) {
	t.Parallel()
	working := filepath.Join(t.TempDir(), "x.db")
	raw, err := os.ReadFile(ordinary(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(working, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	store, err := results.Open(working)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	if _, err := store.Begin(t.Context(), "last", results.Manifest{Schedule: "round-robin"}, nil, false); err != nil {
		t.Fatal(err)
	}
	copied := func(suffixes ...string) string {
		path := filepath.Join(t.TempDir(), "x.db")
		for _, suffix := range suffixes {
			raw, err := os.ReadFile(working + suffix)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path+suffix, raw, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return path
	}
	for name, c := range map[string]struct {
		path, says string
		exit       int
	}{
		"closed":                      {ordinary(t), "Experiment x: ", 0},
		"another process works on it": {working, "Experiment last: ", 0},
		"left by a killed process":    {copied("", "-wal", "-shm"), "Experiment last: ", 0},
		"without its index":           {copied("", "-wal"), "x.db-wal, which cannot be read where nothing can be written; copy both files", exitUsage},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Dir(c.path)
			command := exec.Command("bwrap", "--dev-bind", "/", "/", "--ro-bind", dir, dir, "agentd", "report", "--db", c.path)
			out, _ := command.CombinedOutput() // its status is looked at
			if got := command.ProcessState.ExitCode(); got != c.exit || !strings.Contains(string(out), c.says) {
				t.Errorf("exit status %d, want %d with %q: %s", got, c.exit, c.says, out)
			}
		})
	}
}

// BenchmarkMemory measures the peak of the heap for long addresses of the viewer.
func BenchmarkMemory(b *testing.B) {
	store, err := results.OpenReading(ordinary(b))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	const long = 60_000 // with more, headers are too large
	for name, address := range map[string]string{
		"a name":    "/experiments/" + strings.Repeat("x", long),
		"a path":    strings.Repeat("/x", long/2),
		"a query":   "/search?tool=" + strings.Repeat("%25", long/3),
		"arguments": "/search?" + strings.Repeat("a&", long/2),
	} {
		b.Run(name, func(b *testing.B) {
			peak.Benchmark(b, len(address), func() { _ = visit(b, store, address) })
		})
	}
}
