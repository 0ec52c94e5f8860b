package dbschema

import (
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitByPrefix gives the tables of each prefix a file, with the statements about them, and all
// other statements one.
func splitByPrefix(p struct{ Document, Rest, Table string }) exact.Steps {
	return schemas.Split(p.Document, p.Rest, p.Table, func(statement **part) (string, []string) {
		prefix := (*statement).prefix()
		if prefix == "" || strings.ContainsAny(prefix, "/.") {
			return p.Rest, nil
		}
		return prefix + ".sql", nil
	})
}

// prefix is the name of a statement's table up to the first underscore.
func (p *part) prefix() string {
	table := ""
	if p.kind == tablePart {
		table = p.tableName()
	} else if p.version == "" {
		table, _ = statementTable(tokensOf(p.text))
	}
	prefix, _, _ := strings.Cut(table, "_")
	return prefix
}

// tables are the statements, the columns and the keys, every clause as it is written.
type tables struct{ Document, Statements, Columns, Keys string }

// dictionary makes tables of a document.
func dictionary(p tables) exact.Steps { return schemas.Whole(p.Document, p.write, p.read) }

func (t *tables) write(d document) (vfs.Files, error) {
	statements := [][]string{{"table", "statement", "options", "comment"}}
	columns := [][]string{{"table", "column", "definition", "comment"}}
	keys := [][]string{{"table", "definition", "comment"}}
	for _, p := range d.parts {
		if p.kind != tablePart {
			text, err := p.asCell()
			if err != nil {
				return nil, err
			}
			statements = append(statements, []string{"", text, "", commentCell(p.above, nil, p.beside)})
			continue
		}
		table := p.tableName()
		statements = append(statements, []string{
			table, printTokens(p.head), printTokens(p.options), commentCell(p.above, p.closing, p.beside),
		})
		for _, e := range p.entries {
			comment := commentCell(e.above, nil, e.beside)
			if column := entryDefinition(e.tokens).column; column != "" {
				columns = append(columns, []string{table, column, printTokens(e.tokens[1:]), comment})
			} else {
				keys = append(keys, []string{table, printTokens(e.tokens), comment})
			}
		}
	}
	if len(d.closing) > 0 {
		statements = append(statements, []string{"", "", "", commentCell(d.closing, nil, "")})
	}
	return vfs.Files{
		t.Statements: plain.WriteCSV(statements), t.Columns: plain.WriteCSV(columns), t.Keys: plain.WriteCSV(keys),
	}, nil
}

// asCell is a statement that is no table, without its semicolon.
func (p *part) asCell() (string, error) {
	switch {
	case p.kind == linePart || p.end != ";" && p.end != "":
		return "", errForeign
	case p.version != "":
		return "/*!" + p.version + " " + p.text + " */", nil
	}
	return p.text, nil
}

// commentCell has a comment on each line.
func commentCell(above, closing []string, beside string) string {
	return strings.TrimSuffix(strings.Join(slices.Concat(above, closing, []string{beside}), "\n"), "\n")
}

// read writes the statements out, in the order of the tables.
func (t *tables) read(files vfs.Files) (d document, err error) {
	statements, err := plain.Table(files, t.Statements, "table", "statement", "options", "comment")
	if err != nil {
		return d, err
	}
	columns, err := plain.Table(files, t.Columns, "table", "column", "definition", "comment")
	if err != nil {
		return d, err
	}
	keys, err := plain.Table(files, t.Keys, "table", "definition", "comment")
	entries := map[string][]*entry{}
	add := func(table, definition, comment string) {
		entries[table] = append(entries[table], &entry{above: commentLines(comment), tokens: tokensOf(definition)})
	}
	for _, row := range columns {
		add(row[0], nameOf(row[1]).text+" "+row[2], row[3])
	}
	for _, row := range keys {
		add(row[0], row[1], row[2])
	}
	for _, row := range statements {
		switch p := (&part{above: commentLines(row[3]), gap: true, end: ";"}); {
		case row[0] != "":
			p.head, p.options, p.entries = tokensOf(row[1]), tokensOf(row[2]), entries[row[0]]
			d.parts = append(d.parts, p)
			delete(entries, row[0])
		case row[1] == "":
			d.closing = append(d.closing, p.above...)
		default:
			p.kind, p.text = otherPart, row[1]
			d.parts = append(d.parts, p)
		}
	}
	return d, err
}

// commentLines are the comments of a cell; one in /* */ may have several lines.
func commentLines(cell string) []string {
	l := lexer{text: cell, mysql: true}
	var comments []string
	for t := l.next(); t.kind != endToken; t = l.next() {
		comments = append(comments, t.text)
	}
	return comments
}
