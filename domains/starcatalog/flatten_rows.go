package starcatalog

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
)

// columns are those of a table.
type columns struct {
	names     []string // each once
	datatypes []string
	id        int // the number of the one that identifies a row; -1 if there is none
}

func columnsOf(table *xml.Node) *columns {
	c := columns{id: -1}
	fields := table.All("FIELD")
	met := make(map[string]int, len(fields))
	for n, field := range fields {
		name := cmp.Or(pytext.Collapse(field.Value("name")), column(n))
		if met[name]++; met[name] > 1 {
			name += " " + strconv.Itoa(met[name])
		}
		c.names = append(c.names, name)
		c.datatypes = append(c.datatypes, field.Value("datatype"))
		if c.id < 0 && isIdentifier(field) {
			c.id = n
		}
	}
	return &c
}

// column is what a column without a name is called.
func column(n int) string { return "column " + strconv.Itoa(n+1) }

// isIdentifier reports whether a field identifies the rows of its table.
func isIdentifier(field *xml.Node) bool {
	ucd := strings.ToLower(field.Value("ucd"))
	return strings.Contains(ucd, "meta.id") && strings.Contains(ucd, "meta.main")
}

// row flattens a row. An empty cell is no cell.
func (f *flattener) row(n *xml.Node, at scope) {
	if at.columns == nil {
		at.columns = &columns{id: -1}
	}
	number := f.number(counted)
	e := domains.Element{Kind: counted, Position: number, Fields: make([]domains.Field, 0, len(n.Children)+1)}
	e.Fields = append(e.Fields, domains.Field{Name: "table", Value: at.in})
	e.Fields = attributes(e.Fields, n, at.bound)
	cells := 0
	for _, c := range n.Children {
		switch {
		case c.Kind != xml.Element:
			f.margin(c)
		case c.Is("TD"):
			e.Fields = f.cell(e.Fields, c, cells, at)
			cells++
		default:
			at := at
			at.in = within(counted, at.in)
			f.element(c, at)
		}
	}
	e.Key = at.columns.keyOf(n, e.Position, at.in)
	f.rowTables = append(f.rowTables, rowPlace{f.file, at.table})
	f.add(e)
}

// keyOf names a row by its identifier, otherwise by its number.
func (c *columns) keyOf(n *xml.Node, number int, in string) string {
	if c.id >= 0 {
		if cells := n.All("TD"); c.id < len(cells) {
			return c.names[c.id] + " " + short(pytext.Collapse(cells[c.id].Content()))
		}
	}
	return within(counted+" "+strconv.Itoa(number), in)
}

func (f *flattener) cell(fields []domains.Field, n *xml.Node, number int, at scope) []domains.Field {
	name, datatype := column(number), ""
	if number < len(at.columns.names) {
		name, datatype = at.columns.names[number], at.columns.datatypes[number]
	}
	for _, a := range attributes(nil, n, at.bound) {
		fields = append(fields, domains.Field{Name: name + "@" + a.Name, Value: a.Value})
	}
	if value := normalCell(f.cellText(n), datatype); value != "" {
		fields = append(fields, domains.Field{Name: name, Value: value})
	}
	return fields
}

// cellText is the text in a cell, elements that stand there included.
func (f *flattener) cellText(n *xml.Node) string {
	if len(n.Children) == 1 && n.Children[0].Kind == xml.Text {
		return n.Children[0].Text
	}
	var b strings.Builder
	for _, c := range n.Children {
		switch c.Kind {
		case xml.Text:
			b.WriteString(c.Text)
		case xml.Element:
			b.WriteString(c.InOne())
		default:
			f.margin(c)
		}
	}
	return b.String()
}

// normalCell is equal for equal values of a datatype. Arrays of numbers are compared number by number.
func normalCell(text, datatype string) string {
	switch datatype {
	case "unsignedByte", "short", "int", "long", "float", "double", "floatComplex", "doubleComplex":
		numbers := pytext.Fields(text)
		for i := range numbers {
			numbers[i] = normalNumber(numbers[i])
		}
		return strings.Join(numbers, " ")
	case "boolean":
		switch strings.ToLower(pytext.Collapse(text)) {
		case "t", "true", "1":
			return "true"
		case "f", "false", "0":
			return "false"
		}
	}
	return pytext.Collapse(text)
}

func normalNumber(text string) string {
	switch strings.ToLower(text) {
	case "nan":
		return "NaN"
	case "inf", "+inf":
		return "Inf"
	case "-inf":
		return "-Inf"
	}
	return plain.Number(text)
}

// rowPlace is where a row stands: in which file, and in which table of the document.
type rowPlace struct{ file, table int }

// rowAt is a row and where it stands.
type rowAt struct {
	rowPlace
	row domains.Element
}

// orderRows puts the rows of several files after all else, table by table.
func (f *flattener) orderRows() {
	var rows []rowAt
	f.all = slices.DeleteFunc(f.all, func(e domains.Element) bool {
		if e.Kind != counted {
			return false
		}
		rows = append(rows, rowAt{f.rowTables[len(rows)], e})
		return true
	})
	rows = withoutRepeated(rows)
	slices.SortStableFunc(rows, func(a, b rowAt) int { return a.table - b.table })
	for n, r := range rows {
		r.row.Position = n + 1
		f.add(r.row)
	}
}

// withoutRepeated leaves out the tables that a file has with the same rows as a file before it,
// if it also has rows of its own: a document that is divided may have its small tables in each
// part. A file that only repeats is a document twice.
func withoutRepeated(rows []rowAt) []rowAt {
	tables := map[rowPlace][]domains.Element{}
	for _, r := range rows {
		tables[r.rowPlace] = append(tables[r.rowPlace], r.row)
	}
	repeated, hasOwn := map[rowPlace]bool{}, map[int]bool{}
	for place, has := range tables {
		for earlier := range place.file {
			if slices.EqualFunc(has, tables[rowPlace{earlier, place.table}], sameCells) {
				repeated[place] = true
				break
			}
		}
		hasOwn[place.file] = hasOwn[place.file] || !repeated[place]
	}
	return slices.DeleteFunc(rows, func(r rowAt) bool { return repeated[r.rowPlace] && hasOwn[r.file] })
}

// sameCells reports whether two rows say the same, wherever they stand.
func sameCells(a, b domains.Element) bool { return slices.Equal(a.Fields, b.Fields) }
