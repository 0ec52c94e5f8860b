package molecule

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	match "agentd/domains/internal/element"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/molecule"
	"agentd/vfs"
)

const (
	lineKind    = "line"
	commentKind = match.RemarkKind
)

// forgives makes equal what Strict does not tell apart: files of a divided document may follow one another in any
// order, atoms may have other numbers, and comments may be added.
func forgives(reference, candidate []domains.Element) (ref, got []domains.Element) {
	return match.Harmless{}.Forgive(renumbered(match.AlignFiles(reference, candidate, counted)))
}

// elements flattens files of any name. Records have an order in their file, unless each stands in a file of its own.
func elements(files vfs.Files) []domains.Element {
	var all []domains.Element
	number, ordered := 0, false
	for file, name := range files.Names() {
		inFile := 0
		for _, e := range readFile(files[name]) {
			where := "line outside records"
			if e.isRecord() {
				number++
				inFile++
				record := e.element(number)
				record.Position = match.InFile(file, inFile)
				where = "line in " + record.Key
				all = plain.Append(all, record)
				if said := e.comment(); said != "" {
					all = plain.Append(all, domains.Element{
						Kind: commentKind, Key: "comment of " + record.Key, Fields: []domains.Field{{Value: said}}, Weightless: true,
					})
				}
			}
			for _, line := range e.stray {
				if text := plain.SingleBlanks(line); text != "" {
					all = plain.Append(all, domains.Element{
						Kind: lineKind, Key: where, Fields: []domains.Field{{Value: text}},
					})
				}
			}
		}
		ordered = ordered || inFile > 1
	}
	if !ordered {
		for i := range all {
			all[i].Position = 0
		}
	}
	return all
}

func (e *entry) element(number int) domains.Element {
	f := &fields{}
	title := e.title()
	f.add("title", title)
	e.table().fields(f)
	for i := range e.data {
		e.data[i].fields(f)
	}
	if !published.HasVersion(e.counts) {
		f.add(match.Version, match.Missing)
	}
	if e.unended {
		f.add(match.EndOfBlock, match.Missing)
	}
	if e.unparted {
		f.add("end of the record", "unclear")
	}
	key := title
	for _, name := range published.IdentifierNames {
		if value, has := e.value(name); key == "" && has {
			key = strings.TrimSpace(value)
		}
	}
	if key == "" {
		key = strconv.Itoa(number)
	}
	return domains.Element{Kind: counted, Key: "molecule " + key, Fields: f.list}
}

// fields are the fields of a record.
type fields struct{ list []domains.Field }

func (f *fields) add(name, value string) {
	f.list = append(f.list, domains.Field{Name: name, Value: value})
}

// addNumber adds a number that is not 0.
func (f *fields) addNumber(name string, n int) {
	if n != 0 {
		f.add(name, strconv.Itoa(n))
	}
}

// columnNames are the columns of an atom line after the charge.
var columnNames = [...]string{
	"parity", "hydrogens", "stereo care", "valence", "H0", "role", "part", "mapping", "inversion", "exact change",
}

const mappingAt = 7 // in columnNames

func (t *table) fields(f *fields) {
	if t.miscounts != "" {
		f.add("counts line", t.miscounts)
	}
	f.addNumber("chiral flag", t.chiral)
	for i := range t.Atoms {
		t.atomFields(f, i)
	}
	orders := t.alternated()
	for k := range t.Bonds {
		t.bondFields(f, k, orders[k])
	}
	f.list = append(f.list, t.lines...)
}

func (t *table) atomFields(f *fields, i int) {
	a := &t.Atoms[i]
	name := "atom " + strconv.Itoa(i+1)
	symbol := t.symbols[i]
	if a.Element > 0 {
		symbol = published.ElementsByNumber[a.Element].Symbol
	}
	f.add(name, symbol)
	if a.Charge != 0 {
		f.add(name+" charge", fmt.Sprintf("%+d", a.Charge))
	}
	f.addNumber(name+" isotope", a.Isotope)
	f.addNumber(name+" radical", a.Radicals)
	for n, value := range t.columns[i] {
		if n < len(columnNames) {
			f.addNumber(name+" "+columnNames[n], value)
		}
	}
	if t.shifted[i] {
		f.add(name+" "+match.Columns, match.OutOfPlace)
	}
	if i > 0 {
		f.add(name+" place", t.step(i))
	}
}

// step is the way to an atom from the one before it, since a drawing may stand anywhere on its sheet.
func (t *table) step(i int) string {
	var parts [3]string
	for axis := range parts {
		parts[axis] = strconv.FormatFloat(t.Atoms[i].Place[axis]-t.Atoms[i-1].Place[axis], 'f', 4, 64)
		if parts[axis] == "-0.0000" {
			parts[axis] = "0.0000"
		}
	}
	return strings.Join(parts[:], " ")
}

