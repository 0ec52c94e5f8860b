package spreadsheet

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/spreadsheet"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// elements flattens a document. A table with the header of an earlier one goes
// on where that ended, so the document may be split over files.
func elements(files vfs.Files, key published.GroupKey) []domains.Element {
	f := flattener{key: key}
	for _, t := range read(files) {
		f.addTable(t)
	}
	return f.elements
}

type flattener struct {
	key      published.GroupKey
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
		f.addHeader(t.file, columns, t.unnamed(), t.delimiter)
	}
	where := ""
	if !slices.Equal(columns, f.headers[0]) {
		where = t.file + ", "
	}
	lines := plain.Lines(t.comments)
	for _, record := range t.before {
		lines = append(lines, strings.Join(record, ","))
	}
	for n, line := range lines {
		f.elements = append(f.elements, domains.Element{
			Kind: "line", Key: fmt.Sprintf("%s, line %d", t.file, n+1), Position: len(f.headers), Fields: []domains.Field{{Value: line}},
		})
	}
	names := fieldNames(columns, t.rows)
	codes := lists.Map(names, isCode)
	group := groupOf(columns, f.key)
	f.elements = slices.Grow(f.elements, len(t.rows))
	for _, record := range t.rows {
		f.addRow(where, names, codes, record, group)
	}
}

func (f *flattener) addHeader(file string, columns []string, unnamed int, delimiter byte) {
	header := domains.Element{Kind: "header", Key: "header of " + file, Position: len(f.headers)}
	for k, column := range columns {
		header.Fields = append(header.Fields, domains.Field{Name: fmt.Sprintf("column %d", k+1), Value: column})
	}
	for k := range unnamed {
		header.Fields = append(header.Fields, domains.Field{Name: fmt.Sprintf("column %d", len(columns)+k+1), Value: "(no name)"})
	}
	if delimiter != ',' {
		header.Fields = append(header.Fields, domains.Field{Name: "delimiter", Value: strconv.Quote(string(rune(delimiter)))})
	}
	f.elements = append(f.elements, header)
}

// addRow makes an element of a row. Empty cells are no fields, so a short row and one that was filled up are the same. Of the
// columns that are codes, cells are taken as they are written.
func (f *flattener) addRow(where string, names []string, codes []bool, record []string, group func([]string) string) {
	row := domains.Element{Kind: "row", Fields: make([]domains.Field, 0, len(record))}
	for k, cell := range record {
		if cell = trimmed(cell); !codes[k] {
			cell = plainNumber(cell)
		}
		if cell != "" {
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
	return " (" + plain.SingleBlanks(strings.Join(parts, " ")) + ")"
}

// groupOf returns the function that names the group of a record, nil if the table has none of the columns.
func groupOf(columns []string, key published.GroupKey) func(record []string) string {
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
				group += plainNumber(trimmed(record[k]))
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

// trimmed is a cell without the blanks around it. A no-break space is none.
func trimmed(cell string) string { return strings.Trim(cell, " \t\n\v\f\r") }

// isCode reports whether a column has a name of codes, whose cells are no quantities: 12 and 12.0, or 1.1 and 1.10, are two.
func isCode(name string) bool { return codeName.MatchString(name) }

// codeName is a word of a name, in snake case or apart, or the last one of a name in camel case.
var codeName = lazyregexp.New(`(?i:(?:^|[^a-z])(?:ids?|codes?|sku|phone|tel|telephone|fax|zip|plz|postal|postcode|version|release|isbn|ean|gtin|upc|barcode|serial|iban)(?:$|[^a-z]))|[a-z](?:I[dD]s?|Code|Zip|Phone|Version)$`)

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

// isCodeForm reports whether a cell is a plus sign before digits alone, or an exponent without a sign after digits alone.
func isCodeForm(cell string) bool {
	if digits, plus := strings.CutPrefix(cell, "+"); plus {
		return isDigits(digits)
	}
	at := strings.IndexAny(cell, "eE")
	return at > 0 && isDigits(cell[:at]) && isDigits(cell[at+1:])
}

// isDigits reports whether a text is digits alone, one or more.
func isDigits(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// plainNumber writes a decimal number in one way: no plus sign, no exponent, no zeros at the end of the fraction, at
// full precision. A cell that is no number, or one of the form of a code, is returned as it is: with leading zeros (007), a
// plus sign before digits alone (+49301234), or an exponent without a sign after digits alone (1E5).
func plainNumber(cell string) string {
	const short = 10 // digits
	switch {
	case !strings.ContainsAny(cell, "0123456789"), len(cell) <= short && isDigits(cell) && cell[0] != '0': // most cells, without more work
		return cell
	}
	return canonicalNumber(cell)
}

// canonicalNumber is plainNumber of any cell.
func canonicalNumber(cell string) string {
	const most = 1e6 // of the exponent; beyond, the cell is no number of a table
	literal := strings.TrimPrefix(cell, "+")
	digits := strings.TrimPrefix(literal, "-")
	isCode := len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' || isCodeForm(cell)
	n, ok := jsontext.ReadDecimal(literal)
	if !ok || isCode || literal != cell && literal != digits || n.Exponent > most || n.Exponent < -most {
		return cell
	}
	return withoutNoise(n.String())
}

// withoutNoise rounds what binary arithmetic leaves of a shorter number: more
// than ten significant digits with, in the fraction, a run of zeros or nines.
func withoutNoise(number string) string {
	const (
		exact        = 10 // significant digits that are always kept
		zeros, nines = "000000", "999999"
	)
	whole, fraction, _ := strings.Cut(strings.TrimPrefix(number, "-"), ".")
	digits := strings.TrimLeft(whole+fraction, "0")
	from := max(len(digits)-len(fraction), 1) // a run begins in the fraction, after a significant digit
	if len(digits) <= exact || from >= len(digits) || strings.Contains(fraction, "e") {
		return number
	}
	at := strings.Index(digits[from:], zeros)
	if at < 0 {
		at = strings.Index(digits[from:], nines)
	}
	rounded, ok := new(big.Rat).SetString(number)
	if at < 0 || !ok {
		return number
	}
	return jsontext.CanonicalNumber(rounded.FloatString(len(fraction) - len(digits) + from + at))
}
