package audiosyn

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// families are kinds of instruments by the opcodes that tell them, in the order in which they
// are tried.
type families []struct {
	Name    string
	Opcodes []string
}

// of is the family of an instrument by its code, empty if it has none.
func (f families) of(code string) string {
	words := strings.FieldsFunc(code, func(r rune) bool { return r < 0x80 && !isWordByte(byte(r)) })
	for _, family := range f {
		if slices.ContainsFunc(family.Opcodes, func(opcode string) bool { return slices.Contains(words, opcode) }) {
			return family.Name
		}
	}
	return ""
}

// splitByOpcode moves the instruments to a file for each family.
func splitByOpcode(p struct {
	Document, To  string
	Families      families
	Others, Table string
}) exact.Steps {
	change := func(s *source, _ []note) (vfs.Files, error) {
		numbers := s.numbers()
		table := [][]string{{"line", "instr", "family"}}
		family := map[int]string{} // of lines
		begins := map[int]bool{}   // an include
		known := map[string]bool{}
		for _, i := range s.extents() {
			if !i.isInstrument() {
				continue
			}
			if !i.closed {
				return nil, fmt.Errorf("%s is not closed", i.name)
			}
			name := cmp.Or(p.Families.of(i.code), p.Others)
			begins[i.first] = !known[name]
			known[name] = true
			for at := i.first; at <= i.last; at++ {
				family[at] = name
			}
			table = append(table, []string{strconv.Itoa(numbers[i.first]), strings.TrimPrefix(i.name, "instr "), name})
		}
		if len(table) == 1 {
			return nil, errors.New("no instrument")
		}
		made := vfs.Files{p.Table: plain.WriteCSV(table)}
		var rest []line
		for i, l := range s.lines {
			name := family[i]
			if name == "" {
				rest = append(rest, l)
				continue
			}
			if l.glued || s.goesOn(i) {
				return nil, errShared
			}
			if begins[i] {
				rest = append(rest, line{text: include(name), section: orchestraSection})
			}
			made[name+".orc"] += l.text + "\n"
		}
		s.lines = rest
		return made, nil
	}
	return rewrite(p.Document, p.To, change, func(s *source, _ []note, files vfs.Files) error {
		table, err := plain.Table(files, p.Table, "line", "family")
		if err != nil {
			return err
		}
		taken, includes, err := readFamilies(files, table)
		if err != nil {
			return err
		}
		if _, err := s.takeOut(func(i int) bool { return includes[strings.TrimSpace(s.lines[i].text)] }); err != nil {
			return err
		}
		s.putIn(taken)
		return nil
	})
}

// readFamilies reads the instruments of all families, and the lines that include these.
func readFamilies(files vfs.Files, table [][]string) (taken []placed, includes map[string]bool, err error) {
	places := plain.NotesBy(table, func(row []string) string { return strings.TrimSpace(row[1]) })
	includes = map[string]bool{}
	for _, row := range table {
		name := strings.TrimSpace(row[1])
		if includes[include(name)] {
			continue
		}
		includes[include(name)] = true
		text, err := plain.File(files, name+".orc")
		if err != nil {
			return nil, nil, err
		}
		part := readFile(name+".orc", text)
		for _, e := range part.extents() {
			number := 0
			if row := places.Take(name); row != nil {
				number = plain.LineNumber(row[0])
			}
			lines := source{lines: part.lines[e.first : e.last+1]}
			taken = append(taken, placed{number, strings.TrimSuffix(lines.print(), "\n")})
		}
	}
	return taken, includes, nil
}

func include(family string) string { return `#include "` + family + `.orc"` }

// extent is a block with its lines in the source, from 0, and its code.
type extent struct {
	block
	first, last int
	code        string
}

// extents are those of the instruments and opcodes.
func (s *source) extents() []extent {
	o := readOrchestra(s.lines)
	all := make([]extent, len(o.blocks))
	for i := range o.statements {
		st := &o.statements[i]
		if st.above {
			continue
		}
		e := &all[st.block]
		if e.last = int(st.last); e.code == "" {
			e.block, e.first = o.blocks[st.block], int(st.first)
		}
		e.code += st.code + "\n"
	}
	return all[1:]
}
