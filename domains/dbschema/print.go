package dbschema

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/vfs"
)

// column reads the definition of a column.
func (c *clauses) column() *definition {
	d := &definition{column: c.name(), nullable: true}
	c.typeOf(d)
	unsigned, unknown := false, 0
	for c.more() {
		switch {
		case c.any("UNSIGNED"):
			unsigned = true
		case c.any("SIGNED", "VISIBLE"):
		case c.words("ZEROFILL"):
			unsigned = true
			d.set("zerofill", "yes")
		case c.words("CHARACTER", "SET"), c.words("CHARSET"):
			d.charset = strings.ToLower(c.next().value())
		case c.words("COLLATE"):
			d.collation = strings.ToLower(c.next().value())
		case c.words("NOT", "NULL"):
			d.nullable = false
		case c.words("NULL"):
		case c.words("DEFAULT"):
			d.value = c.constant()
		case c.any("AUTO_INCREMENT", "AUTOINCREMENT"):
			d.set("auto_increment", "yes")
		case c.words("COMMENT"):
			d.set("comment", c.next().value())
		case c.words("ON", "UPDATE"):
			d.set("on update", c.constant())
		case c.words("GENERATED", "ALWAYS", "AS"), c.words("AS"):
			d.set("generated", expression(slices.Concat(c.list()...)))
			if c.any("STORED", "PERSISTENT") {
				d.set("storage", "stored")
			}
			c.any("VIRTUAL")
		case c.keyHere(d):
		default:
			unknown++
			d.set(fmt.Sprintf("clause %d", unknown), word(c.next()))
		}
	}
	if unsigned {
		d.set("unsigned", "yes")
	}
	d.value = normalDefault(d)
	return d
}

// keyHere reads a key or constraint that is written at a column.
func (c *clauses) keyHere(d *definition) bool {
	start := c.at
	name := ""
	if c.words("CONSTRAINT") {
		name = c.name()
	}
	key := &definition{name: name, parts: []string{d.column}, using: []string{d.column}}
	switch {
	case c.words("PRIMARY", "KEY"), !c.then("AUTOINCREMENT") && c.words("KEY"): // of MySQL, which has no AUTOINCREMENT
		key.kind = primaryKey
	case c.words("UNIQUE"):
		key.kind = uniqueKey
		c.any("KEY")
	case c.words("CHECK"):
		key.kind, key.parts, key.using = checkKey, nil, nil
		key.set("condition", expression(slices.Concat(c.list()...)))
	case c.peek().is("REFERENCES"):
		key.kind = foreignKey
		c.references(key)
	default:
		c.at = start
		return false
	}
	d.keys = append(d.keys, key)
	return true
}

// synonyms are types by their other names.
var synonyms = map[string]string{
	"integer": "int", "dec": "decimal", "numeric": "decimal", "fixed": "decimal", "character": "char",
	"double precision": "double", "real": "double", "character varying": "varchar", "char varying": "varchar",
	"int4": "int", "int8": "bigint", "int2": "smallint", "int1": "tinyint", "int3": "mediumint", "float8": "double",
	"float4": "float", "middleint": "mediumint", "long varchar": "mediumtext", "long": "mediumtext",
}

// typeOf reads a type with its size, or its members.
func (c *clauses) typeOf(d *definition) {
	if c.peek().kind != wordToken && !c.peek().isBracketName() {
		return
	}
	d.kind = strings.ToLower(c.next().value())
	for c.peek().is(".") && !c.peek().space { // of a schema
		c.at++
		d.kind += "." + strings.ToLower(c.next().value())
	}
	for _, second := range []string{"PRECISION", "VARYING", "VARCHAR"} {
		if c.words(second) {
			d.kind += " " + strings.ToLower(second)
		}
	}
	d.kind = cmp.Or(synonyms[d.kind], d.kind)
	for _, item := range c.list() {
		d.size = append(d.size, expressionName(item))
	}
	switch {
	case d.kind == "bool" || d.kind == "boolean":
		d.kind, d.size = "tinyint", []string{"1"}
	case d.kind == "decimal" && len(d.size) == 0:
		d.size = []string{"10", "0"}
	case d.kind == "decimal" && len(d.size) == 1:
		d.size = append(d.size, "0")
	case (d.kind == "char" || d.kind == "bit") && len(d.size) == 0:
		d.size = []string{"1"}
	case d.isTime() && len(d.size) == 1 && d.size[0] == "0":
		d.size = nil
	}
	for c.peek().kind == wordToken && (c.words("WITH", "TIME", "ZONE") || c.words("WITHOUT", "TIME", "ZONE")) {
		if c.tokens[c.at-3].is("WITH") {
			d.kind += " with time zone"
		}
	}
}

