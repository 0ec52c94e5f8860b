package fleet

import (
	"context"
	"fmt"
	"io"
	"log/slog"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/riverdriver/riversqlite"
	"github.com/riverqueue/river/rivermigrate"

	"agentd/results"
)

// tables are the fleet's own tables, in addition to River's. The statements are the same for
// SQLite and PostgreSQL.
var tables = []struct{ name, definition string }{
	// Rate limits that all processes share. level is what may be taken at once, a debt if
	// it is negative; at is in Unix milliseconds.
	{"buckets", "CREATE TABLE buckets (name TEXT PRIMARY KEY, level DOUBLE PRECISION NOT NULL, at BIGINT NOT NULL)"},
	// Running jobs, where their number is limited.
	{"seats", "CREATE TABLE seats (job BIGINT PRIMARY KEY, queue TEXT NOT NULL)"},
}

// tablesLock is the advisory lock of a process that makes the tables in PostgreSQL.
const tablesLock = 0x61676e74_72697672 // "agntrivr"

// quiet drops what River logs of its migrations.
var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// makeTables creates or migrates the queue's and the fleet's tables in a store that is open
// for work. If the process is killed before the end, the next one makes the rest.
func makeTables(ctx context.Context, store *results.Store) error {
	pool := store.Postgres()
	if pool == nil {
		if err := migrateRiver(ctx, riversqlite.New(store.SQLite())); err != nil {
			return err
		}
		return makeOwn(ctx, store, "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = $1")
	}
	connection, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer connection.Release()
	if _, err := connection.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(tablesLock)); err != nil {
		return err
	}
	defer func() { _, _ = connection.Exec(ctx, "SELECT pg_advisory_unlock($1)", int64(tablesLock)) }()
	if err := migrateRiver(ctx, riverpgxv5.New(pool)); err != nil {
		return err
	}
	return makeOwn(ctx, store, "SELECT 1 WHERE to_regclass($1) IS NOT NULL")
}

func migrateRiver[T any](ctx context.Context, driver riverdriver.Driver[T]) error {
	migrator, err := rivermigrate.New(driver, &rivermigrate.Config{Logger: quiet})
	if err != nil {
		return err
	}
	_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return err
}

// makeOwn makes the fleet's own tables. there is a query that finds a table by its name. It lets a
// user without the right to make tables work with existing ones.
func makeOwn(ctx context.Context, store *results.Store, there string) error {
	return store.Transaction(ctx, "making the queue's tables in", func(tx results.Tx) error {
		for _, table := range tables {
			var found int
			known, err := row(ctx, tx, there, []any{table.name}, &found)
			if err == nil && !known {
				_, err = tx.Exec(ctx, table.definition)
			}
			if err != nil {
				return fmt.Errorf("table %s: %w", table.name, err)
			}
		}
		return nil
	})
}
