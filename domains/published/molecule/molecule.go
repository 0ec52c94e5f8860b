// Package molecule is the published reading and score of the domain molecule.
//
// score = coverage * (0.50 structure + 0.35 property + 0.15 order), rounded to four decimals (details too).
//
//   - Map identifier to index on both sides, the last duplicate wins. Pairs: identifiers of the reference found in the
//     candidate. coverage = pairs / number of reference records (records, not identifiers).
//   - structure, property: means over the pairs, 0 if none.
//   - structure of a pair: 1 if the canonical isomeric SMILES agree (here without regard to the geometry of salts and
//     mixtures), else MCS atoms / max(atoms of both). MCS = largest
//     connected common substructure found by RDKit FindMCS: atoms match by element only (charge, isotope, hydrogens,
//     ring membership, chirality ignored); bonds match by exact type among single, double, triple, aromatic, other; the
//     number of bonds is maximised first, then atoms; five seconds limit (here mostSteps steps). With no common bond one common element gives
//     1 atom, none gives 0. Since molecules with equal SMILES are isomorphic, the shortcut only matters for salts and
//     mixtures: equal ones score 1, while any other pair counts the largest common connected fragment only (sodium
//     acetate against its uncharged form: 4 of 5 atoms).
//   - Aromaticity must be perceived before matching, since it decides bond types. Rule in brief: rings and fused ring
//     systems whose atoms are all sp2-like are tested with 4n+2. Contributions: ring C=C, ring C=N 1 per atom; NH or
//     N-R, O, S, Se, PH 2; carbon with a double bond to O, N or S outside the ring 0; carbon with exocyclic C=C 1; C-
//     2; C+ and B 0. Aromatic: 4-pyridone, 2-pyridone, uracil, tropone, azulene periphery, caffeine's both rings. Not
//     aromatic: benzoquinone, anthraquinone's middle ring, cyclopentadienyl cation, sulfone rings. Kekulé forms must
//     come out equal.
//   - property of a pair: if the reference has none, 1 or 0.5 when the candidate has some. Else 0.4 * |common names| /
//     |reference names| + 0.6 * mean over common names of the value score (0 without common names). Value score on
//     trimmed texts: 1 if equal; if both are Python floats: both zero 1, reference zero 0, relative error below 0.001:
//     1, below 0.01: 0.9, below 0.1: 0.5, else 0; otherwise the difflib ratio over characters (autojunk on, from 200
//     characters). Python floats include 1e3, inf, nan, digits with _ between.
//   - order: difflib ratio over the two lists of identifiers (records without identifier left out); 1 if the reference
//     has none.
//
// The difflib ratio is that of package ratio, with the reference first.
package molecule

import (
	"errors"
	"strconv"
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/vfs"
)

// Library is a document as the published program reads it. It repairs the
// headers of candidates only, so both readings are kept.
type Library struct {
	plain, repaired []Record
}

// Record is a molecule with its properties.
type Record struct {
	Title      string
	structure  *Structure
	Names      []string // of the properties, in order
	properties map[string]string
}

// Delimiter begins the line that ends a record, BlockEnd the one that ends its connection table.
const (
	Delimiter = "$$$$"
	BlockEnd  = "M  END"
)

var errNoRecords = errors.New("no molecule record can be read")

// Parse reads a document as the published evaluator does.
func Parse(files vfs.Files) (*Library, error) {
	files = files.Match(Patterns)
	var plain, repaired strings.Builder
	for _, name := range files.Names() {
		plain.WriteString(delimited(files[name]))
		repaired.WriteString(delimited(withHeaders(files[name])))
	}
	l := &Library{plain: ReadRecords(plain.String())}
	l.repaired = l.plain
	if repaired.String() != plain.String() {
		l.repaired = ReadRecords(repaired.String())
	}
	if len(l.plain) == 0 && len(l.repaired) == 0 {
		return nil, errNoRecords
	}
	return l, nil
}

// delimited ends the last record of a file.
func delimited(text string) string {
	if strings.HasSuffix(pytext.StripRight(text), Delimiter) {
		return text
	}
	return text + "\n" + Delimiter + "\n"
}

// withHeaders gives three header lines to each record that has more or fewer:
// the first that is not blank, and two empty ones.
func withHeaders(text string) string {
	if !HasVersion(text) {
		return text
	}
	var b strings.Builder
	for n, piece := range strings.Split(text, Delimiter) {
		if n > 0 {
			b.WriteString(Delimiter)
		}
		b.WriteString(withHeader(piece, n > 0))
	}
	return b.String()
}

