package protein

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// residueColumns are where the numbers of residues begin, four columns each.
var residueColumns = map[string][]int{
	"ATOM": {23}, "HETATM": {23}, "ANISOU": {23}, "TER": {23}, "HET": {14}, "MODRES": {19}, "SEQADV": {19},
	"HELIX": {22, 34}, "SHEET": {23, 34, 51, 66}, "SSBOND": {18, 32}, "LINK": {23, 53}, "CISPEP": {18, 32},
}

// shiftResidues adds to all numbers of residues.
func shiftResidues(p struct {
	Document, To string
	By           int
}) exact.Steps {
	return whole(p.Document, func(lines []string) (vfs.Files, error) {
		lines, err := shifted(lines, p.By)
		return vfs.Files{p.To: plain.Text(lines)}, err
	}, func(files vfs.Files) ([]string, error) {
		lines, err := structures.Named(files, p.To)
		if err != nil {
			return nil, err
		}
		return shifted(lines, -p.By)
	})
}

func shifted(lines []string, by int) ([]string, error) {
	all := make([]string, len(lines))
	for n, line := range lines {
		for _, from := range residueColumns[columns(line, 1, 6)] {
			cell := columns(line, from, from+3)
			if cell == "" {
				continue
			}
			number, err := strconv.Atoi(cell)
			text := fmt.Sprintf("%4d", number+by)
			if err != nil || len(text) > 4 {
				return nil, fmt.Errorf("the residue number %q in line %d cannot be shifted", cell, n+1)
			}
			line = replaced(line, from, text)
		}
		all[n] = line
	}
	return all, nil
}

// rewriteAtoms writes other values into some columns of the atoms, by their names in tableColumns,
// and keeps the former ones in a table, which also has the columns that are only noted.
func rewriteAtoms(
	document, to, table string, noted, changed []string, values func(lines []string) (rewriter, error),
) exact.Steps {
	header := slices.Concat([]string{"line"}, noted, changed)
	write := func(line string, cells []string) string {
		for k, name := range changed {
			c := columnNamed(name)
			line = replaced(line, c.from, fmt.Sprintf("%*s", c.to-c.from+1, strings.TrimSpace(cells[k])))
		}
		return line
	}
	forward := func(lines []string) (vfs.Files, error) {
		rewrite, err := values(lines)
		if err != nil {
			return nil, err
		}
		rows := [][]string{header}
		for n, line := range lines {
			if !isAtom(line) {
				continue
			}
			row := []string{strconv.Itoa(n + 1)}
			for _, name := range header[1:] {
				c := columnNamed(name)
				row = append(row, columns(line, c.from, c.to))
			}
			rows = append(rows, row)
			is, err := rewrite(line, row[1+len(noted):])
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", n+1, err)
			}
			lines[n] = write(line, is)
		}
		return vfs.Files{to: plain.Text(lines), table: plain.WriteCSV(rows)}, nil
	}
	return whole(document, forward, func(files vfs.Files) ([]string, error) {
		lines, err := structures.Named(files, to)
		if err != nil {
			return nil, err
		}
		rows, err := plain.Table(files, table, append([]string{"line"}, changed...)...)
		for _, row := range rows {
			n, err := lineNumber(row[0])
			if err != nil || n > len(lines) || !isAtom(lines[n-1]) {
				return nil, fmt.Errorf("%s: %q is no line of an atom", table, row[0])
			}
			lines[n-1] = write(lines[n-1], row[1:])
		}
		return lines, err
	})
}

// rewriter returns what stands in place of the values of an atom.
type rewriter func(line string, was []string) ([]string, error)

// paint replaces B factors by codes of what the residues are part of.
func paint(p struct {
	Document, To                 string
	Helix, Strand, Water, Others decimal.Decimal
	Table                        string
}) exact.Steps {
	noted, changed := []string{"serial"}, []string{"b_factor"}
	return rewriteAtoms(p.Document, p.To, p.Table, noted, changed, func(lines []string) (rewriter, error) {
		s, err := parse(vfs.Files{p.Document: plain.Text(lines)})
		return func(line string, was []string) ([]string, error) {
			chain := part(line, 21, 22)
			number, _ := integer(columns(line, 23, 26))
			within := func(of string, start, end int) bool { return of == chain && start <= number && number <= end }
			code := p.Others
			switch {
			case was[0] == "":
				return nil, errors.New("no B factor")
			case isWater(line):
				code = p.Water
			case slices.ContainsFunc(s.helices, func(h helix) bool { return within(h.chain, h.start, h.end) }):
				code = p.Helix
			case slices.ContainsFunc(s.strands, func(t strand) bool { return within(t.chain, t.start, t.end) }):
				code = p.Strand
			}
			return []string{code.StringFixed(2)}, nil
		}, err
	})
}

// fractional replaces the coordinates by those in the unit cell, as the SCALE lines have them.
func fractional(p struct{ Document, To, Table string }) exact.Steps {
	return rewriteAtoms(p.Document, p.To, p.Table, nil, []string{"x", "y", "z"}, func(lines []string) (rewriter, error) {
		scale, err := readScale(lines)
		return func(_ string, was []string) ([]string, error) {
			var place [3]decimal.Decimal
			for axis, cell := range was {
				var err error
				if place[axis], err = decimal.NewFromString(cell); err != nil || len(cell) != len(place[axis].StringFixed(3)) {
					return nil, fmt.Errorf("the coordinate %q has not three decimals", cell)
				}
			}
			is := make([]string, len(scale))
			for axis, factors := range scale {
				value := factors[3]
				for k := range place {
					value = value.Add(factors[k].Mul(place[k]))
				}
				if is[axis] = value.StringFixed(5); len(is[axis]) > 8 {
					return nil, errors.New("the atom lies too many cells away")
				}
			}
			return is, nil
		}, err
	})
}

// readScale reads the factors of x, y and z and the shift of each SCALE line.
func readScale(lines []string) (scale [3][4]decimal.Decimal, err error) {
	found := map[string]bool{}
	for _, line := range lines {
		row := strings.Index("123", strings.TrimPrefix(part(line, 0, 6), "SCALE"))
		if row < 0 || !strings.HasPrefix(line, "SCALE") {
			continue
		}
		found[part(line, 0, 6)] = true
		for k, from := range []int{11, 21, 31, 46} {
			if scale[row][k], err = decimal.NewFromString(columns(line, from, from+9)); err != nil {
				return scale, fmt.Errorf("reading %q: %w", line, err)
			}
		}
	}
	if len(found) < len(scale) {
		return scale, fmt.Errorf("%d of the three SCALE lines are there", len(found))
	}
	return scale, nil
}
