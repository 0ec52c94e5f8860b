package protein

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// documentFile is the file that every backward step leaves.
const documentFile = "pk7_dimer.pdb"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "zero_based", Forward: toZeroBased, Backward: fromZeroBased},
		{Name: "backbone_split", Forward: splitBackbone, Backward: mergeBackbone},
		{Name: "chain_split", Forward: splitChains, Backward: mergeChains},
		{Name: "paint", Forward: paint, Backward: unpaint},
		{Name: "fasta", Forward: toFASTA, Backward: fromFASTA},
		{Name: "atom_table", Forward: toTable, Backward: fromTable},
		{Name: "fractional", Forward: toFractional, Backward: fromFractional},
		{Name: "weak_waters", Forward: takeWaters, Backward: giveWaters},
	}
}

var errNoDocument = errors.New("no .pdb file with an atom")

// readDocument reads the lines of a forward step's file. Its atoms must be in
// their columns.
func readDocument(files vfs.Files) ([]string, error) {
	files = files.Match(patterns)
	names := files.Names()
	switch {
	case len(names) == 0:
		return nil, errNoDocument
	case len(names) > 1:
		return nil, fmt.Errorf("the structure is in %d files", len(names))
	}
	lines := plain.Lines(files[names[0]])
	atoms := 0
	for n, line := range lines {
		if !isAtom(line) {
			continue
		}
		atoms++
		if a := readAtom(line); a.misplaced || a.rest != "" || len(line) > 80 || !isASCII(line) || !a.readTail(line[fixedColumns:]) {
			return nil, fmt.Errorf("the atom in line %d is out of its columns: %q", n+1, line)
		}
	}
	if atoms == 0 {
		return nil, errNoDocument
	}
	return lines, nil
}

func isASCII(line string) bool {
	return !strings.ContainsFunc(line, func(r rune) bool { return r > unicode.MaxASCII })
}

// readNamed reads the file that a backward step needs.
func readNamed(files vfs.Files, name string) ([]string, error) {
	text, err := plain.File(files, name)
	return plain.Lines(text), err
}

func asDocument(lines []string) vfs.Files { return vfs.Files{documentFile: plain.Text(lines)} }

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

// placed puts lines where a table says, and the others in the gaps between them.
func placed(others []string, at map[int]string) []string {
	total := len(others) + len(at)
	lines := make([]string, 0, total)
	for n := 1; n <= total; n++ {
		if line, has := at[n]; has {
			lines = append(lines, line)
			delete(at, n)
		} else if len(others) > 0 {
			lines = append(lines, others[0])
			others = others[1:]
		}
	}
	lines = append(lines, others...)
	left := make([]int, 0, len(at)) // lines beyond the end
	for n := range at {
		left = append(left, n)
	}
	slices.Sort(left)
	for _, n := range left {
		lines = append(lines, at[n])
	}
	return lines
}

// lineNumber is a cell with the number of a line.
func lineNumber(cell string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(cell))
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is no number of a line", cell)
	}
	return n, nil
}
