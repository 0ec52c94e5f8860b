package dbschema

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"agentd/domains"
	match "agentd/domains/internal/element"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// The kinds of elements other than the counted one.
const (
	tableKind     = "table"
	keyKind       = "key"
	statementKind = "statement"
	rowKind       = "row"
	commentKind   = "comment"
	lineKind      = "line"
)

// elements flattens files of any name into what MySQL makes of them. Several files are one schema.
func elements(files vfs.Files) []domains.Element {
	f := flattener{
		made: map[string]bool{}, tables: map[string]int{}, columns: map[string]int{}, rows: map[string]int{}, dropped: map[string][]int{},
	}
	for _, name := range files.Names() {
		if path.Ext(name) != ".sql" {
			f.line("file name "+name, "no .sql file")
		}
		d := read(files[name])
		for n, p := range d.parts {
			f.part(p, n == len(d.parts)-1)
		}
		f.comments("the end", d.closing...)
	}
	for table := range f.dropped {
		if f.made[table] {
			f.placeDrops(table, "below its table")
		}
	}
	return f.all
}

// forgives makes equal what Strict does not tell apart: tables may follow one another in any order.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	return match.AlignFiles(reference, candidate, columnKind)
}

type flattener struct {
	all     []domains.Element
	made    map[string]bool  // tables, by name
	tables  map[string]int   // with columns, by name in small letters: their numbers
	columns map[string]int   // of those tables so far
	rows    map[string]int   // of a table so far
	dropped map[string][]int // the elements of DROP TABLE statements above a table
	order   int              // of statements that have one
}

func (f *flattener) add(kind, key string, fields ...domains.Field) *domains.Element {
	f.all = plain.Append(f.all, domains.Element{Kind: kind, Key: key, Fields: fields})
	return &f.all[len(f.all)-1]
}

func (f *flattener) line(key, text string) {
	f.add(lineKind, key, domains.Field{Value: plain.SingleBlanks(text)})
}

func (f *flattener) part(p *part, isLast bool) {
	switch p.kind {
	case linePart:
		f.comments("a line of text", p.above...)
		if p.text != "" {
			f.line("line outside statements", p.text)
		}
		return
	case tablePart:
		f.table(p)
	default:
		f.statement(p)
	}
	if p.end == "" && !isLast {
		f.line("semicolon after "+p.title(), "semicolon missing")
	}
}

// title is what a practitioner calls a statement.
func (p *part) title() string {
	if p.kind == tablePart {
		return "table " + p.tableName()
	}
	tokens := tokensOf(p.text)
	if c := (clauses{tokens: tokens}); c.words("DROP", "TABLE") {
		c.words("IF", "EXISTS")
		if name := c.name(); !c.more() {
			return "table " + name
		}
	}
	return strings.Join(lists.Map(tokens[:min(3, len(tokens))], token.value), " ")
}

// tableName is the name of the table that a statement makes.
func (p *part) tableName() string {
	for i := 1; i < len(p.head); i++ {
		if p.head[i-1].is("TABLE") || p.head[i-1].is("EXISTS") {
			if !p.head[i].is("IF") {
				return (&clauses{tokens: p.head, at: i}).name()
			}
		}
	}
	return ""
}

// comments adds an element for each comment that says something.
func (f *flattener) comments(at string, comments ...string) {
	for _, c := range comments {
		if text := commentText(c); text != "" {
			f.add(commentKind, "comment at "+at, domains.Field{Name: "text", Value: text}, domains.Field{Name: "at", Value: strings.ToLower(at)})
		}
	}
}

// commentText is a comment without its marks.
func commentText(c string) string {
	if inner, ok := strings.CutPrefix(c, "/*"); ok {
		c = strings.TrimSuffix(inner, "*/")
	} else {
		c = strings.TrimLeft(c, "-#")
	}
	return plain.SingleBlanks(c)
}

func (f *flattener) table(p *part) {
	name := p.tableName()
	title := "table " + name
	f.comments(title, p.above...)
	options := optionsOf(newClauses(p.options))
	fields := []domains.Field{{Name: "name", Value: name}}
	note := func(field string, words ...string) {
		if slices.ContainsFunc(p.head, func(t token) bool { return slices.ContainsFunc(words, t.is) }) {
			fields = append(fields, domains.Field{Name: field, Value: "yes"})
		}
	}
	note("temporary", "TEMPORARY", "TEMP")
	note("if not exists", "EXISTS")
	f.made[name] = true
	f.add(tableKind, title, append(fields, optionFields(options)...)...)
	f.placeDrops(name, "above its table")
	f.entries(p, name, options)
	f.comments(title, p.closing...)
	f.comments(title, p.beside)
	for _, problem := range p.problems {
		f.line(title, problem)
	}
}

