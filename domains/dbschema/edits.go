package dbschema

import (
	"errors"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/exact"
)

// schemas says how files of statements are taken apart and put together.
var schemas = exact.Format[document, *part]{
	Patterns: []string{"*.sql"},
	Read:     func(text string) document { return *read(text) },
	Print:    func(d document) string { return d.print() },
	Parts:    func(d *document) *[]*part { return &d.parts },
	Join: func(all []document) (joined document) {
		for _, d := range all {
			joined.parts = append(joined.parts, d.parts...)
			joined.closing = append(joined.closing, d.closing...)
		}
		return joined
	},
	Empty:  errors.New("no .sql file with a CREATE TABLE statement"),
	Counts: func(p **part) bool { return (*p).kind == tablePart },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_prefix", splitByPrefix),
		domains.Taking("dictionary", dictionary),
		domains.Taking("sort_columns", sortColumns),
		domains.Taking("set_storage", setStorage),
		domains.Taking("widen_varchars", widenVarchars),
		domains.Taking("camel_case", camelCase),
		domains.Taking("enum_checks", enumChecks),
		domains.Taking("indexes_aside", indexesAside),
		domains.Taking("comments_aside", commentsAside),
	}
}

var errForeign = errors.New("the file has text that is no statement")

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
	text = strings.NewReplacer(`\`, `\\`, "'", "''").Replace(text)
	return token{text: "'" + text + "'", kind: stringToken, space: true}
}

// tight takes the blank from before a token.
func tight(t token) token {
	t.space = false
	return t
}

func mark(text string) token { return token{text: text, kind: markToken} }

// typeEnd is the place after the type of a column, which is its second word, and after its
// size; 0 if it has no type.
func typeEnd(tokens []token) int {
	switch {
	case len(tokens) < 2 || tokens[1].kind != wordToken:
		return 0
	case len(tokens) > 2 && tokens[2].is("("):
		return max(2, 2+partner(tokens[2:])+1)
	}
	return 2
}