func (t *table) bondFields(f *fields, k, order int) {
	b := &t.Bonds[k]
	name := bondName(b)
	f.add(name, strconv.Itoa(order))
	switch b.Wedge {
	case 0:
	case 3:
		f.add(name+" stereo", "cis or trans")
	default:
		wedge := map[int]string{1: "up", 4: "either", 6: "down"}[b.Wedge]
		if wedge == "" {
			wedge = strconv.Itoa(b.Wedge)
		}
		f.add(name+" stereo", wedge+" from "+strconv.Itoa(b.A+1))
	}
	for n, value := range t.ends[k] {
		f.addNumber(name+" column "+strconv.Itoa(n+5), value)
	}
	if t.shifted[len(t.Atoms)+k] {
		f.add(name+" "+match.Columns, match.OutOfPlace)
	}
}

func bondName(b *published.Bond) string {
	return fmt.Sprintf("bond %d-%d", min(b.A, b.B)+1, max(b.A, b.B)+1)
}

// fields adds a data field, each line for itself, and what else its header says.
func (d *datum) fields(f *fields) {
	name := d.name()
	if note := d.note(); note != "" {
		f.add("header of "+name, note)
	}
	switch {
	case name == "":
		name = "data without a name"
	case isDrawn(domains.Field{Name: name}):
		name = "data field " + name
	}
	if len(d.lines) == 0 {
		f.add(name, "")
	}
	for n, line := range d.lines {
		at := name
		if n > 0 {
			at += ", line " + strconv.Itoa(n+1)
		}
		f.add(at, plainNumber(strings.TrimSpace(line)))
	}
}

// note is what the header of a data field says in addition to the name.
func (d *datum) note() string {
	header := strings.TrimPrefix(d.header, ">")
	if name := d.name(); name != "" {
		header = strings.Replace(header, "<"+name+">", " ", 1)
	}
	return plain.SingleBlanks(header)
}

// plainNumber writes numbers of equal value alike, save those with a sign of plus or with zeros in front: they are codes,
// such as a number in a catalogue.
func plainNumber(s string) string {
	digits := strings.TrimPrefix(s, "-")
	if strings.HasPrefix(digits, "+") || len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
		return s
	}
	return plain.Number(s)
}

// without leaves out records. It copies the rest, lines above a record that are none of its own included.
func without(_, text string, leave func() bool) string {
	var b strings.Builder
	kept := 0 // what is copied or left out of the text
	for _, e := range readFile(text) {
		if e.isRecord() && leave() {
			b.WriteString(text[kept:e.from])
			kept = e.to
		}
	}
	b.WriteString(text[kept:])
	return b.String()
}

// renumbered gives the records of a candidate the atoms and bonds of the reference's where they differ in nothing but
// the numbers of the atoms: which line an atom stands on means nothing, if the bonds lead to the same ones.
func renumbered(reference, candidate []domains.Element) (ref, got []domains.Element) {
	records := map[string]*domains.Element{}
	for i := range reference {
		if e := &reference[i]; e.Kind == counted {
			records[e.Key] = e
		}
	}
	got = candidate
	for i := range candidate {
		was := records[candidate[i].Key]
		if was == nil || candidate[i].Kind != counted || slices.Equal(was.Fields, candidate[i].Fields) {
			continue
		}
		if sameDrawing(was.Fields, candidate[i].Fields) {
			if &got[0] == &candidate[0] {
				got = slices.Clone(candidate)
			}
			others := slices.DeleteFunc(slices.Clone(candidate[i].Fields), isDrawn)
			drawn := slices.DeleteFunc(slices.Clone(was.Fields), func(f domains.Field) bool { return !isDrawn(f) })
			got[i].Fields = append(others, drawn...)
		}
	}
	return reference, got
}

// isDrawn reports whether a field is of an atom or a bond. The names of data fields are made such that theirs are not.
func isDrawn(f domains.Field) bool {
	return strings.HasPrefix(f.Name, "atom ") || strings.HasPrefix(f.Name, "bond ")
}

// drawn is a connection table by its fields, the atoms called by symbol and place.
type drawn struct {
	facts []string       // what is said of atoms and bonds, save orders of 1 and 2
	bonds map[string]int // those orders, by the ends
	sums  map[string]int // by the atom
}

