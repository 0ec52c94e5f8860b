package dbschema

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/domains/internal/exact"
	"agentd/vfs"
)

// enumChecks makes texts of ENUM columns, with a condition whose name begins with the prefix.
func enumChecks(p struct{ Document, To, Prefix string }) exact.Steps {
	change := func(d *document) {
		d.columns(func(t *part, table string, e *entry, column string) {
			if condition := e.takeMembers(p.Prefix+table+"_"+column, column); condition != nil {
				t.entries = append(t.entries, condition)
			}
		})
	}
	return schemas.Change(p.Document, p.To, change, func(d *document) {
		members := map[place][]token{}
		d.tables(func(t *part, table string) {
			t.entries = slices.DeleteFunc(t.entries, func(e *entry) bool {
				column, list, ok := enumCondition(e.tokens, p.Prefix)
				if ok {
					members[place{table, column}] = list
				}
				return ok
			})
		})
		d.columns(func(_ *part, table string, e *entry, column string) {
			list := members[place{table, column}]
			if end := typeEnd(e.tokens); end > 0 && list != nil {
				list[0].space = false
				e.tokens = slices.Concat(e.tokens[:1], []token{wordOf("enum")}, list, e.tokens[end:])
			}
		})
	})
}

// takeMembers makes a text of an ENUM column, and returns the condition with the members; nil
// if it is another column.
func (e *entry) takeMembers(name, column string) *entry {
	end := typeEnd(e.tokens)
	if end <= 2 || !e.tokens[1].is("ENUM") {
		return nil
	}
	members := slices.Clone(e.tokens[2:end])
	members[0].space = true
	longest := 1
	for _, member := range members {
		if member.kind == stringToken {
			longest = max(longest, utf8.RuneCountInString(member.value()))
		}
	}
	size := []token{wordOf("varchar"), mark("("), {text: strconv.Itoa(longest), kind: numberToken}, mark(")")}
	e.tokens = slices.Concat(e.tokens[:1], size, e.tokens[end:])
	condition := []token{
		wordOf("CONSTRAINT"), nameOf(name), wordOf("CHECK"), {text: "(", kind: markToken, space: true},
		tight(nameOf(column)), wordOf("IN"),
	}
	return &entry{tokens: slices.Concat(condition, members, []token{mark(")")})}
}

// enumCondition reads CONSTRAINT name CHECK (column IN (members)).
func enumCondition(tokens []token, prefix string) (column string, members []token, ok bool) {
	c := clauses{tokens: tokens}
	if !c.words("CONSTRAINT") || !strings.HasPrefix(c.name(), prefix) || !c.words("CHECK") || !c.words("(") {
		return "", nil, false
	}
	column = c.name()
	if !c.words("IN") || !c.peek().is("(") {
		return "", nil, false
	}
	end := partner(tokens[c.at:])
	return column, slices.Clone(tokens[c.at : c.at+end+1]), end >= 0
}

// indexesAside makes CREATE INDEX statements of the keys in tables that have a name.
func indexesAside(p struct{ Document, To, Indexes string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		var indexes document
		d.tables(func(t *part, table string) {
			t.entries = slices.DeleteFunc(t.entries, func(e *entry) bool {
				statement, ok := indexStatement(e.tokens, table)
				if ok {
					indexes.parts = append(indexes.parts, &part{
						kind: otherPart, above: e.above, beside: e.beside, text: statement, end: ";",
					})
				}
				return ok
			})
		})
		return vfs.Files{p.Indexes: indexes.print()}, nil
	}
	return schemas.Rewrite(p.Document, p.To, change, func(d *document, files vfs.Files) error {
		indexes, err := schemas.Named(files, p.Indexes)
		d.addIndexes(indexes.parts)
		return err
	})
}

// indexStatement is the statement for KEY name (columns) or UNIQUE KEY name
// (columns).
func indexStatement(tokens []token, table string) (string, bool) {
	c := clauses{tokens: tokens}
	verb := "CREATE INDEX "
	if c.words("UNIQUE") {
		verb = "CREATE UNIQUE INDEX "
	}
	if !c.any("KEY", "INDEX") || len(tokens) < c.at+2 || c.peek().is("(") || !tokens[c.at+1].is("(") {
		return "", false
	}
	name := c.next().value()
	return verb + nameOf(name).text + " ON " + nameOf(table).text + " " + printTokens(tokens[c.at:]), true
}

// addIndexes puts indexes after what stands in their tables.
func (d *document) addIndexes(statements []*part) {
	tables := map[string]*part{}
	d.tables(func(p *part, table string) { tables[table] = p })
	for _, statement := range statements {
		table, _ := statementTable(tokensOf(statement.text))
		if p, e := tables[table], statement.asEntry(); p != nil && e != nil {
			p.entries = append(p.entries, e)
		} else {
			d.parts = append(d.parts, statement)
		}
	}
}

// asEntry is a CREATE INDEX statement as an entry of its table; nil if it is
// another one.
func (p *part) asEntry() *entry {
	c := clauses{tokens: tokensOf(p.text)}
	kind := []token{wordOf("KEY")}
	if c.words("CREATE", "UNIQUE", "INDEX") {
		kind = []token{wordOf("UNIQUE"), wordOf("KEY")}
	} else if !c.words("CREATE", "INDEX") {
		return nil
	}
	name := nameOf(c.name())
	if !c.words("ON") {
		return nil
	}
	c.name()
	return &entry{above: p.above, beside: p.beside, tokens: slices.Concat(kind, []token{name}, c.tokens[c.at:])}
}
