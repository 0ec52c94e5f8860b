// Package transit is the published reading and score of the domain transit.
//
// score = R * (0.35 F + 0.25 O + 0.15 G + 0.15 N + 0.10 H), not rounded; an internal error gives 0.
//
//   - R row preservation: sum over reference tables of (its rows / all reference rows) * file score. Reference without
//     any row: 1 if the candidate has none, else 0. File score 0 if the candidate lacks the table or one of the two has
//     no rows. Keyed table: mean over the reference's distinct keys of (columns equal under norm / columns in the union
//     of both rows), 0 for a missing key; if the candidate has more rows than the reference (counted with repetition),
//     times n_ref / n_gen. Table without key: |set of reference rows found| / |set of reference rows| with a row = set
//     of (column as written, norm(value)); surplus rows free.
//   - F files: share of the reference's base names that the candidate has. Surplus files free.
//   - H header: mean over reference tables: absent 0; names trimmed, lower-cased, empties dropped; both empty 1, one
//     empty 0; equal sets: 1 in equal order, else 0.95; otherwise Jaccard.
//   - N = 1 - |n_ref - n_gen| / max(n_ref, n_gen, 1) over the rows of all files, foreign ones too; both 0: 1.
//   - G referential integrity: links routes.agency_id to agency, trips.route_id to routes, trips.service_id to
//     calendar, stop_times.trip_id to trips, stop_times.stop_id to stops, fare_rules.route_id to routes,
//     directions.route_id to routes. No candidate files: 0. Two passes, pooled: (a) each link whose two tables stand in
//     the candidate with rows, and whose target has a non-empty id: every non-empty source value is a check, passed if
//     it is among the candidate's target ids; (b) each link whose two tables stand in both feeds and whose reference
//     source has rows: every non-empty reference source value is a check, passed if it is among the candidate's target
//     ids (which may be none). G = passed / checks, 1 without checks.
//   - O order in trips: candidate without stop_times.txt: 0 if the reference has stop times, else 1. Reference without
//     the file: 1. Group the rows by norm(trip_id), empty ids left out; sort each group stably by stop_sequence as
//     integer, where a value that is not digits only counts 0; mean over the reference's trips of ratio over the lists
//     of norm(stop_id), autojunk on (from 200 stops), 0 for a missing trip. Reference without trips: 1 if the candidate
//     has none, else 0.
//
// R, or ratio, is that of package ratio, with the reference first.
package transit

import (
	"path"
	"slices"
	"strings"

	"agentd/domains/internal/pycsv"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Feed is a document as the published evaluator reads it: the tables by the base names of their files.
type Feed map[string]*published

// published is a table as the published evaluator reads it. Of columns with one name the last counts.
type published struct {
	header  []string
	columns []string       // the names of the header without repetition
	place   map[string]int // of each column in rows
	rows    [][]string     // cells of the columns in normal form, those at the end may lack
}

// Parse is the published reading. It takes every file for a table; of files with the same base name the last counts.
func Parse(files vfs.Files) (Feed, error) {
	doc := Feed{}
	for _, name := range files.Names() {
		doc[path.Base(name)] = parseTable(files[name])
	}
	return doc, nil
}

// parseTable drops rows with surplus cells. A text that is not comma-separated is an empty table.
func parseTable(text string) *published {
	t := &published{place: map[string]int{}}
	records, err := pycsv.Records(pytext.Strip(text))
	if err != nil || len(records) == 0 || slices.ContainsFunc(records, pycsv.TooLong) {
		return t
	}
	t.header = records[0]
	var last []int // where in the header each column stands last
	for k, name := range t.header {
		if at, known := t.place[name]; known {
			last[at] = k
			continue
		}
		t.place[name] = len(t.columns)
		t.columns = append(t.columns, name)
		last = append(last, k)
	}
	t.rows = records[1:1]
	for _, record := range records[1:] {
		if len(record) > len(t.header) {
			continue
		}
		for k, text := range record {
			record[k] = normal(text)
		}
		if len(t.columns) < len(t.header) {
			row := make([]string, min(len(record), len(last)))
			for at := range row {
				row[at] = Cell(record, last[at])
			}
			record = row
		}
		t.rows = append(t.rows, record)
	}
	return t
}

// normal is the published normal form of a cell, which is trimmed and loses its
// quotes twice: when the table is read and when it is compared.
func normal(cell string) string {
	cell = strings.Trim(pytext.Strip(cell), `"`)
	return pytext.Lower(strings.Trim(pytext.Strip(cell), `"`))
}

// Cell returns the cell at a place, empty where there is none.
func Cell(row []string, k int) string {
	if k < 0 || k >= len(row) {
		return ""
	}
	return row[k]
}
