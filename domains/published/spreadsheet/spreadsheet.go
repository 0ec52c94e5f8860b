// Package spreadsheet is the published reading and score of the domain spreadsheet.
//
// score = (0.60 R + 0.25 w^2 O + 0.15 N) * (0.85 + 0.15 H), not rounded. The public page states another formula; the
// program is this.
//
// A row's normal form is the set of its (column name, cell), trimmed; columns without a name are left out, and rows
// whose form is empty are in no set and no sequence, but are counted.
//
//   - R: Jaccard of the two sets of normal forms; no rows on both sides 1, on one side 0.
//   - O, without a group key: ratio over the two sequences of normal forms, autojunk on. Neither side has rows 1, one
//     side 0. With a key, groups are the different values under its columns in the order of first appearance, those
//     with all values empty left out, and O = 0.4 K + 0.6 M: K = ratio of the two lists of groups, M = mean over the
//     reference's groups of the Jaccard of the forms of their rows, wherever they stand, 0 for a group that is missing.
//     Where one side has no group, the rule without a key holds.
//   - w = min(n_gen, n_ref) / max(n_ref, 1).
//   - N = 1 - |n_ref - n_gen| / max(n_ref, n_gen, 1), rows counted with repetition.
//   - H: names of the header, trimmed and in lower case, empty ones left out. Both empty 1, one empty 0. Equal sets: in
//     equal order 1, otherwise 0.9. Other sets: their Jaccard.
//
// Numbers of files named *.csv are cut to ten significant digits. R, or ratio, is that of package ratio, with the
// reference first.
package spreadsheet

