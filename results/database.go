package results

import (
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"github.com/pressly/goose/v3"
)

//go:embed migrations
var migrations embed.FS

// versionTable records the migrations that were applied to a database.
const versionTable = "agentd_schema"

// Tx is a transaction on the store's database. Statements name their arguments
// $1, $2, … and must mean the same in SQLite and PostgreSQL.
type Tx interface {
	querier
	// Native returns the driver's transaction: *sql.Tx or pgx.Tx.
	Native() any
	// insert adds rows to a table, one value for each column.
	insert(ctx context.Context, table string, columns []string, rows [][]any) error
}

type querier interface {
	// Exec runs a statement and returns how many rows it changed.
	Exec(ctx context.Context, statement string, args ...any) (int64, error)
	// Query runs a query; its rows must be closed.
	Query(ctx context.Context, query string, args ...any) (Rows, error)
}

// Rows are the rows of a query.
type Rows interface {
	Next() bool
	Scan(into ...any) error
	Err() error
	Close()
}

// database holds what differs between SQLite and PostgreSQL.
type database interface {
	querier
	// transact runs work in a transaction.
	transact(ctx context.Context, work func(Tx) error) error
	// transient reports whether a retry may succeed after the error.
	transient(error) bool
	// explain adds to an error what the user can do about it.
	explain(doing string, err error) error
	// worked reports whether a process has the database open for work, and how many of the last stored interactions
	// may be from experiments in progress.
	worked(ctx context.Context) (worked bool, recent int, err error)
	// name returns the database's name for messages, without a password.
	name() string
	close() error
}

// row scans the only row of a query; errNoRow if there is none.
func row(ctx context.Context, q querier, query string, args []any, into ...any) error {
	rows, err := q.Query(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return err
		}
		return errNoRow
	}
	if err := rows.Scan(into...); err != nil {
		return err
	}
	rows.Close()
	return rows.Err()
}

var errNoRow = errors.New("no such row")

// migrationsOf returns the migrations of a database, from its folder in migrations.
func migrationsOf(folder string, dialect goose.Dialect, db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations/"+folder)
	if err != nil {
		return nil, fmt.Errorf("reading migrations: %w", err)
	}
	return goose.NewProvider(dialect, db, files, goose.WithTableName(versionTable), goose.WithDisableGlobalRegistry(true))
}

// versions returns the schema version of a database, and the one that this agentd knows. It returns
// an error for a database of a newer agentd. It does not use goose's GetVersions, which may write to
// a database, and this one may belong to another version of agentd.
func versions(ctx context.Context, provider *goose.Provider, db *sql.DB) (has, known int64, err error) {
	sources := provider.ListSources()
	known = sources[len(sources)-1].Version
	err = db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM "+versionTable).Scan(&has)
	if err == nil && has > known {
		err = fmt.Errorf("the database has schema version %d, this agentd knows up to version %d; use the agentd that made it, or another --db", has, known)
	}
	return has, known, err
}
