package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/pressly/goose/v3"

	"agentd/results/record"
	"agentd/results/resultstest"
)

// migrateTo brings a database to a version.
func migrateTo(t *testing.T, version int64, folder string, dialect goose.Dialect, db *sql.DB) {
	t.Helper()
	provider, err := migrationsOf(folder, dialect, db)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := provider.UpTo(t.Context(), version); err != nil {
		t.Fatal(err)
	}
}

// older makes a database of the first version, with a relay of so many interactions,
// each with a call of two tools.
func older(t *testing.T, path string, interactions int) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	migrateTo(t, 1, "sqlite", goose.DialectSQLite3, db)
	numbers := fmt.Sprintf("WITH RECURSIVE n(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE n < %d) ", interactions)
	for _, statement := range []string{
		`INSERT INTO experiments VALUES ('e', 'old', 1, '{}', 'running', NULL)`,
		`INSERT INTO arms VALUES (1, 'e', 'm', 'p', 1, 2, 1, 0, 0, 0, 0, 0, 0, 0)`,
		`INSERT INTO relays VALUES (1, 'e', 1, 'm', 'p', 'tiny1', 'tiny', 1, '["edit"]')`,
		`INSERT INTO interactions ` + numbers + `SELECT n, 1, n, 'edit', 'forward', 1, 1, 'finished', '', '', 1, 10, 0, 5, 0, NULL,
			NULL, NULL, NULL, NULL, NULL, '{}', '', 'null', '{}', 0, 1, 0, 0, 0 FROM n`,
		`INSERT INTO turns ` + numbers + `SELECT n, 1, 10, 0, 5, 0, NULL, 1, 0, 'stop' FROM n`,
		`INSERT INTO tool_calls ` + numbers + `SELECT n, 1, 1, 'read_file', '[]', 0, 0, 0, '', 1 FROM n`,
		`INSERT INTO tool_calls ` + numbers + `SELECT n, 2, 1, 'finish', '[]', 0, 0, 0, '', 1 FROM n`,
		`INSERT INTO tool_calls VALUES (1, 3, 1, 'Bash', '[]', 0, 0, 1, '', 1), (1, 4, 1, 'write_file', '[]', 0, 0, 1, '', 1)`,
		`INSERT INTO reads VALUES (1, 1, 'd.md', 'distractor', 'read_file'), (1, 2, 'd.md', 'distractor', 'exec')`,
	} {
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// Results of an older agentd are brought up to date by the first that works on
// them, not by one that reads.
func TestAnOlderSchemaIsBroughtUpToDate(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	older(t, path, 1)
	if _, err := OpenReading(path); !errors.Is(err, ErrOlder) {
		t.Errorf("a reader takes an older schema for its own: %v", err)
	}
	missing := filepath.Join(t.TempDir(), "x.db")
	if _, err := OpenUpToDate(missing); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a database that is not there: %v", err)
	}
	resumed := filepath.Join(t.TempDir(), "x.db")
	older(t, resumed, 1)
	if err := Using(OpenUpToDate, resumed, func(*Store) error { return nil }); err != nil {
		t.Errorf("who goes on with it does not bring it up to date: %v", err)
	}
	store, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	all, err := store.Interactions(context.Background(), 1)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d interactions, %v", len(all), err)
	}
	in := all[0]
	if in.Prompt != 10 || len(in.Turns) != 1 || in.Turns[0].Text != nil || len(in.ToolCalls) != 4 || in.ToolCalls[0].Answer != nil || in.Use.Tools != "read_file finish Bash write_file" {
		t.Fatalf("%+v, want what was stored, and no text", in)
	}
	if len(in.Reads) != 2 || in.Reads[0].ByScript || !in.Reads[1].ByScript {
		t.Errorf("reads %+v", in.Reads)
	}
}

// A process that is killed while it brings a database up to date leaves it as it was
// or as it should be, table by table, and the next one goes on.
func TestKilledWhileItIsBroughtUpToDate(t *testing.T) {
	t.Parallel()
	const interactions = 3000
	path := filepath.Join(t.TempDir(), "x.db")
	older(t, path, interactions)
	began := time.Now()
	if err := opening(t, path).Run(); err != nil {
		t.Fatal(err)
	}
	takes, killed := time.Since(began), 0
	for round := range 8 {
		path := filepath.Join(t.TempDir(), "x.db")
		older(t, path, interactions)
		for attempt := 0; ; attempt++ {
			child := opening(t, path)
			if err := child.Start(); err != nil {
				t.Fatal(err)
			}
			if attempt < 3 { // at any moment of the first attempts
				time.Sleep(time.Duration(rand.Int64N(int64(takes))))
				_ = child.Process.Kill() // it may have ended
			}
			if err := child.Wait(); err == nil {
				break
			}
			killed++
			if attempt >= 3 {
				t.Fatalf("round %d: it cannot be opened any more", round)
			}
		}
		upToDate(t, path, interactions)
	}
	if killed == 0 {
		t.Error("no process was killed in time")
	}
}

func opening(t *testing.T, path string) *exec.Cmd {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), openingDB+"="+path)
	child.Stderr = os.Stderr
	return child
}

