package protein

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// structures says how structures, which are lists of lines, are read and written.
var structures = exact.Format[[]string, string]{
	Patterns: patterns,
	Read:     plain.Lines,
	Print:    plain.Text,
	Parts:    func(lines *[]string) *[]string { return lines },
	Empty:    errors.New("no .pdb file with an atom"),
	Counts:   func(line *string) bool { return isAtom(*line) },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("shift_residues", shiftResidues),
		domains.Taking("split_backbone", splitBackbone),
		domains.Taking("split_by_chain", splitByChain),
		domains.Taking("paint", paint),
		domains.Taking("fasta", inFASTA),
		domains.Taking("atom_table", atomTable),
		domains.Taking("fractional", fractional),
		domains.Taking("waters_apart", watersApart),
	}
}

// whole changes a structure in one file, whose atoms must be in their columns, into files, and
// back from them.
func whole(
	document string, forward func(lines []string) (vfs.Files, error), backward func(vfs.Files) ([]string, error),
) exact.Steps {
	steps := structures.Whole(document, func(lines []string) (vfs.Files, error) {
		for n, line := range lines {
			if isAtom(line) && !inPlace(line) {
				return nil, fmt.Errorf("the atom in line %d is out of its columns: %q", n+1, line)
			}
		}
		return forward(lines)
	}, backward)
	change := steps.Forward
	steps.Forward = func(files vfs.Files) (vfs.Files, error) {
		if n := len(files.Match(patterns)); n > 1 {
			return nil, fmt.Errorf("the structure is in %d files", n)
		}
		return change(files)
	}
	return steps
}

func inPlace(line string) bool {
	a := readAtom(line)
	return !a.misplaced && a.rest == "" && len(line) <= 80 && isASCII(line) && a.readTail(line[fixedColumns:])
}

func isASCII(line string) bool {
	return !strings.ContainsFunc(line, func(r rune) bool { return r > unicode.MaxASCII })
}

// columns are the columns from..to of a line, counted from 1, without blanks
// around them.
func columns(line string, from, to int) string { return pytext.Strip(part(line, from-1, to)) }

// replaced puts a text into a line from a column on, counted from 1.
func replaced(line string, from int, text string) string {
	line += strings.Repeat(" ", max(0, from-1+len(text)-len(line)))
	return line[:from-1] + text + line[from-1+len(text):]
}

// belongsToAtom recognizes atom lines and those that say more of an atom.
func belongsToAtom(line string) bool { return isAtom(line) || isTensor(line) }

// next takes the next line of a file.
func next(left map[string][]string, name string) (string, error) {
	if len(left[name]) == 0 {
		return "", fmt.Errorf("%s has no more lines", name)
	}
	line := left[name][0]
	left[name] = left[name][1:]
	return line, nil
}

// placed puts lines where a table says, and the others in the gaps between them.
func placed(others []string, at map[int]string) []string {
	numbers := slices.Collect(maps.Keys(at))
	return plain.PutIn(numbers, others, func(n int) (int, string) { return n, at[n] }, nil)
}

// placedBy puts the lines that the rows of a table stand for where its column line says.
func placedBy(
	files vfs.Files, table string, columns, others []string, line func(cells []string) (string, error),
) ([]string, error) {
	rows, err := plain.Table(files, table, append([]string{"line"}, columns...)...)
	at := map[int]string{}
	for _, row := range rows {
		n, err := lineNumber(row[0])
		if err == nil {
			at[n], err = line(row[1:])
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", table, err)
		}
	}
	return placed(others, at), err
}

// lineNumber is a cell with the number of a line.
func lineNumber(cell string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(cell))
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is no number of a line", cell)
	}
	return n, nil
}
