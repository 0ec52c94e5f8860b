package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"agentd/documents/compare"
	"agentd/documents/guard"
	"agentd/domains"
	domaincatalog "agentd/domains/catalog"
	"agentd/environments"
	"agentd/internal/eventually"
	"agentd/results"
)

// The demonstration's relays, stored by a run with stand-ins: of every round trip that lost elements the guard's rule
// refuses the result, and of none that lost nothing.
func TestTheGuardRefusesWhatLosesElements(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "x.db")
	args := []string{"run", "--round-trips", "3", "--model", "sim:weak,sim:frontier,sim:perfect", "--policy", "direct", "--db", db, "--name", "guarded", "--trace", "full"}
	// A story is no list of elements: a guard compares its lines.
	args = append(args, "--env", "accounting1,calendar1,geodata1,json1,subtitles1,transit1,translation1,infra1,spreadsheet1,latex1,markdown1,vector1")
	if out, err := exec.Command("agentd", args...).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
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
	envs, err := environments.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	rule, err := guard.NewRule(nil, []string{"lost"})
	if err != nil {
		t.Fatal(err)
	}
	refused, passed, lossless := 0, 0, 0
	for _, relay := range relays {
		env := envs[slices.IndexFunc(envs, func(e environments.Environment) bool { return e.Name == relay.Environment })]
		d, _ := domaincatalog.Lookup(env.Domain) // every built-in environment has one
		reference := env.Apply(d).Against(env.Seed)
		stored, err := store.Interactions(t.Context(), relay.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, in := range stored {
			if in.Direction != results.Backward || in.Score == nil {
				continue
			}
			review := reference.Review(in.Output)
			lost := slices.ContainsFunc(review.Differences, func(d domains.Difference) bool { return d.Kind == domains.Lost })
			verdict := guard.Allowed
			for _, document := range compare.Compare(env.Seed, in.Output, nil).Documents {
				verdict = max(verdict, rule.Judge(document))
			}
			switch {
			case lost && verdict != guard.Denied:
				t.Errorf("%s, %s, step %d lost elements and is not refused: %v", relay.Model, relay.Environment, in.Number, review.Differences)
			case review.Strict == 1 && verdict != guard.Allowed:
				t.Errorf("%s, %s, step %d lost nothing, and the verdict is %d", relay.Model, relay.Environment, in.Number, verdict)
			}
			switch {
			case verdict == guard.Denied:
				refused++
			case review.Strict == 1:
				lossless++
			default:
				passed++
			}
		}
	}
	t.Logf("%d refused, %d lossless, %d changed without a loss", refused, lossless, passed)
	if refused == 0 || lossless == 0 {
		t.Errorf("%d refused, %d lossless: the relays do not show anything", refused, lossless)
	}
}

// Another guard has the lock, and this one ends with the first signal.
func TestAGuardThatWaitsEndsAtASignal(t *testing.T) {
	t.Parallel()
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		dir, state := t.TempDir(), t.TempDir()
		folder, err := guard.Open(t.Context(), dir, state)
		if err != nil {
			t.Fatal(err)
		}
		change := guard.Changed{"a.txt": {After: &guard.File{Content: []byte("a\n")}}}
		if _, err := folder.Apply(t.Context(), change, guard.Acceptance{Reason: "test"}); err != nil {
			t.Fatal(err)
		}
		locks, err := filepath.Glob(filepath.Join(state, "*", "lock"))
		if err != nil || len(locks) != 1 {
			t.Fatal(locks, err)
		}
		lock, err := os.Open(locks[0])
		if err != nil {
			t.Fatal(err)
		}
		defer lock.Close()
		if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
			t.Fatal(err)
		}
		run := exec.Command("agentd", "guard", "undo", "1", "--files", dir, "--log", state)
		var stderr strings.Builder
		run.Stderr = &stderr
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		eventually.Holds(t, "it waits for the lock", func() bool { return hasOpen(run.Process.Pid, locks[0]) })
		if err := run.Process.Signal(signal); err != nil {
			t.Fatal(err)
		}
		_ = run.Wait() // its status is looked at
		if got := run.ProcessState.ExitCode(); got != exitInterrupted || !strings.Contains(stderr.String(), "waiting for another agentd guard") {
			t.Errorf("%v: exit status %d, want %d: %s", signal, got, exitInterrupted, stderr.String())
		}
	}
}

// hasOpen reports whether a process has a file open.
func hasOpen(pid int, name string) bool {
	open, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid)) // the pattern is well formed
	return slices.ContainsFunc(open, func(fd string) bool { to, err := os.Readlink(fd); return err == nil && to == name })
}
