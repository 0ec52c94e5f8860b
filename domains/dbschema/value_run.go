package dbschema

import (
	"slices"
	"strings"
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
	clauses                   // of the statement in hand, without comments
}

func newRunner() *runner {
	return &runner{schema: schema{}, indexes: map[string]string{}}
}

func (r *runner) close() {
	if r.engine != nil {
		r.engine.close()
	}
}

// run carries out the statements of a script up to the first that is not done.
func (r *runner) run(script string) (outcome, error) {
	l := lexer{text: script}
	for {
		start := l.at
		r.tokens, r.at = r.tokens[:0], 0
		for {
			t := l.next()
			if t.kind == brokenToken {
				return r.broken(), nil
			}
			if t.kind == endToken || t.is(";") {
				break
			}
			if t.kind != commentToken {
				r.tokens = append(r.tokens, t)
			}
		}
		if outcome, err := r.statement(script[start:l.at]); outcome != done || err != nil {
			return outcome, err
		}
		if l.at == len(script) {
			return done, nil
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

func (r *runner) statement(text string) (outcome, error) {
	switch {
	case len(r.tokens) == 0:
		return done, nil
	case r.words("DROP", "TABLE"):
		return r.dropTable(), nil
	case r.words("CREATE", "TABLE"):
		return r.createTable(text)
	case r.words("CREATE", "INDEX"), r.words("CREATE", "UNIQUE", "INDEX"):
		return r.createIndex(), nil
	case isStatementWord(r.tokens[0]):
		return beyond, nil
	}
	return refused, nil
}

// name reads a name that is no keyword.
func (r *runner) name() (string, bool) {
	t := r.next()
	switch t.kind {
	case nameToken:
		return t.value(), true
	case wordToken:
		return t.text, !keywords[strings.ToUpper(t.text)] && !isDigit(t.text[0])
	}
	return "", false
}

func (r *runner) dropTable() outcome {
	anyway := r.words("IF", "EXISTS")
	name, ok := r.name()
	name = strings.ToLower(name)
	switch {
	case !ok || r.more():
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
	for index, table := range r.indexes {
		if table == name {
			delete(r.indexes, index)
		}
	}
	return done
}

func (r *runner) createTable(text string) (outcome, error) {
	anyway := r.words("IF", "NOT", "EXISTS")
	name, ok := r.name()
	key := strings.ToLower(name)
	switch {
	case !ok || strings.HasPrefix(key, "sqlite_") || !r.peek().is("("):
		return beyond, nil
	case r.indexes[key] != "" || r.schema[key] != nil && anyway:
		return beyond, nil
	case r.schema[key] != nil:
		return refused, nil
	}
	made, plain := readTable(r)
	if !plain {
		var err error
		if made, err = r.create(text, name); made == nil || err != nil {
			return refused, err
		}
	}
	r.schema[key] = made
	return done, nil
}

// create has SQLite read a table; nil if it refuses.
func (r *runner) create(text, name string) (*table, error) {
	if r.created++; r.created > mostTables || len(text) > mostStatement {
		return nil, errTooLarge
	}
	if r.engine == nil {
		var err error
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
	name, ok := r.name()
	if !ok || !r.words("ON") {
		return beyond
	}
	of, ok := r.name()
	columns, plain := r.columnList()
	if !ok || !plain || r.more() {
		return beyond
	}
	key := strings.ToLower(name)
	t := r.schema[strings.ToLower(of)]
	known := r.indexes[key] != "" || r.schema[key] != nil
	switch {
	case strings.HasPrefix(key, "sqlite_") || known && anyway:
		return beyond
	case t == nil || known:
		return refused
	case !t.has(columns):
		return beyond // SQLite takes a quoted name that no column has for a text
	}
	t.indexes = append(t.indexes, columns)
	r.indexes[key] = strings.ToLower(of)
	return done
}

// columnList reads names in parentheses; false if anything else stands there.
func (r *runner) columnList() (index, bool) {
	if !r.words("(") {
		return nil, false
	}
	var columns index
	for {
		name, ok := r.name()
		if !ok {
			return nil, false
		}
		columns = append(columns, strings.ToLower(name))
		switch {
		case r.words(")"):
			return columns, true
		case !r.words(","):
			return nil, false
		}
	}
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
var keywords = func() map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(`ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT
		BEFORE BEGIN BETWEEN BY CASCADE CASE CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT
		CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH DISTINCT DO
		DROP EACH ELSE END ESCAPE EXCEPT EXCLUDE EXCLUSIVE EXISTS EXPLAIN FAIL FILTER FIRST FOLLOWING FOR FOREIGN FROM
		FULL GENERATED GLOB GROUP GROUPS HAVING IF IGNORE IMMEDIATE IN INDEX INDEXED INITIALLY INNER INSERT INSTEAD
		INTERSECT INTO IS ISNULL JOIN KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NO NOT NOTHING NOTNULL NULL
		NULLS OF OFFSET ON OR ORDER OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING PRIMARY QUERY RAISE RANGE
		RECURSIVE REFERENCES REGEXP REINDEX RELEASE RENAME REPLACE RESTRICT RETURNING RIGHT ROLLBACK ROW ROWS
		SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO TRANSACTION TRIGGER UNBOUNDED UNION UNIQUE UPDATE USING
		VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHIN WITHOUT`) {
		set[word] = true
	}
	return set
}()
