package starcatalog

import (
	"math"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

const counted = "row"

func stats(doc document) domains.Stats {
	return domains.Stats{Elements: len(doc.rows), Counts: []domains.Count{
		{Name: "Fields", Value: strconv.Itoa(len(doc.fields))},
		{Name: "Rows", Value: strconv.Itoa(len(doc.rows))},
		{Name: "Resources", Value: strconv.Itoa(len(doc.resources))},
	}}
}

// score is coverage^1.2 · (0.7 · rows + 0.2 · attributes + 0.1 · names) ·
// √((metadata + order) / 2). The sum is taken from what is missing, so that
// nothing missing is exactly 1; the conversions keep products and sums from
// being fused on some machines.
func score(reference, candidate document) domains.Reading {
	names, attributes := fieldSimilarity(reference.fields, candidate.fields)
	id, hasID := reference.id()
	coverage, accuracy, order := 0.0, 0.0, 1.0
	if hasID {
		coverage = rowCoverage(reference.rows, candidate.rows, id)
		accuracy = reference.rowAccuracy(candidate.rows, id)
		order = rowOrder(reference.rows, candidate.rows, id)
	}
	metadata := metadataSimilarity(&reference, &candidate)
	content := 1 - float64(0.7*(1-accuracy)) - float64(0.2*(1-attributes)) - float64(0.1*(1-names))
	const coverageWeight = 1.2
	return domains.Reading{
		Value: float64(math.Pow(coverage, coverageWeight)*content) * math.Sqrt((metadata+order)/2),
		Components: map[string]float64{
			"field_coverage": names, "field_attr_accuracy": attributes, "row_coverage": coverage,
			"row_accuracy": accuracy, "metadata_score": metadata, "row_order": order,
		},
		Elements: domains.Elements{Reference: len(reference.rows), Candidate: len(candidate.rows)},
	}
}

// id is the name of the field that identifies a row: the first that its UCD
// says to be the main identifier, otherwise the first of all.
func (d *document) id() (name string, ok bool) {
	for _, f := range d.fields {
		if strings.Contains(f.ucd, "meta.id") && strings.Contains(f.ucd, "meta.main") {
			return f.name, true
		}
	}
	if len(d.fields) == 0 {
		return "", false
	}
	return d.fields[0].name, true
}

// eitherEmpty is the similarity where a side has nothing: 1 if both have not.
func eitherEmpty(ref, got int) (similarity float64, empty bool) {
	if ref == 0 && got == 0 {
		return 1, true
	}
	return 0, ref == 0 || got == 0
}

// fieldSimilarity compares the sets of names, and the attributes of the fields
// that both sides have; of fields with one name, the last.
func fieldSimilarity(reference, candidate []field) (names, attributes float64) {
	if s, empty := eitherEmpty(len(reference), len(candidate)); empty {
		return s, s
	}
	refNames, refs := byName(reference)
	gotNames, gots := byName(candidate)
	shared := 0
	for _, name := range refNames {
		if got, ok := gots[name]; ok {
			shared++
			attributes += refs[name].similarity(got)
		}
	}
	return sets.Jaccard(refNames, gotNames), mean(attributes, shared, 0)
}

// byName returns the different names, in order, and of each the last field that
// has it.
func byName(fields []field) (names []string, last map[string]*field) {
	last = make(map[string]*field, len(fields))
	for i := range fields {
		f := &fields[i]
		if last[f.name] == nil {
			names = append(names, f.name)
		}
		last[f.name] = f
	}
	return names, last
}

func mean(sum float64, n int, ofNone float64) float64 {
	if n == 0 {
		return ofNone
	}
	return sum / float64(n)
}

// similarity is the share of equal attributes among those that a side has.
func (f *field) similarity(other *field) float64 {
	equal, present := 0, 0
	for _, pair := range [][2]string{
		{f.datatype, other.datatype}, {f.ucd, other.ucd}, {f.unit, other.unit}, {f.arraysize, other.arraysize},
	} {
		was, is := squash(pair[0]), squash(pair[1])
		if was == "" && is == "" {
			continue
		}
		present++
		if was == is {
			equal++
		}
	}
	return mean(float64(equal), present, 1)
}

func rowCoverage(reference, candidate []row, id string) float64 {
	if s, empty := eitherEmpty(len(reference), len(candidate)); empty {
		return s
	}
	refs, gots := identifiers(reference, id), identifiers(candidate, id)
	if len(refs) == 0 && len(gots) == 0 {
		return float64(min(len(reference), len(candidate))) / float64(max(len(reference), len(candidate)))
	}
	return sets.Jaccard(refs, gots)
}

// identifiers are those of the rows that have one.
func identifiers(rows []row, id string) []string {
	var all []string
	for i := range rows {
		if text := squash(rows[i].cell(id)); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// rowAccuracy is the mean likeness of the rows with one identifier; of several
// such rows of a side the last counts.
func (d *document) rowAccuracy(candidate []row, id string) float64 {
	if s, empty := eitherEmpty(len(d.rows), len(candidate)); empty {
		return s
	}
	refIDs, refs := byID(d.rows, id)
	_, gots := byID(candidate, id)
	_, fields := byName(d.fields)
	sum, shared := 0.0, 0
	for _, text := range refIDs {
		if got, ok := gots[text]; ok {
			shared++
			sum += refs[text].similarity(got, id, fields)
		}
	}
	return mean(sum, shared, 0)
}

// byID returns the different identifiers, in order, and of each the last row
// that has it.
func byID(rows []row, id string) (ids []string, last map[string]*row) {
	last = make(map[string]*row, len(rows))
	for i := range rows {
		text := squash(rows[i].cell(id))
		if text == "" {
			continue
		}
		if last[text] == nil {
			ids = append(ids, text)
		}
		last[text] = &rows[i]
	}
	return ids, last
}

// similarity is the mean of the cells that one of two rows has, save the
// identifier.
func (r *row) similarity(other *row, id string, fields map[string]*field) float64 {
	sum, n := 0.0, 0
	add := func(name string) {
		n++
		sum += cellSimilarity(r.cell(name), other.cell(name), fields[name])
	}
	for _, name := range r.columns() {
		if name != id {
			add(name)
		}
	}
	for _, name := range other.columns() {
		if name != id && !r.has(name) {
			add(name)
		}
	}
	return mean(sum, n, 1)
}

// cellSimilarity compares two cells as texts, or as numbers if the reference
// has a field of numbers by that name.
func cellSimilarity(ref, got string, f *field) float64 {
	ref, got = squash(ref), squash(got)
	switch {
	case ref == got:
		return 1
	case ref == "" || got == "":
		return 0
	}
	if f != nil && isNumber(f.datatype) {
		was, refOK := pytext.Float(ref)
		is, gotOK := pytext.Float(got)
		if refOK && gotOK {
			return numberSimilarity(was, is)
		}
	}
	return ratio.Of(ref, got)
}

func isNumber(datatype string) bool {
	switch datatype {
	case "float", "double", "int", "short", "long":
		return true
	}
	return false
}

func numberSimilarity(ref, got float64) float64 {
	if ref == got {
		return 1
	}
	if ref == 0 {
		return 0
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

// rowOrder compares the sequences of the identifiers that both sides have; to
// be without one is an identifier here.
func rowOrder(reference, candidate []row, id string) float64 {
	if s, empty := eitherEmpty(len(reference), len(candidate)); empty {
		return s
	}
	refs, gots := sequence(reference, id), sequence(candidate, id)
	refs, gots = shared(refs, gots), shared(gots, refs)
	if len(refs) == 0 {
		return 1
	}
	return ratio.Tokens(refs, gots, true)
}

func sequence(rows []row, id string) []string {
	all := make([]string, len(rows))
	for i := range rows {
		all[i] = squash(rows[i].cell(id))
	}
	return all
}

// shared are the texts of a that b has too.
func shared(a, b []string) []string {
	has := make(map[string]bool, len(b))
	for _, text := range b {
		has[text] = true
	}
	var kept []string
	for _, text := range a {
		if has[text] {
			kept = append(kept, text)
		}
	}
	return kept
}
