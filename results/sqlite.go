package results

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"golang.org/x/sys/unix"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// readers is how many queries may run at the same time, so that short queries do not wait
// for long ones, and none waits for a write.
const readers = 4

// pageCache is how many bytes of a file the writer keeps in memory at most, and all
// readers together. Contents are stored by their hashes, so each goes to another place.
const pageCache = 32 << 20

// checkpoint is the size of the write-ahead log, in pages of 4 KiB, from which it is copied
// into the file. A large value pays because the same pages are written again and again.
const checkpoint = 4096

// glance is longer than a reader holds the lock to see whether another process has it.
const glance = 20 * time.Millisecond

// sqliteFile is a database in a file, which one process at a time works on.
type sqliteFile struct {
	db       *sql.DB // for what changes the file
	reads    *sql.DB
	path     string
	patience time.Duration // how long a write waits for another process's
	lock     *os.File      // held while the file is open for work
	fixed    bool          // neither the file nor its folder can be written
	batch    batch
}

func openSQLite(path string, forWork bool, patience time.Duration) (*sqliteFile, error) {
	f := &sqliteFile{path: path, patience: patience}
	if forWork {
		if err := f.claim(); err != nil {
			return nil, err
		}
	}
	err := f.connect(forWork)
	if !forWork && (isCode(err, sqlite3.SQLITE_CANTOPEN) || isCode(err, sqlite3.SQLITE_READONLY)) {
		err = f.connectFixed(err)
	}
	if err != nil {
		return nil, errors.Join(f.explain("opening", err), f.close())
	}
	return f, nil
}

// connect opens the connections and looks at the tables.
func (f *sqliteFile) connect(forWork bool) (err error) {
	if f.db, err = f.pool(pageCache); err == nil {
		f.reads, err = f.pool(pageCache / readers)
	}
	if err != nil {
		return err
	}
	f.db.SetMaxOpenConns(1) // one writer
	f.reads.SetMaxOpenConns(readers)
	return f.migrate(context.Background(), forWork)
}

// connectFixed opens a file in a folder that cannot be written, as on a read-only mount,
// where SQLite cannot create its write-ahead log. The file is then read as it is, and no
// process may write to it at the same time. A write-ahead log that was not copied into the
// file yet would be ignored, so it is an error.
func (f *sqliteFile) connectFixed(cannot error) error {
	file, err := os.Open(f.path)
	if err != nil {
		return err
	}
	_ = file.Close() // it was only looked whether it can be read
	switch ahead, err := os.Stat(f.path + "-wal"); {
	case err == nil && ahead.Size() > 0:
		return fmt.Errorf("what was stored last is in %s-wal, which cannot be read where nothing can be written; "+
			"copy both files to a folder that can be written, and name the copy with --db (%v)", f.path, cannot)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return errors.Join(cannot, err)
	}
	if err := f.disconnect(); err != nil {
		return errors.Join(cannot, err)
	}
	f.fixed = true
	return f.connect(false)
}

func isCode(err error, code int) bool {
	var db *sqlite.Error
	return errors.As(err, &db) && db.Code()&0xff == code
}

// pool opens connections that keep so many bytes of the file in memory.
func (f *sqliteFile) pool(cache int) (*sql.DB, error) {
	query := url.Values{}
	query.Set("_txlock", "immediate")
	if f.fixed {
		query.Set("immutable", "1")
	}
	query.Set("_defensive", "1") // nothing that a file says changes how it is read
	// FULL: an interaction that was paid for survives a power cut too.
	for _, pragma := range []string{
		"synchronous(FULL)", "foreign_keys(1)", fmt.Sprintf("busy_timeout(%d)", f.patience.Milliseconds()),
		fmt.Sprintf("cache_size(-%d)", cache>>10), fmt.Sprintf("wal_autocheckpoint(%d)", checkpoint),
		"trusted_schema(OFF)", "cell_size_check(ON)",
	} {
		query.Add("_pragma", pragma)
	}
	driver, err := sqlite.NewConnector("file:" + (&url.URL{Path: f.path}).EscapedPath() + "?" + query.Encode())
	if err != nil {
		return nil, err
	}
	return sql.OpenDB(cachingConnector{driver}), nil
}

// claim takes the advisory lock that prevents a second run. The lock is on a file of its
// own, because closing any descriptor of the database, as a refused second run would,
// releases the locks that SQLite holds on it in this process.
func (f *sqliteFile) claim() error {
	for again := false; ; again = true {
		file, err := os.OpenFile(f.path+"-lock", os.O_CREATE|os.O_RDWR, 0o644)
		if err != nil {
			return fmt.Errorf("opening results: %w; the folder must exist and be writable, or name another file with --db", err)
		}
		if err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
			_ = file.Close()
			if errors.Is(err, unix.EWOULDBLOCK) && !again {
				time.Sleep(glance) // a reader may be looking whether it is locked
				continue
			}
			if errors.Is(err, unix.EWOULDBLOCK) {
				return fmt.Errorf("%w: another agentd run is working on %s; wait until it ends, or name another file with --db", ErrLocked, f.path)
			}
			return fmt.Errorf("locking %s: %w", f.path, err)
		}
		locked, lockedErr := file.Stat()
		named, namedErr := os.Stat(file.Name())
		if lockedErr == nil && namedErr == nil && os.SameFile(locked, named) {
			f.lock = file
			return nil
		}
		_ = file.Close() // its last owner removed it before this lock was taken
	}
}

