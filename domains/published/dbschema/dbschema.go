// Package dbschema is the published reading and score of the domain dbschema.
//
// score = 0.25 T + 0.40 C + 0.20 I + 0.15 P, no rounding, no clamp needed.
//
//   - Types are compared after folding (upper-cased, trimmed): {INT, INTEGER, TINYINT, SMALLINT, MEDIUMINT, BIGINT} to
//     INTEGER; {TEXT, TINYTEXT, MEDIUMTEXT, LONGTEXT, CLOB} and everything that begins with VARCHAR or CHAR to TEXT;
//     {REAL, FLOAT, DOUBLE} to REAL; BLOB to BLOB; other types are compared as text, length included (DECIMAL(10,2),
//     TEXT(100), BIT(1)).
//   - T table presence: Jaccard of the two sets of table names; both empty 1, one empty 0.
//   - C columns: mean over tables common to both (0 when there are none) of sum over common columns of pair /
//     (reference columns + 0.3 x candidate-only columns), where pair = 0.4 type + 0.2 notnull + 0.3 pk + 0.1 default
//     with type 1 or 0.5, notnull 1 or 0.7, pk 1 or 0.5, default 1 or 0.8 (default: present on both sides or on
//     neither). Columns are paired by name. A column that is missing contributes 0.
//   - I indexes: mean over common tables (0 when none) of the Jaccard of the two sets of column sets; both empty 1,
//     exactly one empty 0. Names, uniqueness, order and repetition play no part.
//   - P primary keys: share of common tables whose sets of primary key columns are equal (0 when no common table).
//   - Missing and extra tables act on T only. T, C, I and P are weighted as they are: a document that keeps one table
//     of three intact still has 0.75 + 0.25/3.
//   - No difflib is used in this domain.
package dbschema

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"modernc.org/sqlite"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// Schema is what SQLite keeps of a document, tables by name in lower case.
type Schema map[string]*table

type table struct {
	columns map[string]column // by name in lower case
	indexes []index
}

type column struct {
	kind       string // the type, as the published score compares it
	notNull    bool
	hasDefault bool
	primary    bool // it is part of the primary key
}

// index is the columns of an index, in lower case.
type index []string

func (s Schema) table(name string) *table {
	name = strings.ToLower(name)
	if s[name] == nil {
		s[name] = &table{columns: map[string]column{}}
	}
	return s[name]
}

// foldedType is equal for types that the published score takes for the same.
func foldedType(declared string) string {
	declared = strings.TrimSpace(strings.ToUpper(declared))
	switch declared {
	case "INT", "INTEGER", "TINYINT", "SMALLINT", "MEDIUMINT", "BIGINT":
		return "INTEGER"
	case "TEXT", "TINYTEXT", "MEDIUMTEXT", "LONGTEXT", "CLOB":
		return "TEXT"
	case "REAL", "FLOAT", "DOUBLE":
		return "REAL"
	}
	if strings.HasPrefix(declared, "VARCHAR") || strings.HasPrefix(declared, "CHAR") {
		return "TEXT"
	}
	return declared
}

// Parse reads a document as the published evaluator does: rewritten for SQLite
// and run there. What does not run is left out.
func Parse(files vfs.Files) (Schema, error) {
	var all strings.Builder
	for _, name := range files.Match([]string{"*.sql"}).Names() {
		all.WriteString(files[name])
		all.WriteByte('\n')
	}
	text := all.String()
	if strings.Contains(text, "\x00") {
		return nil, errors.New("a NUL character, which the published evaluator fails on")
	}
	return runScript(forSQLite(text))
}

// engine is an SQLite in memory that runs statements of a document. It holds tables without rows: nothing is inserted
// or selected and no setting is changed, though such statements succeed; attaching a file fails. So no statement
// reaches a file, or takes longer than its text is long.
type engine struct {
	conn    driver.Conn
	reading bool // our own queries are under way
}

// Limits of what is given to SQLite; no schema that people work with is near them.
const (
	MostScript     = 1 << 20 // bytes
	MostStatements = 2000
)

