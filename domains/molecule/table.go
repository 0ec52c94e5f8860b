package molecule

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/molecule"
)

// table is a connection table by the rules of the format. Its atoms and bonds
// are those of the lines, plain hydrogens included.
type table struct {
	published.Structure
	symbols   []string        // of the atoms, as written
	columns   [][]int         // of the atoms: the numbers after mass and charge
	ends      [][]int         // of the bonds: the numbers after the wedge
	orders    []int           // of the bonds, as written
	shifted   []bool          // atoms, then bonds, whose columns are out of place
	lines     []domains.Field // other lines of the block
	chiral    int
	miscounts string // what the counts line says, if it is wrong
}

// table reads the connection table of a record.
func (e *entry) table() *table {
	t := &table{}
	if e.isExtended() {
		t.readExtended(e.block)
		return t
	}
	for _, line := range e.atoms {
		t.readAtom(line)
	}
	for _, line := range e.bonds {
		t.readBond(line)
	}
	t.readCounts(e.counts)
	t.readBlock(e.block)
	return t
}

func (t *table) readCounts(line string) {
	atoms, bonds := published.Number(part(line, 0, 3)), published.Number(part(line, 3, 6))
	if atoms != len(t.Atoms) || bonds != len(t.Bonds) {
		t.miscounts = strconv.Itoa(atoms) + " atoms, " + strconv.Itoa(bonds) + " bonds"
	}
	t.chiral = published.Number(part(line, 12, 15))
}

// part is what a line has in columns, without blanks.
func part(line string, from, to int) string {
	if from >= len(line) {
		return ""
	}
	return strings.TrimSpace(line[from:min(to, len(line))])
}

// atomWords divides an atom line into coordinates, symbol and numbers, by
// columns or, if these are out of place, by blanks.
func atomWords(line string) (words []string, inPlace bool) {
	if words = atomColumns(line); words != nil {
		return words, true
	}
	return strings.Fields(line), false
}

func atomColumns(line string) []string {
	if len(line) < published.ElementColumn+1 || line[published.ElementColumn-1] != ' ' {
		return nil
	}
	words := []string{part(line, 0, 10), part(line, 10, 20), part(line, 20, 30), part(line, published.ElementColumn, published.MassColumn)}
	for _, word := range words[:3] {
		if _, err := strconv.ParseFloat(word, 64); err != nil {
			return nil
		}
	}
	if words[3] == "" || strings.Contains(words[3], " ") {
		return nil
	}
	numbers, inPlace := numberColumns(line, published.MassColumn)
	if !inPlace {
		return nil
	}
	return append(words, numbers...)
}

// numberColumns are the texts of the columns from one on, which are numbers or blank if they are in place.
func numberColumns(line string, from int) (words []string, inPlace bool) {
	inPlace = true
	for ; from < len(line); from = published.ColumnEnd(from) {
		word := part(line, from, published.ColumnEnd(from))
		if _, err := strconv.Atoi(word); err != nil && word != "" {
			inPlace = false
		}
		words = append(words, word)
	}
	return words, inPlace
}

func (t *table) readAtom(line string) {
	words, inPlace := atomWords(line)
	var a published.Atom
	for axis := range a.Place {
		a.Place[axis], _ = strconv.ParseFloat(words[axis], 64)
	}
	a.SetElement(words[3]) // an unknown symbol is compared as it is written
	rest := make([]int, max(len(words)-4, 2))
	for i, word := range words[4:] {
		rest[i] = published.Number(word)
	}
	if rest[0] != 0 {
		a.Isotope = published.ElementsByNumber[a.Element].Isotope + rest[0]
	}
	const radicalCode = 4
	switch {
	case rest[1] == radicalCode:
		a.Radicals = 1
	case rest[1] != 0:
		a.Charge = 4 - rest[1]
	}
	t.Atoms = append(t.Atoms, a)
	t.symbols = append(t.symbols, words[3])
	t.columns = append(t.columns, rest[2:])
	t.shifted = append(t.shifted, !inPlace)
}

func (t *table) readBond(line string) {
	words, inPlace := numberColumns(line, 0)
	if !inPlace || len(words) < 3 {
		words, inPlace = strings.Fields(line), false
	}
	numbers := make([]int, max(len(words), 4))
	for i, word := range words {
		numbers[i] = published.Number(word)
	}
	b := published.Bond{A: numbers[0] - 1, B: numbers[1] - 1, Kind: published.KindOf(numbers[2]), Wedge: numbers[3]}
	t.Bonds = append(t.Bonds, b)
	t.orders = append(t.orders, numbers[2])
	t.ends = append(t.ends, numbers[4:])
	t.shifted = append(t.shifted, !inPlace)
}

// readBlock reads the lines after the bonds. Charges and radicals there cancel those of the atom lines.
func (t *table) readBlock(lines []string) {
	cancelled := false
	for n := 0; n < len(lines); n++ {
		line := lines[n]
		what := part(line, 3, 6)
		switch {
		case strings.HasPrefix(line, published.BlockEnd):
		case strings.HasPrefix(line, "A  ") && n+1 < len(lines):
			t.lines = append(t.lines, domains.Field{
				Name: "alias of atom " + part(line, 3, 6), Value: strings.TrimSpace(lines[n+1]),
			})
			n++
		case strings.HasPrefix(line, "M  ") && (what == "CHG" || what == "RAD" || what == "ISO"):
			if what != "ISO" && !cancelled {
				cancelled = true
				for i := range t.Atoms {
					t.Atoms[i].Charge, t.Atoms[i].Radicals = 0, 0
				}
			}
			r := published.BlockReader{Structure: t.Structure}
			if r.SetEach(line); r.Wrong {
				t.lines = append(t.lines, otherLine(line))
			}
		default:
			t.lines = append(t.lines, otherLine(line))
		}
	}
}

