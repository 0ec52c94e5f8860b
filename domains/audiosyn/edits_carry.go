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

// carriedFields are the p-fields of a note that are written as a dot or plus.
func (n *note) carriedFields() []int {
	var all []int
	for p := 2; p < len(n.words); p++ {
		word := n.field(p)
		if (word == "." || word[0] == '+' || word[0] == '^') && n.value(p) != normal(word) {
			all = append(all, p)
		}
	}
	return all
}

// expandCarry writes out the p-fields that notes carry by a sign.
func expandCarry(p struct{ Document, To, Table string }) exact.Steps {
	change := func(s *source, notes []note) (vfs.Files, error) {
		table := [][]string{{"event", "p", "sign", "value"}}
		for k := range notes {
			n := &notes[k]
			var changes []splice
			for _, field := range n.carriedFields() {
				changes = append(changes, splice{n.words[field], n.value(field)})
				table = append(table, []string{strconv.Itoa(k + 1), strconv.Itoa(field), n.field(field), n.value(field)})
			}
			s.change(n, changes)
		}
		if len(table) == 1 {
			return nil, errors.New("no p-field is carried")
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return rewrite(p.Document, p.To, change, func(s *source, notes []note, files vfs.Files) error {
		signs, err := rowsBy(0, files, p.Table, "event", "p", "sign")
		for k := range notes {
			carried := ""
			for _, row := range signs[strconv.Itoa(k+1)] {
				carried += " " + strings.TrimSpace(row[1]) + row[2]
			}
			s.unwrite(&notes[k], carried)
		}
		return err
	})
}

// writeOut writes out all that a note carries, and says what that was: the numbers
// of p-fields with their signs, a minus for what was not written at all.
func (s *source) writeOut(n *note) (carried string) {
	var signs []string
	var changes []splice
	for _, p := range n.carriedFields() {
		changes = append(changes, splice{n.words[p], n.value(p)})
		signs = append(signs, strconv.Itoa(p)+n.field(p))
	}
	end := n.words[len(n.words)-1].end
	implied := ""
	for p := len(n.words); p <= len(n.values); p++ {
		implied += " " + n.value(p)
		signs = append(signs, strconv.Itoa(p)+"-")
	}
	if implied != "" {
		changes = append(changes, splice{span{end, end}, implied})
	}
	s.change(n, changes)
	return strings.Join(signs, " ")
}

// unwrite puts the signs back that writeOut replaced.
func (s *source) unwrite(n *note, carried string) {
	s.lines[n.line].text = n.unwritten(s.lines[n.line].text, carried)
}

// unwritten is the line of a note with the signs back that writeOut replaced.
func (n *note) unwritten(text, carried string) string {
	var changes []splice
	for _, sign := range strings.Fields(carried) {
		word := strings.TrimLeft(sign, "0123456789")
		p := plain.LineNumber(sign[:len(sign)-len(word)])
		switch {
		case p < 2 || p >= len(n.words):
		case word == "-":
			changes = append(changes, splice{span{n.words[p-1].end, n.words[p].end}, ""})
		default:
			changes = append(changes, splice{n.words[p], word})
		}
	}
	return spliced(text, changes)
}

// sortByStart puts the notes of every section in the order of their starts.
func sortByStart(p struct{ Document, To, Table string }) exact.Steps {
	type timed struct {
		was           int
		start         float64
		section       int
		text, carried string
	}
	change := func(s *source, notes []note) (vfs.Files, error) {
		all := make([]timed, len(notes))
		for k := range notes {
			start, _, err := notes[k].interval()
			if err != nil {
				return nil, err
			}
			carried := s.writeOut(&notes[k])
			all[k] = timed{k + 1, start.float(), notes[k].section, s.lines[notes[k].line].text, carried}
		}
		slices.SortStableFunc(all, func(a, b timed) int {
			return cmp.Or(cmp.Compare(a.section, b.section), cmp.Compare(a.start, b.start))
		})
		table := [][]string{{"event", "was", "carried"}}
		for k := range all {
			s.lines[notes[k].line].text = all[k].text
			table = append(table, []string{strconv.Itoa(k + 1), strconv.Itoa(all[k].was), all[k].carried})
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	return rewrite(p.Document, p.To, change, func(s *source, notes []note, files vfs.Files) error {
		table, err := plain.Table(files, p.Table, "event", "was", "carried")
		if err != nil {
			return err
		}
		if len(table) != len(notes) {
			return fmt.Errorf("%s has %d rows for %d events", p.Table, len(table), len(notes))
		}
		texts := make([]string, len(notes))
		for _, row := range table {
			from, to := plain.LineNumber(row[0]), plain.LineNumber(row[1])
			if from < 1 || to < 1 || from > len(notes) || to > len(notes) || texts[to-1] != "" {
				return fmt.Errorf("%s: no event for %s, %s", p.Table, row[0], row[1])
			}
			n := &notes[from-1]
			texts[to-1] = n.unwritten(s.lines[n.line].text, row[2])
		}
		for k, text := range texts {
			s.lines[notes[k].line].text = text
		}
		return nil
	})
}
