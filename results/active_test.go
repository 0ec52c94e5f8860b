package results

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// An experiment is worked on while a process holds its database and stores its interactions, not
// because nothing has said that it ended.
func TestWhichExperimentsAreWorkedOn(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "x.db")
	store, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	begin := func(name string) Experiment {
		t.Helper()
		e, err := store.Begin(t.Context(), name, Manifest{RoundTrips: 1, Repeats: 1}, nil, false)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	older, newer := begin("older"), begin("newer")
	for _, e := range []Experiment{older, newer} {
		relays, err := store.Plan(t.Context(), []Relay{{Experiment: e.ID, Policy: "noop", Environment: "a1", Domain: "accounting", Repeat: 1, Schedule: []string{"x"}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		in := Interaction{Relay: relays[0].ID, Number: 1, Edit: "x", Direction: Forward, Started: time.Now(), Ending: "finished"}
		if err := store.Append(t.Context(), &in, nil); err != nil {
			t.Fatal(err)
		}
	}
	reader, err := OpenReading(path)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	check := func(when string, want ...string) {
		t.Helper()
		active, err := reader.Active(t.Context())
		if err != nil || len(active) != len(want) {
			t.Fatalf("%s: %v, %v, not %v", when, active, err, want)
		}
		for _, id := range want {
			if !active[id] {
				t.Errorf("%s: %v, not %v", when, active, want)
			}
		}
	}
	check("during the run", newer.ID)
	begun := begin("begun")
	check("before the first interaction of another one", newer.ID, begun.ID)
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	check("after the run")
	// A process that was killed leaves its lock's file, which is locked no more.
	lock, err := os.Create(path + "-lock")
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Close()
	check("after the run was killed")
	if err := unix.Flock(int(lock.Fd()), unix.LOCK_EX); err != nil {
		t.Fatal(err)
	}
	check("during another run", newer.ID, begun.ID)
}
