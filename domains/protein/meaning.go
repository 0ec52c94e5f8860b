package protein

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	published "agentd/domains/published/protein"
	"agentd/vfs"
)

const (
	lineKind   = "line"
	remarkKind = "remark"
	modelKind  = "model"
)

// elements flattens files of any name, as if they were one.
func elements(files vfs.Files) []domains.Element {
	f := &flattener{atom: -1, model: -1}
	for _, name := range files.Names() {
		for _, line := range plain.Lines(files[name]) {
			f.line(line)
		}
	}
	f.closeText()
	f.closeModel()
	return f.all
}

type flattener struct {
	all     []domains.Element
	atoms   int // so far
	remarks int
	models  int
	ends    int
	model   int    // the open model in all, -1 if none is
	atom    int    // the atom in all that a line may say more of, -1 if there is none
	site    string // the columns of its line that say which atom it is
	chain   string // of the last atom
	text    *continued
}

func (f *flattener) add(e domains.Element) { f.all = plain.Append(f.all, e) }

func (f *flattener) foreign(line string) {
	if text := pytext.Collapse(line); text != "" {
		f.add(domains.Element{Kind: lineKind, Key: lineKind, Fields: []domains.Field{{Value: text}}})
	}
}

func (f *flattener) line(line string) {
	if published.IsAtom(line) {
		f.closeText()
		f.addAtom(line)
		return
	}
	record := strings.TrimRight(published.Part(line, 0, 6), " ")
	if isContinued(record) {
		f.addText(record, line)
		return
	}
	f.closeText()
	switch record {
	case "ANISOU", "SIGATM", "SIGUIJ":
		f.addTensor(record, line)
		return
	case "HEADER":
		f.add(layouts[record].element(strings.ToUpper(line)))
	case "REMARK":
		f.addRemark(line)
	case "MODEL":
		f.openModel(line)
	case "ENDMDL":
		if f.model < 0 {
			f.foreign(line)
		}
		f.model = -1
	case "END":
		f.foreign(published.Part(line, 6, published.ToEnd))
	case "SEQRES":
		f.addSequence(line)
	case "TER":
		f.addEnd(line)
	default:
		if l := layouts[record]; l != nil {
			f.add(l.element(line))
		} else {
			f.foreign(line)
			return
		}
	}
	f.atom = -1
}

func (f *flattener) addAtom(line string) {
	a := readAtom(line)
	f.atoms++
	e := domains.Element{Kind: counted, Key: a.key(), Fields: a.fields(), Position: f.atoms}
	if f.models > 1 {
		model := strconv.Itoa(f.models)
		e.Key += " in model " + model
		e.Fields = append(e.Fields, domains.Field{Name: modelKind, Value: model})
	}
	f.atom, f.site, f.chain = len(f.all), published.Part(line, 6, afterInsertion), a.chain
	f.add(e)
}

// tensorNames are the fields of an ANISOU line, which begin at column 29.
var tensorNames = [6]string{"U11", "U22", "U33", "U12", "U13", "U23"}

// addTensor adds a line that says more of an atom to that atom.
func (f *flattener) addTensor(record, line string) {
	if f.atom < 0 || published.Part(line, 6, afterInsertion) != f.site {
		f.foreign(line)
		return
	}
	e := &f.all[f.atom]
	if e.Value(record+" U11") != "" || e.Value(record) != "" {
		f.foreign(line)
		return
	}
	const first, width = 28, 7
	if record == "SIGATM" {
		e.Fields = append(e.Fields, domains.Field{Name: record, Value: pytext.Collapse(published.Part(line, first, 76))})
		return
	}
	for n, name := range tensorNames {
		value := plain.Number(published.Part(line, first+width*n, first+width*(n+1)))
		e.Fields = append(e.Fields, domains.Field{Name: record + " " + name, Value: value})
	}
}

func (f *flattener) addRemark(line string) {
	number, text := pytext.Strip(published.Part(line, 7, 10)), published.Part(line, 10, published.ToEnd)
	if _, ok := published.Integer(number); !ok || published.Part(line, 6, 7) != " " {
		number, text = "", published.Part(line, 6, published.ToEnd)
	}
	if text = pytext.Collapse(text); text == "" {
		return
	}
	f.remarks++
	e := domains.Element{Kind: remarkKind, Key: "REMARK", Position: f.remarks, Fields: []domains.Field{{Name: "text", Value: text}}}
	if number != "" {
		e.Key += " " + number
		e.Fields = append(e.Fields, domains.Field{Name: "number", Value: plain.Number(number)})
	}
	f.add(e)
}