func otherLine(line string) domains.Field {
	return domains.Field{Name: part(line, 0, 6), Value: plain.SingleBlanks(line[min(6, len(line)):])}
}

// readExtended reads the lines of an extended connection table.
func (t *table) readExtended(lines []string) {
	numbers := map[string]int{}
	in := ""
	for n := 0; n < len(lines); n++ {
		line, ok := strings.CutPrefix(lines[n], published.Extended)
		if !ok {
			if !strings.HasPrefix(lines[n], published.BlockEnd) {
				t.lines = append(t.lines, otherLine(lines[n]))
			}
			continue
		}
		for strings.HasSuffix(line, "-") && n+1 < len(lines) {
			n++
			line = line[:len(line)-1] + strings.TrimPrefix(lines[n], published.Extended)
		}
		words := strings.Fields(line)
		switch {
		case len(words) == 0:
		case words[0] == "BEGIN" && len(words) > 1 && words[1] != "CTAB":
			in = words[1]
		case words[0] == "END":
			in = ""
		case words[0] == "COUNTS" && len(words) > 5:
			t.chiral = published.Number(words[5])
		case in == "ATOM" && len(words) >= 6:
			numbers[words[0]] = len(t.Atoms)
			t.readExtendedAtom(words)
		case in == "BOND" && len(words) >= 4:
			t.readExtendedBond(words, numbers)
		case in != "":
			t.lines = append(t.lines, domains.Field{Name: strings.ToLower(in), Value: strings.Join(words, " ")})
		}
	}
	t.shifted = make([]bool, len(t.Atoms)+len(t.Bonds))
}

func (t *table) readExtendedAtom(words []string) {
	var a published.Atom
	for axis := range a.Place {
		a.Place[axis], _ = strconv.ParseFloat(words[2+axis], 64)
	}
	a.SetElement(words[1])
	columns := make([]int, 10)
	columns[mappingAt] = published.Number(words[5])
	for _, word := range words[6:] {
		name, value, _ := strings.Cut(word, "=")
		switch name = strings.ToUpper(name); name {
		case "CHG", "RAD", "MASS":
			a.SetNamed(name, value)
		case "CFG":
			columns[0] = published.Number(value)
		case "HCOUNT":
			columns[1] = published.Number(value)
		case "VAL":
			columns[3] = published.Number(value)
		default:
			t.lines = append(t.lines, extendedField("atom "+strconv.Itoa(len(t.Atoms)+1), word))
		}
	}
	t.Atoms = append(t.Atoms, a)
	t.symbols = append(t.symbols, words[1])
	t.columns = append(t.columns, columns)
}

// extendedField is a word of an extended line that has no column in the other form.
func extendedField(of, word string) domains.Field {
	name, value, named := strings.Cut(word, "=")
	if !named {
		return domains.Field{Name: of + " value", Value: word}
	}
	return domains.Field{Name: of + " " + strings.ToUpper(name), Value: value}
}

func (t *table) readExtendedBond(words []string, numbers map[string]int) {
	end := func(word string) int {
		if i, has := numbers[word]; has {
			return i
		}
		return -1
	}
	b := published.Bond{A: end(words[2]), B: end(words[3]), Kind: published.KindOf(published.Number(words[1]))}
	var ends []int
	for _, word := range words[4:] {
		name, value, _ := strings.Cut(word, "=")
		switch strings.ToUpper(name) {
		case "CFG":
			b.Wedge = published.ExtendedWedge(value)
			if b.Wedge == 4 && b.Kind == published.DoubleBond {
				b.Wedge = 3
			}
		case "TOPO":
			ends = []int{0, published.Number(value)}
		default:
			t.lines = append(t.lines, extendedField(bondName(&b), word))
		}
	}
	t.Bonds = append(t.Bonds, b)
	t.orders = append(t.orders, published.Number(words[1]))
	t.ends = append(t.ends, ends)
}

// alternated returns the orders of the bonds, where the single and double bonds of aromatic rings are put in that one
// of the equal ways in which the double bonds come first.
func (t *table) alternated() []int {
	orders := slices.Clone(t.orders)
	if !slices.ContainsFunc(t.Bonds, func(b published.Bond) bool { return b.Kind == published.DoubleBond || b.Kind == published.AromaticBond }) {
		return orders
	}
	for k := range t.Bonds {
		b := &t.Bonds[k]
		if b.A < 0 || b.B < 0 || b.A >= len(t.Atoms) || b.B >= len(t.Atoms) || b.A == b.B {
			return orders
		}
	}
	s := published.Structure{Atoms: slices.Clone(t.Atoms), Bonds: slices.Clone(t.Bonds)}
	s.Link()
	if !s.Sanitise() {
		return orders
	}
	var aromatic []int32
	wanting := map[int]bool{}
	for k := range s.Bonds {
		b := &s.Bonds[k]
		if t.Bonds[k].Kind == published.AromaticBond {
			orders[k] = int(b.Kind)
		}
		if !b.Aromatic {
			continue
		}
		aromatic = append(aromatic, int32(k))
		if b.Kind == published.DoubleBond {
			wanting[b.A], wanting[b.B] = true, true
		}
	}
	doubles, ok := s.FirstMatching(aromatic, wanting)
	if !ok {
		return orders
	}
	for _, k := range aromatic {
		orders[k] = 1
	}
	for _, k := range doubles {
		orders[k] = 2
	}
	return orders
}