// upToDate looks at a database that older has made.
func upToDate(t *testing.T, path string, interactions int) {
	t.Helper()
	store := openSound(t, path)
	defer store.Close()
	all, err := store.RelaySummaries(t.Context(), 1)
	if err != nil || len(all) != interactions {
		t.Fatalf("%d interactions, %v", len(all), err)
	}
	for _, in := range all {
		if !strings.HasPrefix(in.Use.Tools, "read_file finish") {
			t.Fatalf("interaction %d was left out: tools %q", in.Number, in.Use.Tools)
		}
	}
	if n := count(t, store, "judgements"); n != 0 {
		t.Errorf("%d judgements", n)
	}
}

// What an older agentd counted as writes are edits and patches too; which is told by the
// tools.
func TestWritesOfAnOlderSchemaAreToldApart(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	older(t, path, 1)
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	for i, tool := range []string{"run_python", "write_file", "str_replace", "Edit", "apply_patch", "rename"} {
		if _, err := db.ExecContext(t.Context(), `INSERT INTO tool_calls VALUES (1, $1, 1, $2, '[]', 0, 0, 1, '', 1)`, 5+i, tool); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.ExecContext(t.Context(), `UPDATE interactions SET calls = 10, scripts = 2, writes = 5`); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	store := openSound(t, path)
	defer store.Close()
	all, err := store.Interactions(t.Context(), 1)
	if err != nil || len(all) != 1 {
		t.Fatalf("%d interactions, %v", len(all), err)
	}
	use := all[0].Use
	if use.Scripts != 2 || use.Writes != 2 || use.Edits != 3 || use.Patches != 1 {
		t.Errorf("%d scripts, %d writes, %d edits, of these %d patches", use.Scripts, use.Writes, use.Edits, use.Patches)
	}
	var ways []record.Way
	for _, call := range all[0].ToolCalls {
		ways = append(ways, call.Way)
	}
	if diff := cmp.Diff([]record.Way{"", "", record.ByScript, record.ByWriting, record.ByScript, record.ByWriting, record.ByEditing, record.ByEditing, record.ByPatch, ""}, ways); diff != "" {
		t.Error(diff)
	}
}

// RS was called value in a database, and Value in the records of interactions that were done again.
func TestScoresOfAnOlderSchema(t *testing.T) {
	t.Parallel()
	test := func(t *testing.T, address, driver, folder string, dialect goose.Dialect, begin ...string) {
		db, err := sql.Open(driver, strings.Replace(address, "?", "?search_path=agentd&", 1))
		if err != nil {
			t.Fatal(err)
		}
		run := func(statements ...string) {
			for _, statement := range statements {
				if _, err := db.ExecContext(t.Context(), statement); err != nil {
					t.Fatalf("%s: %v", statement, err)
				}
			}
		}
		run(begin...)
		migrateTo(t, 11, folder, dialect, db)
		run(`INSERT INTO experiments (id, name, created, manifest, state) VALUES ('e', 'old', 1, '{}', 'running')`,
			`INSERT INTO arms (id, experiment, model, policy, relays, planned, done, ended, failed, scored, value, strict, cost, unpriced)
				VALUES (1, 'e', 'm', 'p', 1, 2, 2, 0, 0, 1, 0.5, 0.25, 0, 0)`,
			`INSERT INTO relays (id, experiment, arm, model, policy, environment, domain, repeat, schedule) VALUES (1, 'e', 1, 'm', 'p', 'tiny1', 'tiny', 1, '["edit"]')`)
		for _, interaction := range []string{`1, 'forward', NULL, NULL, NULL, NULL, 0.75`, `2, 'backward', 0.5, 0.25, 3, 2, NULL`} {
			run(`INSERT INTO interactions (relay, edit, started, duration, ending, failure, detail, turns, prompt, cached, completion, reasoning, components, problem,
				strays, output, calls, scripts, writes, distractors, distractors_read, number, direction, value, strict, reference_elements, candidate_elements, forward_value)
				VALUES (1, 'edit', 1, 1, 'finished', '', '', 0, 0, 0, 0, 0, '{}', '', 'null', '{}', 0, 0, 0, 0, 0, ` + interaction + `)`)
		}
		run(`INSERT INTO replaced (relay, number, replaced, record) VALUES
			(1, 2, 1, '{"Relay":1,"Number":2,"Detail":"says \"Value\": 1","Score":{"Value":0.125,"Strict":0},"ForwardValue":0.875}')`)
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		store, err := Open(address)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		all, err := store.Interactions(t.Context(), 1)
		if err != nil || len(all) != 2 || *all[0].ForwardRS != 0.75 || all[1].Score.RS != 0.5 || all[1].Score.Strict != 0.25 {
			t.Errorf("%v: %+v", err, all)
		}
		arms, err := store.Arms(t.Context(), "e")
		if err != nil || len(arms) != 1 || arms[0].RSSum != 0.5 {
			t.Errorf("%v: %+v", err, arms)
		}
		before, err := store.Replaced(t.Context(), 1, 2)
		if err != nil || len(before) != 1 || before[0].Score.RS != 0.125 || *before[0].ForwardRS != 0.875 || before[0].Detail != `says "Value": 1` {
			t.Errorf("%v: %+v", err, before)
		}
	}
	t.Run("SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, filepath.Join(t.TempDir(), "x.db"), "sqlite", "sqlite", goose.DialectSQLite3)
	})
	t.Run("PostgreSQL", func(t *testing.T) {
		t.Parallel()
		test(t, resultstest.Postgres(t), "pgx", "postgres", goose.DialectPostgres, "CREATE SCHEMA agentd")
	})
}
