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
		made := vfs.Files{}
		var rest []line
		next := 0 // the first line of those that are not handed out yet
		for _, e := range s.extents() {
			if !e.isInstrument() {
				continue
			}
			if !e.closed {
				return nil, fmt.Errorf("%s is not closed", e.name)
			}
			if s.lines[e.first].glued || s.goesOn(e.last) {
				return nil, errShared
			}
			name := cmp.Or(p.Families.of(e.code), p.Others)
			rest = append(rest, s.lines[next:e.first]...)
			if made[name+".orc"] == "" {
				rest = append(rest, line{text: include(name), section: orchestraSection})
			}
			made[name+".orc"] += s.text(&e)
			next = e.last + 1
			table = append(table, []string{strconv.Itoa(numbers[e.first]), strings.TrimPrefix(e.name, "instr "), name})
		}
		if len(table) == 1 {
			return nil, errors.New("no instrument")
		}
		s.lines = append(rest, s.lines[next:]...)
		made[p.Table] = plain.WriteCSV(table)
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
			number, _ := places.TakeNumber(name)
			taken = append(taken, placed{number, strings.TrimSuffix(part.text(&e), "\n")})
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

// text is that of a block, with line ends.
func (s *source) text(e *extent) string {
	of := source{lines: s.lines[e.first : e.last+1]}
	return of.print()
}
