package protein

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// structure is a document as the published evaluator reads it.
type structure struct {
	lines    int // with an atom, also those that can be read in part only
	atoms    []atom
	problem  string // why there are no atoms, if all were lost
	chains   []string
	sequence map[string][]string // of each chain
	helices  []helix
	strands  []strand
	bonds    []bond
	cell     *cell
	// resolution is in ångström, 0 if there is none.
	resolution                    float64
	classification, idCode, title string
}

type helix struct {
	chain      string
	start, end int
}

type strand struct {
	sheet, chain string
	start, end   int
}

type residueAt struct {
	chain  string
	number int
}

// bond is a disulfide bond with its partners in order.
type bond [2]residueAt

// cell is a unit cell: three edges and three angles.
type cell struct {
	parameters [6]float64
	group      string
}

var errShortSequence = fmt.Errorf("%w: a SEQRES line ends before its chain", domains.ErrCrash)

// parse reads the .pdb files as one text. An error is a crash of the published
// evaluator; what it catches is the structure's problem.
func parse(files vfs.Files) (*structure, error) {
	files = files.Match(patterns)
	s := &structure{sequence: map[string][]string{}}
	var lines []string
	for _, name := range files.Names() {
		for line := range strings.SplitSeq(files[name], "\n") {
			if isAtom(line) {
				s.lines++
			}
			lines = append(lines, repaired(line))
		}
	}
	atoms, err := readAtoms(lines)
	if err != nil {
		s.problem = err.Error()
	}
	s.atoms = atoms
	var title []string
	for _, line := range lines {
		switch record := pytext.Strip(part(line, 0, 6)); record {
		case "TITLE":
			title = append(title, part(line, 10, toEnd))
		case "SEQRES":
			if err := s.addSequence(line); err != nil {
				return nil, err
			}
		default:
			s.add(record, line)
		}
	}
	s.title = joined(title)
	return s, nil
}

// add reads a record other than atoms, titles and sequences.
func (s *structure) add(record, line string) {
	switch record {
	case "HEADER":
		s.classification = pytext.Strip(part(line, 10, 50))
		s.idCode = pytext.Strip(part(line, 62, 66))
	case "HELIX":
		class := pytext.Strip(part(line, 38, 40))
		_, isNumber := integer(class)
		if start, end, ok := numbersAt(line, 21, 33); ok && (class == "" || isNumber) {
			s.helices = append(s.helices, helix{part(line, 19, 20), start, end})
		}
	case "SHEET":
		if start, end, ok := numbersAt(line, 22, 33); ok {
			s.strands = append(s.strands, strand{pytext.Strip(part(line, 11, 14)), part(line, 21, 22), start, end})
		}
	case "SSBOND":
		if first, second, ok := numbersAt(line, 17, 31); ok {
			s.bonds = append(s.bonds, newBond(residueAt{part(line, 15, 16), first}, residueAt{part(line, 29, 30), second}))
		}
	case "CRYST1":
		if s.cell == nil {
			s.cell = readCell(line)
		}
	case "REMARK":
		if s.resolution == 0 && pytext.Strip(part(line, 7, 10)) == "2" {
			s.resolution = readResolution(line)
		}
	}
}

func (s *structure) addSequence(line string) error {
	chain := part(line, 11, 12)
	if chain == "" {
		return errShortSequence
	}
	chain = pytext.Strip(chain)
	if _, known := s.sequence[chain]; !known {
		s.chains = append(s.chains, chain)
	}
	s.sequence[chain] = append(s.sequence[chain], pytext.Fields(part(line, 19, toEnd))...)
	return nil
}

// numbersAt reads two numbers of four columns each.
func numbersAt(line string, first, second int) (a, b int, ok bool) {
	a, ok = integer(part(line, first, first+4))
	b, okToo := integer(part(line, second, second+4))
	return a, b, ok && okToo
}

func newBond(a, b residueAt) bond {
	if a.chain > b.chain || a.chain == b.chain && a.number > b.number {
		a, b = b, a
	}
	return bond{a, b}
}

// cellColumns are where the parameters of a cell begin and the last one ends.
var cellColumns = [7]int{6, 15, 24, 33, 40, 47, 54}

