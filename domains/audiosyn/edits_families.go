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

// of is the family of an instrument by the words of its code, empty if it has none.
func (f families) of(words map[string]bool) string {
	for _, family := range f {
		if slices.ContainsFunc(family.Opcodes, func(opcode string) bool { return words[opcode] }) {
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
		for _, i := range s.instrumentBlocks() {
			if !i.closed {
				return nil, fmt.Errorf("%s is not closed", i.name)
			}
			name := cmp.Or(p.Families.of(i.words), p.Others)
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
		for _, lines := range instrumentTexts(name+".orc", text) {
			number := 0
			if row := places.Take(name); row != nil {
				number = plain.LineNumber(row[0])
			}
			taken = append(taken, placed{number, lines})
		}
	}
	return taken, includes, nil
}

func include(family string) string { return `#include "` + family + `.orc"` }

// instrumentBlock is an instrument with its lines in the source, from 0, and the words of its code.
type instrumentBlock struct {
	block
	first, last int
	words       map[string]bool
}

func (s *source) instrumentBlocks() (all []instrumentBlock) {
	o := readOrchestra(s.lines)
	in := map[int]int{} // the instruments by their blocks
	for i := range o.statements {
		st := &o.statements[i]
		b := &o.blocks[st.block]
		if !b.isInstrument() || st.above {
			continue
		}
		n := int(st.block)
		if st.kind == instrHead {
			in[n] = len(all)
			all = append(all, instrumentBlock{block: *b, first: int(st.first), words: map[string]bool{}})
		}
		of := &all[in[n]]
		of.last = int(st.last)
		for _, word := range strings.FieldsFunc(st.code, func(r rune) bool { return r < 0x80 && !isWordByte(byte(r)) }) {
			of.words[word] = true
		}
	}
	return all
}

// instrumentTexts are the instruments of a file, each as its lines.
func instrumentTexts(name, text string) (texts []string) {
	part := readFile(name, text)
	o := readOrchestra(part.lines)
	var lines []string
	for i := range o.statements {
		st := &o.statements[i]
		for k := st.first; k <= st.last && st.block > 0 && !st.above; k++ {
			lines = append(lines, part.lines[k].text)
		}
		if st.kind == blockEnd {
			texts = append(texts, strings.Join(lines, "\n"))
			lines = nil
		}
	}
	return texts
}
