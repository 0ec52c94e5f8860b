package protein

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// tableColumn is a column of the atom table, with its columns in the line.
type tableColumn struct {
	name     string
	from, to int
	isLeft   bool // aligned to the left
}

// nameColumn is where the name of an atom stands in tableColumns.
const nameColumn = 2

var tableColumns = []tableColumn{
	{"record", 1, 6, true}, {"serial", 7, 11, false}, {"name", 13, 16, true}, {"altloc", 17, 17, false},
	{"residue", 18, 20, false}, {"chain", 22, 22, false}, {"number", 23, 26, false}, {"icode", 27, 27, false},
	{"x", 31, 38, false}, {"y", 39, 46, false}, {"z", 47, 54, false}, {"occupancy", 55, 60, false},
	{"b_factor", 61, 66, false}, {"segment", 73, 76, true}, {"element", 77, 78, false}, {"charge", 79, 80, false},
}

func columnNamed(name string) tableColumn {
	return tableColumns[slices.IndexFunc(tableColumns, func(c tableColumn) bool { return c.name == name })]
}

// atomTable lists the atoms by B factor, the highest first.
func atomTable(p struct{ Document, Table, Rest string }) exact.Steps {
	forward := func(lines []string) (vfs.Files, error) {
		type entry struct {
			bFactor float64
			row     string
		}
		var entries []entry
		var others []string
		for n, line := range lines {
			if !isAtom(line) {
				others = append(others, line)
				continue
			}
			cells := []string{strconv.Itoa(n + 1)}
			for _, c := range tableColumns {
				cells = append(cells, columns(line, c.from, c.to))
			}
			if strings.TrimRight(atomFromCells(cells[1:]), " ") != strings.TrimRight(line, " ") {
				return nil, fmt.Errorf("line %d is not laid out as usual: %q", n+1, line)
			}
			bFactor, _ := strconv.ParseFloat(columns(line, 61, 66), 64)
			entries = append(entries, entry{bFactor, strings.Join(cells, "\t")})
		}
		slices.SortStableFunc(entries, func(a, b entry) int { return cmp.Compare(b.bFactor, a.bFactor) })
		var table strings.Builder
		table.WriteString("line")
		for _, c := range tableColumns {
			table.WriteString("\t" + c.name)
		}
		for _, e := range entries {
			table.WriteString("\n" + e.row)
		}
		table.WriteString("\n")
		return vfs.Files{p.Table: table.String(), p.Rest: plain.Text(others)}, nil
	}
	return whole(p.Document, forward, func(files vfs.Files) ([]string, error) {
		others, err := structures.Named(files, p.Rest)
		if err != nil {
			return nil, err
		}
		table, err := structures.Named(files, p.Table)
		at := map[int]string{}
		for _, row := range table[min(1, len(table)):] {
			cells := strings.Split(row, "\t")
			for len(cells) <= len(tableColumns) { // blanks at the end may be lost
				cells = append(cells, "")
			}
			n, err := lineNumber(cells[0])
			if err != nil {
				return nil, fmt.Errorf("reading %s: %w", p.Table, err)
			}
			if at[n] = atomFromCells(cells[1:]); at[n] == "" {
				return nil, fmt.Errorf("%s: a cell is too long for its columns: %q", p.Table, row)
			}
		}
		return placed(others, at), err
	})
}

// atomFromCells lays an atom out. Its name begins in column 14, or in column 13
// if it is of four characters or of an element of two letters.
func atomFromCells(cells []string) string {
	line := strings.Repeat(" ", 80)
	for k, c := range tableColumns {
		text, width := cells[k], c.to-c.from+1
		switch {
		case len(text) > width:
			return ""
		case k == nameColumn && len(text) < width && len(cells[14]) < 2:
			text = " " + text
		case !c.isLeft:
			text = strings.Repeat(" ", width-len(text)) + text
		}
		line = replaced(line, c.from, text)
	}
	return strings.TrimRight(line, " ")
}
