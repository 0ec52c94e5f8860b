package dbschema

import (
	"fmt"
	"regexp"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var snakeCase = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z][a-z0-9]*)+$`)

// camelCase renames columns such as owner_id to ownerId.
func camelCase(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		renamed, table, err := d.camelNames()
		d.rename(renamed)
		return vfs.Files{p.Table: plain.WriteCSV(table)}, err
	}
	return schemas.Rewrite(p.Document, p.To, change, func(d *document, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "table", "column", "renamed")
		renamed := columnNames{}
		for _, row := range rows {
			renamed.set(row[0], row[2], row[1])
		}
		d.rename(renamed)
		return err
	})
}

// camelNames are the new names of columns, and a table of them. An error says which table would
// have two columns of a name.
func (d *document) camelNames() (renamed columnNames, rows [][]string, err error) {
	rows = [][]string{{"table", "column", "renamed"}}
	renamed, taken := columnNames{}, map[place]bool{}
	d.columns(func(_ *part, table string, _ *entry, column string) {
		if snakeCase.MatchString(column) {
			camel := camelName(column)
			rows = append(rows, []string{table, column, camel})
			renamed.set(table, column, camel)
			column = camel
		}
		at := place{strings.ToLower(table), strings.ToLower(column)}
		if taken[at] {
			err = fmt.Errorf("%s would have two columns %s", table, column)
		}
		taken[at] = true
	})
	return renamed, rows, err
}

func camelName(snake string) string {
	words := strings.Split(snake, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// columnNames are new names of columns by table and old name.
type columnNames map[string]map[string]string

func (n columnNames) set(table, column, name string) {
	if n[table] == nil {
		n[table] = map[string]string{}
	}
	n[table][column] = name
}

// rename renames columns in tables, their keys, conditions and generated
// columns, in foreign keys to them, and in CREATE INDEX statements.
func (d *document) rename(names columnNames) {
	for _, p := range d.parts {
		if p.kind != tablePart {
			p.renameIndexed(names)
			continue
		}
		table := p.tableName()
		for _, e := range p.entries {
			if entryDefinition(e.tokens).column == "" {
				names.inLists(e.tokens, table)
			} else {
				names.inColumn(e.tokens, table)
			}
		}
	}
}

func (p *part) renameIndexed(names columnNames) {
	tokens := tokensOf(p.text)
	if len(tokens) == 0 || !tokens[0].is("CREATE") {
		return
	}
	if table, columns := statementTable(tokens); columns && names[table] != nil {
		names.inLists(tokens, table)
		p.text = printTokens(tokens)
	}
}

// one renames a token that is the name of a column.
func one(t *token, names map[string]string) {
	if t.kind != nameToken && t.kind != wordToken {
		return
	}
	name, ok := names[t.value()]
	switch {
	case !ok:
	case t.kind == wordToken:
		t.text = name
	default:
		quote := t.text[:1]
		t.text = quote + strings.ReplaceAll(name, quote, quote+quote) + quote
	}
}

// inLists renames what stands in parentheses; after REFERENCES the columns are
// those of another table.
func (n columnNames) inLists(tokens []token, table string) {
	depth := 0
	for i := range tokens {
		switch t := &tokens[i]; {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		case depth > 0:
			if i+1 == len(tokens) || !tokens[i+1].is("(") || t.kind == nameToken {
				one(t, n[table])
			}
		case t.is("REFERENCES") && i+1 < len(tokens):
			table = (&clauses{tokens: tokens, at: i + 1}).name()
		}
	}
}

// inColumn renames a column, and others in its condition, in what it is
// generated from, and in what it refers to.
func (n columnNames) inColumn(tokens []token, table string) {
	one(&tokens[0], n[table])
	for i := 1; i < len(tokens); i++ {
		switch t := tokens[i]; {
		case t.is("CHECK"), t.is("AS"):
			if i+1 < len(tokens) && tokens[i+1].is("(") {
				end := i + 1 + max(partner(tokens[i+1:]), 0)
				n.inLists(tokens[i:end+1], table)
				i = end
			}
		case t.is("REFERENCES"):
			n.inLists(tokens[i:], table)
			return
		}
	}
}