func (d *definition) isTime() bool {
	return d.kind == "timestamp" || d.kind == "datetime" || d.kind == "time"
}

func (d *definition) isNumber() bool {
	return slices.Contains([]string{
		"tinyint", "smallint", "mediumint", "int", "bigint", "decimal", "float", "double", "year", "bit",
	}, d.kind)
}

func (d *definition) isText() bool {
	return d.kind == "char" || d.kind == "varchar" || d.kind == "enum" || d.kind == "set" ||
		strings.HasSuffix(d.kind, "text")
}

// constant reads a default: a literal, an expression in parentheses or a call.
func (c *clauses) constant() string {
	start := c.at
	c.any("+", "-")
	if c.peek().is("(") {
		c.list()
	} else if first := c.next(); first.kind == wordToken {
		switch {
		case c.peek().is("(") && !c.peek().space || c.peek().is("(") && isNow(first.text):
			c.list()
		case c.peek().kind == stringToken && !c.peek().space: // b'0'
			c.at++
		}
	}
	for c.words(":", ":") { // a cast of PostgreSQL's
		c.name()
		c.words("VARYING")
		c.list()
	}
	return expression(c.tokens[start:c.at])
}

func isNow(word string) bool {
	return slices.Contains([]string{"current_timestamp", "now", "localtime", "localtimestamp"}, strings.ToLower(word))
}

// normalDefault is equal for defaults that mean the same for the type.
func normalDefault(d *definition) string {
	value := d.value
	function, rest, _ := strings.Cut(value, " ")
	switch {
	case value == "null":
		return ""
	case isNow(function) && (rest == "" || rest == "( )" || rest == "( 0 )"):
		return "current_timestamp"
	case isNow(function):
		return "current_timestamp " + rest
	case !d.isNumber():
		return value
	case value == "true":
		return "1"
	case value == "false":
		return "0"
	}
	number, err := decimal.NewFromString(strings.ReplaceAll(strings.Trim(value, "'"), "- ", "-"))
	if err == nil && len(value) < 40 && number.Exponent() > -40 && number.Exponent() < 40 {
		return number.String()
	}
	return value
}

// print writes a document, tables with an entry on each line.
func (d *document) print() string {
	var b strings.Builder
	for n, p := range d.parts {
		if p.gap && n > 0 {
			b.WriteByte('\n')
		}
		p.print(&b)
	}
	for _, c := range d.closing {
		b.WriteString(c + "\n")
	}
	return b.String()
}

func (p *part) print(b *strings.Builder) {
	for _, c := range p.above {
		b.WriteString(c + "\n")
	}
	switch {
	case p.kind == tablePart:
		p.printTable(b)
	case p.version != "":
		b.WriteString("/*!" + strings.TrimPrefix(p.version, "0") + " " + p.text + " */" + p.end)
	default:
		b.WriteString(p.text + strings.TrimSuffix(p.end, "\n"))
	}
	if p.beside != "" {
		b.WriteString(" " + p.beside)
	}
	b.WriteByte('\n')
}

func (p *part) printTable(b *strings.Builder) {
	b.WriteString(printTokens(p.head) + " (\n")
	for n, e := range p.entries {
		for _, c := range e.above {
			b.WriteString("  " + c + "\n")
		}
		b.WriteString("  " + printTokens(e.tokens))
		if n < len(p.entries)-1 {
			b.WriteByte(',')
		}
		if e.beside != "" {
			b.WriteString(" " + e.beside)
		}
		b.WriteByte('\n')
	}
	for _, c := range p.closing {
		b.WriteString("  " + c + "\n")
	}
	b.WriteByte(')')
	if len(p.options) > 0 {
		b.WriteString(" " + printTokens(p.options))
	}
	b.WriteString(p.end)
}

