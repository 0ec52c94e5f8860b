package starcatalog

import (
	"math"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

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
