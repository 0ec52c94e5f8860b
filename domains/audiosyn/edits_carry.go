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
	expandedFile = "expanded.csd"
	carryFile    = "carry.csv"
)

var errNoCarry = errors.New("no p-field is carried")

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
func expandCarry(files vfs.Files) (vfs.Files, error) {
	s, notes, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	table := [][]string{{"event", "p", "sign", "value"}}
	for k := range notes {
		n := &notes[k]
		var changes []splice
		for _, p := range n.carriedFields() {
			changes = append(changes, splice{n.words[p], n.value(p)})
			table = append(table, []string{decimalText(k + 1), decimalText(p), n.field(p), n.value(p)})
		}
		s.lines[n.line].text = spliced(s.lines[n.line].text, changes)
	}
	if len(table) == 1 {
		return nil, errNoCarry
	}
	return vfs.Files{expandedFile: s.print(), carryFile: plain.WriteCSV(table)}, nil
}

func restoreCarry(files vfs.Files) (vfs.Files, error) {
	s, notes, err := readNamed(files, expandedFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, carryFile, "event", "p", "sign")
	if err != nil {
		return nil, err
	}
	signs := plain.NotesBy(table, func(row []string) string { return strings.TrimSpace(row[0]) })
	for k := range notes {
		n := &notes[k]
		var changes []splice
		for row := signs.Take(decimalText(k + 1)); row != nil; row = signs.Take(decimalText(k + 1)) {
			if p := plain.LineNumber(row[1]); 1 < p && p < len(n.words) {
				changes = append(changes, splice{n.words[p], row[2]})
			}
		}
		slices.SortFunc(changes, func(a, b splice) int { return cmp.Compare(a.word.start, b.word.start) })
		changes = slices.CompactFunc(changes, func(a, b splice) bool { return a.word == b.word })
		s.lines[n.line].text = spliced(s.lines[n.line].text, changes)
	}
	return asDocument(&s), nil
}

// writeOut writes out all that a note carries, and says what that was: the numbers
// of p-fields with their signs, a minus for what was not written at all.
func (s *source) writeOut(n *note) (carried string) {
	var signs []string
	var changes []splice
	for _, p := range n.carriedFields() {
		changes = append(changes, splice{n.words[p], n.value(p)})
		signs = append(signs, decimalText(p)+n.field(p))
	}
	end := n.words[len(n.words)-1].end
	implied := ""
	for p := len(n.words); p <= len(n.values); p++ {
		implied += " " + n.value(p)
		signs = append(signs, decimalText(p)+"-")
	}
	if implied != "" {
		changes = append(changes, splice{span{end, end}, implied})
	}
	s.lines[n.line].text = spliced(s.lines[n.line].text, changes)
	return strings.Join(signs, " ")
}

// unwritten is a line with the signs back that writeOut replaced.
func unwritten(text, carried string) string {
	code, _ := new(scanner).scan(text)
	words := scoreWords(code)
	var changes []splice
	for _, sign := range strings.Fields(carried) {
		word := strings.TrimLeft(sign, "0123456789")
		p := plain.LineNumber(sign[:len(sign)-len(word)])
		switch {
		case p < 2 || p >= len(words):
		case len(changes) > 0 && changes[len(changes)-1].word.end > words[p-1].end:
		case word == "-":
			changes = append(changes, splice{span{words[p-1].end, words[p].end}, ""})
		default:
			changes = append(changes, splice{words[p], word})
		}
	}
	return spliced(text, changes)
}

const (
	byTimeFile = "by_time.csd"
	layoutFile = "layout.csv"
)

// sortByTime puts the notes of every section in the order of their starts.
func sortByTime(files vfs.Files) (vfs.Files, error) {
	s, notes, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	type timed struct {
		was           int
		start         float64
		section       int
		text, carried string
	}
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
		table = append(table, []string{decimalText(k + 1), decimalText(all[k].was), all[k].carried})
	}
	return vfs.Files{byTimeFile: s.print(), layoutFile: plain.WriteCSV(table)}, nil
}

func restoreOrder(files vfs.Files) (vfs.Files, error) {
	s, notes, err := readNamed(files, byTimeFile)
	if err != nil {
		return nil, err
	}
	table, err := plain.Table(files, layoutFile, "event", "was", "carried")
	if err != nil {
		return nil, err
	}
	if len(table) != len(notes) {
		return nil, fmt.Errorf("%s has %d rows for %d events", layoutFile, len(table), len(notes))
	}
	texts := make([]string, len(notes))
	for _, row := range table {
		from, to := plain.LineNumber(row[0]), plain.LineNumber(row[1])
		if from < 1 || to < 1 || from > len(notes) || to > len(notes) || texts[to-1] != "" {
			return nil, fmt.Errorf("%s: no event for %s, %s", layoutFile, row[0], row[1])
		}
		texts[to-1] = unwritten(s.lines[notes[from-1].line].text, row[2])
	}
	for k, text := range texts {
		s.lines[notes[k].line].text = text
	}
	return asDocument(&s), nil
}