func readCell(line string) *cell {
	c := &cell{group: pytext.Strip(part(line, 55, 66))}
	for n := range c.parameters {
		value, ok := pytext.Float(part(line, cellColumns[n], cellColumns[n+1]))
		if !ok {
			return nil
		}
		c.parameters[n] = value
	}
	return c
}

// readResolution is the number before ANGSTROM in a line that speaks of resolution, 0 if there is none.
func readResolution(line string) float64 {
	line = strings.ToUpper(line)
	_, rest, speaks := strings.Cut(line, "RESOLUTION")
	if !speaks {
		return 0
	}
	for {
		before, after, found := strings.Cut(rest, "ANGSTROM")
		if !found {
			return 0
		}
		before = pytext.StripRight(before)
		number := strings.TrimLeft(before[len(strings.TrimRight(before, "0123456789.")):], ".")
		if value, err := strconv.ParseFloat(number, 64); err == nil {
			return value
		}
		rest = after
	}
}

// toEnd is a column after every line.
const toEnd = math.MaxInt

// part is the columns from..to of a line, counted in characters from 0; what a short line does not have is left out.
func part(line string, from, to int) string {
	start, n := -1, 0
	for at := range line {
		if n == to {
			return line[start:at]
		}
		if n == from {
			start = at
			if to == toEnd {
				break
			}
		}
		n++
	}
	if start < 0 {
		return ""
	}
	return line[start:]
}

// joined is a continued text with its white space collapsed.
func joined(texts []string) string { return pytext.Collapse(strings.Join(texts, " ")) }

// integer is Python's int() of a short text.
func integer(text string) (int, bool) {
	if strings.ContainsAny(text, ".eEfFaA") {
		return 0, false
	}
	value, ok := pytext.Float(text)
	return int(value), ok
}

// fixedColumns is where the columns of an atom line end that no repair moves.
const fixedColumns = 30

// repaired is a line as the published program repairs it: what stands after column 30 of an atom line is put in its
// columns again. The element is left out, which the score does not look at.
func repaired(line string) string {
	switch pytext.Strip(part(line, 0, 6)) {
	default:
		return line
	case "ATOM", "HETATM":
	}
	fixed := part(line, 0, fixedColumns)
	numbers := firstNumbers(line[len(fixed):])
	if len(numbers) < 3 {
		return line
	}
	numbers = append(numbers, []float64{1, 0}[min(len(numbers)-3, 2):]...)
	buffer := make([]byte, 0, 80)
	buffer = append(buffer, fixed...)
	for n := utf8.RuneCountInString(fixed); n < fixedColumns; n++ {
		buffer = append(buffer, ' ')
	}
	for n, value := range numbers {
		width, decimals := 8, 3
		if n >= 3 {
			width, decimals = 6, 2
		}
		buffer = appendFixed(buffer, value, width, decimals)
	}
	return string(buffer)
}

// appendFixed writes a number right-aligned in columns.
func appendFixed(buffer []byte, value float64, width, decimals int) []byte {
	var space [32]byte
	text := strconv.AppendFloat(space[:0], value, 'f', decimals, 64)
	for n := len(text); n < width; n++ {
		buffer = append(buffer, ' ')
	}
	return append(buffer, text...)
}

// firstNumbers are up to five numbers in a text, without exponents.
func firstNumbers(text string) []float64 {
	const most = 5
	numbers := make([]float64, 0, most)
	for len(numbers) < most {
		start, end := findNumber(text)
		if start < 0 {
			break
		}
		value, ok := pytext.Float(text[start:end])
		if !ok {
			break
		}
		numbers = append(numbers, value)
		text = text[end:]
	}
	return numbers
}

// findNumber finds [+-]?\d+\.?\d*, -1 if there is none.
func findNumber(text string) (start, end int) {
	start = strings.IndexFunc(text, unicode.IsDigit)
	if start < 0 {
		return -1, -1
	}
	end = start + digitsIn(text[start:])
	if end < len(text) && text[end] == '.' {
		end++
		end += digitsIn(text[end:])
	}
	if start > 0 && (text[start-1] == '+' || text[start-1] == '-') {
		start--
	}
	return start, end
}

// digitsIn is the length of the digits with which a text begins.
func digitsIn(text string) int {
	if end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsDigit(r) }); end >= 0 {
		return end
	}
	return len(text)
}