func (f *flattener) openModel(line string) {
	f.closeModel()
	f.models++
	f.model = len(f.all)
	number := pytext.Collapse(published.Part(line, 6, published.ToEnd))
	f.add(domains.Element{
		Kind: modelKind, Key: "model " + number, Position: f.models,
		Fields: []domains.Field{{Name: "number", Value: plain.Number(number)}},
	})
}

func (f *flattener) closeModel() {
	if f.model >= 0 {
		e := &f.all[f.model]
		e.Fields = append(e.Fields, domains.Field{Name: element.EndOfModel, Value: element.Missing})
	}
	f.model = -1
}

// addSequence makes a field of each residue that a line has.
func (f *flattener) addSequence(line string) {
	const first, most = 19, 13
	e := layouts["SEQRES"].element(published.Part(line, 0, first))
	residues := pytext.Fields(published.Part(line, first, published.ToEnd))
	for n, residue := range residues[:min(len(residues), most)] {
		e.Fields = append(e.Fields, domains.Field{Name: fmt.Sprintf("residue %d", n+1), Value: residue})
	}
	if len(residues) > most {
		e.Fields = append(e.Fields, domains.Field{Name: "rest", Value: strings.Join(residues[most:], " ")})
	}
	f.add(e)
}

// addEnd adds the end of a chain and the chain that it stands after.
func (f *flattener) addEnd(line string) {
	f.ends++
	e := layouts["TER"].element(line)
	e.Position = f.ends
	if f.chain != "" {
		e.Fields = append(e.Fields, domains.Field{Name: "after chain", Value: f.chain})
	}
	f.add(e)
}

// without leaves out atom lines, with the lines that say more of an atom.
func without(_, text string, leave func() bool) string {
	var kept []string
	gone := false
	for _, line := range plain.Lines(text) {
		switch {
		case published.IsAtom(line):
			gone = leave()
		case !isTensor(line):
			gone = false
		}
		if !gone {
			kept = append(kept, line)
		}
	}
	return plain.Text(kept)
}

// isTensor recognizes a line that says more of the atom before it.
func isTensor(line string) bool {
	return strings.HasPrefix(line, "ANISOU") || strings.HasPrefix(line, "SIGATM") || strings.HasPrefix(line, "SIGUIJ")
}

// atomLine is an ATOM or HETATM line by the rules of the format.
type atomLine struct {
	record                      string
	serial, name, alternate     string
	residue, chain              string
	number, insertion           string
	x, y, z, occupancy, bFactor string
	segment, element, charge    string
	rest                        string // what stands elsewhere
	misplaced                   bool   // what stands before column 31 is out of its columns
}

// readAtom reads a line that published.IsAtom has recognized.
func readAtom(line string) *atomLine {
	a := &atomLine{misplaced: !inColumns(line)}
	if a.misplaced && len(line) <= published.LongestAtomLine && a.readLoose(line) {
		return a
	}
	*a = atomLine{misplaced: a.misplaced}
	a.readColumns(line)
	return a
}

// readLoose reads a line by its words; false if they are not those of an atom.
func (a *atomLine) readLoose(line string) bool {
	rest := line
	word := func() string {
		found := strings.TrimLeft(rest, blanks)
		found = found[:strings.IndexAny(found+" ", blanks)]
		_, rest, _ = strings.Cut(rest, found)
		return found
	}
	record := word()
	a.record = strings.TrimRight(record, digits)
	if a.serial = record[len(a.record):]; a.serial == "" {
		a.serial = word()
	}
	a.name, a.residue = word(), word()
	site := word()
	if site != "" && strings.Contains(latin, site[:1]) {
		a.chain, site = site[:1], site[1:]
	}
	if site == "" {
		site = word()
	}
	a.number = strings.TrimRight(site, latin)
	a.insertion = site[len(a.number):]
	if strings.Trim(a.serial, digits) != "" || len(a.name) > 4 || len(a.residue) > 4 || len(a.insertion) > 1 {
		return false
	}
	if _, err := strconv.Atoi(a.number); err != nil || !published.HasDecimal(rest) {
		return false
	}
	a.readWords(rest)
	return a.x != ""
}

