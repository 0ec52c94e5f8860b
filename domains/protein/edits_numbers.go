package protein

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	zeroBasedFile  = "zero_based.pdb"
	fractionalFile = "fractional.pdb"
	cartesianFile  = "cartesian.csv"
)

// residueColumns are where the numbers of residues begin, four columns each.
var residueColumns = map[string][]int{
	"ATOM": {23}, "HETATM": {23}, "ANISOU": {23}, "TER": {23}, "HET": {14}, "MODRES": {19}, "SEQADV": {19},
	"HELIX": {22, 34}, "SHEET": {23, 34, 51, 66}, "SSBOND": {18, 32}, "LINK": {23, 53}, "CISPEP": {18, 32},
}

func toZeroBased(files vfs.Files) (vfs.Files, error) {
	lines, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	if lines, err = shifted(lines, -1); err != nil {
		return nil, err
	}
	return vfs.Files{zeroBasedFile: plain.Text(lines)}, nil
}

func fromZeroBased(files vfs.Files) (vfs.Files, error) {
	lines, err := readNamed(files, zeroBasedFile)
	if err != nil {
		return nil, err
	}
	if lines, err = shifted(lines, 1); err != nil {
		return nil, err
	}
	return asDocument(lines), nil
}

// shifted adds to all numbers of residues.
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

// toFractional replaces the coordinates by those in the unit cell, as the SCALE
// lines have them, and keeps the former in a table.
func toFractional(files vfs.Files) (vfs.Files, error) {
	lines, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	scale, err := readScale(lines)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"line", "x", "y", "z"}}
	for n, line := range lines {
		if !isAtom(line) {
			continue
		}
		row := []string{strconv.Itoa(n + 1)}
		var place [3]decimal.Decimal
		for axis := range place {
			cell := columns(line, 31+8*axis, 38+8*axis)
			row = append(row, cell)
			if place[axis], err = decimal.NewFromString(cell); err != nil || len(cell) != len(place[axis].StringFixed(3)) {
				return nil, fmt.Errorf("line %d: the coordinate %q has not three decimals", n+1, cell)
			}
		}
		table = append(table, row)
		for axis, factors := range scale {
			value := factors[3]
			for k := range place {
				value = value.Add(factors[k].Mul(place[k]))
			}
			text := fmt.Sprintf("%8s", value.StringFixed(5))
			if len(text) > 8 {
				return nil, fmt.Errorf("line %d: the atom lies too many cells away", n+1)
			}
			line = replaced(line, 31+8*axis, text)
		}
		lines[n] = line
	}
	return vfs.Files{fractionalFile: plain.Text(lines), cartesianFile: plain.WriteCSV(table)}, nil
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

func fromFractional(files vfs.Files) (vfs.Files, error) {
	lines, err := readNamed(files, fractionalFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, cartesianFile, "line", "x", "y", "z")
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		n, err := lineNumber(row[0])
		if err != nil || n > len(lines) || !isAtom(lines[n-1]) {
			return nil, fmt.Errorf("%s: %q is no line of an atom", cartesianFile, row[0])
		}
		for axis, cell := range row[1:] {
			lines[n-1] = replaced(lines[n-1], 31+8*axis, fmt.Sprintf("%8s", strings.TrimSpace(cell)))
		}
	}
	return asDocument(lines), nil
}