// HasVersion reports whether a text names a version of connection tables, as a counts line does.
func HasVersion(text string) bool {
	return strings.Contains(text, "V2000") || strings.Contains(text, "V3000")
}

func withHeader(piece string, afterDelimiter bool) string {
	start := 0
	if afterDelimiter && strings.HasPrefix(strings.TrimPrefix(piece, "\r"), "\n") {
		start = strings.IndexByte(piece, '\n') + 1
	}
	title, lines, at := "", 0, start
	for line := range strings.Lines(piece[start:]) {
		if HasVersion(line) {
			if lines == HeaderLines {
				return piece
			}
			return piece[:start] + title + "\n\n\n" + piece[at:]
		}
		if title == "" {
			title = pytext.Strip(line)
		}
		lines++
		at += len(line)
	}
	return piece
}

// input hands out lines as a C++ stream does.
type input struct {
	text  string
	ended bool // a line was asked for that no line feed ends
}

func (in *input) line() string {
	at := strings.IndexByte(in.text, '\n')
	if at < 0 {
		line := in.text
		in.text, in.ended = "", true
		return line
	}
	line := in.text[:at]
	in.text = in.text[at+1:]
	return line
}

// blockLine is a line of a mol block, where a carriage return at the end does not count.
func (in *input) blockLine() string { return strings.TrimSuffix(in.line(), "\r") }

// skip goes to the end of the record, by at least one line.
func (in *input) skip() {
	for !IsDelimiter(in.line()) && !in.ended {
	}
}

// IsDelimiter reports whether a line ends a record.
func IsDelimiter(line string) bool { return strings.HasPrefix(line, Delimiter) }

// ReadRecords reads what can be read; records with an error are left out.
func ReadRecords(text string) []Record {
	in := &input{text: text}
	var all []Record
	for !in.ended {
		r := Record{Title: in.blockLine()}
		if in.ended {
			break
		}
		if r.structure = in.block(); r.structure == nil {
			in.skip()
			continue
		}
		in.readProperties(&r)
		all = append(all, r)
	}
	return all
}

// readProperties reads data fields up to the delimiter. It gives up at a line
// that is no part of one, and keeps what it has.
func (in *input) readProperties(r *Record) {
	const blanks = " \t\r\n"
	r.properties = map[string]string{}
	for {
		line := in.line()
		if in.ended || IsDelimiter(line) {
			return
		}
		line = strings.Trim(line, blanks)
		if line == "" {
			continue
		}
		if line[0] != '>' {
			in.skip()
			return
		}
		name, named := DataName(line)
		if !named {
			if strings.Trim(in.line(), blanks) == "" {
				continue
			}
			in.text, in.ended = "", true // the published program loses the rest of the file here
			return
		}
		var value []string
		for {
			line := in.line()
			if line == "" || line[0] != ' ' && line[0] != '\t' && strings.Trim(line, blanks) == "" {
				break
			}
			value = append(value, strings.TrimSuffix(line, "\r"))
		}
		if strings.HasPrefix(name, "_") {
			continue
		}
		if _, known := r.properties[name]; !known {
			r.Names = append(r.Names, name)
		}
		r.properties[name] = strings.Join(value, "\n")
	}
}

// DataName is the name in the header line of a data field.
func DataName(header string) (name string, named bool) {
	header = header[1:]
	from, to := strings.IndexByte(header, '<'), strings.LastIndexByte(header, '>')
	if from < 0 || to <= from+1 {
		return "", false
	}
	return header[from+1 : to], true
}

// Patterns are the patterns of the names of its files.
var Patterns = []string{"*.sdf"}

// colouring gives atoms with unlike surroundings unlike colours: level by level by those of their neighbours.
type colouring [][]uint64

const rounds = 8 // of colouring

// colours colours atoms by what first says, then round after round by their neighbours.
func (s *Structure) colours(first func(*Atom) uint64) colouring {
	c := colouring{make([]uint64, len(s.Atoms))}
	for i := range s.Atoms {
		c[0][i] = mixed(first(&s.Atoms[i]), 0)
	}
	for range rounds {
		was := c[len(c)-1]
		is := make([]uint64, len(was))
		for i := range was {
			sum := uint64(0)
			for _, k := range s.at[i] {
				sum += mixed(was[s.Bonds[k].other(i)], uint64(s.Bonds[k].label())+1)
			}
			is[i] = mixed(was[i], sum)
		}
		c = append(c, is)
	}
	return c
}

