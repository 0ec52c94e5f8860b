package spreadsheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// elements flattens a document. A table with the header of an earlier one goes
// on where that ended, so the document may be split over files.
func (key groupKey) elements(files vfs.Files) []domains.Element {
	f := flattener{key: key}
	for _, t := range read(files) {
		f.addTable(t)
	}
	return f.elements
}

type flattener struct {
	key      groupKey
	elements []domains.Element
	headers  [][]string // all that are different
	rows     int
	runs     int    // of rows of one group
	group    string // of the last row
}

func (f *flattener) addTable(t table) {
	columns := t.columns()
	if !slices.ContainsFunc(f.headers, func(known []string) bool { return slices.Equal(known, columns) }) {
		f.headers = append(f.headers, columns)
		f.addHeader(t.file, columns, t.delimiter)
	}
	where := ""
	if !slices.Equal(columns, f.headers[0]) {
		where = t.file + ", "
	}
	for n, record := range t.before {
		f.elements = append(f.elements, domains.Element{
			Kind: "line", Key: fmt.Sprintf("%s, line %d", t.file, n+1), Position: len(f.headers),
			Fields: []domains.Field{{Value: strings.Join(record, ",")}},
		})
	}
	names := fieldNames(columns, t.rows)
	group := f.key.of(columns)
	f.elements = slices.Grow(f.elements, len(t.rows))
	for _, record := range t.rows {
		f.addRow(where, names, record, group)
	}
}

func (f *flattener) addHeader(file string, columns []string, delimiter byte) {
	header := domains.Element{Kind: "header", Key: "header of " + file, Position: len(f.headers)}
	for k, column := range columns {
		header.Fields = append(header.Fields, domains.Field{Name: fmt.Sprintf("column %d", k+1), Value: column})
	}
	if delimiter != ',' {
		header.Fields = append(header.Fields, domains.Field{Name: "delimiter", Value: strconv.Quote(string(rune(delimiter)))})
	}
	f.elements = append(f.elements, header)
}

// addRow makes an element of a row. Empty cells are no fields, so a short row and one that was filled up are the same.
func (f *flattener) addRow(where string, names, record []string, group func([]string) string) {
	row := domains.Element{Kind: "row", Fields: make([]domains.Field, 0, len(record))}
	for k, cell := range record {
		if cell = normalCell(cell); cell != "" {
			row.Fields = append(row.Fields, domains.Field{Name: names[k], Value: cell})
		}
	}
	f.rows++
	row.Key = where + "row " + strconv.Itoa(f.rows) + called(row.Fields)
	row.Position = f.rows
	if group != nil {
		if g := group(record); f.runs == 0 || g != f.group {
			f.group = g
			f.runs++
		}
		row.Position = f.runs
	}
	f.elements = append(f.elements, row)
}

