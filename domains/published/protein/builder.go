package protein

import (
	"errors"
	"math"
	"slices"
	"strings"

	"agentd/domains/internal/pytext"
)

const (
	// shortestAtomLine is the length from which a line can hold coordinates.
	shortestAtomLine = 24
	// LongestAtomLine is the length up to which a line is searched for an atom.
	LongestAtomLine = 200
)

// IsAtom recognizes an atom line by its name, not by its columns.
func IsAtom(line string) bool {
	if len(line) < shortestAtomLine || line[0] != 'A' && line[0] != 'H' && line[0] != ' ' && line[0] != '\t' {
		return false
	}
	head := strings.TrimLeft(line[:min(len(line), LongestAtomLine)], " \t")
	after, found := strings.CutPrefix(head, "ATOM")
	if !found {
		after, found = strings.CutPrefix(head, "HETATM")
	}
	if !found || after == "" || after[0] != ' ' && after[0] != '\t' && (after[0] < '0' || after[0] > '9') {
		return false
	}
	const least = 4
	words := 0
	for range strings.FieldsSeq(after) {
		if words++; words == least {
			return HasDecimal(after)
		}
	}
	return false
}

// HasDecimal reports whether a text holds a number with decimals.
func HasDecimal(text string) bool {
	for at := 1; at+1 < len(text); at++ {
		if text[at] == '.' && IsDigit(text[at-1]) && IsDigit(text[at+1]) {
			return true
		}
	}
	return false
}

// IsDigit reports whether a character is an ASCII digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// atom is what the published score keeps of an atom.
type atom struct {
	key     atomKey
	place   [3]float32 // in ångström
	bFactor float64
}

type atomKey struct {
	chain   string
	number  int
	residue string
	name    string
}

var (
	errColumns   = errors.New("an atom line has no residue number or no coordinates in its columns")
	errTensor    = errors.New("a line after an atom has no numbers in its columns")
	errNoAtom    = errors.New("an ANISOU or SIGATM line follows no atom")
	errOccupancy = errors.New("an alternate location has no occupancy")
)

// readAtoms reads the atoms of the first model as Biopython's PDBParser 1.80 does; an error loses all of them.
func readAtoms(lines []string) ([]atom, error) {
	start := slices.IndexFunc(lines, beginsAtoms)
	if start < 0 {
		start = len(lines)
	}
	if err := checkHeader(lines[:start]); err != nil {
		return nil, err
	}
	b := &builder{slots: map[slotKey]*slot{}}
	for _, line := range lines[start:] {
		if ended, err := b.add(line); err != nil {
			return nil, err
		} else if ended {
			break
		}
	}
	return b.result(), nil
}

func beginsAtoms(line string) bool {
	return slices.Contains([]string{"ATOM  ", "HETATM", "MODEL "}, Part(line, 0, 6))
}

// builder builds models line by line.
type builder struct {
	models  []*model
	open    bool // whether a model is
	chain   *chainOf
	id      residueID // of the last residue
	resName string
	residue *residue // which takes atoms; nil if it was refused
	slots   map[slotKey]*slot
}

type slotKey struct {
	of   *residue
	name string
}

type model struct {
	chains map[string]*chainOf
	order  []*chainOf
}

type chainOf struct {
	name     string
	residues map[residueID]*site
	order    []*site
}

// residueID is a number in a chain; hetero is blank, W for water, or H_ with the name of the residue.
type residueID struct {
	hetero    string
	number    int
	insertion string
}

// site is a place in the chain: a residue, or several of unlike names that share it, of which one is selected.
type site struct {
	id       residueID
	variants map[string]*residue // nil if there is only one
	selected *residue
}

type residue struct {
	name  string
	order []*slot
	blank bool // whether any atom has no alternate location
}

// slot is an atom with its alternate locations.
type slot struct {
	disordered bool
	selected   *variant
	gone       bool // into another slot
}

type variant struct {
	atom      atom
	fullName  string
	occupancy float64
	occupied  bool // whether there is an occupancy
}

