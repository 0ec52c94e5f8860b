package plain

import (
	"fmt"
	"slices"
	"strings"
)

// Columns reads a CSV text with a header and returns of each record below it
// the cells of the named columns, in that order. A cell that a short record
// does not have is empty.
func Columns(text string, names ...string) ([][]string, error) {
	records, err := ReadCSV(text)
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, fmt.Errorf("no header; want the columns %s", strings.Join(names, ", "))
	}
	header := records[0]
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
	}
	at := make([]int, len(names))
	for i, name := range names {
		if at[i] = slices.Index(header, name); at[i] < 0 {
			return nil, fmt.Errorf("no column %q among %s", name, strings.Join(header, ", "))
		}
	}
	rows := make([][]string, len(records)-1)
	for n, record := range records[1:] {
		rows[n] = make([]string, len(names))
		for i, k := range at {
			if k < len(record) {
				rows[n][i] = record[k]
			}
		}
	}
	return rows, nil
}
