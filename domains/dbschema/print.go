package dbschema

import (
	"slices"
	"strings"

	"agentd/vfs"
)

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
	l := lexer{text: text, mysql: true}
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
	t := thinner{leave: leave, gone: map[place]bool{}, empty: map[string]bool{}}
	for _, name := range files.Names() {
		documents[name] = read(files[name])
		t.columns(documents[name])
	}
	left := vfs.Files{}
	for name, d := range documents {
		t.keys(d)
		left[name] = d.print()
	}
	return left
}

type thinner struct {
	leave func() bool
	gone  map[place]bool  // columns, in lower case
	empty map[string]bool // tables of which none is left
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
	d.parts = slices.DeleteFunc(d.parts, func(p *part) bool { return t.loses(p) })
	d.tables(func(p *part, name string) {
		p.entries = slices.DeleteFunc(p.entries, func(e *entry) bool {
			d := entryDefinition(e.tokens)
			return d.column == "" && (t.names(strings.ToLower(name), e.tokens) || t.leadsNowhere(d))
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

// place is a column by its table and name, or another part of a table.
type place struct{ table, name string }

// tables calls do with every table and its name.
func (d *document) tables(do func(p *part, name string)) {
	for _, p := range d.parts {
		if p.kind == tablePart {
			do(p, p.tableName())
		}
	}
}
