package audiosyn

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	ftgenFile  = "ftgen.csd"
	tablesFile = "tables.csv"
)

var errNoTable = errors.New("no f statement")

// tablesToOrchestra makes the f statements of a score ftgen statements.
func tablesToOrchestra(files vfs.Files) (vfs.Files, error) {
	s, _, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	numbers := s.numbers()
	isTable := map[int]bool{}
	table := [][]string{{"line", "number", "name"}}
	var made []string
	var scan scanner
	for i := range s.lines {
		l := &s.lines[i]
		if l.section != scoreSection || l.tag {
			continue
		}
		code, comments := scan.scan(l.text)
		words := scoreWords(code)
		if scoreKind(code, words) != tableLine {
			continue
		}
		if len(words) < 5 {
			return nil, fmt.Errorf("a table without a generator: %.60q", l.text)
		}
		var fields []string
		for _, w := range words[1:] {
			fields = append(fields, w.of(code))
		}
		name := "gi_f" + fields[0]
		isTable[i] = true
		table = append(table, []string{decimalText(numbers[i]), fields[0], name})
		statement := name + " ftgen " + strings.Join(fields, ", ")
		made = append(made, strings.Join(append([]string{statement}, comments...), " "))
	}
	if len(made) == 0 {
		return nil, errNoTable
	}
	_, rest, err := s.takeOut(func(i int) bool { return isTable[i] })
	if err != nil {
		return nil, err
	}
	if err := rest.afterSettings(made); err != nil {
		return nil, err
	}
	return vfs.Files{ftgenFile: rest.print(), tablesFile: plain.WriteCSV(table)}, nil
}

func tablesToScore(files vfs.Files) (vfs.Files, error) {
	s, _, err := readNamed(files, ftgenFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, tablesFile, "line", "name")
	if err != nil {
		return nil, err
	}
	places := plain.NotesBy(table, func(row []string) string { return strings.TrimSpace(row[1]) })
	var taken []placed
	var scan scanner
	_, rest, err := s.takeOut(func(i int) bool {
		if s.lines[i].section != orchestraSection || s.lines[i].tag {
			return false
		}
		code, comments := scan.scan(s.lines[i].text)
		name, call := cutWord(strings.TrimSpace(code))
		opcode, arguments := cutWord(call)
		if opcode != "ftgen" {
			return false
		}
		row := places.Take(name)
		if row == nil {
			return false
		}
		statement := "f" + strings.Join(append([]string{strings.Join(parts(arguments), " ")}, comments...), " ")
		taken = append(taken, placed{plain.LineNumber(row[0]), statement})
		return true
	})
	if err != nil {
		return nil, err
	}
	return rest.putIn(taken), nil
}

const (
	mainFile    = "main.csd"
	familyTable = "instruments.csv"
)

// families are kinds of instruments by the opcodes that tell them, in the order in
// which they are tried.
var families = []struct {
	name    string
	opcodes []string
}{
	{"effects", []string{"delayr", "reverbsc", "freeverb", "reverb", "vdelay3", "comb"}},
	{"plucked", []string{"pluck", "wgpluck2", "repluck"}},
	{"noise", []string{"noise", "rand", "pinker", "randh", "randi"}},
	{"tones", []string{"oscili", "oscil", "poscil", "foscili", "vco2", "buzz", "gbuzz"}},
}

const otherFamily = "others"

// familyOf is the family of an instrument by the words of its code.
func familyOf(words map[string]bool) string {
	for _, f := range families {
		if slices.ContainsFunc(f.opcodes, func(opcode string) bool { return words[opcode] }) {
			return f.name
		}
	}
	return otherFamily
}

// splitFamilies moves the instruments to a file for each family.
func splitFamilies(files vfs.Files) (vfs.Files, error) {
	s, _, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	o := readOrchestra(s.lines)
	words := make([]map[string]bool, len(o.blocks))
	bounds := make([][2]int, len(o.blocks)) // the first line and the last
	for i := range o.statements {
		st := &o.statements[i]
		n := st.block
		if !o.blocks[n].isInstrument() || st.above {
			continue
		}
		if st.kind == instrHead {
			words[n] = map[string]bool{}
			bounds[n][0] = int(st.first)
		}
		bounds[n][1] = int(st.last)
		for _, word := range strings.FieldsFunc(st.code, func(r rune) bool { return r < 0x80 && !isWordByte(byte(r)) }) {
			words[n][word] = true
		}
	}
	numbers := s.numbers()
	table := [][]string{{"line", "instr", "family"}}
	family := map[int]string{} // of lines
	begins := map[int]bool{}   // an include
	known := map[string]bool{}
	for n := range o.blocks {
		if words[n] == nil {
			continue
		}
		if !o.blocks[n].closed {
			return nil, fmt.Errorf("%s is not closed", o.blocks[n].name)
		}
		name := familyOf(words[n])
		begins[bounds[n][0]] = !known[name]
		known[name] = true
		for i := bounds[n][0]; i <= bounds[n][1]; i++ {
			family[i] = name
		}
		table = append(table, []string{
			decimalText(numbers[bounds[n][0]]), strings.TrimPrefix(o.blocks[n].name, "instr "), name,
		})
	}
	if len(table) == 1 {
		return nil, errors.New("no instrument")
	}
	of := map[string][]string{}
	rest := source{}
	for i, l := range s.lines {
		name := family[i]
		if name == "" {
			rest.lines = append(rest.lines, l)
			continue
		}
		if l.glued || i+1 < len(s.lines) && s.lines[i+1].glued {
			return nil, errShared
		}
		if begins[i] {
			rest.lines = append(rest.lines, line{text: `#include "` + name + `.orc"`, section: orchestraSection})
		}
		of[name] = append(of[name], l.text)
	}
	all := vfs.Files{mainFile: rest.print(), familyTable: plain.WriteCSV(table)}
	for name, lines := range of {
		all[name+".orc"] = plain.Text(lines)
	}
	return all, nil
}

