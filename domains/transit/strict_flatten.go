package transit

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// The kinds of elements other than the row.
const (
	tableKind = "table" // a file, with its name and folder
	lineKind  = "line"  // foreign text
)

// tableField is the field of a row that names its table.
const tableField = "table"

// elements flattens a document.
func elements(files vfs.Files) []domains.Element {
	var f flattener
	for _, t := range read(files) {
		f.addTable(t)
	}
	return f.elements
}

type flattener struct {
	elements []domains.Element
	lines    int
	room     []domains.Field // for the fields of rows to come
}

func (f *flattener) addTable(t table) {
	for _, line := range t.above {
		f.addLine(t.file, line)
	}
	if t.header == nil {
		return
	}
	folder, name := path.Split(t.file)
	file := domains.Element{Kind: tableKind, Key: "table " + t.file, Fields: []domains.Field{{Name: "name", Value: name}}}
	if folder != "" {
		file.Fields = append(file.Fields, domains.Field{Name: "folder", Value: folder})
	}
	f.elements = append(f.elements, file)
	columns := t.columns()
	called := caller(name, columns)
	rows := 0
	f.elements = slices.Grow(f.elements, len(t.rows))
	for _, r := range t.rows {
		if r.foreign {
			f.addLine(t.file, r.lines[0])
			continue
		}
		rows++
		f.elements = append(f.elements, domains.Element{
			Kind: "row", Key: called(r.cells, rows), Fields: f.rowFields(name, columns, r.cells),
		})
	}
}

func (f *flattener) addLine(file, line string) {
	f.lines++
	f.elements = append(f.elements, domains.Element{
		Kind: lineKind, Key: fmt.Sprintf("%s, line %d of text", file, f.lines), Position: f.lines,
		Fields: []domains.Field{{Value: pytext.Strip(line)}},
	})
}

// column is how the values below a name are read.
type column struct {
	name    string
	meaning meaning
	empty   string // what an empty value stands for
}

// columns returns the columns of the header: without a name by their place, and
// counted where there are several of one name.
func (t *table) columns() []column {
	columns := make([]column, len(t.header))
	times := make(map[string]int, len(t.header))
	for k, name := range t.header {
		name = pytext.Strip(name)
		columns[k] = column{name, meaningOf(name), defaultOf(name)}
		if name == "" {
			columns[k].name = nameByPlace(k)
			continue
		}
		if times[name]++; times[name] > 1 {
			columns[k].name += fmt.Sprintf(" (%d)", times[name])
		}
	}
	return columns
}

func nameByPlace(k int) string { return "column " + strconv.Itoa(k+1) }

// rowFields are the values of a row. Empty ones are none, so a short row is the
// same as one that was filled up, and an unused column means nothing.
func (f *flattener) rowFields(table string, columns []column, cells []string) []domains.Field {
	const many = 1024 // fields for which room is made at once
	if most := 1 + len(cells); cap(f.room)-len(f.room) < most {
		f.room = make([]domains.Field, 0, max(many, most))
	}
	start := len(f.room)
	f.room = append(f.room, domains.Field{Name: tableField, Value: table})
	for k, value := range cells {
		if value == "" {
			continue
		}
		var c column
		if k < len(columns) {
			c = columns[k]
		} else {
			c.name = nameByPlace(k)
		}
		if value = plainValue(value, c.meaning, c.empty); value != "" {
			f.room = append(f.room, domains.Field{Name: c.name, Value: value})
		}
	}
	return f.room[start:len(f.room):len(f.room)]
}

// caller returns what a practitioner calls the n-th row of a table.
func caller(table string, columns []column) func(cells []string, n int) string {
	const longest = 60
	label := knownTables[table].label
	places := make([]int, len(label))
	for p, part := range label {
		places[p] = -1
		for k := range columns {
			if columns[k].name == part.column {
				places[p] = k
			}
		}
	}
	return func(cells []string, n int) string {
		var b strings.Builder
		for p, part := range label {
			if value := pytext.Strip(cell(cells, places[p])); value != "" && len(value) <= longest {
				b.WriteString(part.words)
				b.WriteString(value)
			}
		}
		return cmp.Or(b.String(), table+" row "+strconv.Itoa(n))
	}
}
