package dbschema

import (
	"errors"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// documentFile is the file that every backward step leaves.
const documentFile = "schema.sql"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "split_by_prefix", Forward: splitByPrefix, Backward: mergeByOrder},
		{Name: "data_dictionary", Forward: toDictionary, Backward: fromDictionary},
		{Name: "sorted_columns", Forward: sortColumns, Backward: unsortColumns},
		{Name: "innodb", Forward: toInnoDB, Backward: fromInnoDB},
		{Name: "wide_varchars", Forward: widen, Backward: narrow},
		{Name: "camel_case", Forward: toCamelCase, Backward: fromCamelCase},
		{Name: "enum_checks", Forward: enumsToChecks, Backward: checksToEnums},
		{Name: "indexes_out", Forward: takeIndexes, Backward: giveIndexes},
		{Name: "comments_out", Forward: takeComments, Backward: giveComments},
	}
}

var (
	errNoTable = errors.New("no .sql file with a CREATE TABLE statement")
	errForeign = errors.New("the file has text that is no statement")
)

// readDocument reads the files that a forward step is given, as one document.
func readDocument(files vfs.Files) (*document, error) {
	files = files.Match([]string{"*.sql"})
	all := &document{}
	for _, name := range files.Names() {
		d := read(files[name])
		all.parts = append(all.parts, d.parts...)
		all.closing = append(all.closing, d.closing...)
	}
	return all.withTable()
}

// readNamed reads the file that a backward step needs.
func readNamed(files vfs.Files, name string) (*document, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	return read(text).withTable()
}

func (d *document) withTable() (*document, error) {
	if !slices.ContainsFunc(d.parts, func(p *part) bool { return p.kind == tablePart }) {
		return nil, errNoTable
	}
	return d, nil
}

func (d *document) asDocument() vfs.Files { return vfs.Files{documentFile: d.print()} }

// tables calls do with every table and its name.
func (d *document) tables(do func(p *part, name string)) {
	for _, p := range d.parts {
		if p.kind == tablePart {
			do(p, p.tableName())
		}
	}
}

// columns calls do with every column of every table.
func (d *document) columns(do func(p *part, table string, e *entry, column string)) {
	d.tables(func(p *part, table string) {
		for _, e := range p.entries {
			if column := entryDefinition(e.tokens).column; column != "" {
				do(p, table, e, column)
			}
		}
	})
}

// place is a column by its table and name, or another part of a table.
type place struct{ table, name string }

// nameOf is a name in backticks.
func nameOf(name string) token {
	return token{text: "`" + strings.ReplaceAll(name, "`", "``") + "`", kind: nameToken, space: true}
}

func wordOf(text string) token { return token{text: text, kind: wordToken, space: true} }

// stringOf is a text in quotes.
func stringOf(text string) token {
	return token{text: "'" + strings.ReplaceAll(strings.ReplaceAll(text, `\`, `\\`), "'", "''") + "'", kind: stringToken, space: true}
}

// tight takes the blank from before a token.
func tight(t token) token {
	t.space = false
	return t
}

func mark(text string) token { return token{text: text, kind: markToken} }

// typePlace is where the word of a column's type stands, and that after its
// size; false if the type has no word.
func typePlace(tokens []token) (at, end int, ok bool) {
	if len(tokens) < 2 || tokens[1].kind != wordToken {
		return 0, 0, false
	}
	if len(tokens) > 2 && tokens[2].is("(") {
		if length := partner(tokens[2:]); length > 0 {
			return 1, 2 + length + 1, true
		}
	}
	return 1, 2, true
}
