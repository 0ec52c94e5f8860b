package results

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/sys/unix"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

//go:embed schema.sql
var schema string

// schemaVersion is raised with every change of schema.sql.
const schemaVersion = 1

// busyTimeout is how long a write waits for another process's.
const busyTimeout = 10 * time.Second

// Store is a database of results in an SQLite file.
type Store struct {
	db    *sql.DB
	path  string
	lock  *os.File // held while the store is open for work
	zip   *zstd.Encoder
	unzip *zstd.Decoder
}

// Kinds of errors, for errors.Is.
var (
	ErrLocked   = errors.New("database locked")
	ErrFull     = errors.New("disk full")
	ErrNotFound = errors.New("not found")
	ErrDiffers  = errors.New("experiment differs")
)

// Open opens a database for work, creating it if needed. Only one process at a
// time may; others get ErrLocked.
func Open(path string) (*Store, error) { return open(path, true) }

// OpenReading opens an existing database for reading, beside a process that
// works on it.
func OpenReading(path string) (*Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("opening results: %w (agentd run makes the database; --db names another)", err)
	}
	return open(path, false)
}

func open(path string, forWork bool) (*Store, error) {
	s := &Store{path: path}
	if forWork {
		if err := s.claim(); err != nil {
			return nil, err
		}
	}
	query := url.Values{}
	query.Set("_txlock", "immediate")
	for _, pragma := range []string{
		"journal_mode(WAL)", "synchronous(NORMAL)", "foreign_keys(1)",
		fmt.Sprintf("busy_timeout(%d)", busyTimeout.Milliseconds()),
	} {
		query.Add("_pragma", pragma)
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+query.Encode())
	if err != nil {
		return nil, errors.Join(s.explain("opening", err), s.Close())
	}
	db.SetMaxOpenConns(1) // one writer; reads are short
	s.db = db
	if err := s.migrate(); err != nil {
		return nil, errors.Join(s.explain("opening", err), s.Close())
	}
	if s.zip, err = zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)); err == nil {
		s.unzip, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(1<<30))
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// claim takes the advisory lock that keeps a second run away.
func (s *Store) claim() error {
	file, err := os.OpenFile(s.path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return fmt.Errorf("opening results: %w", err)
	}
	if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		_ = file.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return fmt.Errorf("%w: another agentd run is working on %s; wait until it ends, or name another file with --db", ErrLocked, s.path)
		}
		return fmt.Errorf("locking %s: %w", s.path, err)
	}
	s.lock = file
	return nil
}

func (s *Store) migrate() error {
	var version int
	if err := s.db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		return err
	}
	switch {
	case version == schemaVersion:
		return nil
	case version != 0:
		return fmt.Errorf("the database has schema version %d, this agentd knows version %d; use the agentd that made it, or another --db", version, schemaVersion)
	}
	_, err := s.db.Exec(fmt.Sprintf("BEGIN; %s; PRAGMA user_version = %d; COMMIT", schema, schemaVersion))
	return err
}

// Close closes the database.
func (s *Store) Close() error {
	var err error
	if s.zip != nil {
		err = s.zip.Close()
	}
	if s.unzip != nil {
		s.unzip.Close()
	}
	if s.db != nil {
		err = errors.Join(err, s.db.Close())
	}
	if s.lock != nil { // last: closing the file drops SQLite's own locks too
		err = errors.Join(err, s.lock.Close())
	}
	return err
}

// explain adds to an error of the database what a user can do about it.
func (s *Store) explain(doing string, err error) error {
	var db *sqlite.Error
	if !errors.As(err, &db) {
		return fmt.Errorf("%s %s: %w", doing, s.path, err)
	}
	switch db.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w: %s %s: another process has held it for %v; stop that process, or name another file with --db (%w)", ErrLocked, doing, s.path, busyTimeout, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %s %s: free some space in %s and run the same command again; everything stored so far is safe (%w)", ErrFull, doing, s.path, filepath.Dir(s.path), err)
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("%s %s: it is not a database of agentd, or it is damaged; name another file with --db: %w", doing, s.path, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return fmt.Errorf("%s %s: the file or its folder cannot be written; check permissions, or name another file with --db: %w", doing, s.path, err)
	}
	return fmt.Errorf("%s %s: %w", doing, s.path, err)
}