// ErrTooLarge says that running the statements would take more work than is allowed.
var ErrTooLarge = errors.New("the schema is too large to be run")

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
func (e *engine) schema() (Schema, error) {
	found := Schema{}
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
	indexes := map[Place]index{}
	err = e.query(indexesQuery, 3, func(row []driver.Value) {
		of := Place{text(row[0]), text(row[1])}
		if row[2] != nil {
			indexes[of] = append(indexes[of], strings.ToLower(text(row[2])))
		}
	})
	for of, columns := range indexes {
		t := found.table(of.Table)
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

// runScript runs a script, or, if it fails, its tables one by one.
func runScript(script string) (Schema, error) {
	if len(script) > MostScript || strings.Count(script, ";") > MostStatements {
		return nil, ErrTooLarge
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

// Place is a column by its table and name, or another part of a table.
type Place struct{ Table, Name string }

// columns counts those of all tables.
func (s Schema) columns() int {
	n := 0
	for _, t := range s {
		n += len(t.columns)
	}
	return n
}

func (s Schema) indexes() int {
	n := 0
	for _, t := range s {
		n += len(t.indexes)
	}
	return n
}

// primaryKey is the sorted names of its columns.
func (t *table) primaryKey() []string {
	var names []string
	for name, c := range t.columns {
		if c.primary {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Stats counts the parts of a document.
func Stats(s Schema) domains.Stats {
	counts := []domains.Count{{Name: "Tables", Value: strconv.Itoa(len(s))}}
	if len(s) > 0 {
		counts = append(counts,
			domains.Count{Name: "Columns", Value: strconv.Itoa(s.columns())},
			domains.Count{Name: "Indexes", Value: strconv.Itoa(s.indexes())},
		)
	}
	return domains.Stats{Elements: s.columns(), Counts: counts}
}

// Score is a quarter the tables, two fifths their columns, a fifth their indexes and the rest their primary keys. It
// sums what is lost, so that a document has exactly 1 against itself.
func Score(reference, candidate Schema) domains.Reading {
	common, lost := 0, losses{}
	for _, name := range slices.Sorted(maps.Keys(reference)) { // so that sums are the same in every run
		ref, got := reference[name], candidate[name]
		if got == nil {
			continue
		}
		common++
		lost.columns += columnsLost(ref, got)
		lost.indexes += indexesLost(ref.indexes, got.indexes)
		if !slices.Equal(ref.primaryKey(), got.primaryKey()) {
			lost.primaryKeys++
		}
	}
	shares := losses{1, 1, 1}
	if common > 0 {
		n := float64(common)
		shares = losses{lost.columns / n, lost.indexes / n, lost.primaryKeys / n}
	}
	tables := 0.0
	if union := len(reference) + len(candidate) - common; union > 0 {
		tables = float64(union-common) / float64(union)
	}
	return domains.Reading{
		RS: 1 - float64(0.25*tables) -
			float64(0.40*shares.columns) - float64(0.20*shares.indexes) - float64(0.15*shares.primaryKeys),
		Components: map[string]float64{
			"table_presence_score": 1 - tables, "column_score": 1 - shares.columns,
			"index_score": 1 - shares.indexes, "pk_score": 1 - shares.primaryKeys,
		},
		Elements: domains.Elements{Reference: reference.columns(), Candidate: candidate.columns()},
	}
}

// losses are what tables that both sides have do not share, 0 to 1 each.
type losses struct{ columns, indexes, primaryKeys float64 }

// columnsLost is the share of a table's columns that is lost; those that only the candidate has count three tenths.
func columnsLost(ref, got *table) float64 {
	if len(ref.columns) == 0 {
		return min(float64(len(got.columns)), 1)
	}
	common, lost := 0, 0.0
	for _, name := range slices.Sorted(maps.Keys(ref.columns)) { // so that sums are the same in every run
		is, has := got.columns[name]
		if !has {
			lost++
			continue
		}
		common++
		lost += columnLost(ref.columns[name], is)
	}
	added := 0.3 * float64(len(got.columns)-common)
	return (lost + added) / (float64(len(ref.columns)) + added)
}

func columnLost(was, is column) float64 {
	lost := 0.0
	if was.kind != is.kind {
		lost += 0.20
	}
	if was.notNull != is.notNull {
		lost += 0.06
	}
	if was.primary != is.primary {
		lost += 0.15
	}
	if was.hasDefault != is.hasDefault {
		lost += 0.02
	}
	return lost
}

// indexesLost compares the sets of column sets.
func indexesLost(ref, got []index) float64 {
	common, was, is := sets.Common(lists.Map(ref, columnSet), lists.Map(got, columnSet))
	union := was + is - common
	if union == 0 {
		return 0
	}
	return float64(union-common) / float64(union)
}

// columnSet is equal for indexes of the same columns.
func columnSet(columns index) string {
	sorted := slices.Sorted(slices.Values(columns))
	return strings.Join(slices.Compact(sorted), "\x00")
}