// entries adds the columns of a table, one after the other, then its keys.
func (f *flattener) entries(p *part, table string, options []option) {
	definitions := make([]*definition, len(p.entries))
	primary := map[string]bool{}
	for n, e := range p.entries {
		d := entryDefinition(e.tokens)
		definitions[n] = d
		for _, key := range d.allKeys() {
			if key.kind == primaryKey {
				for _, name := range key.using {
					primary[strings.ToLower(name)] = true
				}
			}
		}
	}
	for n := range p.entries {
		if d := definitions[n]; d.column != "" {
			if primary[strings.ToLower(d.column)] {
				d.nullable = false
			}
			e := f.add(columnKind, "column "+table+"."+d.column, d.columnFields(table, options)...)
			e.Position = f.placeColumn(table)
		}
	}
	for n, e := range p.entries {
		d := definitions[n]
		title := "column " + table + "." + d.column
		if d.column == "" {
			title = d.title(table)
		}
		for _, key := range d.allKeys() {
			f.key(table, key)
		}
		f.comments(title, e.above...)
		f.comments(title, e.beside)
	}
}

func (d *definition) columnFields(table string, options []option) []domains.Field {
	fields := make([]domains.Field, 0, 6+len(d.size)+len(d.fields))
	set := func(name, value string) {
		if value != "" {
			fields = append(fields, domains.Field{Name: name, Value: value})
		}
	}
	set("table", table)
	set("name", d.column)
	set("type", d.kind)
	for n, size := range d.size {
		switch {
		case d.kind == "enum" || d.kind == "set":
			set(fmt.Sprintf("member %d", n+1), "'"+size+"'")
		case n == 0:
			set("size", size)
		default:
			set("decimals", size)
		}
	}
	if d.isText() || d.collation+d.charset != "" {
		set("collation", d.effectiveCollation(options))
	}
	null := "NOT NULL"
	if d.nullable {
		null = "NULL"
	}
	set("null", null)
	set("default", d.value)
	return append(fields, d.fields...)
}

// effectiveCollation is a column's own, or the table's.
func (d *definition) effectiveCollation(options []option) string {
	switch {
	case d.collation != "" && d.charset != "" && !strings.HasPrefix(d.collation+"_", d.charset+"_"):
		return d.collation + ", which " + d.charset + " does not have"
	case d.collation != "":
		return d.collation
	case d.charset != "":
		return "default of " + d.charset
	}
	charset := optionValue(options, "charset")
	if charset != "" {
		charset = "default of " + charset
	}
	return cmp.Or(optionValue(options, "collate"), charset)
}

// keyName is the name of a key, that MySQL gives it if it has none.
func (d *definition) keyName() string {
	switch {
	case d.kind == primaryKey:
		return ""
	case d.name == "" && len(d.using) > 0 && d.kind != foreignKey:
		return d.using[0]
	}
	return d.name
}

func (d *definition) title(table string) string {
	name := d.keyName()
	if name == "" && len(d.parts) > 0 && d.kind != primaryKey {
		name = d.parts[0]
	}
	return strings.TrimSuffix(d.kind+" "+table+"."+name, ".")
}

func (f *flattener) key(table string, d *definition) {
	fields := []domains.Field{{Name: "table", Value: table}, {Name: "kind", Value: d.kind}}
	if name := d.keyName(); name != "" {
		fields = append(fields, domains.Field{Name: "name", Value: name})
	}
	for n, part := range d.parts {
		fields = append(fields, domains.Field{Name: fmt.Sprintf("column %d", n+1), Value: part})
	}
	f.add(keyKind, d.title(table), append(fields, d.fields...)...)
}

// placeColumn is the position of the next column of a table: columns have an order in their table, and tables have none.
func (f *flattener) placeColumn(table string) int {
	name := strings.ToLower(table)
	if _, known := f.tables[name]; !known {
		f.tables[name] = len(f.tables)
	}
	f.columns[name]++
	return match.InFile(f.tables[name], f.columns[name])
}

// placeDrops notes that the DROP TABLE statements of a name since the last CREATE TABLE of that name stand above or below a table.
func (f *flattener) placeDrops(table, place string) {
	for _, at := range f.dropped[table] {
		f.all[at].Fields = append(f.all[at].Fields, domains.Field{Name: "stands", Value: place})
	}
	f.dropped[table] = nil
}

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
	l := lexer{text: p.text}
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
		for n, column := range columns { // a query fills them by their places
			fields = append(fields, domains.Field{Name: fmt.Sprintf("column %d", n+1), Value: expressionName(column)})
		}
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

// createIndex adds a key that is made outside of its table, which is the same as one inside.
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

// other adds a statement as a text. Statements that have an order are numbered in one sequence.
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

// columnKind is the counted kind of element.
const columnKind = "column"

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
