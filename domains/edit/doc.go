// Package edit has exact, reversible edits that work on any document of a format.
//
// A Format says how a document is cut into parts and which attributes the parts have: a ledger
// into entries with a date and a payee. A Verb moves, names, or rewrites those parts as they are
// written. Everything that it does not change is kept as text, so a document comes back byte
// for byte, comments and layout included. Propose finds the verbs that are possible on a
// document and not trivial, each with its instructions.
package edit
