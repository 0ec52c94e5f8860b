package dbschema

import (
	"errors"
	"slices"
	"strings"

	"agentd/vfs"
)

// schema is what SQLite keeps of a document, tables by name in lower case.
type schema map[string]*table

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

func (s schema) table(name string) *table {
	name = strings.ToLower(name)
	if s[name] == nil {
		s[name] = &table{columns: map[string]column{}}
	}
	return s[name]
}

// columns counts those of all tables.
func (s schema) columns() int {
	n := 0
	for _, t := range s {
		n += len(t.columns)
	}
	return n
}

func (s schema) indexes() int {
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

// parse reads a document as the published evaluator does: rewritten for SQLite
// and run there. What does not run is left out.
func parse(files vfs.Files) (schema, error) {
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

// runScript makes of a script what SQLite would. Plain statements, as most are,
// it carries out itself; the rest SQLite does.
func runScript(script string) (schema, error) {
	r := &runner{schema: schema{}, indexes: map[string]string{}}
	defer r.close()
	outcome := r.run(script)
	if outcome == refused {
		r.schema, r.indexes = schema{}, map[string]string{}
		for _, one := range tableScripts(script) {
			if outcome = r.run(one); outcome == beyond {
				break
			}
		}
	}
	switch {
	case r.err != nil:
		return nil, r.err
	case outcome == beyond:
		return runWhole(script)
	}
	for name := range r.schema {
		if strings.HasPrefix(name, "sqlite") && len(name) > len("sqlite") {
			delete(r.schema, name) // the published query takes them for SQLite's own
		}
	}
	return r.schema, nil
}