const (
	blanks = " \t"
	digits = "0123456789"
	latin  = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// The columns of an atom line that are blank.
const (
	afterSerial    = 11
	afterInsertion = 27
)

// inColumns checks that numbers end where they should and that nothing stands between the columns.
func inColumns(line string) bool {
	record, serial, number := published.Part(line, 0, 6), published.Part(line, 6, afterSerial), published.Part(line, 22, 26)
	return (record == "ATOM  " || record == "HETATM") && pytext.Strip(published.Part(line, afterSerial, 12)+published.Part(line, afterInsertion, published.FixedColumns)) == "" &&
		!strings.HasSuffix(serial, " ") && number != "" && published.IsDigit(number[len(number)-1])
}

func (a *atomLine) readColumns(line string) {
	stripped := func(from, to int) string { return pytext.Strip(published.Part(line, from, to)) }
	a.record, a.serial = stripped(0, 6), stripped(6, afterSerial)
	a.name = pytext.StripRight(published.Part(line, 12, 16))
	a.alternate, a.residue, a.chain = stripped(16, 17), stripped(17, 21), stripped(21, 22)
	a.number, a.insertion = stripped(22, 26), stripped(26, afterInsertion)
	tail := line[len(published.Part(line, 0, published.FixedColumns)):]
	if a.misplaced || !a.readTail(tail) {
		a.readWords(tail)
	}
}

// readTail reads what stands after column 30 by its columns; false if it is not in them.
func (a *atomLine) readTail(tail string) bool {
	column := func(from, to int) string {
		return pytext.Strip(published.Part(tail, from-published.FixedColumns, to-published.FixedColumns))
	}
	x, y, z, occupancy, bFactor := column(30, 38), column(38, 46), column(46, 54), column(54, 60), column(60, 66)
	for n, value := range []string{x, y, z, occupancy, bFactor} {
		if start, end := published.FindNumber(value); (start != 0 || end != len(value)) && (n < 3 || value != "") {
			return false
		}
	}
	element := column(76, 78)
	if column(66, 72) != "" || strings.ContainsFunc(element, func(r rune) bool { return r < 'A' || r > 'z' }) {
		return false
	}
	a.x, a.y, a.z, a.occupancy, a.bFactor = x, y, z, occupancy, bFactor
	a.segment, a.element, a.charge = column(72, 76), element, column(78, 80)
	if len(tail) > 80-published.FixedColumns {
		a.rest = pytext.Collapse(published.Part(tail, 80-published.FixedColumns, published.ToEnd))
	}
	return true
}

// readWords reads numbers as they come, then a segment and an element.
func (a *atomLine) readWords(tail string) {
	for _, into := range []*string{&a.x, &a.y, &a.z, &a.occupancy, &a.bFactor} {
		tail = strings.TrimLeft(tail, " \t")
		start, end := published.FindNumber(tail[:min(len(tail), published.LongestAtomLine)])
		if start != 0 {
			break
		}
		*into, tail = tail[:end], tail[end:]
	}
	words := pytext.Fields(tail)
	if len(words) > 0 {
		last := words[len(words)-1]
		a.element = strings.TrimRight(last, "0123456789+-")
		a.charge = last[len(a.element):]
		words = words[:len(words)-1]
	}
	if len(words) == 1 {
		a.segment = words[0]
		words = nil
	}
	a.rest = strings.Join(words, " ")
}

// key is what a person calls the atom.
func (a *atomLine) key() string {
	key := "atom " + pytext.Strip(a.name) + " of"
	for _, text := range []string{a.residue, a.chain, a.number} {
		if text != "" {
			key += " " + text
		}
	}
	key += a.insertion
	if a.alternate != "" {
		key += ", location " + a.alternate
	}
	return key
}

func (a *atomLine) fields() []domains.Field {
	const usual = 13
	fields := make([]domains.Field, 0, usual)
	add := func(name, value string) {
		if value != "" {
			fields = append(fields, domains.Field{Name: name, Value: value})
		}
	}
	add("record", a.record)
	add("serial", plain.Number(a.serial))
	add("name", a.name)
	add("location", a.alternate)
	add("residue", a.residue)
	add("chain", a.chain)
	add("number", plain.Number(a.number))
	add("insertion", a.insertion)
	add("x", plain.Number(a.x))
	add("y", plain.Number(a.y))
	add("z", plain.Number(a.z))
	add("occupancy", plain.Number(a.occupancy))
	add("B factor", plain.Number(a.bFactor))
	add("segment", a.segment)
	add("element", strings.ToUpper(a.element))
	add("charge", a.charge)
	add("other columns", a.rest)
	if a.misplaced {
		add(element.Columns, element.OutOfPlace)
	}
	return fields
}

// counted is the kind of element that atoms are.
const counted = "atom"
