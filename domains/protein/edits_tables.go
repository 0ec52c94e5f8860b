package protein

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	paintedFile     = "painted.pdb"
	bFactorsFile    = "b_factors.csv"
	tableFile       = "atoms.tsv"
	annotationsFile = "annotations.pdb"
)

// The codes that stand for B factors.
const (
	helixCode  = " 10.00"
	strandCode = " 20.00"
	waterCode  = " 90.00"
	otherCode  = " 50.00"
)

// paint replaces B factors by codes of what the residues are part of.
func paint(files vfs.Files) (vfs.Files, error) {
	lines, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	s, err := parse(vfs.Files{documentFile: plain.Text(lines)})
	if err != nil {
		return nil, err
	}
	table := [][]string{{"line", "serial", "b_factor"}}
	for n, line := range lines {
		if !isAtom(line) {
			continue
		}
		bFactor := columns(line, 61, 66)
		if bFactor == "" {
			return nil, fmt.Errorf("line %d has no B factor", n+1)
		}
		table = append(table, []string{strconv.Itoa(n + 1), columns(line, 7, 11), bFactor})
		lines[n] = replaced(line, 61, s.code(line))
	}
	return vfs.Files{paintedFile: plain.Text(lines), bFactorsFile: plain.WriteCSV(table)}, nil
}

func (s *structure) code(line string) string {
	chain := part(line, 21, 22)
	number, _ := integer(columns(line, 23, 26))
	within := func(of string, start, end int) bool { return of == chain && start <= number && number <= end }
	switch {
	case isWater(line):
		return waterCode
	case slices.ContainsFunc(s.helices, func(h helix) bool { return within(h.chain, h.start, h.end) }):
		return helixCode
	case slices.ContainsFunc(s.strands, func(t strand) bool { return within(t.chain, t.start, t.end) }):
		return strandCode
	}
	return otherCode
}

func unpaint(files vfs.Files) (vfs.Files, error) {
	lines, err := readNamed(files, paintedFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, bFactorsFile, "line", "b_factor")
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		n, err := lineNumber(row[0])
		if err != nil || n > len(lines) || !isAtom(lines[n-1]) {
			return nil, fmt.Errorf("%s: %q is no line of an atom", bFactorsFile, row[0])
		}
		lines[n-1] = replaced(lines[n-1], 61, fmt.Sprintf("%6s", strings.TrimSpace(row[1])))
	}
	return asDocument(lines), nil
}

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

// toTable lists the atoms by B factor, the highest first.
func toTable(files vfs.Files) (vfs.Files, error) {
	lines, err := readDocument(files)
	if err != nil {
		return nil, err
	}
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
	return vfs.Files{tableFile: table.String(), annotationsFile: plain.Text(others)}, nil
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

func fromTable(files vfs.Files) (vfs.Files, error) {
	others, err := readNamed(files, annotationsFile)
	if err != nil {
		return nil, err
	}
	table, err := readNamed(files, tableFile)
	if err != nil {
		return nil, err
	}
	at := map[int]string{}
	for _, row := range table[min(1, len(table)):] {
		cells := strings.Split(row, "\t")
		for len(cells) <= len(tableColumns) { // blanks at the end may be lost
			cells = append(cells, "")
		}
		n, err := lineNumber(cells[0])
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", tableFile, err)
		}
		if at[n] = atomFromCells(cells[1:]); at[n] == "" {
			return nil, fmt.Errorf("%s: a cell is too long for its columns: %q", tableFile, row)
		}
	}
	if len(at) == 0 {
		return nil, fmt.Errorf("%s has no atom", tableFile)
	}
	return asDocument(placed(others, at)), nil
}
