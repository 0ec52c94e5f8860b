package main

import (
	"os"
	"path/filepath"
	"testing"

	"agentd/internal/eventually"
	"agentd/results"
	"agentd/results/resultstest"
)

// exampleRun are the arguments of a run whose policy is a command.
func exampleRun(db string, more ...string) []string {
	return append([]string{"run", "--db", db, "--model", "sim:perfect", "--policy", "exec:../../examples/python",
		"--env", "accounting1", "--round-trips", "2"}, more...)
}

// stored returns how many interactions of the only experiment a database has, all of
// which must be without a failure.
func stored(t *testing.T, db string) int {
	t.Helper()
	store, err := results.OpenReading(db)
	if err != nil {
		return 0 // it is not there yet
	}
	defer store.Close()
	experiments, err := store.Experiments(t.Context())
	if err != nil || len(experiments) == 0 {
		return 0
	}
	relays, err := store.Relays(t.Context(), experiments[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	for _, relay := range relays {
		interactions, err := store.Interactions(t.Context(), relay.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range interactions {
			if in.Failure != "" {
				t.Errorf("interaction %d fails: %s: %s", in.Number, in.Failure, in.Detail)
			}
		}
		done += len(interactions)
	}
	return done
}

func TestMetricsBesideCommands(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "x.db")
	run := start(t, exampleRun(db, "--metrics", "127.0.0.1:0")...)
	if err := run.Wait(); err != nil {
		t.Fatalf("%v: %s", err, run.Stderr)
	}
	if got := stored(t, db); got != 4 {
		t.Errorf("%d interactions are stored, want 4", got)
	}
}

// A worker with metrics goes on with an experiment that another process has begun.
func TestWorkersWithMetricsBesideCommands(t *testing.T) {
	t.Parallel()
	db := resultstest.Postgres(t)
	const takeOver = "--take-over-after=1s"
	run := start(t, exampleRun(db, "--repeats", "5", "--concurrency", "1", takeOver)...)
	eventually.Holds(t, "something is stored", func() bool { return stored(t, db) > 0 })
	_ = run.Process.Kill()
	_ = run.Wait()
	begun := stored(t, db)
	worker := start(t, "worker", "--db", db, "--metrics", "127.0.0.1:0", takeOver)
	eventually.Holds(t, "all is stored", func() bool { return stored(t, db) == 5*4 })
	_ = worker.Process.Signal(os.Interrupt)
	if err := worker.Wait(); err != nil {
		t.Errorf("%v: %s", err, worker.Stderr)
	}
	if begun == 5*4 {
		t.Error("nothing was left for the worker")
	}
}