// mixed makes one number of two, as the generator SplitMix64 does.
func mixed(a, b uint64) uint64 {
	x := a*0x9e3779b97f4a7c15 + b + 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Extended begins the lines of an extended connection table.
const Extended = "M  V30 "

// extendedLine is a line of an extended connection table, with those that continue it; empty after a fault.
func (r *BlockReader) extendedLine() string {
	var b strings.Builder
	for !r.Wrong {
		part, ok := strings.CutPrefix(r.blockLine(), Extended)
		if !r.require(ok) {
			break
		}
		begun, goesOn := strings.CutSuffix(part, "-")
		b.WriteString(begun)
		if !goesOn {
			return b.String()
		}
	}
	return ""
}

// expect reads a line that begins with these words.
func (r *BlockReader) expect(words string) string {
	line := r.extendedLine()
	r.require(strings.HasPrefix(strings.ToUpper(line), words))
	return line
}

// v3000 reads an extended connection table.
func (r *BlockReader) v3000() {
	r.expect("BEGIN CTAB")
	counts := strings.Fields(r.expect("COUNTS "))
	if !r.require(len(counts) >= 3) {
		return
	}
	numbers := map[string]int{} // of the atoms, by the number that is written
	r.section("ATOM", Number(counts[1]), 6, func(words []string) {
		numbers[words[0]] = len(r.Atoms)
		r.extendedAtom(words)
	})
	r.section("BOND", Number(counts[2]), 4, func(words []string) { r.extendedBond(words, numbers) })
	for depth := 0; !r.Wrong; {
		switch line := strings.ToUpper(r.extendedLine()); {
		case depth == 0 && strings.HasPrefix(line, "END CTAB"):
			r.require(strings.HasPrefix(r.blockLine(), BlockEnd))
			return
		case strings.HasPrefix(line, "BEGIN"):
			depth++
		case strings.HasPrefix(line, "END"):
			depth--
		}
	}
}

// section reads lines of at least so many words, with what encloses them. Where there are no lines there is no section.
func (r *BlockReader) section(name string, lines, least int, read func(words []string)) {
	if lines <= 0 {
		return
	}
	r.expect("BEGIN " + name)
	for n := 0; n < lines && !r.Wrong; n++ {
		words := strings.Fields(r.extendedLine())
		if r.require(len(words) >= least) {
			read(words)
		}
	}
	r.expect("END " + name)
}

func (r *BlockReader) extendedAtom(words []string) {
	a := Atom{mapping: Number(words[5])}
	r.require(a.SetElement(words[1]))
	for axis := range a.Place {
		a.Place[axis] = r.coordinate(words[2+axis])
	}
	for _, word := range words[6:] {
		name, value, ok := strings.Cut(word, "=")
		r.require(ok && a.SetNamed(strings.ToUpper(name), value))
	}
	r.Atoms = append(r.Atoms, a)
}

// SetNamed sets what an extended line says of an atom. It is false where that cannot be.
func (a *Atom) SetNamed(name, text string) bool {
	value, err := strconv.Atoi(text)
	switch name {
	case "CHG":
		a.Charge = value
	case "RAD":
		return a.set("RAD", value)
	case "MASS":
		a.Isotope = value
	case "VAL":
		a.valence = value
		if value < 0 {
			a.valence = noValence
		}
	case "HCOUNT":
		a.noImplicit = value != 0
	default:
		return true
	}
	return err == nil
}

func (r *BlockReader) extendedBond(words []string, numbers map[string]int) {
	from, has := numbers[words[2]]
	to, hasToo := numbers[words[3]]
	if !r.require(has && hasToo) {
		return
	}
	b := Bond{A: from, B: to, Kind: KindOf(Number(words[1]))}
	for _, word := range words[4:] {
		if value, ok := strings.CutPrefix(word, "CFG="); ok {
			b.Wedge = ExtendedWedge(value)
		}
	}
	r.addBond(b)
}

// ExtendedWedge is what a bond line has for a configuration.
func ExtendedWedge(configuration string) int {
	return [...]int{0, 1, 4, 6}[min(max(Number(configuration), 0), 3)]
}