// printTokens writes tokens with one blank where there was white space.
func printTokens(tokens []token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 && t.space {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	return b.String()
}

// tokensOf reads a piece of SQL, without its comments.
func tokensOf(text string) []token {
	l := lexer{text: text}
	var tokens []token
	for {
		t := l.next()
		switch t.kind {
		case endToken:
			return tokens
		case commentToken:
			continue
		}
		tokens = append(tokens, t)
	}
}

// without leaves out columns, with the comments at them and the keys and conditions that name them, also those of other
// tables. A table of which no column is left goes with the statements about it.
func without(files vfs.Files, leave func() bool) vfs.Files {
	documents := map[string]*document{}
	t := thinner{leave: leave, gone: map[place]bool{}, empty: map[string]bool{}, changed: map[*document]bool{}}
	for _, name := range files.Names() {
		documents[name] = read(files[name])
		t.columns(documents[name])
	}
	left := files.Clone()
	for name, d := range documents {
		if t.keys(d); t.changed[d] {
			left[name] = d.print()
		}
	}
	return left
}

// place is a column of a table, in lower case.
type place struct{ table, column string }

type thinner struct {
	leave   func() bool
	gone    map[place]bool     // columns
	empty   map[string]bool    // tables of which none is left
	changed map[*document]bool // from which something was left out
}

func (t *thinner) columns(d *document) {
	d.tables(func(p *part, name string) {
		table, met, kept := strings.ToLower(name), 0, 0
		p.entries = slices.DeleteFunc(p.entries, func(e *entry) bool {
			column := strings.ToLower(entryDefinition(e.tokens).column)
			if column == "" {
				return false
			}
			met++
			if !t.leave() {
				kept++
				return false
			}
			t.gone[place{table, column}] = true
			t.changed[d] = true
			return true
		})
		if met > 0 && kept == 0 {
			t.empty[table] = true
		}
	})
}

func (t *thinner) keys(d *document) {
	if len(t.gone) == 0 {
		return
	}
	note := func(loses bool) bool {
		t.changed[d] = t.changed[d] || loses
		return loses
	}
	d.parts = slices.DeleteFunc(d.parts, func(p *part) bool { return note(t.loses(p)) })
	d.tables(func(p *part, name string) {
		p.entries = slices.DeleteFunc(p.entries, func(e *entry) bool {
			key := entryDefinition(e.tokens)
			return note(key.column == "" && (t.names(strings.ToLower(name), e.tokens) || t.leadsNowhere(key)))
		})
	})
}

// loses reports whether a statement is about what is gone.
func (t *thinner) loses(p *part) bool {
	if p.kind == tablePart {
		return t.empty[strings.ToLower(p.tableName())]
	}
	tokens := tokensOf(p.text)
	table, column := statementTable(tokens)
	table = strings.ToLower(table)
	return table != "" && (t.empty[table] || column && t.names(table, tokens))
}

// names reports whether tokens name a column of a table that is gone.
func (t *thinner) names(table string, tokens []token) bool {
	return slices.ContainsFunc(tokens, func(name token) bool {
		return (name.kind == nameToken || name.kind == wordToken) && t.gone[place{table, strings.ToLower(name.value())}]
	})
}

// leadsNowhere reports whether a foreign key leads to what is gone.
func (t *thinner) leadsNowhere(d *definition) bool {
	table := ""
	for _, f := range d.fields {
		if f.Name == "references" {
			table = strings.ToLower(f.Value)
		}
		if t.empty[table] || strings.HasPrefix(f.Name, "referenced") && t.gone[place{table, strings.ToLower(f.Value)}] {
			return true
		}
	}
	return false
}

// statementTable is the table that a statement is about, and whether the statement may name its columns.
func statementTable(tokens []token) (table string, columns bool) {
	c := clauses{tokens: tokens}
	switch {
	case c.words("DROP", "TABLE"):
		c.words("IF", "EXISTS")
		return c.name(), false
	case c.words("ALTER", "TABLE"):
		c.any("ONLY")
		return c.name(), true
	case c.words("INSERT", "INTO"), c.words("REPLACE", "INTO"), c.words("INSERT", "IGNORE", "INTO"):
		return c.name(), true
	case c.createsIndex():
		for c.more() && !c.any("ON") {
			c.at++
		}
		return c.name(), true
	}
	return "", false
}

// tables calls do with every table and its name.
func (d *document) tables(do func(p *part, name string)) {
	for _, p := range d.parts {
		if p.kind == tablePart {
			do(p, p.tableName())
		}
	}
}
