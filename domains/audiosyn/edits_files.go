package audiosyn

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// ftgenTables makes the f statements of a score ftgen statements.
func ftgenTables(p struct {
	Document, To string
	Begins       string // of a table's name; its number follows
	Table        string
}) exact.Steps {
	change := func(s *source, _ []note) (vfs.Files, error) {
		isTable, table, made, err := s.ftgens(p.Begins)
		if err != nil {
			return nil, err
		}
		if len(made) == 0 {
			return nil, errors.New("no f statement")
		}
		if _, err := s.takeOut(func(i int) bool { return isTable[i] }); err != nil {
			return nil, err
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, s.afterSettings(made)
	}
	return rewrite(p.Document, p.To, change, func(s *source, _ []note, files vfs.Files) error {
		places, err := rowsBy(1, files, p.Table, "line", "name")
		if err != nil {
			return err
		}
		var taken []placed
		var scan scanner
		_, err = s.takeOut(func(i int) bool {
			if !s.lines[i].inOrchestra() {
				return false
			}
			code, comments := scan.scan(s.lines[i].text)
			name, call := cutWord(strings.TrimSpace(code))
			opcode, arguments := cutWord(call)
			if opcode != "ftgen" {
				return false
			}
			number, known := places.TakeNumber(name)
			if !known {
				return false
			}
			statement := "f" + strings.Join(append([]string{strings.Join(parts(arguments), " ")}, comments...), " ")
			taken = append(taken, placed{number, statement})
			return true
		})
		s.putIn(taken)
		return err
	})
}

// ftgens are the ftgen statements for the f statements of a score, with the lines of these and
// their table.
func (s *source) ftgens(begins string) (isTable map[int]bool, table [][]string, made []string, err error) {
	numbers := s.numbers()
	isTable = map[int]bool{}
	table = [][]string{{"line", "number", "name"}}
	for l := range s.score() {
		if l.kind != tableLine {
			continue
		}
		if len(l.words) < 5 {
			return nil, nil, nil, fmt.Errorf("a table without a generator: %.60q", s.lines[l.line].text)
		}
		fields := lists.Map(l.words[1:], func(w span) string { return w.of(l.code) })
		name := begins + fields[0]
		isTable[l.line] = true
		table = append(table, []string{strconv.Itoa(numbers[l.line]), fields[0], name})
		made = append(made, strings.Join(append([]string{name + " ftgen " + strings.Join(fields, ", ")}, l.comments...), " "))
	}
	return isTable, table, made, nil
}

// limitVoices moves the notes that begin while enough others sound to a score of their own.
func limitVoices(p struct {
	Document, To, Overflow string
	Voices                 int
	Table                  string
}) exact.Steps {
	change := func(s *source, notes []note) (vfs.Files, error) {
		moves, err := beyondLimit(notes, p.Voices)
		if err != nil {
			return nil, err
		}
		numbers := s.numbers()
		table := [][]string{{"line", "file", "carried"}}
		isMoved := map[int]bool{}
		for k := range notes {
			n := &notes[k]
			file := p.To
			if moves[k] {
				file = p.Overflow
				isMoved[n.line] = true
			}
			table = append(table, []string{strconv.Itoa(numbers[n.line]), file, s.writeOut(n)})
		}
		moved, err := s.takeOut(func(i int) bool { return isMoved[i] })
		heading := fmt.Sprintf("; %d of %d notes", len(moved), len(notes))
		return vfs.Files{
			p.Overflow: plain.Text(append([]string{heading}, moved...)), p.Table: plain.WriteCSV(table),
		}, err
	}
	return rewrite(p.Document, p.To, change, func(s *source, notes []note, files vfs.Files) error {
		text, err := plain.File(files, p.Overflow)
		if err != nil {
			return err
		}
		rows, err := rowsBy(1, files, p.Table, "line", "file", "carried")
		if err != nil {
			return err
		}
		for k := range notes {
			if row := rows.Take(p.To); row != nil {
				s.unwrite(&notes[k], row[2])
			}
		}
		overflow := readFile(p.Overflow, text)
		moved, err := overflow.notes()
		var taken []placed
		for k := range moved {
			row := rows.Take(p.Overflow)
			if row == nil {
				row = []string{"", "", ""}
			}
			text := moved[k].unwritten(overflow.lines[moved[k].line].text, row[2])
			taken = append(taken, placed{plain.LineNumber(row[0]), text})
		}
		s.putIn(taken)
		return err
	})
}

// beyondLimit finds the notes that begin while enough others sound which stay.
func beyondLimit(notes []note, voices int) ([]bool, error) {
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
		all[k] = sounding{k, float(start), float(end)}
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
