package transit

import (
	"path"
	"slices"
	"strings"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/pycsv"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// feed is a document as the published evaluator reads it: the tables by the base names of their files.
type feed map[string]*published

// published is a table as the published evaluator reads it. Of columns with one name the last counts.
type published struct {
	header  []string
	columns []string       // the names of the header without repetition
	place   map[string]int // of each column in rows
	rows    [][]string     // cells of the columns in normal form, those at the end may lack
}

// parse is the published reading. It takes every file for a table; of files with the same base name the last counts.
func parse(files vfs.Files) (feed, error) {
	doc := feed{}
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
				row[at] = cell(record, last[at])
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

// column returns the place of a column, -1 if there is none of exactly that name.
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

// placesOf returns the places of columns, -1 for one that the table has not.
func (t *published) placesOf(columns []string) []int {
	return lists.Map(columns, t.column)
}

// key returns the function that gives a row its key, in a buffer that the next call overwrites.
func (t *published) key(columns []string) func(row []string) []byte {
	places := t.placesOf(columns)
	var buffer []byte
	return func(row []string) []byte {
		buffer = buffer[:0]
		for _, k := range places {
			buffer = append(append(buffer, cell(row, k)...), 0xff)
		}
		return buffer
	}
}
