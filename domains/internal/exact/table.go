package exact

import (
	"slices"

	"agentd/domains/internal/plain"
)

// Table is CSV with further columns. cells returns what they say about a value.
func (c *Codes) Table(cells func(value string) []string, columns ...string) string {
	rows := [][]string{columns}
	for _, row := range c.rows {
		rows = append(rows, slices.Concat(row, cells(row[1])))
	}
	return plain.WriteCSV(rows)
}

// Each calls do with each code and its value, in the order in which they were met.
func (c *Codes) Each(do func(code, value string)) {
	for _, row := range c.rows {
		do(row[0], row[1])
	}
}