import (
	"crypto/sha256"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pycsv"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// Table is a document as the published evaluator reads it: the rows of all
// files one after the other, below the header of the first.
type Table struct {
	header []string
	rows   []row
}

// row is a row with the columns of its own file.
type row struct {
	columns []string
	cells   []string // as many as columns
	// form is equal for rows that count as equal: those with the same set of trimmed column names and cells.
	form string
}

// cell returns the cell below exactly that column name, the last of several, or nothing.
func (r row) cell(column string) string {
	for k, name := range slices.Backward(r.columns) {
		if name == column {
			return r.cells[k]
		}
	}
	return ""
}

// mostCells is how large a table may get when short rows are filled up; a
// larger one, of a header with thousands of names, counts as unreadable.
const mostCells = 4 << 20

// Parse is the published reading. It reads every file as a table, under any
// name; one that is no comma-separated text adds nothing.
func Parse(files vfs.Files) (Table, error) {
	var doc Table
	for _, name := range files.Names() {
		columns, rows := parseFile(name, files[name])
		if len(doc.header) == 0 {
			doc.header = columns
		}
		form := former(columns)
		doc.rows = slices.Grow(doc.rows, len(rows))
		for _, cells := range rows {
			doc.rows = append(doc.rows, row{columns, cells, form(cells)})
		}
	}
	return doc, nil
}

// parseFile reads one file. Numbers are rewritten and surplus cells dropped
// only in a *.csv; in any other file a row with surplus cells is dropped.
func parseFile(name, text string) (columns []string, rows [][]string) {
	isCSV := strings.HasSuffix(name, ".csv")
	if isCSV {
		text = strings.ReplaceAll(text, "\u00a0", " ")
	}
	all, err := pycsv.Records(pytext.Strip(text))
	if err != nil || len(all) == 0 || len(all)*len(all[0]) > mostCells || slices.ContainsFunc(all, pycsv.TooLong) {
		return nil, nil
	}
	if isCSV {
		return rewritten(all[0], all[1:])
	}
	columns = all[0]
	for _, cells := range all[1:] {
		if len(cells) <= len(columns) {
			rows = append(rows, append(cells, make([]string, len(columns)-len(cells))...))
		}
	}
	return columns, rows
}

// rewritten leaves out the columns without a name and normalises the cells of the others.
func rewritten(header []string, records [][]string) (columns []string, rows [][]string) {
	var kept []int
	for k, name := range header {
		if pytext.Strip(name) != "" {
			kept = append(kept, k)
			columns = append(columns, name)
		}
	}
	if len(kept) == 0 {
		return nil, nil
	}
	columns[0] = pytext.StripLeft(columns[0]) // the rewritten text is trimmed again
	rows = make([][]string, 0, len(records))
	for _, record := range records {
		cells := make([]string, len(kept))
		for at, k := range kept {
			if k < len(record) {
				cells[at] = tenDigits(pytext.Strip(record[k]))
			}
		}
		rows = append(rows, cells)
	}
	return columns, rows
}

// tenDigits is the %.10g form of a cell that float() takes; others stay.
func tenDigits(cell string) string {
	f, ok := pytext.Float(cell)
	switch {
	case !ok:
		return cell
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	return strconv.FormatFloat(f, 'g', 10, 64)
}

// former returns the function that gives the rows of a file their form.
func former(columns []string) func(cells []string) string {
	var names []string
	var places []int
	known := make(map[string]bool, len(columns))
	for k, name := range slices.Backward(columns) {
		trimmed := pytext.Strip(name)
		if trimmed == "" || known[name] {
			continue // of repeated names the last column counts
		}
		known[name] = true
		names = append(names, abbreviated(trimmed))
		places = append(places, k)
	}
	return func(cells []string) string {
		pairs := make([]string, len(names))
		for at, k := range places {
			pairs[at] = names[at] + "\xff" + pytext.Strip(cells[k])
		}
		slices.Sort(pairs)
		return strings.Join(slices.Compact(pairs), "\xfe")
	}
}

// abbreviated is a name that stands in the form of each row of its column: a long one is its hash there.
func abbreviated(name string) string {
	if len(name) <= sha256.Size {
		return name
	}
	sum := sha256.Sum256([]byte(name))
	return string(sum[:])
}

// GroupKey are the columns whose equal values make rows a group; empty if the order of all rows has meaning.
type GroupKey []string

func ReadGroupKey(option string) GroupKey { return pytext.Parts(option, ",") }

// Stats counts rows and columns.
func Stats(doc Table) domains.Stats {
	return domains.Stats{
		Elements: len(doc.rows),
		Counts: []domains.Count{
			{Name: "Rows", Value: strconv.Itoa(len(doc.rows))},
			{Name: "Columns", Value: strconv.Itoa(len(doc.header))},
		},
	}
}

// Score compares two tables by the formula of the package.
func (key GroupKey) Score(ref, got Table) domains.Reading {
	refForms, gotForms := ref.forms(), got.forms()
	rows := sets.Jaccard(refForms, gotForms)
	order := key.order(ref, got, refForms, gotForms)
	header := sets.Names(ref.header, got.header, 0.9)

	nRef, nGot := float64(len(ref.rows)), float64(len(got.rows))
	kept := min(nRef, nGot) / max(nRef, 1)
	count := 1 - (max(nRef, nGot)-min(nRef, nGot))/max(nRef, nGot, 1)
	value := float64(0.60*rows) + float64(0.25*kept*kept*order) + float64(0.15*count)
	return domains.Reading{
		RS:         value * (0.85 + float64(0.15*header)),
		Components: map[string]float64{"rows": rows, "order": order, "header": header, "count": count},
		Elements:   domains.Elements{Reference: len(ref.rows), Candidate: len(got.rows)},
	}
}

// forms returns the forms of the rows that have one.
func (doc Table) forms() []string {
	return lists.Found(doc.rows, func(r *row) (string, bool) { return r.form, r.form != "" })
}

// order is how much of the rows' order survives: of all rows or, where the
// columns of the key are there, of the groups and their contents.
func (key GroupKey) order(ref, got Table, refForms, gotForms []string) float64 {
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
func (key GroupKey) groups(doc Table) (names []string, forms map[string][]string) {
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
