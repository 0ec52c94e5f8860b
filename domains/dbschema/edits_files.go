package dbschema

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	restFile   = "rest.sql"
	orderTable = "order.csv"
)

// splitByPrefix gives the tables of each prefix a file, with the statements
// about them, and all other statements one.
func splitByPrefix(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	parts := map[string]*document{}
	order := [][]string{{"position", "file"}}
	for n, p := range d.parts {
		file := p.prefixFile()
		order = append(order, []string{strconv.Itoa(n + 1), file})
		if parts[file] == nil {
			parts[file] = &document{}
		}
		parts[file].parts = append(parts[file].parts, p)
	}
	if len(d.closing) > 0 {
		if parts[restFile] == nil {
			parts[restFile] = &document{}
		}
		parts[restFile].closing = d.closing
	}
	out := vfs.Files{orderTable: plain.WriteCSV(order)}
	for file, part := range parts {
		out[file] = part.print()
	}
	return out, nil
}

// prefixFile is the file of a statement: the name of its table up to the first
// underscore.
func (p *part) prefixFile() string {
	table := ""
	if p.kind == tablePart {
		table = p.tableName()
	} else if p.version == "" {
		table, _ = statementTable(tokensOf(p.text))
	}
	prefix, _, _ := strings.Cut(table, "_")
	if prefix == "" || strings.ContainsAny(prefix, "/.") {
		return restFile
	}
	return prefix + ".sql"
}

// mergeByOrder puts the statements of the files in the order of the table.
// Those that it does not place come last.
func mergeByOrder(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, orderTable, "position", "file")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	parts := map[string]*document{}
	merged := &document{}
	sources := files.Match([]string{"*.sql"})
	for _, name := range sources.Names() {
		parts[name] = read(sources[name])
	}
	for _, row := range rows {
		if from := parts[row[1]]; from != nil && len(from.parts) > 0 {
			merged.parts = append(merged.parts, from.parts[0])
			from.parts = from.parts[1:]
		}
	}
	for _, name := range sources.Names() {
		merged.parts = append(merged.parts, parts[name].parts...)
		merged.closing = append(merged.closing, parts[name].closing...)
	}
	if _, err := merged.withTable(); err != nil {
		return nil, err
	}
	return merged.asDocument(), nil
}

const (
	statementsTable = "statements.csv"
	columnsTable    = "columns.csv"
	keysTable       = "keys.csv"
)

// toDictionary makes tables of the statements, the columns and the keys, every
// clause as it is written.
func toDictionary(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
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
		statementsTable: plain.WriteCSV(statements), columnsTable: plain.WriteCSV(columns), keysTable: plain.WriteCSV(keys),
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
	all := slices.Concat(above, closing)
	if beside != "" {
		all = append(all, beside)
	}
	return strings.Join(all, "\n")
}

// fromDictionary writes the statements out again, in the order of the tables.
func fromDictionary(files vfs.Files) (vfs.Files, error) {
	statements, err := plain.Table(files, statementsTable, "table", "statement", "options", "comment")
	if err != nil {
		return nil, err
	}
	columns, err := plain.Table(files, columnsTable, "table", "column", "definition", "comment")
	if err != nil {
		return nil, err
	}
	keys, err := plain.Table(files, keysTable, "table", "definition", "comment")
	if err != nil {
		return nil, err
	}
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
	d := &document{}
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
	if _, err := d.withTable(); err != nil {
		return nil, err
	}
	return d.asDocument(), nil
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
