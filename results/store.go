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

// patience is how long a write waits for another process's.
const patience = 10 * time.Second

// Store is a database of results in an SQLite file.
type Store struct {
	db       *sql.DB
	path     string
	patience time.Duration
	lock     *os.File // held while the store is open for work
	zip      *zstd.Encoder
	unzip    *zstd.Decoder
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
func Open(path string) (*Store, error) { return open(path, true, patience) }

// OpenReading opens an existing database for reading, beside a process that
// works on it.
func OpenReading(path string) (*Store, error) {
	if _, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("opening results: %w (agentd run makes the database; --db names another)", err)
	}
	return open(path, false, patience)
}

func open(path string, forWork bool, patience time.Duration) (*Store, error) {
	s := &Store{path: path, patience: patience}
	if forWork {
		if err := s.claim(); err != nil {
			return nil, err
		}
	}
	query := url.Values{}
	query.Set("_txlock", "immediate")
	// FULL: an interaction that was paid for survives a power cut too.
	for _, pragma := range []string{
		"synchronous(FULL)", "foreign_keys(1)", fmt.Sprintf("busy_timeout(%d)", patience.Milliseconds()),
	} {
		query.Add("_pragma", pragma)
	}
	db, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?"+query.Encode())
	if err != nil {
		return nil, errors.Join(s.explain("opening", err), s.Close())
	}
	db.SetMaxOpenConns(1) // one writer; reads are short
	s.db = db
	if err := s.migrate(forWork); err != nil {
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

// claim takes the advisory lock that keeps a second run away. It is on a file
// of its own, because closing any descriptor of the database, as a refused
// second run would, drops the locks that SQLite holds on it in this process.
func (s *Store) claim() error {
	for {
		file, err := os.OpenFile(s.path+"-lock", os.O_CREATE|os.O_RDWR, 0o644)
		if err != nil {
			return fmt.Errorf("opening results: %w; the folder must exist and be writable, or name another file with --db", err)
		}
		if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
			_ = file.Close()
			if errors.Is(err, unix.EWOULDBLOCK) {
				return fmt.Errorf("%w: another agentd run is working on %s; wait until it ends, or name another file with --db", ErrLocked, s.path)
			}
			return fmt.Errorf("locking %s: %w", s.path, err)
		}
		locked, lockedErr := file.Stat()
		named, namedErr := os.Stat(file.Name())
		if lockedErr == nil && namedErr == nil && os.SameFile(locked, named) {
			s.lock = file
			return nil
		}
		_ = file.Close() // its last owner removed it before this lock was taken
	}
}

// release removes the lock file while it is still locked, so that who opens it
// next either fails to lock it or sees that it is gone.
func (s *Store) release() error {
	return errors.Join(os.Remove(s.lock.Name()), s.lock.Close())
}

// migrate makes the tables of a new database. It changes no database that is
// not this version's, not even its journal mode.
func (s *Store) migrate(forWork bool) error {
	var version, tables int
	err := s.db.QueryRow("SELECT user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_user_version").Scan(&version, &tables)
	switch {
	case err != nil:
		return err
	case version == schemaVersion:
		return nil
	case version != 0:
		return fmt.Errorf("the database has schema version %d, this agentd knows version %d; use the agentd that made it, or another --db", version, schemaVersion)
	case tables > 0:
		return errors.New("the database is another program's; name another file with --db")
	case !forWork:
		return errors.New("the database is empty; agentd run fills it")
	}
	_, err = s.db.Exec(fmt.Sprintf("PRAGMA journal_mode = WAL; BEGIN; %s; PRAGMA user_version = %d; COMMIT", schema, schemaVersion))
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
	if s.lock != nil {
		err = errors.Join(err, s.release())
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
		return fmt.Errorf("%w: %s %s: another process has held it for %v; stop that process, or name another file with --db (%w)", ErrLocked, doing, s.path, s.patience, err)
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
		e.ID, e.Name, e.Created.UnixMilli(), string(raw))
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
	for name := range mine {
		if string(mine[name]) != string(theirs[name]) {
			fields = append(fields, name)
		}
	}
	for name := range theirs { // a field that is omitted when it is zero
		if _, ok := mine[name]; !ok {
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