// add reads a line; ended says that none after it counts.
func (b *builder) add(line string) (ended bool, err error) {
	switch Part(line, 0, 6) {
	case "ATOM  ", "HETATM":
		err = b.addAtom(line)
	case "MODEL ":
		b.newModel()
		b.chain, b.id = nil, residueID{}
	case "ENDMDL":
		b.open, b.chain, b.id = false, nil, residueID{}
	case "END   ", "CONECT":
		return true, nil
	case "ANISOU":
		err = b.tensor(line, 28, 35, 35, 42, 43, 49, 49, 56, 56, 63, 63, 70)
	case "SIGUIJ":
		err = b.tensor(line, 28, 35, 35, 42, 42, 49, 49, 56, 56, 63, 63, 70)
	case "SIGATM":
		err = b.tensor(line, 30, 38, 38, 45, 46, 54, 54, 60, 60, 66)
	}
	return false, err
}

// tensor checks a line of numbers about the atom before it.
func (b *builder) tensor(line string, columns ...int) error {
	for n := 0; n < len(columns); n += 2 {
		if _, ok := pytext.Float(Part(line, columns[n], columns[n+1])); !ok {
			return errTensor
		}
	}
	if len(b.slots) == 0 {
		return errNoAtom
	}
	return nil
}

func (b *builder) newModel() {
	b.models = append(b.models, &model{chains: map[string]*chainOf{}})
	b.open = true
}

func (b *builder) addAtom(line string) error {
	if !b.open {
		b.newModel()
	}
	v := &variant{fullName: Part(line, 12, 16)}
	key := &v.atom.key
	key.name = v.fullName
	if words := pytext.Fields(v.fullName); len(words) == 1 {
		key.name = words[0]
	}
	key.residue, key.chain = pytext.Strip(Part(line, 17, 20)), Part(line, 21, 22)
	numbers := pytext.Fields(Part(line, 22, 26))
	insertion := Part(line, 26, 27)
	if len(numbers) == 0 || insertion == "" {
		return errColumns
	}
	number, ok := Integer(numbers[0])
	if !ok {
		return errColumns
	}
	key.number = number
	for axis := range v.atom.place {
		value, ok := pytext.Float(Part(line, 30+8*axis, 38+8*axis))
		if !ok {
			return errColumns
		}
		v.atom.place[axis] = float32(value)
	}
	v.occupancy, v.occupied = pytext.Float(Part(line, 54, 60))
	v.occupied = v.occupied && !math.IsNaN(v.occupancy)
	v.atom.bFactor, _ = pytext.Float(Part(line, 60, 66))
	b.enter(key, residueID{heteroOf(line, key.residue), number, insertion})
	return b.place(v, Part(line, 16, 17))
}

func heteroOf(line, residue string) string {
	switch {
	case Part(line, 0, 6) != "HETATM":
		return " "
	case residue == "HOH" || residue == "WAT":
		return "W"
	}
	return "H_" + residue
}

// enter goes to the chain and residue of an atom.
func (b *builder) enter(key *atomKey, id residueID) {
	if b.chain == nil || b.chain.name != key.chain {
		m := b.models[len(b.models)-1]
		b.chain = m.chains[key.chain]
		if b.chain == nil {
			b.chain = &chainOf{name: key.chain, residues: map[residueID]*site{}}
			m.chains[key.chain] = b.chain
			m.order = append(m.order, b.chain)
		}
	} else if b.id == id && b.resName == key.residue {
		return
	}
	b.id, b.resName = id, key.residue
	b.residue = b.chain.open(id, key.residue)
}

// open returns the residue that takes atoms: that of the site where it may go
// on, one that belongs to nothing where atoms vanish, nil where they are refused.
func (c *chainOf) open(id residueID, name string) *residue {
	r := &residue{name: name}
	at, known := c.residues[id]
	switch {
	case !known:
		at = &site{id: id, selected: r}
		c.residues[id] = at
		c.order = append(c.order, at)
		return r
	case id.hetero != " ":
		return r
	case at.variants == nil && at.selected.name == name:
		return at.selected
	case at.variants == nil && at.selected.blank:
		return nil
	case at.variants == nil:
		at.variants = map[string]*residue{at.selected.name: at.selected}
	case at.variants[name] != nil:
		at.selected = at.variants[name]
		return r
	}
	at.variants[name] = r
	at.selected = r
	return r
}

