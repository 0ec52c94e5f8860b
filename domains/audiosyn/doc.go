// Package audiosyn is the domain of Csound pieces: an orchestra of instruments,
// and a score of function tables and of the notes that they play, in one CSD file
// or in an orchestra and score of their own. The score event, an i statement, is
// what is counted.
//
// The published score compares instruments as texts, events as sets and lists of
// their p-fields, tables, settings and comments of the score, with a reader for
// which the first sections of the first file are all there is. Strict reads what
// Csound reads: events with their carried p-fields in their section of the score,
// every score statement, and the orchestra statement by statement, with options,
// macros and comments. The order of events and of numbered instruments, the
// writing of numbers, blanks and carry dots mean nothing to it.
package audiosyn
