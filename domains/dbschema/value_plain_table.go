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
	for {
		if t.words("CONSTRAINT") {
			inColumns = false
			if _, ok := t.name(); !ok {
				return nil, false
			}
		}
		switch {
		case t.peek().is("PRIMARY"), t.peek().is("UNIQUE"), t.peek().is("CHECK"):
			inColumns = false
			if !t.constraint() {
				return nil, false
			}
		case !inColumns || !t.column():
			return nil, false
		}
		if t.words(",") {
			continue
		}
		if !t.words(")") || t.more() {
			return nil, false
		}
		return t.finished()
	}
}

// constraint reads a key of several columns, or a condition.
func (t *tableReader) constraint() bool {
	if t.words("CHECK") {
		return t.check()
	}
	primary := t.words("PRIMARY", "KEY")
	if !primary && !t.words("UNIQUE") {
		return false
	}
	columns, ok := t.columnList()
	if ok && primary {
		return t.setPrimary(columns)
	}
	t.unique(columns)
	return ok
}

func (t *tableReader) setPrimary(columns index) bool {
	if t.primary != nil {
		return false
	}
	t.primary = columns
	if len(columns) != 1 || t.written[columns[0]] != "INTEGER" {
		t.unique(columns)
	}
	return true
}

// unique adds an index unless there is one of the same columns.
func (t *tableReader) unique(columns index) {
	same := func(other index) bool { return slices.Equal(other, columns) }
	if !slices.ContainsFunc(t.table.indexes, same) {
		t.table.indexes = append(t.table.indexes, columns)
	}
}

func (t *tableReader) finished() (*table, bool) {
	if len(t.table.columns) == 0 || len(t.table.columns) > mostColumns || len(t.table.indexes) > mostIndexes {
		return nil, false
	}
	for _, columns := range t.table.indexes {
		if !t.table.has(columns) || repeats(columns) {
			return nil, false
		}
	}
	if !t.table.has(t.primary) || !t.table.has(t.uses) {
		return nil, false
	}
	for _, name := range t.primary {
		c := t.table.columns[name]
		c.primary = true
		t.table.columns[name] = c
	}
	return t.table, true
}

// mostIndexes are compared with one another without a thought.
const mostIndexes = 64

func repeats(columns index) bool {
	sorted := slices.Sorted(slices.Values(columns))
	return len(slices.Compact(sorted)) < len(columns)
}

// column reads a name, a type and constraints.
func (t *tableReader) column() bool {
	name, ok := t.name()
	name = strings.ToLower(name)
	if _, twice := t.table.columns[name]; !ok || twice || len(t.table.columns) == mostColumns {
		return false
	}
	declared, ok := t.typeName()
	if !ok {
		return false
	}
	t.written[name] = declared
	c := column{kind: foldedType(declared)}
	for {
		switch {
		case t.words("NOT", "NULL"):
			c.notNull = true
		case t.words("NULL"):
		case t.words("DEFAULT"):
			if !t.literal() {
				return false
			}
			c.hasDefault = true
		case t.words("PRIMARY", "KEY"):
			if t.peek().is("ASC") || t.peek().is("DESC") || t.peek().is("AUTOINCREMENT") || !t.setPrimary(index{name}) {
				return false
			}
		case t.words("UNIQUE"):
			t.unique(index{name})
		case t.peek().is(",") || t.peek().is(")"):
			t.table.columns[name] = c
			return true
		default:
			return false
		}
	}
}

// typeName reads words, of which several have single blanks between, and a
// size. It returns them in upper case.
func (t *tableReader) typeName() (string, bool) {
	var b strings.Builder
	for t.peek().kind == wordToken && !keywords[strings.ToUpper(t.peek().text)] {
		if b.Len() > 0 {
			return "", false // of several words the blanks between count
		}
		word := t.next().text
		if isDigit(word[0]) {
			return "", false
		}
		b.WriteString(strings.ToUpper(word))
	}
	if b.Len() == 0 || !t.peek().is("(") {
		return b.String(), t.peek().kind != nameToken && t.peek().kind != stringToken
	}
	if t.peek().space {
		return "", false
	}
	for closed := false; !closed; {
		part := t.next()
		if part.space || part.kind != numberToken && !part.is("(") && !part.is(",") && !part.is(")") {
			return "", false
		}
		b.WriteString(part.text)
		closed = part.is(")")
	}
	size := b.String()[strings.IndexByte(b.String(), '('):]
	first, second, two := strings.Cut(strings.Trim(size, "()"), ",")
	if first == "" || two && second == "" || strings.Count(size, ",") > 1 || strings.Count(size, "(") > 1 {
		return "", false
	}
	return b.String(), true
}

// literal reads a default that is a constant.
func (t *tableReader) literal() bool {
	if t.peek().is("-") || t.peek().is("+") {
		t.next()
		return isPlainNumber(t.next())
	}
	switch first := t.next(); first.kind {
	case stringToken:
		return true
	case numberToken:
		return isPlainNumber(first)
	default:
		return first.is("NULL") || first.is("CURRENT_TIMESTAMP") || first.is("CURRENT_DATE") || first.is("CURRENT_TIME")
	}
}

func isPlainNumber(t token) bool {
	return t.kind == numberToken && strings.Count(t.text, ".") <= 1 && !strings.HasSuffix(t.text, ".")
}

// check reads a condition in parentheses: columns and constants with operators
// between.
func (t *tableReader) check() bool {
	return t.words("(") && t.condition(0) && t.words(")")
}

func (t *tableReader) condition(depth int) bool {
	const deepest = 20
	if depth > deepest || !t.operand(depth) {
		return false
	}
	for {
		switch {
		case t.words("IS", "NOT", "NULL"), t.words("IS", "NULL"):
		case t.words("IN"), t.words("NOT", "IN"):
			if !t.constants() {
				return false
			}
		case t.words("BETWEEN"):
			if !t.operand(depth) || !t.words("AND") || !t.operand(depth) {
				return false
			}
		case t.operator():
			if !t.operand(depth) {
				return false
			}
		default:
			return true
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
	for _, one := range []string{"=", "<", ">", "+", "*", "/", "AND", "OR", "LIKE"} {
		if t.words(one) {
			return true
		}
	}
	return false
}

func (t *tableReader) operand(depth int) bool {
	switch first := t.peek(); {
	case first.is("("):
		t.next()
		return t.condition(depth+1) && t.words(")")
	case first.kind == stringToken:
		t.next()
		return true
	case first.kind == numberToken:
		t.next()
		return isPlainNumber(first)
	}
	name, ok := t.name()
	t.uses = append(t.uses, strings.ToLower(name))
	return ok
}

// constants reads a list in parentheses.
func (t *tableReader) constants() bool {
	if !t.words("(") {
		return false
	}
	for {
		if item := t.next(); item.kind != stringToken && !isPlainNumber(item) {
			return false
		}
		if t.words(")") {
			return true
		}
		if !t.words(",") {
			return false
		}
	}
}
