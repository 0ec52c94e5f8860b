package dbschema

import (
	"slices"
	"strings"
)

// tableReader reads a definition of a table that is plain: columns with types,
// literal defaults, NOT NULL, keys and simple checks. Of anything else, and of
// anything SQLite might refuse, it says that it is not plain.
type tableReader struct {
	*runner
	table   *table
	primary index
	uses    []string          // columns that checks name
	written map[string]string // types in upper case, by column
}

const mostColumns = 2000 // SQLite's limit

// readTable reads from the opening parenthesis to the end of the statement.
func readTable(r *runner) (*table, bool) {
	t := tableReader{runner: r, table: &table{columns: map[string]column{}}, written: map[string]string{}}
	t.words("(")
	inColumns := true
	for more := true; more && !t.odd; more = t.words(",") {
		switch {
		case t.constraint():
			inColumns = false
		case inColumns:
			t.column()
		default:
			t.odd = true
		}
	}
	t.want(t.words(")") && !t.more())
	t.finish()
	return t.table, !t.odd
}

// constraint reads a key of several columns, or a condition; false if there is none.
func (t *tableReader) constraint() bool {
	named := t.words("CONSTRAINT")
	if named {
		t.name()
	}
	switch {
	case t.words("PRIMARY", "KEY"):
		t.setPrimary(t.columnList())
	case t.words("UNIQUE"):
		t.unique(t.columnList())
	case t.words("CHECK"):
		t.want(t.words("("))
		t.condition(0)
		t.want(t.words(")"))
	default:
		t.want(!named)
		return false
	}
	return true
}

func (t *tableReader) setPrimary(columns index) {
	t.want(t.primary == nil)
	t.primary = columns
	if len(columns) != 1 || t.written[columns[0]] != "INTEGER" {
		t.unique(columns)
	}
}

// unique adds an index unless there is one of the same columns.
func (t *tableReader) unique(columns index) {
	same := func(other index) bool { return slices.Equal(other, columns) }
	if !slices.ContainsFunc(t.table.indexes, same) {
		t.table.indexes = append(t.table.indexes, columns)
	}
}

// mostIndexes are compared with one another without a thought.
const mostIndexes = 64

// finish looks at what only the whole table tells.
func (t *tableReader) finish() {
	t.want(len(t.table.columns) > 0 && len(t.table.indexes) <= mostIndexes && t.table.has(t.primary) && t.table.has(t.uses))
	if t.odd {
		return
	}
	for _, columns := range t.table.indexes {
		t.want(t.table.has(columns) && !repeats(columns))
	}
	for _, name := range t.primary {
		c := t.table.columns[name]
		c.primary = true
		t.table.columns[name] = c
	}
}

func repeats(columns index) bool {
	sorted := slices.Sorted(slices.Values(columns))
	return len(slices.Compact(sorted)) < len(columns)
}

// column reads a name, a type and constraints.
func (t *tableReader) column() {
	name := t.name()
	_, twice := t.table.columns[name]
	t.want(!twice && len(t.table.columns) < mostColumns)
	declared := t.typeName()
	t.written[name] = declared
	c := column{kind: foldedType(declared)}
	for !t.odd {
		switch {
		case t.words("NOT", "NULL"):
			c.notNull = true
		case t.words("NULL"):
		case t.words("DEFAULT"):
			t.literal()
			c.hasDefault = true
		case t.words("PRIMARY", "KEY"):
			t.want(!t.peek().is("ASC") && !t.peek().is("DESC") && !t.peek().is("AUTOINCREMENT"))
			t.setPrimary(index{name})
		case t.words("UNIQUE"):
			t.unique(index{name})
		default:
			t.want(t.peek().is(",") || t.peek().is(")"))
			t.table.columns[name] = c
			return
		}
	}
}

// typeName reads a word and a size, without blanks. It returns them in upper case.
func (t *tableReader) typeName() string {
	var b strings.Builder
	for t.peek().kind == wordToken && !keywords[strings.ToUpper(t.peek().text)] {
		t.want(b.Len() == 0 && !isDigit(t.peek().text[0])) // of several words the blanks between count
		b.WriteString(strings.ToUpper(t.next().text))
	}
	if b.Len() == 0 || !t.peek().is("(") {
		t.want(t.peek().kind != nameToken && t.peek().kind != stringToken)
		return b.String()
	}
	part := func(kind tokenKind) {
		next := t.next()
		t.want(next.kind == kind && !next.space)
		b.WriteString(next.text)
	}
	part(markToken)
	part(numberToken)
	if t.peek().is(",") {
		part(markToken)
		part(numberToken)
	}
	t.want(t.peek().is(")"))
	part(markToken)
	return b.String()
}

// literal reads a default that is a constant.
func (t *tableReader) literal() {
	if t.words("-") || t.words("+") {
		t.want(isPlainNumber(t.next()))
		return
	}
	named := []string{"NULL", "CURRENT_TIMESTAMP", "CURRENT_DATE", "CURRENT_TIME"}
	first := t.next()
	t.want(isPlainConstant(first) || slices.ContainsFunc(named, first.is))
}

func isPlainNumber(t token) bool {
	return t.kind == numberToken && strings.Count(t.text, ".") <= 1 && !strings.HasSuffix(t.text, ".")
}

func isPlainConstant(t token) bool { return t.kind == stringToken || isPlainNumber(t) }

// condition reads columns and constants with operators between.
func (t *tableReader) condition(depth int) {
	const deepest = 20
	if depth > deepest {
		t.odd = true
		return
	}
	t.operand(depth)
	for !t.odd {
		switch {
		case t.words("IS", "NOT", "NULL"), t.words("IS", "NULL"):
		case t.words("IN"), t.words("NOT", "IN"):
			t.constants()
		case t.words("BETWEEN"):
			t.operand(depth)
			t.want(t.words("AND"))
			t.operand(depth)
		case t.operator():
			t.operand(depth)
		default:
			return
		}
	}
}

func (t *tableReader) operator() bool {
	for _, two := range [][]string{{"<", "="}, {">", "="}, {"<", ">"}, {"!", "="}} {
		if t.at+1 < len(t.tokens) && t.tokens[t.at+1].space {
			break
		}
		if t.words(two...) {
			return true
		}
	}
	return t.any("=", "<", ">", "+", "*", "/", "AND", "OR", "LIKE")
}

func (t *tableReader) operand(depth int) {
	switch {
	case t.words("("):
		t.condition(depth + 1)
		t.want(t.words(")"))
	case isPlainConstant(t.peek()):
		t.next()
	default:
		t.uses = append(t.uses, t.name())
	}
}

// constants reads a list in parentheses.
func (t *tableReader) constants() {
	t.want(t.words("("))
	for more := true; more && !t.odd; more = t.words(",") {
		t.want(isPlainConstant(t.next()))
	}
	t.want(t.words(")"))
}
