package transit

import (
	"path"
	"slices"
	"strings"

	"agentd/domains/internal/pycsv"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// The tables that the scores and the edits know by name.
const (
	stopsFile       = "stops.txt"
	routesFile      = "routes.txt"
	tripsFile       = "trips.txt"
	stopTimesFile   = "stop_times.txt"
	shapesFile      = "shapes.txt"
	frequenciesFile = "frequencies.txt"
	transfersFile   = "transfers.txt"
)

// feed is a document as the published evaluator reads it: the tables by the
// base names of their files.
type feed struct {
	names  []string // in order
	tables map[string]*published
	rows   int
}

// published is a table as the published evaluator reads it.
type published struct {
	header  []string
	columns []string       // the names of the header without repetition
	place   map[string]int // of each column, the last of several of one name
	rows    [][]string     // cells in normal form, those at the end may lack
}

// parse is the published reading. It takes every file for a table; of files
// with the same base name the last counts.
func parse(files vfs.Files) (feed, error) {
	doc := feed{tables: map[string]*published{}}
	for _, name := range files.Names() {
		doc.tables[path.Base(name)] = parseTable(files[name])
	}
	for name, t := range doc.tables {
		doc.names = append(doc.names, name)
		doc.rows += len(t.rows)
	}
	slices.Sort(doc.names)
	return doc, nil
}

// parseTable drops rows with surplus cells. A text that is not comma-separated
// is an empty table.
func parseTable(text string) *published {
	t := &published{place: map[string]int{}}
	records, err := pycsv.Records(pytext.Strip(text))
	if err != nil || len(records) == 0 || slices.ContainsFunc(records, pycsv.TooLong) {
		return t
	}
	t.header = records[0]
	for k, name := range t.header {
		if _, known := t.place[name]; !known {
			t.columns = append(t.columns, name)
		}
		t.place[name] = k
	}
	t.rows = records[1:1]
	for _, record := range records[1:] {
		if len(record) > len(t.header) {
			continue
		}
		for k, cell := range record {
			record[k] = normal(cell)
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

// column returns the place of a column, -1 if there is none of exactly that
// name.
func (t *published) column(name string) int {
	if k, ok := t.place[name]; ok {
		return k
	}
	return -1
}

// cell returns the cell at a place, empty where there is none.
func cell(row []string, k int) string {
	if k < 0 || k >= len(row) {
		return ""
	}
	return row[k]
}

// keyColumns are the columns by which the published evaluator knows a row;
// none where it compares sets of rows.
func keyColumns(table string) []string {
	switch table {
	case "agency.txt":
		return []string{"agency_id"}
	case routesFile:
		return []string{"route_id"}
	case stopsFile:
		return []string{"stop_id"}
	case tripsFile:
		return []string{"trip_id"}
	case stopTimesFile:
		return []string{"trip_id", "stop_sequence"}
	case "calendar.txt":
		return []string{"service_id"}
	case "calendar_dates.txt":
		return []string{"service_id", "date"}
	case "fare_attributes.txt":
		return []string{"fare_id"}
	case "fare_rules.txt":
		return []string{"fare_id", "route_id", "origin_id", "destination_id"}
	case frequenciesFile:
		return []string{"trip_id", "start_time"}
	case shapesFile:
		return []string{"shape_id", "shape_pt_sequence"}
	case "directions.txt":
		return []string{"route_id", "direction_id"}
	}
	return nil
}

// key returns the function that gives a row its key, in a buffer that the next
// call overwrites.
func (t *published) key(columns []string) func(row []string) []byte {
	places := make([]int, len(columns))
	for at, name := range columns {
		places[at] = t.column(name)
	}
	var buffer []byte
	return func(row []string) []byte {
		buffer = buffer[:0]
		for _, k := range places {
			buffer = append(append(buffer, cell(row, k)...), 0xff)
		}
		return buffer
	}
}
