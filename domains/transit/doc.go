// Package transit is the domain of public transport timetables in GTFS: up to
// some thirty tables of comma-separated values in .txt files, linked by keys.
// What is counted is the row, over all tables.
//
// The published score looks up the rows of each table by its key and compares
// their values without letter case, checks that references lead somewhere, and
// compares the order of stops of each trip. It does not see unknown tables, the
// zones that a fare rule contains, or which of two rows with one key is meant,
// and it takes another notation of a time or number for a change. Strict
// compares every value of every row of every table: times as times, numbers by
// value, texts with letter case, and the numbers of stops and shape points by
// the order that they give.
package transit