// place puts an atom into the residue in hand.
func (b *builder) place(v *variant, alternate string) error {
	r := b.residue
	if r == nil {
		return nil
	}
	key := slotKey{r, v.atom.key.name}
	if s := b.slots[key]; s != nil && s.selected.fullName != v.fullName {
		key.name = v.fullName
		v.atom.key.name = key.name
	}
	s := b.slots[key]
	add := func(s *slot) *slot {
		b.slots[key] = s
		r.order = append(r.order, s)
		return s
	}
	switch {
	case alternate == " ":
		if s == nil {
			add(&slot{selected: v})
			r.blank = true
		}
		return nil
	case !v.occupied || s != nil && !s.selected.occupied:
		return errOccupancy
	case s == nil:
		add(&slot{disordered: true, selected: v})
	case s.disordered:
		s.choose(v)
	default:
		s.gone = true
		add(&slot{disordered: true, selected: v}).choose(s.selected)
	}
	return nil
}

// choose keeps the location of the highest occupancy, the first on ties.
func (s *slot) choose(v *variant) {
	if v.occupancy > s.selected.occupancy {
		s.selected = v
	}
}

// result is the atoms of the first model.
func (b *builder) result() []atom {
	if len(b.models) == 0 {
		return nil
	}
	var atoms []atom
	for _, c := range b.models[0].order {
		for _, at := range c.order {
			for _, s := range at.selected.order {
				if !s.gone {
					atoms = append(atoms, s.selected.atom)
				}
			}
		}
	}
	return atoms
}

// Patterns are the patterns of the names of its files.
var Patterns = []string{"*.pdb"}

var (
	errMonth    = errors.New("a date in the header has a month that is none")
	errMolecule = errors.New("a line of the header belongs to no molecule")
)

var (
	datePattern = pytext.Pattern(`\d{2}-\w{3}-\d{2}`)
	months      = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}
)

// checkHeader finds what Biopython raises for in the lines above the atoms: an unknown month, and a line of COMPND or
// SOURCE for a molecule that was not opened.
func checkHeader(lines []string) error {
	molecules := moleculeLists{current: "1", compound: newMolecules(), source: newMolecules()}
	for _, line := range lines {
		var err error
		switch text := pytext.Strip(Part(line, 10, ToEnd)); pytext.Strip(Part(line, 0, 6)) {
		case "HEADER", "REVDAT":
			err = checkDate(text)
		case "COMPND":
			err = molecules.add(molecules.compound, text)
		case "SOURCE":
			err = molecules.add(molecules.source, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func checkDate(text string) error {
	if date := datePattern.FindString(text); date != "" && !slices.Contains(months, pytext.Lower(strings.Split(date, "-")[1])) {
		return errMonth
	}
	return nil
}

// moleculeLists are the molecules of COMPND and SOURCE. Biopython has one number in force for both.
type moleculeLists struct {
	current          string
	compound, source *molecules
}

// molecules are the keys of each molecule that a record has opened.
type molecules struct {
	keys map[string]map[string]bool
	last string // key, which the next line without one continues
}

const miscellaneous = "misc"

func newMolecules() *molecules {
	m := &molecules{keys: map[string]map[string]bool{}}
	m.open("1")
	return m
}

func (m *molecules) open(number string) {
	m.keys[number] = map[string]bool{miscellaneous: true}
	m.last = miscellaneous
}

func (l *moleculeLists) add(m *molecules, text string) error {
	text = pytext.Lower(strings.TrimSuffix(pytext.StripRight(text), ";"))
	key, value, found := strings.Cut(text, ":")
	value, _, _ = strings.Cut(value, ":")
	switch {
	case found && key == "mol_id":
		l.current = pytext.StripLeft(value)
		m.open(l.current)
	case m.keys[l.current] == nil:
		return errMolecule
	case found:
		m.keys[l.current][key] = true
		m.last = key
	case !m.keys[l.current][m.last]:
		return errMolecule
	}
	return nil
}
