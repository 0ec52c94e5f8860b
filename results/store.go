package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/klauspost/compress/zstd"

	"agentd/internal/usage"
)

const (
	// patience is how long a write waits for another process's.
	patience = 10 * time.Second
	// outage is how long a write waits for a database that does not answer.
	outage = 10 * time.Minute
)

// Store is a database of results: an SQLite file, or a PostgreSQL database that
// processes on many machines share.
type Store struct {
	db     database
	client string
	zip    *zstd.Encoder
	unzip  *zstd.Decoder
	stored stored
	// Waiting is called when a write has to wait because the database does not answer; nil
	// for none. It is set before the store is used.
	Waiting func(error)
}

// Kinds of errors, for errors.Is.
var (
	ErrLocked    = errors.New("database locked")
	ErrFull      = errors.New("disk full")
	ErrNotFound  = errors.New("not found")
	ErrDiffers   = errors.New("experiment differs")
	ErrCancelled = errors.New("experiment cancelled")
	ErrOlder     = errors.New("database of an older agentd")
	ErrBusy      = errors.New("relay busy") // some process works on it
)

// IsShared reports whether --db names a PostgreSQL database, not a file.
func IsShared(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}

// Redacted returns the address of a database as messages show it: without a password.
func Redacted(address string) string {
	if parsed, err := url.Parse(address); err == nil && IsShared(address) {
		return parsed.Redacted()
	}
	return address
}

// Open opens a database for work, creating its tables if needed: a file, or a
// PostgreSQL database by its URL. Only one process at a time may work on a file;
// others get ErrLocked.
func Open(address string) (*Store, error) { return open(address, true, patience) }

// Using opens a database with Open, OpenReading or the like, has do use it, and closes it.
func Using(open func(address string) (*Store, error), address string, do func(*Store) error) (err error) {
	store, err := open(address)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	return do(store)
}

// OpenReading opens an existing database while processes work on it.
func OpenReading(address string) (*Store, error) {
	if !IsShared(address) {
		if _, err := os.Stat(address); err != nil {
			return nil, fmt.Errorf("opening results: %w (agentd run makes the database; --db names another)", err)
		}
	}
	return open(address, false, patience)
}

// OpenUpToDate opens an existing database like OpenReading. It first brings the tables of an older agentd up to date, as
// Open does; if a process works on such a database, the error is ErrLocked.
func OpenUpToDate(address string) (*Store, error) {
	store, err := OpenReading(address)
	if !errors.Is(err, ErrOlder) {
		return store, err
	}
	work, err := Open(address)
	if err == nil {
		err = work.Close()
	}
	if err != nil {
		return nil, err
	}
	return OpenReading(address)
}

func open(address string, forWork bool, patience time.Duration) (*Store, error) {
	s := &Store{client: clientName(), stored: newStored()}
	if IsShared(address) {
		db, err := openPostgres(context.Background(), address, s.client, forWork)
		if err != nil {
			return nil, err
		}
		s.db = db
	} else {
		db, err := openSQLite(address, forWork, patience)
		if err != nil {
			return nil, err
		}
		s.db = db
	}
	var err error
	// Half the time of the default level for files a twentieth larger.
	if s.zip, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest)); err == nil {
		s.unzip, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostContentBytes))
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// clientName is unique to this process, and short enough for PostgreSQL's list
// of sessions (63 bytes).
func clientName() string {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	return fmt.Sprintf("agentd-%.30s-%d-%.8s", host, os.Getpid(), uuid.NewString())
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
	return errors.Join(err, s.db.close())
}

// Client is the name by which the database knows this process.
func (s *Store) Client() string { return s.client }

// SQLite returns the database, nil if it is PostgreSQL.
func (s *Store) SQLite() *sql.DB {
	if f, ok := s.db.(*sqliteFile); ok {
		return f.db
	}
	return nil
}

// Postgres returns the database, nil if it is an SQLite file.
func (s *Store) Postgres() *pgxpool.Pool {
	if p, ok := s.db.(*postgres); ok {
		return p.pool
	}
	return nil
}

// Query runs a query outside any transaction.
func (s *Store) Query(ctx context.Context, query string, args ...any) (Rows, error) {
	rows, err := s.db.Query(ctx, query, args...)
	if err != nil {
		return nil, s.db.explain("reading", err)
	}
	return rows, nil
}

