package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"
)

// wantError checks an error's kind, nil for any, and that it says all phrases.
func wantError(t *testing.T, err, kind error, phrases ...string) {
	t.Helper()
	if err == nil || kind != nil && !errors.Is(err, kind) {
		t.Fatalf("error is %v, want one that is %v", err, kind)
	}
	for _, phrase := range phrases {
		if !strings.Contains(err.Error(), phrase) {
			t.Errorf("error does not say %q: %v", phrase, err)
		}
	}
}

// another makes an SQLite file with statements of another program.
func another(t *testing.T, path, statements string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { _ = db.Close() })
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	return db
}

// future makes the database of an agentd that is not written yet.
const future = "CREATE TABLE " + versionTable + " (version_id INTEGER); INSERT INTO " + versionTable + " VALUES (999)"

func TestWhatCannotBeOpenedSaysWhatToDo(t *testing.T) {
	t.Parallel()
	write := func(content string) func(*testing.T, string) {
		return func(t *testing.T, path string) {
			if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	made := func(statements string) func(*testing.T, string) {
		return func(t *testing.T, path string) { another(t, path, statements).Close() }
	}
	for name, c := range map[string]struct {
		prepare func(*testing.T, string)
		path    string // below the folder; "x.db" if empty
		open    func(string) (*Store, error)
		kind    error
		phrase  string
	}{
		"a newer schema names both versions": {made(future), "", Open, nil,
			"schema version 999, this agentd knows up to version 16; use the agentd that made it, or another --db"},
		"a text file":              {write(strings.Repeat("not a database\n", 100)), "", Open, nil, "it is not a database of agentd, or it is damaged; name another file with --db"},
		"another program's tables": {made("CREATE TABLE cookies (host TEXT)"), "", Open, nil, "another program's, or of an agentd before version 0.2; name another file with --db"},
		"a folder that is a file":  {write(""), "x.db/results.db", Open, unix.ENOTDIR, "the folder must exist and be writable, or name another file with --db"},
		"a folder that is missing": {func(*testing.T, string) {}, "none/results.db", Open, fs.ErrNotExist, "the folder must exist"},
		"the database is a folder": {func(t *testing.T, path string) { _ = os.Mkdir(path, 0o755) }, "", Open, nil, "cannot be written; check permissions, or name another file with --db"},
		"reading what is missing":  {func(*testing.T, string) {}, "", OpenReading, fs.ErrNotExist, "agentd run makes the database; --db names another"},
		"reading an empty file":    {write(""), "", OpenReading, nil, "the database is empty; agentd run fills it"},
		"reading a newer schema":   {made(future), "", OpenReading, nil, "schema version 999"},
		"reading another's tables": {made("CREATE TABLE cookies (host TEXT)"), "", OpenReading, nil, "another program's"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "x.db")
			c.prepare(t, file)
			before, _ := os.ReadFile(file)
			path := file
			if c.path != "" {
				path = filepath.Join(dir, c.path)
			}
			store, err := c.open(path)
			if store != nil {
				_ = store.Close()
			}
			wantError(t, err, c.kind, path, c.phrase)
			if strings.Count(err.Error(), path) > 2 {
				t.Errorf("error repeats itself: %v", err)
			}
			if after, _ := os.ReadFile(file); string(after) != string(before) {
				t.Error("the file was changed")
			}
			if left, _ := filepath.Glob(file + "-*"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestOneWorksAndOthersRead(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "odd name? 100%.#db")
	store, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	relay := plan(t, store, "m")[0]
	second, err := Open(path)
	if second != nil {
		_ = second.Close()
	}
	wantError(t, err, ErrLocked, path, "wait until it ends, or name another file with --db")
	if !lockedBySQLite(t, path) {
		t.Error("the refused Open has dropped the locks of the open database")
	}
	reader, err := OpenReading(path)
	if err != nil {
		t.Fatal(err)
	}
	for number := 1; number <= 2; number++ {
		if err := store.Append(t.Context(), typical(relay.ID, number), nil); err != nil {
			t.Fatal(err)
		}
		if last, err := reader.Last(t.Context(), relay.ID); last.Number != number || err != nil {
			t.Errorf("the reader sees %d, %v; stored is %d", last.Number, err, number)
		}
	}
	if err := errors.Join(reader.Close(), store.Close()); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(path + "-*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	again, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

func TestNoTwoHoldTheLockWhileItsFileComesAndGoes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "results.db")
	var holders atomic.Int32
	var group errgroup.Group
	for range 4 {
		group.Go(func() error {
			for range 2000 {
				s := &sqliteFile{path: path}
				err := s.claim()
				if errors.Is(err, ErrLocked) {
					continue
				}
				if err != nil {
					return err
				}
				if n := holders.Add(1); n > 1 {
					return fmt.Errorf("%d hold the lock", n)
				}
				holders.Add(-1)
				if err := s.release(); err != nil {
					return err
				}
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}

// lockedBySQLite reports whether this process holds SQLite's locks on a
// database. The descriptor to ask with stays open, for closing it drops them.
func lockedBySQLite(t *testing.T, path string) bool {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	lock := unix.Flock_t{Type: unix.F_WRLCK, Whence: io.SeekStart}
	if err := unix.FcntlFlock(file.Fd(), unix.F_OFD_GETLK, &lock); err != nil {
		t.Fatal(err)
	}
	return lock.Type != unix.F_UNLCK
}

func TestALockedDatabase(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "results.db")
	store, err := open(path, true, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	relay := plan(t, store, "m")[0]
	other := another(t, path, "BEGIN IMMEDIATE")
	err = store.Append(t.Context(), typical(relay.ID, 1), nil)
	wantError(t, err, ErrLocked, "storing an interaction in "+path, "another process has held it for 0s", "stop that process, or name another file with --db")
	if last, err := store.Last(t.Context(), relay.ID); last.Number != 0 || err != nil {
		t.Errorf("reading next to the lock: %d, %v", last.Number, err)
	}
	if _, err := other.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := store.Append(t.Context(), typical(relay.ID, 1), nil); err != nil {
		t.Errorf("once it is free: %v", err)
	}
}

func TestAFullDiskLosesNothingStored(t *testing.T) {
	t.Parallel()
	store := create(t)
	relay := plan(t, store, "m")[0]
	if err := store.Append(t.Context(), typical(relay.ID, 1), nil); err != nil {
		t.Fatal(err)
	}
	var pages int
	if err := store.SQLite().QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	limit := func(pages int) {
		if _, err := store.SQLite().Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
			t.Fatal(err)
		}
	}
	limit(pages)
	in := typical(relay.ID, 2)
	noise := make([]byte, 100_000)
	_, _ = rand.NewChaCha8([32]byte{}).Read(noise)
	in.Output["large"] = string(noise)
	before := counts(t, store)
	err := store.Append(t.Context(), in, nil)
	wantError(t, err, ErrFull, store.db.name(), "free some space in "+filepath.Dir(store.db.name())+" and run the same command again")
	if diff := cmp.Diff(before, counts(t, store)); diff != "" {
		t.Errorf("something was left:\n%s", diff)
	}
	limit(1 << 20)
	if err := store.Append(t.Context(), in, nil); err != nil {
		t.Errorf("with space again: %v", err)
	}
}

func TestNotFound(t *testing.T) {
	t.Parallel()
	store := create(t)
	_, err := store.Experiment(t.Context(), "x")
	wantError(t, err, ErrNotFound, `experiment "x" in `+store.db.name(), "there are none")
	plan(t, store)
	_, err = store.Experiment(t.Context(), "x")
	wantError(t, err, ErrNotFound, "there are test")
	_, err = store.Relay(t.Context(), 7)
	wantError(t, err, ErrNotFound, "relay 7 in "+store.db.name())
	_, err = store.Content(t.Context(), strings.Repeat("00", 32))
	wantError(t, err, ErrNotFound, store.db.name())
	_, err = store.Content(t.Context(), "x")
	wantError(t, err, nil, `"x" is not a hash`)
}

func TestAnInterruptIsTheContextsError(t *testing.T) {
	t.Parallel()
	store := create(t)
	relay := plan(t, store, "m")[0]
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	wantError(t, store.Append(ctx, typical(relay.ID, 1), nil), context.Canceled)
	_, err := store.Summaries(ctx, relay.Experiment)
	wantError(t, err, context.Canceled)
	if n := count(t, store, "interactions"); n != 0 {
		t.Errorf("%d interactions stored", n)
	}
}
