package dbschema

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"agentd/vfs"
)

const (
	checkedFile = "checked.sql"
	enumPrefix  = "enum_" // of the names of conditions that stand for an ENUM
)

// enumsToChecks makes texts with a condition of ENUM columns.
func enumsToChecks(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	d.columns(func(p *part, table string, e *entry, column string) {
		at, end, ok := typePlace(e.tokens)
		if !ok || !e.tokens[at].is("ENUM") || end == at+1 {
			return
		}
		members := e.tokens[at+1 : end]
		longest := 1
		for _, member := range members {
			if member.kind == stringToken {
				longest = max(longest, utf8.RuneCountInString(member.value()))
			}
		}
		members = slices.Clone(members)
		members[0].space = true
		condition := append([]token{
			wordOf("CONSTRAINT"), nameOf(enumPrefix + table + "_" + column), wordOf("CHECK"), {text: "(", kind: markToken, space: true},
			tight(nameOf(column)), wordOf("IN"),
		}, members...)
		p.entries = append(p.entries, &entry{tokens: append(condition, mark(")"))})
		size := []token{wordOf("varchar"), mark("("), {text: strconv.Itoa(longest), kind: numberToken}, mark(")")}
		e.tokens = slices.Concat(e.tokens[:at], size, e.tokens[end:])
	})
	return vfs.Files{checkedFile: d.print()}, nil
}

// checksToEnums makes ENUM columns of those that a condition named enum_ says
// the members of.
func checksToEnums(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, checkedFile)
	if err != nil {
		return nil, err
	}
	members := map[place][]token{}
	d.tables(func(p *part, table string) {
		p.entries = slices.DeleteFunc(p.entries, func(e *entry) bool {
			column, list, ok := enumCondition(e.tokens)
			if ok {
				members[place{table, column}] = list
			}
			return ok
		})
	})
	d.columns(func(_ *part, table string, e *entry, column string) {
		list := members[place{table, column}]
		if at, end, ok := typePlace(e.tokens); ok && list != nil {
			list[0].space = false
			e.tokens = slices.Concat(e.tokens[:at], []token{wordOf("enum")}, list, e.tokens[end:])
		}
	})
	return d.asDocument(), nil
}

// enumCondition reads CONSTRAINT enum_x CHECK (column IN (members)).
func enumCondition(tokens []token) (column string, members []token, ok bool) {
	c := clauses{tokens: tokens}
	if !c.words("CONSTRAINT") || !strings.HasPrefix(c.name(), enumPrefix) || !c.words("CHECK") || !c.words("(") {
		return "", nil, false
	}
	column = c.name()
	if !c.words("IN") || !c.peek().is("(") {
		return "", nil, false
	}
	end := partner(tokens[c.at:])
	if end < 0 {
		return "", nil, false
	}
	return column, slices.Clone(tokens[c.at : c.at+end+1]), true
}

const (
	tablesFile  = "tables.sql"
	indexesFile = "indexes.sql"
)

// takeIndexes makes CREATE INDEX statements of the keys in tables that have a
// name.
func takeIndexes(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	indexes := &document{}
	d.tables(func(p *part, table string) {
		p.entries = slices.DeleteFunc(p.entries, func(e *entry) bool {
			statement, ok := indexStatement(e.tokens, table)
			if ok {
				indexes.parts = append(indexes.parts, &part{
					kind: otherPart, above: e.above, beside: e.beside, text: statement, end: ";",
				})
			}
			return ok
		})
	})
	return vfs.Files{tablesFile: d.print(), indexesFile: indexes.print()}, nil
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

// giveIndexes puts indexes after what stands in their tables.
func giveIndexes(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, tablesFile)
	if err != nil {
		return nil, err
	}
	tables := map[string]*part{}
	d.tables(func(p *part, table string) { tables[table] = p })
	for _, statement := range read(files[indexesFile]).parts {
		p, e := tables[indexedTable(statement)], statement.asEntry()
		if p == nil || e == nil {
			d.parts = append(d.parts, statement)
			continue
		}
		p.entries = append(p.entries, e)
	}
	return d.asDocument(), nil
}

func indexedTable(p *part) string {
	table, _ := statementTable(tokensOf(p.text))
	return table
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
