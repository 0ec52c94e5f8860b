package dbschema

import (
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
)

// statement adds the elements of a statement that makes no table.
func (f *flattener) statement(p *part) {
	tokens := tokensOf(p.text)
	f.commentsIn(p)
	c := newClauses(tokens)
	switch {
	case c.words("DROP", "TABLE"):
		f.dropTables(c, p.version)
	case c.words("INSERT"), c.words("REPLACE"):
		f.insert(c)
	case c.words("ALTER", "TABLE"):
		f.alter(c, p)
	case c.createsIndex():
		f.createIndex(c)
	default:
		f.other(p, tokens)
	}
}

// commentsIn adds the comments of a statement, inside and outside.
func (f *flattener) commentsIn(p *part) {
	title := p.title()
	f.comments(title, p.above...)
	l := lexer{text: p.text, mysql: true}
	for t := l.next(); t.kind != endToken; t = l.next() {
		if t.kind == commentToken {
			f.comments(title, t.text)
		}
	}
	f.comments(title, p.beside)
}

func (f *flattener) dropTables(c *clauses, version string) {
	fields := []domains.Field{{Name: "statement", Value: "drop table"}}
	if c.words("IF", "EXISTS") {
		fields = append(fields, domains.Field{Name: "if exists", Value: "yes"})
	}
	if version != "" {
		fields = append(fields, domains.Field{Name: "version", Value: version})
	}
	for c.more() {
		name := c.name()
		c.any(",")
		f.dropped[name] = append(f.dropped[name], len(f.all))
		f.add(statementKind, "DROP TABLE "+name, append(slices.Clip(fields), domains.Field{Name: "table", Value: name})...)
	}
}

// insert adds the rows of a statement.
func (f *flattener) insert(c *clauses) {
	verb := strings.ToLower(c.tokens[0].text)
	for c.any("IGNORE", "LOW_PRIORITY", "DELAYED", "HIGH_PRIORITY", "INTO") {
		if !c.tokens[c.at-1].is("INTO") {
			verb += " " + strings.ToLower(c.tokens[c.at-1].text)
		}
	}
	table := c.name()
	columns := c.list()
	fields := []domains.Field{{Name: "table", Value: table}}
	if verb != "insert" {
		fields = append(fields, domains.Field{Name: "statement", Value: verb})
	}
	if !c.any("VALUES", "VALUE") {
		fields = append(fields, domains.Field{Name: "text", Value: expression(c.tokens[c.at:])})
		f.add(rowKind, "rows of "+table, fields...)
		return
	}
	for c.peek().is("(") {
		row := slices.Clip(fields)
		for n, value := range c.list() {
			name := fmt.Sprintf("value %d", n+1)
			if n < len(columns) {
				name = expressionName(columns[n])
			}
			row = append(row, domains.Field{Name: name, Value: expression(value)})
		}
		c.any(",")
		f.rows[table]++
		f.add(rowKind, fmt.Sprintf("row %d of %s", f.rows[table], table), row...)
	}
	if c.more() {
		text := domains.Field{Name: "text", Value: expression(c.tokens[c.at:])}
		f.add(rowKind, "rows of "+table, append(slices.Clip(fields), text)...)
	}
}

// createsIndex moves after the words that begin a statement that makes an index.
func (c *clauses) createsIndex() bool {
	return c.words("CREATE", "INDEX") || c.words("CREATE", "UNIQUE", "INDEX") ||
		c.words("CREATE", "FULLTEXT", "INDEX") || c.words("CREATE", "SPATIAL", "INDEX")
}

// createIndex adds a key that is made outside of its table, which is the same
// as one inside.
func (f *flattener) createIndex(c *clauses) {
	d := &definition{kind: plainKey}
	if kind := strings.ToLower(c.tokens[1].text); kind != "index" {
		d.kind = kind + " key"
	}
	c.words("IF", "NOT", "EXISTS")
	d.name = c.name()
	c.using(d)
	c.any("ON")
	table := c.name()
	c.using(d)
	d.columns(c.list())
	c.keyOptions(d)
	f.key(table, d)
}

// alter adds what a statement changes at a table, keys as if they stood in it.
func (f *flattener) alter(c *clauses, p *part) {
	c.any("ONLY")
	table := c.name()
	for _, clause := range atCommas(c.tokens[c.at:]) {
		if part := newClauses(clause); part.words("ADD") {
			if key := part.key(); key != nil {
				f.key(table, key)
				continue
			}
		}
		f.order++
		e := f.add(statementKind, "ALTER TABLE "+table, domains.Field{Name: "statement", Value: "alter table"},
			domains.Field{Name: "table", Value: table}, domains.Field{Name: "text", Value: expression(clause)},
			domains.Field{Name: "version", Value: p.version})
		e.Position = f.order
	}
}

// other adds a statement as a text. Those at all that have an order have one
// among each other.
func (f *flattener) other(p *part, tokens []token) {
	verb := ""
	if len(tokens) > 0 {
		verb = strings.ToLower(tokens[0].value())
	}
	f.order++
	e := f.add(statementKind, p.title(), domains.Field{Name: "statement", Value: verb},
		domains.Field{Name: "text", Value: expression(tokens)}, domains.Field{Name: "version", Value: p.version})
	e.Position = f.order
}
