package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"agentd/results"
	"agentd/results/resultstest"
	"agentd/vfs"
)

// step is what of an interaction must not depend on who did it, and how often
// that was interrupted.
type step struct {
	Model, Policy, Environment, Edit string
	Repeat, Number                   int
	Score                            *results.Score
	Forward                          *float64
	Output                           vfs.Files
}

// steps returns the interactions of the only experiment of a database.
func steps(t *testing.T, db string) []step {
	t.Helper()
	store, err := results.OpenReading(db)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	experiments, err := store.Experiments(t.Context())
	if err != nil || len(experiments) != 1 {
		t.Fatalf("%d experiments, %v", len(experiments), err)
	}
	relays, err := store.Relays(t.Context(), experiments[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	var all []step
	for _, r := range relays {
		interactions, err := store.Interactions(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range interactions {
			all = append(all, step{r.Model, r.Policy, r.Environment, in.Edit, r.Repeat, in.Number, in.Score, in.Forward, in.Output})
		}
	}
	arms, err := store.Arms(t.Context(), experiments[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	done := 0
	for _, arm := range arms {
		done += arm.Done
		if arm.Done != arm.Planned || arm.Ended != arm.Relays {
			t.Errorf("the sums of %s %s are %+v", arm.Model, arm.Policy, arm)
		}
	}
	if done != len(all) {
		t.Errorf("the arms count %d interactions, %d are stored", done, len(all))
	}
	return all
}

// manyRelays writes an experiment of 200 relays of 4 interactions, on a model
// server that takes its time.
func manyRelays(t *testing.T, delay time.Duration) (file string) {
	t.Helper()
	server := exec.Command("agentd", "sim-server", "--listen", "127.0.0.1:0", "--delay", delay.String())
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	})
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "many.yaml")
	text := fmt.Sprintf(`name: many
models: [{name: weak, model: "sim:weak", base_url: %q, seeded: true, price: {input: 1, output: 2}}]
policies: [direct, noop]
environments: {names: [accounting1, calendar1, geodata1, subtitles1]}
relay: {round_trips: 2, repeats: 25}
`, strings.TrimSpace(url))
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// undisturbed is what one process makes of an experiment on SQLite.
func undisturbed(t *testing.T, file string) []step {
	t.Helper()
	db := filepath.Join(t.TempDir(), "undisturbed.db")
	run := exec.Command("agentd", "run", file, "--concurrency", "50", "--db", db)
	if out, err := run.CombinedOutput(); !finished(run) {
		t.Fatalf("%v: %s", err, out)
	}
	all := steps(t, db)
	if len(all) != 200*4 {
		t.Fatalf("%d interactions, want 800", len(all))
	}
	return all
}

// finished reports whether a process ended with all work stored. The arm noop does none of its edits.
func finished(c *exec.Cmd) bool { return c.ProcessState.ExitCode() == exitNothingDone }

func TestKilledAtAnyMomentNothingIsLostOrTwice(t *testing.T) {
	t.Parallel()
	file := manyRelays(t, 20*time.Millisecond)
	want := undisturbed(t, file)
	db := filepath.Join(t.TempDir(), "killed.db")
	kills, moments := 0, rand.New(rand.NewPCG(1, 1))
	for {
		run := start(t, "run", file, "--concurrency", "2", "--db", db)
		if kills < 20 {
			time.Sleep(time.Duration(20+moments.IntN(300)) * time.Millisecond)
			_ = run.Process.Kill() // it may have ended
		}
		err := run.Wait()
		if finished(run) {
			break
		}
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != -1 {
			t.Fatalf("after %d kills: %v: %s", kills, err, run.Stderr)
		}
		kills++
	}
	if kills < 20 {
		t.Errorf("the run was killed only %d times", kills)
	}
	if diff := cmp.Diff(want, steps(t, db)); diff != "" {
		t.Errorf("after %d kills: %s", kills, diff)
	}
	if left, err := os.ReadDir(filepath.Dir(db)); err != nil || len(left) > 3 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// start starts agentd; its standard error is kept.
func start(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := exec.Command("agentd", args...)
	c.Stderr = &bytes.Buffer{}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	return c
}

// Three processes share the work; every other second one is killed and started
// again, and now and then the database drops all connections.
func TestAFleetLosesNothing(t *testing.T) {
	t.Parallel()
	db := resultstest.Postgres(t)
	file := manyRelays(t, 400*time.Millisecond)
	want := undisturbed(t, file)
	machine := []string{"--db", db, "--concurrency", "4", "--take-over-after", "3s"}
	commands := [][]string{
		append([]string{"run", file}, machine...), append([]string{"worker"}, machine...), append([]string{"worker"}, machine...),
	}
	processes := make([]*exec.Cmd, len(commands))
	ended := make(chan int, 100)
	launch := func(i int) {
		c := start(t, commands[i]...)
		processes[i] = c
		go func() {
			_ = c.Wait()
			if i == 0 && finished(c) {
				ended <- i
			}
		}()
	}
	for i := range commands {
		launch(i)
	}
	defer func() {
		for _, c := range processes {
			_ = c.Process.Kill()
		}
	}()
	ticker := time.NewTicker(2 * time.Second)
	defer ticker.Stop()
	kills := 0
	for done := false; !done; {
		select {
		case <-ended:
			done = true
		case <-ticker.C:
			if kills > 60 {
				t.Fatalf("not done after %d kills: %s", kills, processes[0].Stderr)
			}
			victim := kills % len(processes)
			_ = processes[victim].Process.Kill()
			time.Sleep(50 * time.Millisecond) // the kernel closes its connections
			launch(victim)
			if kills++; kills%3 == 0 {
				cutConnections(t, db)
			}
		}
	}
	if kills < 3 {
		t.Errorf("only %d processes were killed", kills)
	}
	if diff := cmp.Diff(want, steps(t, db)); diff != "" {
		t.Errorf("after %d kills: %s", kills, diff)
	}
	t.Logf("%d kills", kills)
}

// cutConnections drops all connections to a database but its own.
func cutConnections(t *testing.T, db string) {
	t.Helper()
	connection, err := pgx.Connect(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer connection.Close(t.Context())
	_, err = connection.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND pid <> pg_backend_pid()`)
	if err != nil {
		t.Fatal(err)
	}
}
