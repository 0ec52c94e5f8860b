package dbschema

import (
	"maps"
	"slices"
	"strings"

	"agentd/domains/internal/sets"
)

// outcome is what became of a statement.
type outcome uint8

const (
	done    outcome = iota
	refused         // SQLite has an error
	beyond          // only the whole script in SQLite tells
)

// runner carries out statements as SQLite would. It reads plain definitions of
// tables and indexes itself; a table that is not plain it has SQLite read.
type runner struct {
	schema  schema
	indexes map[string]string // the table of each index that has a name, both in lower case
	engine  *engine           // opened when it is needed
	created int               // tables that SQLite read
	err     error             // why nothing can be made of the script
	clauses                   // of the statement in hand, without comments
	odd     bool              // something in it is not plain: what is read of it does not count
}

func (r *runner) close() {
	if r.engine != nil {
		r.engine.close()
	}
}

// run carries out the statements of a script up to the first that is not done.
func (r *runner) run(script string) outcome {
	l := lexer{text: script}
	for {
		start := l.at
		r.tokens, r.at, r.odd = r.tokens[:0], 0, false
		for {
			t := l.next()
			if t.kind == brokenToken {
				return r.broken()
			}
			if t.kind == endToken || t.is(";") {
				break
			}
			if t.kind != commentToken {
				r.tokens = append(r.tokens, t)
			}
		}
		if outcome := r.statement(script[start:l.at]); outcome != done || l.at == len(script) {
			return outcome
		}
	}
}

// broken is what becomes of a statement with a quote or comment that is not
// closed.
func (r *runner) broken() outcome {
	if len(r.tokens) > 0 && !isStatementWord(r.tokens[0]) {
		return refused
	}
	return beyond
}

// statementWords begin the statements that SQLite has.
var statementWords = strings.Fields(`ALTER ANALYZE ATTACH BEGIN COMMIT CREATE DELETE DETACH DROP END EXPLAIN INSERT
	PRAGMA REINDEX RELEASE REPLACE ROLLBACK SAVEPOINT SELECT UPDATE VACUUM VALUES WITH`)

func isStatementWord(t token) bool {
	return slices.ContainsFunc(statementWords, t.is)
}

func (r *runner) statement(text string) outcome {
	switch {
	case len(r.tokens) == 0:
		return done
	case r.words("DROP", "TABLE"):
		return r.dropTable()
	case r.words("CREATE", "TABLE"):
		return r.createTable(text)
	case r.words("CREATE", "INDEX"), r.words("CREATE", "UNIQUE", "INDEX"):
		return r.createIndex()
	case isStatementWord(r.tokens[0]):
		return beyond
	}
	return refused
}

// want notes that a statement is not plain where something does not hold.
func (r *runner) want(holds bool) { r.odd = r.odd || !holds }

// name reads a name that is no keyword, in lower case.
func (r *runner) name() string {
	t := r.next()
	r.want(t.kind == nameToken || t.kind == wordToken && !keywords[strings.ToUpper(t.text)] && !isDigit(t.text[0]))
	return strings.ToLower(t.value())
}

func (r *runner) dropTable() outcome {
	anyway := r.words("IF", "EXISTS")
	name := r.name()
	switch {
	case r.odd || r.more():
		return beyond
	case r.schema[name] == nil && r.indexes[name] == "":
		if anyway {
			return done
		}
		return refused
	case r.schema[name] == nil:
		return beyond
	}
	delete(r.schema, name)
	maps.DeleteFunc(r.indexes, func(_, table string) bool { return table == name })
	return done
}

func (r *runner) createTable(text string) outcome {
	anyway := r.words("IF", "NOT", "EXISTS")
	written := r.peek().value()
	name := r.name()
	switch {
	case r.odd || strings.HasPrefix(name, "sqlite_") || !r.peek().is("("):
		return beyond
	case r.indexes[name] != "" || r.schema[name] != nil && anyway:
		return beyond
	case r.schema[name] != nil:
		return refused
	}
	made, plain := readTable(r)
	if !plain {
		made, r.err = r.create(text, written)
	}
	switch {
	case r.err != nil:
		return beyond
	case made == nil:
		return refused
	}
	r.schema[name] = made
	return done
}

// create has SQLite read a table; nil if it refuses.
func (r *runner) create(text, name string) (made *table, err error) {
	if r.created++; r.created > mostTables || len(text) > mostStatement {
		return nil, errTooLarge
	}
	if r.engine == nil {
		if r.engine, err = openEngine(); err != nil {
			return nil, err
		}
	}
	if r.engine.run(text) != nil {
		return nil, nil
	}
	return r.engine.take(name)
}

func (r *runner) createIndex() outcome {
	anyway := r.words("IF", "NOT", "EXISTS")
	name := r.name()
	r.want(r.words("ON"))
	of := r.name()
	columns := r.columnList()
	t := r.schema[of]
	known := r.indexes[name] != "" || r.schema[name] != nil
	switch {
	case r.odd || r.more() || strings.HasPrefix(name, "sqlite_") || known && anyway:
		return beyond
	case t == nil || known:
		return refused
	case !t.has(columns):
		return beyond // SQLite takes a quoted name that no column has for a text
	}
	t.indexes = append(t.indexes, columns)
	r.indexes[name] = of
	return done
}

// columnList reads names in parentheses.
func (r *runner) columnList() (columns index) {
	r.want(r.words("("))
	for more := true; more && !r.odd; more = r.words(",") {
		columns = append(columns, r.name())
	}
	r.want(r.words(")"))
	return columns
}

func (t *table) has(columns index) bool {
	for _, name := range columns {
		if _, ok := t.columns[name]; !ok {
			return false
		}
	}
	return true
}

// keywords are SQLite's, which a name without quotes is not taken for here,
// even where SQLite would.
var keywords = sets.Words(`ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT
	BEFORE BEGIN BETWEEN BY CASCADE CASE CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT
	CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH DISTINCT DO
	DROP EACH ELSE END ESCAPE EXCEPT EXCLUDE EXCLUSIVE EXISTS EXPLAIN FAIL FILTER FIRST FOLLOWING FOR FOREIGN FROM
	FULL GENERATED GLOB GROUP GROUPS HAVING IF IGNORE IMMEDIATE IN INDEX INDEXED INITIALLY INNER INSERT INSTEAD
	INTERSECT INTO IS ISNULL JOIN KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NO NOT NOTHING NOTNULL NULL
	NULLS OF OFFSET ON OR ORDER OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING PRIMARY QUERY RAISE RANGE
	RECURSIVE REFERENCES REGEXP REINDEX RELEASE RENAME REPLACE RESTRICT RETURNING RIGHT ROLLBACK ROW ROWS
	SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO TRANSACTION TRIGGER UNBOUNDED UNION UNIQUE UPDATE USING
	VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHIN WITHOUT`)
