package protein

import (
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
)

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

const (
	// shortestAtomLine is the length from which a line can hold coordinates.
	shortestAtomLine = 24
	// longestAtomLine is the length up to which a line is searched for an atom.
	longestAtomLine = 200
)

// isAtom recognizes an atom line by its name, not by its columns.
func isAtom(line string) bool {
	if len(line) < shortestAtomLine || line[0] != 'A' && line[0] != 'H' && line[0] != ' ' && line[0] != '\t' {
		return false
	}
	head := strings.TrimLeft(line[:min(len(line), longestAtomLine)], " \t")
	after, found := strings.CutPrefix(head, "ATOM")
	if !found {
		after, found = strings.CutPrefix(head, "HETATM")
	}
	if !found || after == "" || after[0] != ' ' && after[0] != '\t' && (after[0] < '0' || after[0] > '9') {
		return false
	}
	return hasDecimal(after) && hasWords(after, 4)
}

// hasWords reports whether a text has at least that many words.
func hasWords(text string, least int) bool {
	wasBlank := true
	for at := 0; at < len(text) && least > 0; at++ {
		isBlank := text[at] <= ' '
		if wasBlank && !isBlank {
			least--
		}
		wasBlank = isBlank
	}
	return least == 0
}

// hasDecimal reports whether a text holds a number with decimals.
func hasDecimal(text string) bool {
	for at := 1; at+1 < len(text); at++ {
		if text[at] == '.' && isDigit(text[at-1]) && isDigit(text[at+1]) {
			return true
		}
	}
	return false
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// readAtom reads a line that isAtom has recognized.
func readAtom(line string) *atomLine {
	a := &atomLine{misplaced: !inColumns(line)}
	if a.misplaced && len(line) <= longestAtomLine && a.readLoose(line) {
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
	if _, err := strconv.Atoi(a.number); err != nil || !hasDecimal(rest) {
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
	record, serial, number := part(line, 0, 6), part(line, 6, afterSerial), part(line, 22, 26)
	return (record == "ATOM  " || record == "HETATM") && pytext.Strip(part(line, afterSerial, 12)+part(line, afterInsertion, fixedColumns)) == "" &&
		!strings.HasSuffix(serial, " ") && number != "" && isDigit(number[len(number)-1])
}

func (a *atomLine) readColumns(line string) {
	stripped := func(from, to int) string { return pytext.Strip(part(line, from, to)) }
	a.record, a.serial = stripped(0, 6), stripped(6, afterSerial)
	a.name = pytext.StripRight(part(line, 12, 16))
	a.alternate, a.residue, a.chain = stripped(16, 17), stripped(17, 21), stripped(21, 22)
	a.number, a.insertion = stripped(22, 26), stripped(26, afterInsertion)
	tail := line[len(part(line, 0, fixedColumns)):]
	if a.misplaced || !a.readTail(tail) {
		a.readWords(tail)
	}
}

// readTail reads what stands after column 30 by its columns; false if it is not in them.
func (a *atomLine) readTail(tail string) bool {
	column := func(from, to int) string { return pytext.Strip(part(tail, from-fixedColumns, to-fixedColumns)) }
	x, y, z, occupancy, bFactor := column(30, 38), column(38, 46), column(46, 54), column(54, 60), column(60, 66)
	for n, value := range []string{x, y, z, occupancy, bFactor} {
		if start, end := findNumber(value); (start != 0 || end != len(value)) && (n < 3 || value != "") {
			return false
		}
	}
	element := column(76, 78)
	if column(66, 72) != "" || strings.ContainsFunc(element, func(r rune) bool { return r < 'A' || r > 'z' }) {
		return false
	}
	a.x, a.y, a.z, a.occupancy, a.bFactor = x, y, z, occupancy, bFactor
	a.segment, a.element, a.charge = column(72, 76), element, column(78, 80)
	if len(tail) > 80-fixedColumns {
		a.rest = pytext.Collapse(part(tail, 80-fixedColumns, toEnd))
	}
	return true
}

// readWords reads numbers as they come, then a segment and an element.
func (a *atomLine) readWords(tail string) {
	for _, into := range []*string{&a.x, &a.y, &a.z, &a.occupancy, &a.bFactor} {
		tail = strings.TrimLeft(tail, " \t")
		start, end := findNumber(tail[:min(len(tail), longestAtomLine)])
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
		add("columns", "out of place")
	}
	return fields
}
