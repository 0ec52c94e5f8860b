// Package starcatalog is the published reading and score of the domain starcatalog.
//
// Reference or candidate not parseable: 0. Otherwise
//
// score = Rc^1.2 * (0.70 Ra + 0.20 Fa + 0.10 Fc) * sqrt((Md + Ro) / 2)
//
// (the public page describes a weighted sum; the program is this). The score is not rounded; the components in detail
// are, to 4 digits. The id field is always the reference's. If it has none (no fields): Rc = Ra = 0, Ro = 1.
//
//   - Fc: Jaccard of the sets of field names. Fa: for names in both (last definition of a repeated name), over
//     datatype, ucd, unit, arraysize: share of squash-equal ones among those non-empty on at least one side (none: 1);
//     mean over names; 0 without common name. No fields on both sides: both 1; on one side: both 0.
//   - Rc: Jaccard of the sets of squashed non-empty ids. No rows on both sides 1, one side 0. No id on either side:
//     smaller / larger row count.
//   - Ra: no rows on both sides 1, one side 0. Rows are kept by id, the last row of an id wins; for ids in both (none:
//     0): mean over the union of the two rows' keys without the id field (none: 1) of the cell match; an absent cell is
//     empty text. Mean over ids.
//   - Cell match: squash-equal 1; one empty 0. If the reference datatype of that name (last definition, default char)
//     is float, double, int, short or long and Python's float() takes both: equal 1; reference 0: 0; else by relative
//     error |r - g| / max(|r|, 1e-10): under 0.001 0.98, under 0.01 0.9, under 0.1 0.7, else 0 (NaN against NaN in
//     other spelling: 0). Otherwise ratio over the characters, autojunk on.
//   - Md: mean of those of three parts that apply (none: 1), on the first resource of each side; no resource on both
//     sides 1, one side 0: description (if non-empty on a side): equal 1, both non-empty ratio, else 0; COOSYS (if
//     either list is non-empty): one empty 0, else share of system, epoch, ID equal as text in the first entries
//     (absent = empty); description of the first table (if both have a table and a side is non-empty): like the first.
//   - Ro: rows on neither side 1, one side 0. Lists of squashed ids (empty ones too), each restricted to ids in both;
//     nothing common 1; else ratio of the lists, autojunk on.
//
// R, or ratio, is that of package ratio, with the reference first.
package starcatalog

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// Document is what the published evaluator reads.
type Document struct {
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

// row is a row of a table. The cells are in the order of the table's columns, without those that the row does not have.
type row struct {
	table *table
	cells []string
}

// Parse reads a document as the published evaluator does: the first file in name order with a suffix of VOTables;
// without one the first of any name.
func Parse(files vfs.Files) (Document, error) {
	names := append(files.Match(Patterns).Names(), files.Names()...)
	if len(names) == 0 {
		return Document{}, errors.New("no file")
	}
	name := names[0]
	x := xml.ReadStrictly(files[name], xml.Expat)
	if x.Broken != "" {
		return Document{}, fmt.Errorf("%s: %s", name, x.Broken)
	}
	root := x.Root()
	if !slices.Contains(votableSpaces, root.Space) || !root.IsIn(root.Space, "VOTABLE") {
		return Document{}, nil
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

// Patterns are those of the names that VOTables have.
var Patterns = []string{"*.xml", "*.vot"}

// parser reads the elements of one namespace.
type parser struct {
	space     string
	resources []*resource
	around    []*resource // in which the element in hand stands
	repeated  int         // rows and fields that were taken in more than once
}

// MostRepeated is how many rows and fields are taken in again because their
// table stands in a resource within another. No catalogue has as many.
const MostRepeated = 200_000

// document reads the resources, nested ones too. A table belongs to every
// resource around it, so its rows occur as often.
func (p *parser) document(root *xml.Node) Document {
	p.collect(root)
	doc := Document{resources: p.resources}
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
		if p.repeated <= MostRepeated || depth == 0 {
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

// Stats counts the parts of a document.
func Stats(doc Document) domains.Stats {
	return domains.StatsOf(len(doc.rows), "Fields", len(doc.fields), "Rows", len(doc.rows),
		"Resources", len(doc.resources))
}

// Score is coverage^1.2 · (0.7 · rows + 0.2 · attributes + 0.1 · names) · √((metadata + order) / 2). The sum is taken
// from what is missing, so that nothing missing is exactly 1; the conversions keep products and sums from being fused
// on some machines.
func Score(reference, candidate Document) domains.Reading {
	names, attributes := fieldSimilarity(reference.fields, candidate.fields)
	coverage, accuracy, order := rowSimilarity(&reference, candidate.rows)
	metadata := metadataSimilarity(&reference, &candidate)
	content := 1 - float64(0.7*(1-accuracy)) - float64(0.2*(1-attributes)) - float64(0.1*(1-names))
	const coverageWeight = 1.2
	return domains.Reading{
		RS: float64(math.Pow(coverage, coverageWeight)*content) * math.Sqrt((metadata+order)/2),
		Components: map[string]float64{
			"field_coverage": names, "field_attr_accuracy": attributes, "row_coverage": coverage,
			"row_accuracy": accuracy, "metadata_score": metadata, "row_order": order,
		},
		Elements: domains.Elements{Reference: len(reference.rows), Candidate: len(candidate.rows)},
	}
}

// fieldSimilarity compares the sets of names, and the attributes of the fields
// that both sides have; of fields with one name, the last.
func fieldSimilarity(reference, candidate []field) (names, attributes float64) {
	if s, empty := sets.EitherEmpty(reference, candidate); empty {
		return s, s
	}
	pairs := sets.PairByName(reference, candidate, func(f *field) string { return f.name })
	return pairs.Jaccard(), pairs.Mean(0, (*field).similarity)
}

// similarity is the share of equal attributes among those that a side has.
func (f *field) similarity(other *field) float64 {
	var m sets.Mean
	for n, was := range f.attributes {
		if was, is := pytext.Collapse(was), pytext.Collapse(other.attributes[n]); was != "" || is != "" {
			m.Add(sets.OneIf(was == is))
		}
	}
	return m.Or(1)
}

// id is the name of the field that identifies a row: the first that its UCD
// says to be the main identifier, otherwise the first of all.
func (d *Document) id() string {
	at := slices.IndexFunc(d.fields, func(f field) bool {
		return strings.Contains(f.ucd(), "meta.id") && strings.Contains(f.ucd(), "meta.main")
	})
	return d.fields[max(at, 0)].name
}

// rowSimilarity compares the identifiers of the rows, the cells of those with one identifier, of
// several of a side the last, and the sequences of the identifiers that both sides have.
func rowSimilarity(reference *Document, candidate []row) (coverage, accuracy, order float64) {
	if len(reference.fields) == 0 {
		return 0, 0, 1
	}
	if s, empty := sets.EitherEmpty(reference.rows, candidate); empty {
		return s, s, s
	}
	id := reference.id()
	identify := func(r *row) string { return pytext.Collapse(r.cell(id)) }
	identified := func(rows []row) []row {
		return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return identify(&r) == "" })
	}
	fields := make(map[string]*field, len(reference.fields))
	for i := range reference.fields {
		fields[reference.fields[i].name] = &reference.fields[i]
	}
	pairs := sets.PairByName(identified(reference.rows), identified(candidate), identify)
	coverage = pairs.Jaccard()
	if pairs.Refs+pairs.Gots == 0 {
		coverage = float64(min(len(reference.rows), len(candidate))) / float64(max(len(reference.rows), len(candidate)))
	}
	accuracy = pairs.Mean(0, func(ref, got *row) float64 { return ref.similarity(got, id, fields) })
	return coverage, accuracy, rowOrder(reference.rows, candidate, identify)
}

// similarity is the mean of the cells that one of two rows has, save the identifier.
func (r *row) similarity(other *row, id string, fields map[string]*field) float64 {
	var m sets.Mean
	add := func(name string) {
		if name != id {
			m.Add(cellSimilarity(r.cell(name), other.cell(name), fields[name]))
		}
	}
	for _, name := range r.columns() {
		add(name)
	}
	for _, name := range other.columns() {
		if at, known := r.table.columnOf[name]; !known || at >= len(r.cells) {
			add(name)
		}
	}
	return m.Or(1)
}

// cellSimilarity compares two cells as texts, or as numbers if the reference has a field of numbers by that name.
func cellSimilarity(ref, got string, f *field) float64 {
	ref, got = pytext.Collapse(ref), pytext.Collapse(got)
	if ref == got || ref == "" || got == "" {
		return sets.OneIf(ref == got)
	}
	if f != nil && slices.Contains([]string{"float", "double", "int", "short", "long"}, f.datatype()) {
		was, refOK := pytext.Float(ref)
		is, gotOK := pytext.Float(got)
		if refOK && gotOK {
			return numberSimilarity(was, is)
		}
	}
	return ratio.Of(ref, got)
}

func numberSimilarity(ref, got float64) float64 {
	if ref == got || ref == 0 {
		return sets.OneIf(ref == got)
	}
	const smallest = 1e-10
	switch off := math.Abs(ref-got) / max(math.Abs(ref), smallest); {
	case off < 0.001:
		return 0.98
	case off < 0.01:
		return 0.9
	case off < 0.1:
		return 0.7
	}
	return 0
}

// rowOrder compares the sequences of the identifiers that both sides have; to be without one is an identifier here.
func rowOrder(reference, candidate []row, identify func(*row) string) float64 {
	sequence := func(rows []row) (all []string, has map[string]bool) {
		has = make(map[string]bool, len(rows))
		for i := range rows {
			id := identify(&rows[i])
			all = append(all, id)
			has[id] = true
		}
		return all, has
	}
	refs, inRef := sequence(reference)
	gots, inGot := sequence(candidate)
	refs = slices.DeleteFunc(refs, func(id string) bool { return !inGot[id] })
	gots = slices.DeleteFunc(gots, func(id string) bool { return !inRef[id] })
	if len(refs) == 0 {
		return 1
	}
	return ratio.Tokens(refs, gots, true)
}

// metadataSimilarity compares the first resources: their descriptions,
// coordinate systems, and the descriptions of their first tables.
func metadataSimilarity(reference, candidate *Document) float64 {
	if s, empty := sets.EitherEmpty(reference.resources, candidate.resources); empty {
		return s
	}
	ref, got := reference.resources[0], candidate.resources[0]
	var m sets.Mean
	m.AddTexts(ref.description, got.description, ratio.Of)
	refSystem, refHas := reference.system()
	gotSystem, gotHas := candidate.system()
	switch {
	case refHas && gotHas:
		var same sets.Mean
		for n := range refSystem {
			same.Add(sets.OneIf(refSystem[n] == gotSystem[n]))
		}
		m.Add(same.Or(1))
	case refHas || gotHas:
		m.Add(0)
	}
	if len(ref.tables) > 0 && len(got.tables) > 0 {
		m.AddTexts(ref.tables[0].description, got.tables[0].description, ratio.Of)
	}
	return m.Or(1)
}

// system is the first coordinate system of the first resource. It takes those of the others in that it has not.
func (d *Document) system() (system, bool) {
	for _, r := range d.resources {
		if len(r.systems) > 0 {
			return r.systems[0], true
		}
	}
	return system{}, false
}

func (f *field) datatype() string { return f.attributes[0] }
func (f *field) ucd() string      { return f.attributes[1] }

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
