// Package protein is the published reading and score of the domain protein.
//
// Atom key = (chain, resSeq, resName, name). In the maps used below the last atom of a key wins.
//
//   - coverage = Jaccard of key sets (1 if both empty, 0 if one is)
//   - coordinates = mean over common keys of max(0, 1 − d/2), d the distance; B = mean of max(0, 1 − |ΔB|/20). With no
//     common key both are 1 if both sides are empty, else 0
//   - seqres = mean over all chains of either side of the difflib ratio of residue lists (autojunk on, matters from 200
//     residues; 0 if one side lacks the chain); 1 for none on both sides, 0 for none on one
//   - secondary: helix Jaccard on (chain, start, end), strand Jaccard on all four fields (empty rules as above);
//     (helix·nh + strand·ns)/(nh+ns) with n the larger set size of the two sides; 1 if nh+ns = 0
//   - ssbond = Jaccard of pairs, each pair sorted
//   - metadata = mean of three: cell (0.7·share of the six parameters with |Δ| < 0.1 + 0.3·[equal space group]; 1 if
//     both lack CRYST1, 0 if one does); resolution (1 if |Δ| < 0.05, 0.5 if < 0.2, else 0; 1 if both absent, 0 if one);
//     header (share of equal fields among classification, idCode, title, lower-case, counting those present on either
//     side; 1 if none)
//   - score = coverage · (0.34·coordinates + 0.13·B + 0.20·seqres + 0.13·secondary + 0.07·ssbond + 0.13·metadata); not
//     rounded
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

// Structure is a document as the published evaluator reads it.
type Structure struct {
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

// Parse reads the .pdb files as one text. An error is a crash of the published
// evaluator; what it catches is the structure's problem.
func Parse(files vfs.Files) (*Structure, error) {
	files = files.Match(Patterns)
	s := &Structure{sequence: map[string][]string{}}
	var lines []string
	for _, name := range files.Names() {
		for line := range strings.SplitSeq(files[name], "\n") {
			if IsAtom(line) {
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
		switch record := pytext.Strip(Part(line, 0, 6)); record {
		case "TITLE":
			title = append(title, Part(line, 10, ToEnd))
		case "SEQRES":
			if err := s.addSequence(line); err != nil {
				return nil, err
			}
		default:
			s.add(record, line)
		}
	}
	s.title = Joined(title)
	return s, nil
}

// add reads a record other than atoms, titles and sequences.
func (s *Structure) add(record, line string) {
	switch record {
	case "HEADER":
		s.classification = pytext.Strip(Part(line, 10, 50))
		s.idCode = pytext.Strip(Part(line, 62, 66))
	case "HELIX":
		class := pytext.Strip(Part(line, 38, 40))
		_, isNumber := Integer(class)
		if start, end, ok := numbersAt(line, 21, 33); ok && (class == "" || isNumber) {
			s.helices = append(s.helices, helix{Part(line, 19, 20), start, end})
		}
	case "SHEET":
		if start, end, ok := numbersAt(line, 22, 33); ok {
			s.strands = append(s.strands, strand{pytext.Strip(Part(line, 11, 14)), Part(line, 21, 22), start, end})
		}
	case "SSBOND":
		if first, second, ok := numbersAt(line, 17, 31); ok {
			s.bonds = append(s.bonds, newBond(residueAt{Part(line, 15, 16), first}, residueAt{Part(line, 29, 30), second}))
		}
	case "CRYST1":
		if s.cell == nil {
			s.cell = readCell(line)
		}
	case "REMARK":
		if s.resolution == 0 && pytext.Strip(Part(line, 7, 10)) == "2" {
			s.resolution = readResolution(line)
		}
	}
}

func (s *Structure) addSequence(line string) error {
	chain := Part(line, 11, 12)
	if chain == "" {
		return errShortSequence
	}
	chain = pytext.Strip(chain)
	if _, known := s.sequence[chain]; !known {
		s.chains = append(s.chains, chain)
	}
	s.sequence[chain] = append(s.sequence[chain], pytext.Fields(Part(line, 19, ToEnd))...)
	return nil
}

// numbersAt reads two numbers of four columns each.
func numbersAt(line string, first, second int) (a, b int, ok bool) {
	a, ok = Integer(Part(line, first, first+4))
	b, okToo := Integer(Part(line, second, second+4))
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
	c := &cell{group: pytext.Strip(Part(line, 55, 66))}
	for n := range c.parameters {
		value, ok := pytext.Float(Part(line, cellColumns[n], cellColumns[n+1]))
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

// ToEnd is a column after every line.
const ToEnd = math.MaxInt

// Part is the columns from..to of a line, counted in characters from 0; what a short line does not have is left out.
func Part(line string, from, to int) string {
	start, n := -1, 0
	for at := range line {
		if n == to {
			return line[start:at]
		}
		if n == from {
			start = at
			if to == ToEnd {
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

// Joined is a continued text with its white space collapsed.
func Joined(texts []string) string { return pytext.Collapse(strings.Join(texts, " ")) }

// Integer is Python's int() of a short text.
func Integer(text string) (int, bool) {
	if strings.ContainsAny(text, ".eEfFaA") {
		return 0, false
	}
	value, ok := pytext.Float(text)
	return int(value), ok
}

// FixedColumns is where the columns of an atom line end that no repair moves.
const FixedColumns = 30

// repaired is a line as the published program repairs it: what stands after column 30 of an atom line is put in its
// columns again. The element is left out, which the score does not look at.
func repaired(line string) string {
	switch pytext.Strip(Part(line, 0, 6)) {
	default:
		return line
	case "ATOM", "HETATM":
	}
	fixed := Part(line, 0, FixedColumns)
	numbers := firstNumbers(line[len(fixed):])
	if len(numbers) < 3 {
		return line
	}
	numbers = append(numbers, []float64{1, 0}[min(len(numbers)-3, 2):]...)
	buffer := make([]byte, 0, 80)
	buffer = append(buffer, fixed...)
	for n := utf8.RuneCountInString(fixed); n < FixedColumns; n++ {
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
		start, end := FindNumber(text)
		if start < 0 {
			break
		}
		value, _ := pytext.Float(text[start:end])
		numbers = append(numbers, value)
		text = text[end:]
	}
	return numbers
}

// FindNumber finds [+-]?\d+\.?\d*, -1 if there is none.
func FindNumber(text string) (start, end int) {
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