// sameDrawing reports whether two tables have the same atoms in the same places with the same
// bonds. Double bonds of a ring may stand the other way round, as long as each atom has as many.
func sameDrawing(a, b []domains.Field) bool {
	was, ok := readDrawn(a)
	if !ok {
		return false
	}
	is, ok := readDrawn(b)
	if !ok || len(was.bonds) != len(is.bonds) || !slices.Equal(was.facts, is.facts) {
		return false
	}
	for ends := range was.bonds {
		if is.bonds[ends] == 0 {
			return false
		}
	}
	return maps.Equal(was.sums, is.sums)
}

// readDrawn is false for a table of which two atoms are in one place, or that cannot be read.
func readDrawn(fields []domains.Field) (*drawn, bool) {
	names, ok := atomNames(fields)
	if !ok {
		return nil, false
	}
	d := &drawn{bonds: map[string]int{}, sums: map[string]int{}}
	for _, f := range fields {
		kind, rest, _ := strings.Cut(f.Name, " ")
		number, what, _ := strings.Cut(rest, " ")
		switch {
		case !isDrawn(f) || what == "place":
		case kind == "atom":
			d.facts = append(d.facts, names[number]+" "+what+": "+f.Value)
		default:
			first, second, _ := strings.Cut(number, "-")
			ends := []string{names[first], names[second]}
			order, err := strconv.Atoi(f.Value)
			if what == "" && err == nil && order <= 2 && ends[0] != "" && ends[1] != "" {
				d.sums[ends[0]] += order
				d.sums[ends[1]] += order
				slices.Sort(ends)
				d.bonds[strings.Join(ends, " to ")] += order
				continue
			}
			value := f.Value
			if text, from, ok := strings.Cut(value, " from "); ok {
				value = text + " from " + names[from]
			}
			slices.Sort(ends)
			d.facts = append(d.facts, strings.Join(ends, " to ")+" "+what+": "+value)
		}
	}
	slices.Sort(d.facts)
	return d, true
}

// atomNames calls each atom by its place from the left lower corner of the drawing.
func atomNames(fields []domains.Field) (names map[string]string, ok bool) {
	var numbers []string
	var places [][3]int64
	for _, f := range fields {
		rest, isAtom := strings.CutPrefix(f.Name, "atom ")
		number, what, _ := strings.Cut(rest, " ")
		switch {
		case !isAtom:
		case what == "":
			at := [3]int64{}
			if len(places) > 0 {
				at = places[len(places)-1]
			}
			numbers, places = append(numbers, number), append(places, at)
		case what == "place":
			for axis, step := range strings.Fields(f.Value) {
				length, err := strconv.ParseFloat(step, 64)
				if err != nil || axis > 2 || len(places) == 0 {
					return nil, false
				}
				places[len(places)-1][axis] += int64(math.Round(length * 1e4))
			}
		}
	}
	corner := [3]int64{math.MaxInt64, math.MaxInt64, math.MaxInt64}
	for _, at := range places {
		for axis := range at {
			corner[axis] = min(corner[axis], at[axis])
		}
	}
	names, taken := map[string]string{}, map[string]bool{}
	for n, at := range places {
		name := fmt.Sprintf("(%d %d %d)", at[0]-corner[0], at[1]-corner[1], at[2]-corner[2])
		if taken[name] {
			return nil, false
		}
		names[numbers[n]], taken[name] = name, true
	}
	return names, len(names) > 0
}

// counted is the kind of element that molecules are.
const counted = "molecule"

// records checks that each record has its head, its end and its delimiter. A molecule alone, without data, needs no delimiter: it is a mol file.
func records(_, text string) []domains.Slip {
	var all []domains.Slip
	n, begun, table, ended := 0, 0, false, false
	records, after := 0, false // after says that something follows M  END
	slip := func(what string) { all = append(all, domains.Slip{Line: max(begun, 1), What: what}) }
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimRight(line, " \t\n")
		if begun == 0 {
			begun, table, ended, after = n, false, false, false
		}
		switch {
		case line == "$$$$":
			if !table {
				slip("a record has no line of counts")
			} else if !ended {
				slip("M  END is missing in a record")
			}
			begun = 0
			records++
		case n == begun+3 && (strings.HasSuffix(line, "V2000") || strings.HasSuffix(line, "V3000")):
			table = true
		case strings.HasSuffix(line, "V2000") || strings.HasSuffix(line, "V3000"):
			slip("the line of counts is not the fourth of its record")
			table = true
		case line == published.BlockEnd:
			ended = true
		default:
			after = after || ended && line != ""
		}
	}
	switch single := records == 0 && table && !after; {
	case begun == 0 || n == begun:
	case single && !ended:
		slip("M  END is missing in a record")
	case !single:
		slip("the last record is not ended by $$$$")
	}
	return all
}
