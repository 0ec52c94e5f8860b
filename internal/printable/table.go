package printable

import (
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Table lays out rows in columns under a header. What its cells hold is printed as by Line.
type Table struct{ rows table.Writer }

// NewTable returns a table with a header. The columns from the one numbered numbersFrom on,
// which counts from 1, hold numbers and are aligned to the right.
func NewTable(numbersFrom int, header ...string) *Table {
	rows := table.NewWriter()
	rows.SetStyle(table.StyleLight)
	rows.Style().Options.DrawBorder = false
	rows.Style().Options.SeparateColumns = false
	rows.Style().Format.Header = text.FormatDefault
	rows.AppendHeader(cells(header))
	var configs []table.ColumnConfig
	for i := numbersFrom; i <= len(header); i++ {
		configs = append(configs, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	rows.SetColumnConfigs(configs)
	return &Table{rows}
}

// Row appends a row.
func (t *Table) Row(row ...any) { t.rows.AppendRow(cells(row)) }

// cells is a row whose texts are harmless on a terminal.
func cells[T any](row []T) table.Row {
	all := make(table.Row, len(row))
	for i, cell := range row {
		all[i] = cell
		if text, ok := any(cell).(string); ok {
			all[i] = Line(text)
		}
	}
	return all
}

// Write prints the table without spaces at the ends of lines.
func (t *Table) Write(w io.Writer) error {
	for line := range strings.Lines(t.rows.Render() + "\n") {
		if _, err := Fprintf(w, "%s\n", strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}
