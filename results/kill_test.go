package results

import (
	"bufio"
	"context"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

// childDB is the environment variable that makes of this test binary a process
// that appends to the database it names until it is killed.
const childDB = "RESULTS_TEST_CHILD_DB"

// openingDB makes of it one that opens the database, which brings it up to date, and
// ends.
const openingDB = "RESULTS_TEST_OPENING_DB"

func openAndClose(path string) (status int) {
	store, err := Open(path)
	if err == nil {
		err = store.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func TestMain(m *testing.M) {
	if path := os.Getenv(openingDB); path != "" {
		os.Exit(openAndClose(path))
	}
	if path := os.Getenv(childDB); path != "" {
		fmt.Fprintln(os.Stderr, appendForever(path))
		os.Exit(1)
	}
	goleak.VerifyTestMain(m)
}

// appendForever goes on with the first relay and prints each number once it is
// stored.
func appendForever(path string) error {
	ctx := context.Background()
	store, err := Open(path)
	if err != nil {
		return err
	}
	defer store.Close()
	last, err := store.Last(ctx, 1)
	for number := last.Number + 1; err == nil; number++ {
		if err = store.Append(ctx, typical(1, number), nil); err == nil {
			_, err = fmt.Println(number)
		}
	}
	return err
}

func TestKilledAtAnyMomentNothingStoredIsLostOrTwice(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "results.db")
	store, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	plan(t, store, "m")
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	printed := 0
	for range 12 {
		first := printed + 1
		printed = killAfter(t, path, 1+rand.IntN(10))
		stored := verify(t, path)
		// What was being stored when the kill came may be there too.
		if printed < first || stored < printed || stored > printed+1 {
			t.Fatalf("stored up to %d; printed from %d to %d", stored, first, printed)
		}
		printed = stored
	}
}

// killAfter runs a child, kills it while it goes on after it has printed lines
// numbers, and returns the last number that it printed.
func killAfter(t *testing.T, path string, lines int) int {
	t.Helper()
	child := exec.Command(os.Args[0])
	child.Env = append(os.Environ(), childDB+"="+path)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	moment := make([]byte, 4096)
	printed := 0
	for scanner, n := bufio.NewScanner(out), 1; scanner.Scan(); n++ {
		if printed, err = strconv.Atoi(scanner.Text()); err != nil {
			t.Error(err)
		}
		if n == lines {
			for range rand.IntN(1000) { // somewhere in the next few transactions
				sha256.Sum256(moment)
			}
			if err := child.Process.Kill(); err != nil {
				t.Error(err)
			}
		}
	}
	if err := child.Wait(); err == nil || child.ProcessState.ExitCode() != -1 {
		t.Fatalf("the child ended on its own: %v", err)
	}
	return printed
}

// verify opens the database as the next run would and returns the last number,
// having seen that all up to it are there, once and whole.
func verify(t *testing.T, path string) int {
	t.Helper()
	store := openSound(t, path)
	defer store.Close()
	all, err := store.Interactions(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	for i, in := range all {
		want := typical(1, i+1)
		want.ID, want.Use = in.ID, want.toolUse()
		if diff := cmp.Diff(*want, in); diff != "" {
			t.Fatalf("at place %d of %d: -appended +stored\n%s", i+1, len(all), diff)
		}
	}
	// Every content belongs to an interaction: two that never change, one each.
	if n := count(t, store, "contents"); n != len(all)+2 {
		t.Errorf("%d contents of %d interactions", n, len(all))
	}
	return len(all)
}

// openSound opens a database for work that SQLite finds nothing wrong with. It must be
// closed.
func openSound(t *testing.T, path string) *Store {
	t.Helper()
	store, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	var integrity string
	if err := store.SQLite().QueryRow("PRAGMA integrity_check").Scan(&integrity); err != nil || integrity != "ok" {
		t.Fatalf("integrity: %s, %v", integrity, err)
	}
	return store
}

// A process that is killed while it makes the tables leaves some of them.
func TestTablesThatAreMadeHalf(t *testing.T) {
	t.Parallel()
	for name, statements := range map[string]string{
		"none at all":                         "",
		"the version table, no version in it": "CREATE TABLE agentd_schema (id INTEGER PRIMARY KEY AUTOINCREMENT, version_id INTEGER NOT NULL, is_applied INTEGER NOT NULL, tstamp TIMESTAMP DEFAULT (datetime('now'))); INSERT INTO agentd_schema (version_id, is_applied) VALUES (0, 1)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "half.db")
			if err := another(t, path, "PRAGMA journal_mode = WAL; "+statements).Close(); err != nil {
				t.Fatal(err)
			}
			store, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			plan(t, store, "m")
		})
	}
}
