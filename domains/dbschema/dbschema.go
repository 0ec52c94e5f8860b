// Package dbschema is the domain of database schemas: dumps of MySQL with CREATE
// TABLE statements, their columns, keys and options. The column is what is
// counted.
//
// The published score rewrites the text for SQLite, runs it there and compares
// the tables that come of it: names, types without lengths, NOT NULL, primary
// keys, whether there is a default, and sets of indexed columns. Plain
// statements are carried out here without SQLite, to the same result; the rest
// runs in an SQLite in memory that reaches no file and holds no rows. Strict has
// a reader of its own, for MySQL's language and what other dialects have in
// common with it. It compares each column with its type, size, members, default,
// collation and comment and its place in the table, each key, constraint, table
// option, row and other statement, comments, and text that is no statement.
// Tables and keys may stand in any order and in several files.
package dbschema

import "agentd/domains"

// New returns the domain.
func New() domains.Domain {
	return domains.New(domains.Spec[schema]{
		Info: domains.Info{
			Name:       "dbschema",
			Title:      "Database schema",
			Category:   "Code & Configuration",
			Patterns:   []string{"*.sql"},
			Element:    columnKind,
			Example:    "CREATE TABLE berth (\n  id INT NOT NULL PRIMARY KEY\n);",
			Components: []string{"table_presence_score", "column_score", "index_score", "pk_score"},
		},
		Parse:      parse,
		Score:      domains.Noting(score),
		Stats:      stats,
		Elements:   elements,
		WithoutIn:  without,
		Sampling:   domains.Sampling{Not: "a schema is one whole: keys and foreign keys need their columns"},
		Vocabulary: vocabulary,
	})
}
