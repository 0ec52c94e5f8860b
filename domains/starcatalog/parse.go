package starcatalog

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// document is what the published evaluator reads.
type document struct {
	resources []*resource
	fields    []field // of all tables
	rows      []row   // of all tables
}

type resource struct {
	description string
	systems     []system
	tables      []*table
}

// system is what a COOSYS element has of its attributes system, epoch and ID.
type system [3]string

type table struct {
	description string
	fields      []field
	columns     []string       // the different names of the fields
	columnOf    map[string]int // a name's place in columns
	rows        []row
}

// field is a FIELD with the attributes that are compared beside its name.
type field struct {
	name       string
	attributes [4]string // datatype, ucd, unit and arraysize
}

func (f *field) datatype() string { return f.attributes[0] }
func (f *field) ucd() string      { return f.attributes[1] }

// row is a row of a table. The cells are in the order of the table's columns, without those that the row does not have.
type row struct {
	table *table
	cells []string
}

// cell returns a row's text in the column of a name, empty if it has none.
func (r *row) cell(name string) string {
	at, known := r.table.columnOf[name]
	if !known || at >= len(r.cells) {
		return ""
	}
	return r.cells[at]
}

// columns are the names of the columns in which the row has a cell.
func (r *row) columns() []string { return r.table.columns[:len(r.cells)] }

// parse reads the first file of a document as the published evaluator does.
func parse(files vfs.Files) (document, error) {
	name, ok := mainFile(files)
	if !ok {
		return document{}, errors.New("no file")
	}
	x := xml.ReadStrictly(files[name], xml.Expat)
	if x.Broken != "" {
		return document{}, fmt.Errorf("%s: %s", name, x.Broken)
	}
	root := x.Root()
	if !slices.Contains(votableSpaces, root.Space) || !root.IsIn(root.Space, "VOTABLE") {
		return document{}, nil
	}
	p := parser{space: root.Space}
	return p.document(root), nil
}

// votableSpaces are the namespaces that the published evaluator knows.
var votableSpaces = []string{
	"",
	"http://www.ivoa.net/xml/VOTable/v1.1",
	"http://www.ivoa.net/xml/VOTable/v1.2",
	"http://www.ivoa.net/xml/VOTable/v1.3",
}

// patterns are those of the names that VOTables have.
var patterns = []string{"*.xml", "*.vot"}

// mainFile is the first file in name order with a suffix of VOTables; without one the first of any name.
func mainFile(files vfs.Files) (string, bool) {
	names := append(files.Match(patterns).Names(), files.Names()...)
	if len(names) == 0 {
		return "", false
	}
	return names[0], true
}

// parser reads the elements of one namespace.
type parser struct {
	space     string
	resources []*resource
	around    []*resource // in which the element in hand stands
	repeated  int         // rows and fields that were taken in more than once
}

// mostRepeated is how many rows and fields are taken in again because their
// table stands in a resource within another. No catalogue has as many.
const mostRepeated = 200_000

// document reads the resources, nested ones too. A table belongs to every
// resource around it, so its rows occur as often.
func (p *parser) document(root *xml.Node) document {
	p.collect(root)
	doc := document{resources: p.resources}
	for _, r := range p.resources {
		for _, t := range r.tables {
			doc.fields = append(doc.fields, t.fields...)
			doc.rows = append(doc.rows, t.rows...)
		}
	}
	return doc
}

func (p *parser) collect(n *xml.Node) {
	for _, c := range n.Children {
		switch {
		case c.Kind != xml.Element:
		case c.IsIn(p.space, "RESOURCE"):
			r := p.resource(c)
			p.resources = append(p.resources, r)
			p.around = append(p.around, r)
			p.collect(c)
			p.around = p.around[:len(p.around)-1]
		default:
			if c.IsIn(p.space, "TABLE") && len(p.around) > 0 {
				p.addTable(p.table(c))
			}
			p.collect(c)
		}
	}
}

func (p *parser) addTable(t *table) {
	for depth, r := range p.around {
		if depth > 0 {
			p.repeated += 1 + len(t.rows) + len(t.fields)
		}
		if p.repeated <= mostRepeated || depth == 0 {
			r.tables = plain.Append(r.tables, t)
		}
	}
}

func (p *parser) resource(n *xml.Node) *resource {
	r := resource{description: p.description(n)}
	for _, c := range n.AllIn(p.space, "COOSYS") {
		r.systems = append(r.systems, system{c.Value("system"), c.Value("epoch"), c.Value("ID")})
	}
	return &r
}

func (p *parser) description(n *xml.Node) string {
	return pytext.Collapse(n.FirstIn(p.space, "DESCRIPTION").Content())
}

func (p *parser) table(n *xml.Node) *table {
	fields := n.AllIn(p.space, "FIELD")
	t := table{description: p.description(n), columnOf: make(map[string]int, len(fields))}
	columnAt := make([]int, 0, len(fields)) // of the fields, in columns
	for i, c := range fields {
		compared := [4]string{c.Value("datatype"), c.Value("ucd"), c.Value("unit"), c.Value("arraysize")}
		t.fields = append(t.fields, field{c.Value("name"), compared})
		name := cmp.Or(t.fields[i].name, "col"+strconv.Itoa(i))
		at, known := t.columnOf[name]
		if !known {
			at = len(t.columns)
			t.columnOf[name] = at
			t.columns = append(t.columns, name)
		}
		columnAt = append(columnAt, at)
	}
	for _, c := range n.FirstIn(p.space, "DATA").FirstIn(p.space, "TABLEDATA").AllIn(p.space, "TR") {
		t.rows = plain.Append(t.rows, row{&t, p.cells(c, columnAt)})
	}
	return &t
}

// cells reads the cells of a row; the k-th belongs into the column columnAt[k].
func (p *parser) cells(n *xml.Node, columnAt []int) []string {
	var cells []string
	k := 0
	for _, c := range n.Children {
		if k == len(columnAt) {
			break
		}
		if !c.IsIn(p.space, "TD") {
			continue
		}
		text := pytext.Strip(c.Content())
		if at := columnAt[k]; at < len(cells) {
			cells[at] = text
		} else {
			cells = append(cells, text)
		}
		k++
	}
	return cells
}