// release removes the lock file while it is still locked, so that a process that opened it
// either fails to lock it or sees that it is gone.
func (f *sqliteFile) release() error {
	return errors.Join(os.Remove(f.lock.Name()), f.lock.Close())
}

// migrate brings the tables up to this version. It changes no database that is
// another program's or a newer agentd's, not even its journal mode.
func (f *sqliteFile) migrate(ctx context.Context, forWork bool) error {
	var tables, ours int
	err := f.db.QueryRowContext(ctx, "SELECT count(*), count(*) FILTER (WHERE name = ?) FROM sqlite_schema", versionTable).Scan(&tables, &ours)
	switch {
	case err != nil:
		return err
	case tables > 0 && ours == 0:
		return errors.New("the database is another program's, or of an agentd before version 0.2; name another file with --db")
	case tables == 0 && !forWork:
		return errors.New("the database is empty; agentd run fills it")
	}
	if err := f.checkSchema(ctx); err != nil {
		return err
	}
	provider, err := migrationsOf("sqlite", goose.DialectSQLite3, f.db)
	if err != nil {
		return err
	}
	if ours > 0 {
		has, known, err := versions(ctx, provider, f.db)
		if err != nil || has == known {
			return err
		}
		if !forWork {
			return fmt.Errorf("%w: the tables have version %d, this agentd's version %d; agentd run and agentd resume bring them up to date", ErrOlder, has, known)
		}
	}
	if _, err := f.db.ExecContext(ctx, "PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	_, err = provider.Up(ctx)
	return err
}

// checkSchema refuses a file with views or generated columns. agentd's have none, and they
// can make a gigabyte of a few bytes.
func (f *sqliteFile) checkSchema(ctx context.Context) error {
	var odd string
	err := f.db.QueryRowContext(ctx, `SELECT type || ' ' || name FROM sqlite_schema WHERE type NOT IN ('table', 'index') OR sql LIKE 'CREATE VIRTUAL%'
		UNION ALL SELECT 'column ' || x.name || ' of ' || s.name FROM sqlite_schema s, pragma_table_xinfo(s.name) x WHERE s.type = 'table' AND x.hidden <> 0
		LIMIT 1`).Scan(&odd)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err == nil {
		err = fmt.Errorf("%w: it has the %.100s, which no agentd makes; name another file with --db", ErrDamaged, odd)
	}
	return err
}

func (f *sqliteFile) name() string { return f.path }

func (f *sqliteFile) disconnect() error {
	var err error
	for _, db := range []*sql.DB{f.reads, f.db} {
		if db != nil {
			err = errors.Join(err, db.Close())
		}
	}
	return err
}

func (f *sqliteFile) close() error {
	err := f.disconnect()
	if f.lock != nil {
		err = errors.Join(err, f.release())
	}
	return err
}

func (f *sqliteFile) transient(error) bool { return false } // SQLite has waited for the lock already

func (f *sqliteFile) explain(doing string, err error) error {
	var db *sqlite.Error
	if !errors.As(err, &db) {
		return fmt.Errorf("%s %s: %w", doing, f.path, err)
	}
	switch db.Code() & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("%w: %s %s: another process has held it for %v; stop that process, or name another file with --db (%w)", ErrLocked, doing, f.path, f.patience, err)
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %s %s: free some space in %s and run the same command again; everything stored so far is safe (%w)", ErrFull, doing, f.path, filepath.Dir(f.path), err)
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("%s %s: it is not a database of agentd, or it is damaged; name another file with --db: %w", doing, f.path, err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return fmt.Errorf("%s %s: the file or its folder cannot be written; check permissions, or name another file with --db: %w", doing, f.path, err)
	}
	return fmt.Errorf("%s %s: %w", doing, f.path, err)
}

func (f *sqliteFile) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	return changed(f.db.ExecContext(ctx, statement, args...))
}

func (f *sqliteFile) Query(ctx context.Context, query string, args ...any) (Rows, error) {
	return rowsOf(f.reads.QueryContext(ctx, query, args...))
}

type sqliteTx struct{ tx *sql.Tx }

func (t sqliteTx) Native() any { return t.tx }

func (t sqliteTx) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	return changed(t.tx.ExecContext(ctx, statement, args...))
}

func (t sqliteTx) Query(ctx context.Context, query string, args ...any) (Rows, error) {
	return rowsOf(t.tx.QueryContext(ctx, query, args...))
}

func (t sqliteTx) insert(ctx context.Context, table string, columns []string, rows [][]any) error {
	for chunk := range slices.Chunk(rows, mostRows) {
		if _, err := t.tx.ExecContext(ctx, insertStatement(table, columns, len(chunk)), slices.Concat(chunk...)...); err != nil {
			return err
		}
	}
	return nil
}

// mostRows is how many rows one statement inserts at most: there is a statement for
// each number of them.
const mostRows = 16

// insertStatement returns a statement that inserts so many rows.
func insertStatement(table string, columns []string, rows int) string {
	row := "(?" + strings.Repeat(", ?", len(columns)-1) + ")"
	return "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES " + row + strings.Repeat(", "+row, rows-1)
}

func changed(result sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return result.RowsAffected()
}

// sqlRows are rows of database/sql; their error on closing is Err's too.
type sqlRows struct{ *sql.Rows }

func (r sqlRows) Close() { _ = r.Rows.Close() }

func rowsOf(rows *sql.Rows, err error) (Rows, error) {
	if err != nil {
		return nil, err
	}
	return sqlRows{rows}, nil
}
