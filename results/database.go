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

// versionTable holds the versions of the migrations that a database has had.
const versionTable = "agentd_schema"

// Tx is a transaction on the store's database. Statements name their arguments
// $1, $2, …; what a statement means is the same in SQLite and PostgreSQL.
type Tx interface {
	querier
	// Native is the transaction as the driver has it: *sql.Tx or pgx.Tx.
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
	// transact runs work in a transaction: all of it is stored, or nothing.
	transact(ctx context.Context, work func(Tx) error) error
	// transient reports whether an error may pass when tried again.
	transient(error) bool
	// explain adds to an error what a user can do about it.
	explain(doing string, err error) error
	// worked reports whether a process has the database open for work, and how many of the interactions that were
	// stored last may be those that it works on.
	worked(ctx context.Context) (worked bool, recent int, err error)
	// name is how messages call the database; it holds no password.
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

// migrationsOf returns the migrations of a database, which are those in a folder of migrations.
func migrationsOf(folder string, dialect goose.Dialect, db *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations/"+folder)
	if err != nil {
		return nil, fmt.Errorf("reading migrations: %w", err)
	}
	return goose.NewProvider(dialect, db, files, goose.WithTableName(versionTable), goose.WithDisableGlobalRegistry(true))
}

// versions returns the schema version that a database has, and the one that this agentd knows. A
// database of a newer agentd is an error. goose's own GetVersions writes to a database whose table
// of versions it does not like, and this one may be another agentd's.
func versions(ctx context.Context, provider *goose.Provider, db *sql.DB) (has, known int64, err error) {
	sources := provider.ListSources()
	known = sources[len(sources)-1].Version
	err = db.QueryRowContext(ctx, "SELECT coalesce(max(version_id), 0) FROM "+versionTable).Scan(&has)
	if err == nil && has > known {
		err = fmt.Errorf("the database has schema version %d, this agentd knows up to version %d; use the agentd that made it, or another --db", has, known)
	}
	return has, known, err
}