func mergeFamilies(files vfs.Files) (vfs.Files, error) {
	s, _, err := readNamed(files, mainFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, familyTable, "line", "family")
	if err != nil {
		return nil, err
	}
	places := plain.NotesBy(table, func(row []string) string { return strings.TrimSpace(row[1]) })
	includes := map[string]bool{}
	var taken []placed
	for _, row := range table {
		name := strings.TrimSpace(row[1])
		include := `#include "` + name + `.orc"`
		if includes[include] {
			continue
		}
		includes[include] = true
		text, err := plain.File(files, name+".orc")
		if err != nil {
			return nil, err
		}
		part := readFile(name+".orc", text)
		o := readOrchestra(part.lines)
		var lines []string
		for i := range o.statements {
			st := &o.statements[i]
			for k := st.first; k <= st.last && st.block > 0 && !st.above; k++ {
				lines = append(lines, part.lines[k].text)
			}
			if st.kind == blockEnd {
				number := 0
				if row := places.Take(name); row != nil {
					number = plain.LineNumber(row[0])
				}
				taken = append(taken, placed{number, strings.Join(lines, "\n")})
				lines = nil
			}
		}
	}
	_, rest, err := s.takeOut(func(i int) bool { return includes[strings.TrimSpace(s.lines[i].text)] })
	if err != nil {
		return nil, err
	}
	return rest.putIn(taken), nil
}

const (
	eightVoices  = "eight_voices.csd"
	overflowFile = "overflow.sco"
	voicesFile   = "voices.csv"
)

// voices is how many notes may sound at a time.
const voices = 8

// limitVoices moves the notes beyond the limit to a score of their own.
func limitVoices(files vfs.Files) (vfs.Files, error) {
	s, notes, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	moves, err := beyondLimit(notes)
	if err != nil {
		return nil, err
	}
	numbers := s.numbers()
	table := [][]string{{"line", "file", "carried"}}
	isMoved := map[int]bool{}
	for k := range notes {
		n := &notes[k]
		file := eightVoices
		if moves[k] {
			file = overflowFile
			isMoved[n.line] = true
		}
		table = append(table, []string{decimalText(numbers[n.line]), file, s.writeOut(n)})
	}
	moved, rest, err := s.takeOut(func(i int) bool { return isMoved[i] })
	if err != nil {
		return nil, err
	}
	heading := fmt.Sprintf("; %d of %d notes", len(moved), len(notes))
	return vfs.Files{
		eightVoices: rest.print(), overflowFile: plain.Text(append([]string{heading}, moved...)),
		voicesFile: plain.WriteCSV(table),
	}, nil
}

// beyondLimit finds the notes that begin while enough others sound which stay.
func beyondLimit(notes []note) ([]bool, error) {
	type sounding struct {
		k          int
		start, end float64
	}
	all := make([]sounding, len(notes))
	for k := range notes {
		start, end, err := notes[k].interval()
		if err != nil {
			return nil, err
		}
		all[k] = sounding{k, start.float(), end.float()}
	}
	slices.SortStableFunc(all, func(a, b sounding) int {
		return cmp.Or(cmp.Compare(notes[a.k].section, notes[b.k].section), cmp.Compare(a.start, b.start))
	})
	moves := make([]bool, len(notes))
	var stay []float64 // the ends of those that sound
	section := 0
	for _, n := range all {
		if notes[n.k].section != section {
			section, stay = notes[n.k].section, nil
		}
		stay = slices.DeleteFunc(stay, func(end float64) bool { return end <= n.start })
		if len(stay) >= voices {
			moves[n.k] = true
			continue
		}
		stay = append(stay, n.end)
	}
	return moves, nil
}

func mergeVoices(files vfs.Files) (vfs.Files, error) {
	s, _, err := readNamed(files, eightVoices)
	if err != nil {
		return nil, err
	}
	text, err := plain.File(files, overflowFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, voicesFile, "line", "file", "carried")
	if err != nil {
		return nil, err
	}
	overflow := readFile(overflowFile, text)
	rows := plain.NotesBy(table, func(row []string) string { return strings.TrimSpace(row[1]) })
	if err := s.takeSigns(rows); err != nil {
		return nil, err
	}
	moved, err := overflow.notes()
	if err != nil {
		return nil, err
	}
	var taken []placed
	for k := range moved {
		row := rows.Take(overflowFile)
		if row == nil {
			row = []string{"", "", ""}
		}
		text := overflow.lines[moved[k].line].text
		taken = append(taken, placed{plain.LineNumber(row[0]), unwritten(text, row[2])})
	}
	return s.putIn(taken), nil
}

// takeSigns gives the notes that stayed the signs of what they carried.
func (s *source) takeSigns(rows plain.Notes) error {
	notes, err := s.notes()
	if err != nil {
		return err
	}
	for k := range notes {
		if row := rows.Take(eightVoices); row != nil {
			s.lines[notes[k].line].text = unwritten(s.lines[notes[k].line].text, row[2])
		}
	}
	return nil
}
