package dbschema

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"modernc.org/sqlite"
)

// engine is an SQLite in memory that runs statements of a document. It holds
// tables without rows: nothing is inserted or selected and no setting is
// changed, though such statements succeed; attaching a file fails. So no
// statement reaches a file, or takes longer than its text is long.
type engine struct {
	conn    driver.Conn
	reading bool // our own queries are under way
}

// Limits of what is given to SQLite; no schema that people work with is near
// them.
const (
	mostScript     = 1 << 20 // bytes of a document that must be run as a whole
	mostStatements = 2000    // in such a document
	mostStatement  = 128 << 10
	mostTables     = 400 // that only SQLite can read, in other documents
)

var errTooLarge = errors.New("the schema is too large to be run")

func openEngine() (*engine, error) {
	conn, err := (&sqlite.Driver{}).Open(":memory:")
	if err != nil {
		return nil, fmt.Errorf("opening SQLite: %w", err)
	}
	e := &engine{conn: conn}
	if err := conn.(sqlite.AuthorizerRegisterer).RegisterAuthorizer(e.authorize); err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return e, nil
}

func (e *engine) close() { _ = e.conn.Close() } // nothing is kept

func (e *engine) authorize(action sqlite.AuthorizerActionCode, object, function, _, within string) sqlite.AuthorizerReturnCode {
	if e.reading {
		return sqlite.AuthorizerOK
	}
	switch action {
	case sqlite.AuthInsert:
		if within == "" && strings.HasPrefix(object, "sqlite_") {
			return sqlite.AuthorizerOK // how SQLite keeps its schema
		}
		return sqlite.AuthorizerIgnore
	case sqlite.AuthSelect, sqlite.AuthRecursive, sqlite.AuthPragma, sqlite.AuthAnalyze:
		return sqlite.AuthorizerIgnore
	case sqlite.AuthFunction:
		if function == "load_extension" {
			return sqlite.AuthorizerDeny
		}
	case sqlite.AuthAttach, sqlite.AuthDetach, sqlite.AuthCreateVTable: // VACUUM attaches a file too
		return sqlite.AuthorizerDeny
	}
	return sqlite.AuthorizerOK
}

func (e *engine) run(script string) error {
	_, err := e.conn.(driver.ExecerContext).ExecContext(context.Background(), script, nil)
	return err
}

const (
	columnsQuery = `SELECT m.name, p.name, p.type, p."notnull", p.dflt_value IS NOT NULL, p.pk > 0
		FROM sqlite_master m, pragma_table_info(m.name) p
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`
	indexesQuery = `SELECT m.name, l.name, i.name
		FROM sqlite_master m, pragma_index_list(m.name) l, pragma_index_info(l.name) i
		WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%'`
)

// schema reads the tables back.
func (e *engine) schema() (schema, error) {
	found := schema{}
	err := e.query(columnsQuery, 6, func(row []driver.Value) {
		t := found.table(text(row[0]))
		t.columns[strings.ToLower(text(row[1]))] = column{
			kind:       foldedType(text(row[2])),
			notNull:    row[3] != int64(0),
			hasDefault: row[4] != int64(0),
			primary:    row[5] != int64(0),
		}
	})
	if err != nil {
		return nil, err
	}
	indexes := map[place]index{}
	err = e.query(indexesQuery, 3, func(row []driver.Value) {
		of := place{text(row[0]), text(row[1])}
		if row[2] != nil {
			indexes[of] = append(indexes[of], strings.ToLower(text(row[2])))
		}
	})
	for of, columns := range indexes {
		t := found.table(of.table)
		t.indexes = append(t.indexes, columns)
	}
	return found, err
}

func text(v driver.Value) string {
	s, _ := v.(string)
	return s
}

func (e *engine) query(query string, width int, do func([]driver.Value)) error {
	e.reading = true
	defer func() { e.reading = false }()
	rows, err := e.conn.(driver.QueryerContext).QueryContext(context.Background(), query, nil)
	if err != nil {
		return fmt.Errorf("reading the schema from SQLite: %w", err)
	}
	row := make([]driver.Value, width)
	for rows.Next(row) == nil {
		do(row)
	}
	return rows.Close()
}

// take reads a table back and drops it.
func (e *engine) take(name string) (*table, error) {
	found, err := e.schema()
	if err != nil {
		return nil, err
	}
	if err := e.run(`DROP TABLE IF EXISTS "` + strings.ReplaceAll(name, `"`, `""`) + `"`); err != nil {
		return nil, fmt.Errorf("dropping a table: %w", err)
	}
	return found[strings.ToLower(name)], nil
}

// runWhole runs a script, or, if it fails, its tables one by one.
func runWhole(script string) (schema, error) {
	if len(script) > mostScript || strings.Count(script, ";") > mostStatements {
		return nil, errTooLarge
	}
	e, err := openEngine()
	if err != nil {
		return nil, err
	}
	defer func() { e.close() }()
	if e.run(script) == nil {
		return e.schema()
	}
	e.close()
	if e, err = openEngine(); err != nil {
		return nil, err
	}
	for _, statement := range tableScripts(script) {
		_ = e.run(statement) // one that fails is left out
	}
	return e.schema()
}