// called is what the first cells of a row say, by which a person finds it.
func called(fields []domains.Field) string {
	const cells, longest = 2, 40
	var parts []string
	for _, field := range fields[:min(cells, len(fields))] {
		if len(field.Value) <= longest {
			parts = append(parts, field.Value)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(strings.Fields(strings.Join(parts, " ")), " ") + ")"
}

// of returns the function that names the group of a record, nil if the table has none of the columns.
func (key groupKey) of(columns []string) func(record []string) string {
	var places []int
	for _, name := range key {
		if k := slices.Index(columns, name); k >= 0 {
			places = append(places, k)
		}
	}
	if places == nil {
		return nil
	}
	return func(record []string) string {
		group := ""
		for _, k := range places {
			if k < len(record) {
				group += normalCell(record[k])
			}
			group += "\xff"
		}
		return group
	}
}

// fieldNames names the cells of a table's rows: by the header, by the place
// where that has no name, and counted where it has a name twice.
func fieldNames(columns []string, rows [][]string) []string {
	width := len(columns)
	for _, record := range rows {
		width = max(width, len(record))
	}
	names := make([]string, width)
	times := make(map[string]int, width)
	for k := range names {
		if k >= len(columns) || columns[k] == "" {
			names[k] = fmt.Sprintf("column %d", k+1)
			continue
		}
		names[k] = columns[k]
		if times[names[k]]++; times[names[k]] > 1 {
			names[k] += fmt.Sprintf(" (%d)", times[columns[k]])
		}
	}
	return names
}

// normalCell is a cell's text with no-break spaces as blanks, trimmed, and numbers in plain notation.
func normalCell(cell string) string {
	return plainNumber(pytext.Strip(strings.ReplaceAll(cell, "\u00a0", " ")))
}

// evidence counts the rows of tables that have names for several columns and, in more than half of the rows, a cell for
// each. Any text can be read as a table, but others have one column, or commas here and there.
func evidence(files vfs.Files, _ []domains.Element) int {
	all := 0
	for _, t := range read(files) {
		columns := t.columns()
		if len(columns) < 2 || slices.ContainsFunc(columns, isPiece) {
			continue
		}
		fitting := lists.Count(t.rows, func(row *[]string) bool { return len(*row) == len(t.header) && filled(*row) > 1 })
		if 2*fitting > len(t.rows) {
			all += fitting
		}
	}
	return all
}

// isPiece reports whether a cell of a header is a piece of something that a comma stands in, such as a function call.
func isPiece(name string) bool {
	return strings.Count(name, "(") != strings.Count(name, ")") || strings.Count(name, "[") != strings.Count(name, "]")
}

// filled is the number of cells that are not empty.
func filled(row []string) int {
	return lists.Count(row, func(cell *string) bool { return pytext.Strip(*cell) != "" })
}

// plainNumber writes a decimal number in one way: no plus sign, no exponent, no zeros at the end of the fraction, at
// full precision. A cell that is no number, or one with leading zeros as codes have them, is returned as it is.
func plainNumber(cell string) string {
	n, ok := readNumber(cell)
	if !ok {
		return cell
	}
	n = n.withoutNoise()
	n.digits = strings.TrimRight(n.digits, "0")
	if n.digits == "" {
		return "0"
	}
	const longest = 40 // digits; beyond, the exponent stays
	switch {
	case n.point > longest || n.point < -longest:
		return n.sign + "0." + n.digits + "e" + strconv.Itoa(n.point)
	case n.point <= 0:
		return n.sign + "0." + strings.Repeat("0", -n.point) + n.digits
	case n.point >= len(n.digits):
		return n.sign + n.digits + strings.Repeat("0", n.point-len(n.digits))
	}
	return n.sign + n.digits[:n.point] + "." + n.digits[n.point:]
}

// number is sign 0.digits × 10^point, with no zero at the front of digits.
type number struct {
	sign   string // "-" or nothing
	digits string
	point  int
}

func readNumber(cell string) (number, bool) {
	var n number
	rest := strings.TrimPrefix(cell, "+")
	if unsigned, negative := strings.CutPrefix(cell, "-"); negative {
		n.sign, rest = "-", unsigned
	}
	mantissa, exponent := rest, 0
	if at := strings.IndexAny(rest, "eE"); at >= 0 {
		var err error
		mantissa = rest[:at]
		if exponent, err = strconv.Atoi(rest[at+1:]); err != nil || exponent > 1e6 || exponent < -1e6 {
			return n, false
		}
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	n.digits = whole + fraction
	if n.digits == "" || strings.Trim(n.digits, "0123456789") != "" || len(whole) > 1 && whole[0] == '0' {
		return n, false
	}
	significant := strings.TrimLeft(n.digits, "0")
	n.point = len(whole) - (len(n.digits) - len(significant)) + exponent
	n.digits = significant
	return n, true
}

// withoutNoise rounds what binary arithmetic leaves of a shorter number: more
// than ten significant digits with, in the fraction, a run of zeros or nines.
func (n number) withoutNoise() number {
	const (
		exact = 10 // significant digits that are always kept
		run   = 6
	)
	fraction := max(n.point, 1) // the run begins after a significant digit
	if len(n.digits) <= exact || fraction >= len(n.digits) {
		return n
	}
	if at := strings.Index(n.digits[fraction:], strings.Repeat("0", run)); at >= 0 {
		n.digits = n.digits[:fraction+at]
	} else if at := strings.Index(n.digits[fraction:], strings.Repeat("9", run)); at >= 0 {
		return n.roundedUp(fraction + at)
	}
	return n
}

// roundedUp keeps the first digits, the last of them one larger.
func (n number) roundedUp(keep int) number {
	kept := strings.TrimRight(n.digits[:keep], "9")
	if kept == "" {
		n.digits = "1"
		n.point++
		return n
	}
	last := len(kept) - 1
	n.digits = kept[:last] + string(kept[last]+1)
	return n
}

// table is a file by the format's own rules, its cells as they are written.
// Rows may be shorter or longer than the header.
type table struct {
	file      string
	delimiter byte       // between cells
	before    [][]string // text above the header
	header    []string
	rows      [][]string
}

// read is the tolerant reading: of any files, with any line ends, without byte
// order marks, code fences and blank lines.
func read(files vfs.Files) []table {
	var tables []table
	for _, name := range files.Names() {
		text := pytext.UniversalNewlines(strings.TrimPrefix(files[name], "\ufeff"))
		all, delimiter := records(text)
		if len(all) == 0 {
			continue
		}
		top := headerPlace(all)
		tables = append(tables, table{name, delimiter, all[:top], all[top], all[top+1:]})
	}
	return tables
}

// isFiller reports whether a record is a line of blanks or a code fence.
func isFiller(record []string) bool {
	return len(record) == 1 && (pytext.Strip(record[0]) == "" || len(plain.Lines(record[0])) == 0)
}

// headerPlace returns which record is the header: the first, unless it and those after it have at most half as many
// cells as most records have, as the lines of an introduction do.
func headerPlace(all [][]string) int {
	counts := map[int]int{}
	width := 0
	for _, record := range all {
		n := len(record)
		counts[n]++
		if counts[n] > counts[width] || counts[n] == counts[width] && n > width {
			width = n
		}
	}
	return slices.IndexFunc(all, func(record []string) bool { return 2*len(record) > width })
}

// columns returns the names of the header, trimmed, without empty ones at the end.
func (t table) columns() []string {
	names := make([]string, len(t.header))
	last := 0
	for k, name := range t.header {
		if names[k] = pytext.Strip(name); names[k] != "" {
			last = k + 1
		}
	}
	return names[:last]
}

// text prints the table.
func (t *table) text() string {
	return plain.WriteCSV(slices.Concat(t.before, [][]string{t.header}, t.rows), rune(t.delimiter))
}

// without leaves out the rows that leave accepts.
func without(files vfs.Files, leave func() bool) vfs.Files {
	rest := files.Clone()
	for _, t := range read(files) {
		t.rows = slices.DeleteFunc(t.rows, func([]string) bool { return leave() })
		rest[t.file] = t.text()
	}
	return rest
}
