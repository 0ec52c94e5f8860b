package results

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// cachingConnector opens SQLite connections that keep prepared statements: preparing one
// costs more than running it, and there are only about forty.
type cachingConnector struct{ driver.Connector }

// mostStatements bounds the prepared statements that a connection keeps.
const mostStatements = 128

func (c cachingConnector) Connect(ctx context.Context) (driver.Conn, error) {
	// The library sets limits only of a connection that a pool has made. So each is the
	// only one of a pool of its own, and stays taken from it until it is closed.
	pool := sql.OpenDB(c.Connector)
	taken, err := pool.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, pool.Close())
	}
	opened := &cachingConn{idle: map[string]sqliteStmt{}, taken: taken, pool: pool}
	_, err = sqlite.Limit(taken, sqlite3.SQLITE_LIMIT_LENGTH, mostValueBytes)
	if err == nil {
		err = taken.Raw(func(conn any) error {
			opened.sqliteConn = conn.(sqliteConn)
			return nil
		})
	}
	if err != nil {
		return nil, errors.Join(err, taken.Close(), pool.Close())
	}
	return opened, nil
}

// sqliteConn is a connection without the methods that run a text: database/sql
// then prepares a statement, runs it and closes it.
type sqliteConn interface {
	driver.Conn
	driver.ConnBeginTx
	driver.ConnPrepareContext
	driver.SessionResetter
	driver.Validator
}

type sqliteStmt interface {
	driver.Stmt
	driver.StmtExecContext
	driver.StmtQueryContext
}

// cachingConn is used, as any driver.Conn, by one goroutine at a time.
type cachingConn struct {
	sqliteConn
	idle  map[string]sqliteStmt // prepared and not in use, by their text
	taken *sql.Conn             // the connection, of the pool that owns it
	pool  *sql.DB
}

func (c *cachingConn) PrepareContext(ctx context.Context, text string) (driver.Stmt, error) {
	if kept := c.idle[text]; kept != nil {
		delete(c.idle, text)
		return &cachedStmt{kept, c, text}, nil
	}
	fresh, err := c.sqliteConn.PrepareContext(ctx, text)
	if err != nil {
		return nil, err
	}
	return &cachedStmt{fresh.(sqliteStmt), c, text}, nil
}

func (c *cachingConn) Close() error {
	var err error
	for _, statement := range c.idle {
		err = errors.Join(err, statement.Close())
	}
	c.idle = nil
	return errors.Join(err, c.taken.Close(), c.pool.Close())
}

// cachedStmt goes back to its connection when it is closed.
type cachedStmt struct {
	sqliteStmt
	conn *cachingConn
	text string
}

func (s *cachedStmt) Close() error {
	idle := s.conn.idle
	if idle == nil || idle[s.text] != nil { // the connection is closed, or the text was in use twice
		return s.sqliteStmt.Close()
	}
	var err error
	if len(idle) == mostStatements {
		for text, other := range idle { // any will do
			err = other.Close()
			delete(idle, text)
			break
		}
	}
	idle[s.text] = s.sqliteStmt
	return err
}