const (
	firstWait = 100 * time.Millisecond
	maxWait   = 5 * time.Second
)

// Transaction runs work in one transaction. It runs work again if the database was not
// reachable for a while, or if another transaction conflicted. So work must do nothing outside
// of the database that may not be repeated.
func (s *Store) Transaction(ctx context.Context, doing string, work func(Tx) error) error {
	return s.patiently(ctx, doing, func() (bool, error) { return true, s.db.transact(ctx, work) })
}

// patiently calls try until it succeeds, returns an error that does not pass, or has failed
// for as long as an outage may take.
func (s *Store) patiently(ctx context.Context, doing string, try func() (again bool, err error)) error {
	until := time.Now().Add(outage)
	for wait := firstWait; ; wait = min(2*wait, maxWait) {
		again, err := try()
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return s.db.explain(doing, ctx.Err())
		case !again, !s.db.transient(err), time.Now().After(until):
			return s.db.explain(doing, err)
		}
		if s.Waiting != nil {
			s.Waiting(s.db.explain(doing, err))
		}
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return s.db.explain(doing, ctx.Err())
		}
	}
}

// scanAll runs a query and hands every row to scan.
func (s *Store) scanAll(ctx context.Context, query string, args []any, scan func(Rows) error) error {
	return s.patiently(ctx, "reading", func() (again bool, err error) {
		rows, err := s.db.Query(ctx, query, args...)
		if err != nil {
			return true, err
		}
		defer rows.Close()
		for again = true; rows.Next(); again = false { // what was scanned once is not scanned again
			if err := scan(rows); err != nil {
				return false, err
			}
		}
		return again, rows.Err()
	})
}

// row scans the only row of a query; errNoRow if there is none.
func (s *Store) row(ctx context.Context, query string, args []any, into ...any) error {
	missing := false
	err := s.patiently(ctx, "reading", func() (bool, error) {
		err := row(ctx, s.db, query, args, into...)
		if missing = errors.Is(err, errNoRow); missing {
			return false, nil
		}
		return true, err
	})
	if err == nil && missing {
		return errNoRow
	}
	return err
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
	return Experiment{}, fmt.Errorf("experiment %q in %s: %w; %s", name, s.db.name(), ErrNotFound, known)
}

// Find returns the named experiment, or the newest one if name is empty. An experiment that
// is not stored is a usage.Error.
func (s *Store) Find(ctx context.Context, name string) (Experiment, error) {
	if name != "" {
		e, err := s.Experiment(ctx, name)
		if errors.Is(err, ErrNotFound) {
			err = usage.Wrap(err)
		}
		return e, err
	}
	all, err := s.Experiments(ctx)
	if err != nil {
		return Experiment{}, err
	}
	if len(all) == 0 {
		return Experiment{}, usage.Errorf("no experiment is stored yet; agentd run makes one")
	}
	return all[len(all)-1], nil
}

// ExperimentByID returns the experiment of that ID, or ErrNotFound.
func (s *Store) ExperimentByID(ctx context.Context, id string) (Experiment, error) {
	all, err := s.experiments(ctx, "WHERE id = $1", id)
	if err != nil {
		return Experiment{}, err
	}
	if len(all) == 0 {
		return Experiment{}, fmt.Errorf("experiment %s in %s: %w", id, s.db.name(), ErrNotFound)
	}
	return all[0], nil
}

// Experiments returns all experiments, oldest first.
func (s *Store) Experiments(ctx context.Context) ([]Experiment, error) { return s.experiments(ctx, "") }

func (s *Store) experiments(ctx context.Context, where string, args ...any) ([]Experiment, error) {
	var all []Experiment
	err := s.scanAll(ctx, "SELECT id, name, created, manifest, state, max_cost FROM experiments "+where+" ORDER BY created, id", args, func(rows Rows) error {
		var e Experiment
		var created int64
		var manifest []byte
		if err := rows.Scan(&e.ID, &e.Name, &created, &manifest, &e.State, &e.MaxCost); err != nil {
			return err
		}
		if err := decode(manifest, &e.Manifest); err != nil {
			return fmt.Errorf("reading the manifest of %s: %w", e.Name, err)
		}
		e.Created = time.UnixMilli(created)
		all = append(all, e)
		return nil
	})
	return all, err
}
