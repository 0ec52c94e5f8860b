package spreadsheet

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// New returns the domain.
func New() domains.Domain { return domains.New(spec(nil)) }

func spec(key groupKey) domains.Spec[published] {
	return domains.Spec[published]{
		Info: domains.Info{
			Name:       "spreadsheet",
			Title:      "Table in comma-separated values",
			Category:   "Structured Records",
			Patterns:   []string{"*.csv"},
			Element:    "row",
			Example:    "item,quantity,price\nrope,2,14.50",
			Components: []string{"rows", "order", "header", "count"},
		},
		Parse:      parse,
		Score:      domains.Noting(key.score),
		Stats:      stats,
		Elements:   key.elements,
		Evidence:   evidence,
		Without:    without,
		Sampling:   key.sampling(),
		Edits:      edits(),
		Vocabulary: vocabulary,
		With: func(options domains.Metadata) domains.Spec[published] {
			return spec(readGroupKey(options["group_key"]))
		},
	}
}

// groupKey are the columns whose equal values make rows a group; empty if the
// order of all rows has meaning.
type groupKey []string

func readGroupKey(option string) groupKey {
	var key groupKey
	for name := range strings.SplitSeq(option, ",") {
		if name = pytext.Strip(name); name != "" {
			key = append(key, name)
		}
	}
	return key
}

// sampling takes a group for the main category of its rows.
func (key groupKey) sampling() domains.Sampling {
	if len(key) == 0 {
		return domains.Sampling{}
	}
	return domains.Sampling{Category: func(row domains.Element) string {
		cells := make([]string, len(key))
		for k, column := range key {
			cells[k] = row.Value(column)
		}
		return strings.Join(cells, "\xff")
	}}
}

func stats(doc published) domains.Stats {
	return domains.Stats{
		Elements: len(doc.rows),
		Counts: []domains.Count{
			{Name: "Rows", Value: strconv.Itoa(len(doc.rows))},
			{Name: "Columns", Value: strconv.Itoa(len(doc.header))},
		},
	}
}

// score is the formula of the published program; the public page states
// another.
func (key groupKey) score(ref, got published) domains.Reading {
	refForms, gotForms := ref.forms(), got.forms()
	rows := sets.Jaccard(refForms, gotForms)
	order := key.order(ref, got, refForms, gotForms)
	header := headerSimilarity(ref.header, got.header)

	nRef, nGot := float64(len(ref.rows)), float64(len(got.rows))
	kept := min(nRef, nGot) / max(nRef, 1)
	count := 1 - (max(nRef, nGot)-min(nRef, nGot))/max(nRef, nGot, 1)
	value := float64(0.60*rows) + float64(0.25*kept*kept*order) + float64(0.15*count)
	return domains.Reading{
		Value:      value * (0.85 + float64(0.15*header)),
		Components: map[string]float64{"rows": rows, "order": order, "header": header, "count": count},
		Elements:   domains.Elements{Reference: len(ref.rows), Candidate: len(got.rows)},
	}
}

// forms returns the forms of the rows that have one.
func (doc published) forms() []string {
	forms := make([]string, 0, len(doc.rows))
	for _, r := range doc.rows {
		if r.form != "" {
			forms = append(forms, r.form)
		}
	}
	return forms
}

// order is how much of the rows' order survives: of all rows or, where the
// columns of the key are there, of the groups and their contents.
func (key groupKey) order(ref, got published, refForms, gotForms []string) float64 {
	if len(refForms) == 0 || len(gotForms) == 0 {
		return sets.Jaccard(refForms, gotForms) // 1 if neither side has rows, otherwise 0
	}
	refNames, refGroups := key.groups(ref)
	gotNames, gotGroups := key.groups(got)
	if len(refNames) == 0 || len(gotNames) == 0 {
		return ratio.Tokens(refForms, gotForms, true)
	}
	contents := 0.0
	for _, name := range refNames {
		if group, ok := gotGroups[name]; ok {
			contents += sets.Jaccard(refGroups[name], group)
		}
	}
	contents /= float64(len(refNames))
	return float64(0.4*ratio.Tokens(refNames, gotNames, true)) + float64(0.6*contents)
}

// groups returns the names of the groups in order of first appearance, and the
// forms of the rows of each, wherever they stand.
func (key groupKey) groups(doc published) (names []string, forms map[string][]string) {
	forms = map[string][]string{}
	for _, r := range doc.rows {
		blank := true
		name := ""
		for _, column := range key {
			cell := r.cell(column)
			blank = blank && cell == ""
			name += cell + "\xff"
		}
		if blank {
			continue
		}
		if _, known := forms[name]; !known {
			names = append(names, name)
		}
		forms[name] = append(forms[name], r.form)
	}
	return names, forms
}

func headerSimilarity(ref, got []string) float64 {
	ref, got = foldedNames(ref), foldedNames(got)
	similarity := sets.Jaccard(ref, got)
	if similarity == 1 && !slices.Equal(ref, got) {
		return 0.9
	}
	return similarity
}

func foldedNames(header []string) []string {
	var names []string
	for _, name := range header {
		if name = pytext.Lower(pytext.Strip(name)); name != "" {
			names = append(names, name)
		}
	}
	return names
}

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
		f.addHeader(t.file, columns)
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

func (f *flattener) addHeader(file string, columns []string) {
	header := domains.Element{Kind: "header", Key: "header of " + file, Position: len(f.headers)}
	for k, column := range columns {
		header.Fields = append(header.Fields, domains.Field{Name: fmt.Sprintf("column %d", k+1), Value: column})
	}
	f.elements = append(f.elements, header)
}

// addRow makes an element of a row. Empty cells are no fields, so a short row
// and one that was filled up are the same.
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

// of returns the function that names the group of a record, nil if the table
// has none of the columns.
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

// normalCell is a cell's text with no-break spaces as blanks, trimmed, and
// numbers in plain notation.
func normalCell(cell string) string {
	return plainNumber(pytext.Strip(strings.ReplaceAll(cell, "\u00a0", " ")))
}