// Begin returns the experiment of that name, made now if there is none. If
// there is one with another manifest, the error is ErrDiffers and says in what.
func (s *Store) Begin(ctx context.Context, name string, manifest Manifest) (Experiment, error) {
	existing, err := s.Experiment(ctx, name)
	if err == nil {
		if fields := manifest.differences(existing.Manifest); len(fields) > 0 {
			return Experiment{}, fmt.Errorf("%w: %q was begun with another %s; give this run another --name", ErrDiffers, name, strings.Join(fields, ", "))
		}
		return existing, nil
	}
	if !errors.Is(err, ErrNotFound) {
		return Experiment{}, err
	}
	id, err := uuid.NewV7()
	if err != nil {
		return Experiment{}, fmt.Errorf("naming the experiment: %w", err)
	}
	e := Experiment{ID: id.String(), Name: name, Created: time.Now(), Manifest: manifest}
	raw, err := json.Marshal(manifest)
	if err != nil {
		return Experiment{}, fmt.Errorf("storing the manifest: %w", err)
	}
	_, err = s.db.ExecContext(ctx, "INSERT INTO experiments (id, name, created, manifest) VALUES (?, ?, ?, ?)",
		e.ID, e.Name, e.Created.UnixMilli(), raw)
	if err != nil {
		return Experiment{}, s.explain("storing the experiment in", err)
	}
	return e, nil
}

// differences names the fields in which two manifests differ.
func (m Manifest) differences(other Manifest) []string {
	var mine, theirs map[string]json.RawMessage
	for into, from := range map[*map[string]json.RawMessage]Manifest{&mine: m, &theirs: other} {
		raw, err := json.Marshal(from)
		if err != nil {
			return []string{"manifest"}
		}
		if err := json.Unmarshal(raw, into); err != nil {
			return []string{"manifest"}
		}
	}
	var fields []string
	for name, value := range mine {
		if string(value) != string(theirs[name]) {
			fields = append(fields, name)
		}
	}
	slices.Sort(fields)
	return fields
}

// Experiment returns the experiment of that name, or ErrNotFound.
func (s *Store) Experiment(ctx context.Context, name string) (Experiment, error) {
	all, err := s.Experiments(ctx)
	if err != nil {
		return Experiment{}, err
	}
	names := make([]string, len(all))
	for i, e := range all {
		if e.Name == name {
			return e, nil
		}
		names[i] = e.Name
	}
	known := "there are none"
	if len(names) > 0 {
		known = "there are " + strings.Join(names, ", ")
	}
	return Experiment{}, fmt.Errorf("experiment %q in %s: %w; %s", name, s.path, ErrNotFound, known)
}

// Experiments returns all experiments, oldest first.
func (s *Store) Experiments(ctx context.Context) ([]Experiment, error) {
	rows, err := s.db.QueryContext(ctx, "SELECT id, name, created, manifest FROM experiments ORDER BY created, id")
	if err != nil {
		return nil, s.explain("reading experiments from", err)
	}
	defer rows.Close()
	var all []Experiment
	for rows.Next() {
		var e Experiment
		var created int64
		var manifest []byte
		if err := rows.Scan(&e.ID, &e.Name, &created, &manifest); err != nil {
			return nil, s.explain("reading experiments from", err)
		}
		if err := json.Unmarshal(manifest, &e.Manifest); err != nil {
			return nil, fmt.Errorf("reading the manifest of %s: %w", e.Name, err)
		}
		e.Created = time.UnixMilli(created)
		all = append(all, e)
	}
	return all, s.explainRows(rows.Err())
}

func (s *Store) explainRows(err error) error {
	if err == nil {
		return nil
	}
	return s.explain("reading", err)
}

// transaction runs work in one transaction.
func (s *Store) transaction(ctx context.Context, doing string, work func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return s.explain(doing, err)
	}
	if err := work(tx); err != nil {
		_ = tx.Rollback() // the error to report is work's
		return s.explain(doing, err)
	}
	if err := tx.Commit(); err != nil {
		return s.explain(doing, err)
	}
	return nil
}
