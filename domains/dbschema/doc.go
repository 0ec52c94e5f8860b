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
