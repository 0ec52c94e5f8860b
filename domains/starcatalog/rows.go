package starcatalog

import (
	"slices"

	"agentd/domains"
)

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
