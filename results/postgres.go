package results

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
)

const (
	// postgresSchema holds the tables, unless the address sets a search_path.
	postgresSchema = "agentd"
	// poolSize is how many connections a process keeps, unless the address sets
	// pool_max_conns. Interactions need one for milliseconds.
	poolSize = 8
	// connectTimeout bounds the first connection.
	connectTimeout = 10 * time.Second
	// migrationLock keeps two processes from migrating at once.
	migrationLock = 0x6167656e7464
)

// postgres is a database that processes on several machines can share.
type postgres struct {
	pool *pgxpool.Pool
	at   string // host, port and database
}

// openPostgres connects as the named client. Other processes see that name in the server's list
// of sessions, and so know that this one is running. A client that only reads has another name.
func openPostgres(ctx context.Context, address, client string, forWork bool) (*postgres, error) {
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		return nil, fmt.Errorf("--db: %w", err) // the error does not contain the password
	}
	parameters := config.ConnConfig.RuntimeParams
	parameters["application_name"] = client
	if !forWork {
		parameters["application_name"] = readingClient(client)
	}
	if parameters["search_path"] == "" {
		parameters["search_path"] = postgresSchema
	}
	config.MaxConns = max(config.MaxConns, poolSize)
	p := &postgres{at: fmt.Sprintf("PostgreSQL database %s on %s:%d", config.ConnConfig.Database, config.ConnConfig.Host, config.ConnConfig.Port)}
	if p.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, p.explain("opening", err)
	}
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if err := p.migrate(ctx, parameters["search_path"], forWork); err != nil {
		p.pool.Close()
		return nil, p.explain("opening", err)
	}
	return p, nil
}

// migrate upgrades the tables to this version. It refuses a database of a newer agentd.
func (p *postgres) migrate(ctx context.Context, schema string, forWork bool) error {
	connection, err := p.pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer connection.Release()
	if _, err := connection.Exec(ctx, "SELECT pg_advisory_lock($1)", int64(migrationLock)); err != nil {
		return err
	}
	defer func() { _, _ = connection.Exec(ctx, "SELECT pg_advisory_unlock($1)", int64(migrationLock)) }()
	db := stdlib.OpenDBFromPool(p.pool)
	defer db.Close()
	provider, err := migrationsOf("postgres", goose.DialectPostgres, db)
	if err != nil {
		return err
	}
	var there bool
	if err := connection.QueryRow(ctx, "SELECT to_regclass($1) IS NOT NULL", versionTable).Scan(&there); err != nil {
		return err
	}
	if there {
		if has, known, err := versions(ctx, provider, db); err != nil || has == known {
			return err
		}
	}
	switch {
	case !forWork && there:
		return fmt.Errorf("%w: agentd run and agentd resume bring the tables up to date", ErrOlder)
	case !forWork:
		return errors.New("the database is empty; agentd run fills it")
	}
	if schema == postgresSchema {
		if _, err := connection.Exec(ctx, "CREATE SCHEMA IF NOT EXISTS "+postgresSchema); err != nil {
			return err
		}
	}
	_, err = provider.Up(ctx)
	return err
}

func (p *postgres) name() string { return p.at }

func (p *postgres) close() error {
	p.pool.Close()
	return nil
}

// transient is true for a restarting server, a lost connection and conflicting transactions.
func (p *postgres) transient(err error) bool {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		switch server.Code[:2] {
		case "08", "40", "53", "57": // connection, rollback, resources, operator
			return true
		}
		return false
	}
	var connect *pgconn.ConnectError
	var network net.Error
	return errors.As(err, &connect) || errors.As(err, &network) || errors.Is(err, io.EOF) ||
		errors.Is(err, io.ErrUnexpectedEOF) || pgconn.SafeToRetry(err) || errors.Is(err, net.ErrClosed)
}

func (p *postgres) explain(doing string, err error) error {
	var server *pgconn.PgError
	var connect *pgconn.ConnectError
	switch {
	case errors.As(err, &server) && server.Code == "53100":
		return fmt.Errorf("%w: %s the %s: free some space there and run the same command again; everything stored so far is safe (%w)", ErrFull, doing, p.at, err)
	case errors.As(err, &connect):
		return fmt.Errorf("%s the %s: it cannot be reached; check that it runs and that --db names it rightly: %w", doing, p.at, err)
	}
	return fmt.Errorf("%s the %s: %w", doing, p.at, err)
}

func (p *postgres) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	tag, err := p.pool.Exec(ctx, statement, args...)
	return tag.RowsAffected(), err
}

func (p *postgres) Query(ctx context.Context, query string, args ...any) (Rows, error) {
	return p.pool.Query(ctx, query, args...)
}

func (p *postgres) transact(ctx context.Context, work func(Tx) error) error {
	tx, err := p.pool.Begin(ctx)
	if err != nil {
		return err
	}
	if err := work(postgresTx{tx}); err != nil {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTimeout)
		defer cancel()
		_ = tx.Rollback(ending) // the error to report is work's
		return err
	}
	return tx.Commit(ctx)
}

type postgresTx struct{ tx pgx.Tx }

func (t postgresTx) Native() any { return t.tx }

func (t postgresTx) Exec(ctx context.Context, statement string, args ...any) (int64, error) {
	tag, err := t.tx.Exec(ctx, statement, args...)
	return tag.RowsAffected(), err
}

func (t postgresTx) Query(ctx context.Context, query string, args ...any) (Rows, error) {
	return t.tx.Query(ctx, query, args...)
}

func (t postgresTx) insert(ctx context.Context, table string, columns []string, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	_, err := t.tx.CopyFrom(ctx, pgx.Identifier{table}, columns, pgx.CopyFromRows(rows))
	return err
}
