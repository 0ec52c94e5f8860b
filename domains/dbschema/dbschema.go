// Package dbschema is the domain of database schemas: dumps of MySQL with CREATE TABLE statements, their columns, keys
// and options. The column is what is counted.
//
// The published score rewrites the text for SQLite, runs it there and compares the tables that come of it: names, types
// (CHAR and VARCHAR of any length are TEXT, other lengths count), NOT NULL, primary keys, whether there is a default,
// and sets of indexed columns. The SQLite is in memory, reaches no file and holds no rows. Strict has a reader of its own, for MySQL's language and what other dialects have in common with
// it. It compares each column with its type, size, members, default, collation and comment and its place in the table,
// each key, constraint, table option, row and other statement, comments, and text that is no statement. Tables and keys
// may stand in any order and in several files.
package dbschema

import (
	"strconv"

	"agentd/domains"
	"agentd/domains/edit"
	published "agentd/domains/published/dbschema"
)

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[published.Schema]{
		Info: domains.Info{
			Name:       "dbschema",
			Title:      "Database schema",
			Category:   "Code & Configuration",
			Patterns:   []string{"*.sql"},
			Element:    columnKind,
			Example:    "CREATE TABLE berth (\n  id INT NOT NULL PRIMARY KEY\n);",
			Components: []string{"table_presence_score", "column_score", "index_score", "pk_score"},
		},
		Parse:      published.Parse,
		Score:      domains.Noting(published.Score),
		Stats:      published.Stats,
		Form:       wellFormed,
		Elements:   elements,
		Forgives:   forgives,
		Comments:   []string{"--", "#", "/*"},
		Evidence:   domains.OfKinds(columnKind, tableKind, keyKind, rowKind, statementKind),
		WithoutIn:  without,
		Sampling:   domains.Sampling{Not: "a schema is one whole: keys and foreign keys need their columns"},
		Vocabulary: vocabulary,
	})
}

// tableName is one in quotes or without.
const tableName = "[`\"\\[]?([\\w.]+)"

// vocabulary makes parts of the statements, with the comments above each.
func vocabulary() edit.Format {
	return edit.Format{
		Document: "schema", Part: "statement", Parts: "statements", Remark: "-- Computed: {}", RemarkAt: edit.Above,
		Cut: edit.Headed(`^[ \t]*(?:--|#|/\*.*\*/[ \t]*$)`, edit.Statements(0, ";",
			edit.RestOfLine("--"), edit.RestOfLine("#"), edit.Apart{Open: "/*", Close: "*/", Remark: true, And: ";"},
			edit.Apart{Open: "'", Close: "'", Escaped: true}, edit.Quoted(`"`), edit.Quoted("`"))),
		Attributes: []edit.Attribute{
			edit.Key("command", "commands", `(?i)^[ \t]*(CREATE|DROP|ALTER|INSERT|SET|LOCK|UNLOCK|USE|COMMENT|GRANT|UPDATE|DELETE|BEGIN|COMMIT|PRAGMA)\b`),
			edit.Key("table", "tables", `(?i)(?:\b(?:TABLE|REFERENCES)[ \t]+(?:IF[ \t]+(?:NOT[ \t]+)?EXISTS[ \t]+)?|^(?:INSERT[ \t]+INTO|UPDATE)[ \t]+|\bINDEX[ \t]+\S+[ \t]+ON[ \t]+)`+tableName),
			edit.Key("prefix", "prefixes", `(?i)\b(?:TABLE|INTO|INDEX[ \t]+\S+[ \t]+ON)[ \t]+(?:IF[ \t]+(?:NOT[ \t]+)?EXISTS[ \t]+)?["\x60\[]?([A-Za-z]+)_`),
			edit.Has("referenced table", "referenced tables", `(?i)\bREFERENCES[ \t]+`+tableName),
			edit.Has("storage engine", "storage engines", `(?i)\bENGINE[ \t]*=[ \t]*(\w+)`),
			edit.Has("column type", "column types", `(?i)^[ \t]*["\x60\[]?\w+["\x60\]]?[ \t]+((?:var)?char\(\d+\)|(?:decimal|numeric)\([\d, ]+\)|\w*int(?:eger)?\b(?:\(\d+\))?|(?:\w*text|(?:date|time)\w*|boolean|serial|uuid)\b)`),
			edit.HasNumber("varchar length", "varchar lengths", `(?i)\bvarchar\((\d+)\)`),
			edit.Has("description", "descriptions", `(?i)\bCOMMENT[ \t]*=?[ \t]*'((?:[^'\\\n]|\\.|'')+)'`),
			edit.Has("comment", "comments", `--[ \t]+(\w[^\n]*\S)`),
			edit.Has("default value", "default values", `(?i)\bDEFAULT[ \t]+('[^'\n]+'|[\w.()]+)`),
			edit.ComputedNumber("columns", "numbers of columns", columns),
		},
	}
}

// columns is how many columns the table of a statement has; empty if it makes none.
func columns(statement string) string {
	n := 0
	for _, p := range read(statement).parts {
		for _, e := range p.entries {
			if entryDefinition(e.tokens).column != "" {
				n++
			}
		}
	}
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
