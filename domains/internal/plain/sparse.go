package plain

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/vfs"
)

// Sparse is a table whose columns come up while its rows are written, such as one for each kind of
// value that an entry may have. Rows are as long as they need to be.
type Sparse struct {
	Header []string
	Rows   [][]string

	at map[string]int // the columns that came up
}

// Add adds a row of the cells of the first columns.
func (s *Sparse) Add(cells ...string) { s.Rows = append(s.Rows, cells) }

// Set gives the last row a cell. It does not, and is false, where the column is one of the first or
// has a cell already.
func (s *Sparse) Set(column, text string) bool {
	if s.at == nil {
		s.at = map[string]int{}
		for n, name := range s.Header {
			s.at[name] = n
		}
	}
	at, known := s.at[column]
	if !known {
		at = len(s.Header)
		s.at[column] = at
		s.Header = append(s.Header, column)
	}
	row := &s.Rows[len(s.Rows)-1]
	if at < len(*row) && (*row)[at] != "" {
		return false
	}
	*row = append(*row, make([]string, max(0, at+1-len(*row)))...)
	(*row)[at] = text
	return true
}

// CSV prints the table, all rows of the same length.
func (s *Sparse) CSV() string {
	records := [][]string{s.Header}
	for _, row := range s.Rows {
		records = append(records, append(row, make([]string, len(s.Header)-len(row))...))
	}
	return WriteCSV(records)
}

// ReadSparse reads such a table, which has some columns at least.
func ReadSparse(files vfs.Files, name string, columns ...string) (s Sparse, err error) {
	text, err := File(files, name)
	if err != nil {
		return s, err
	}
	records, err := ReadCSV(text)
	if err != nil {
		return s, fmt.Errorf("reading %s: %w", name, err)
	}
	if len(records) == 0 {
		return s, errors.New(name + " is empty")
	}
	s.Header, s.Rows = records[0], records[1:]
	for n := range s.Header {
		s.Header[n] = strings.TrimSpace(s.Header[n])
	}
	for _, column := range columns {
		if !slices.Contains(s.Header, column) {
			return Sparse{}, fmt.Errorf("reading %s: no column %q among %s", name, column, strings.Join(s.Header, ", "))
		}
	}
	return s, nil
}

// Cell returns a row's text in a column; empty where it has none.
func (s *Sparse) Cell(row []string, column string) string {
	if at := slices.Index(s.Header, column); at >= 0 && at < len(row) {
		return row[at]
	}
	return ""
}
