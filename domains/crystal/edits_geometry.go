package crystal

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// writeOperators writes the operation that a symmetry code stands for in its place.
func writeOperators(p struct{ Document, To string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		operations, err := d.operations()
		if err != nil {
			return nil, err
		}
		for i, o := range operations {
			if number, _, ok := findOperation(operations, o); !ok || number != i+1 {
				return nil, fmt.Errorf("operation %d is one of those before it", i+1)
			}
		}
		return nil, d.replace(isSymmetryCode, func(text string) (string, error) {
			if _, ok := readOperation(text); ok {
				return "", fmt.Errorf("%s stands where a symmetry code should", text)
			}
			number, cells, ok := readSymmetryCode(text)
			if !ok || number > len(operations) {
				return text, nil
			}
			return operations[number-1].moved(cells).String(), nil
		})
	}
	restore := func(d *document, _ vfs.Files) error {
		operations, err := d.operations()
		if err != nil {
			return err
		}
		return d.replace(isSymmetryCode, func(text string) (string, error) {
			if o, ok := readOperation(text); ok {
				if number, cells, ok := findOperation(operations, o); ok {
					if code, ok := symmetryCode(number, cells); ok {
						return code, nil
					}
				}
			}
			return text, nil
		})
	}
	return rewrite(p.Document, p.To, change, restore)
}

// findOperation finds the operation that differs from one by a shift by whole
// cells only.
func findOperation(among []operation, o operation) (number int, cells [3]int, ok bool) {
	for k, known := range among {
		fits := known.rotation == o.rotation
		for i := range cells {
			apart := o.shift[i] - known.shift[i]
			fits = fits && apart%whole == 0
			cells[i] = apart / whole
		}
		if fits {
			return k + 1, cells, true
		}
	}
	return 0, cells, false
}

// isSymmetryCode reports whether the values of a tag are symmetry codes of the geometry.
func isSymmetryCode(tag string) bool {
	return strings.HasPrefix(tag, "_geom_") && strings.Contains(tag, "_site_symmetry_")
}

// geometryLoops are the loops that give up what is about an element, by the name that they have
// in the table.
var geometryLoops = []struct{ name, tag string }{{"bond", bondTags[0]}, {"angle", angleTags[0]}}

var errNoGeometry = errors.New("neither bonds nor angles")

// takeGeometry sets the bonds and angles apart in which an atom of an element takes part.
func takeGeometry(p struct{ Document, Element, Rest, Table string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		l := d.sites()
		isOne := map[string]bool{}
		for k, label := range l.texts(l.column(siteTags[0])) {
			isOne[label] = atomicNumber(l.element(k)) == atomicNumber(p.Element)
		}
		table := [][]string{{"loop", "position", "row"}}
		found := false
		for _, of := range geometryLoops {
			loop := d.find(of.tag)
			if loop == nil {
				continue
			}
			found = true
			taken, err := loop.takeRows(of.name, isOne)
			if err != nil {
				return nil, err
			}
			table = append(table, taken...)
		}
		if !found {
			return nil, errNoGeometry
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(d *document, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "position", "loop", "row")
		slices.SortStableFunc(rows, plain.ByNumber)
		for _, of := range geometryLoops {
			for _, r := range rows {
				if r[1] == of.name && err == nil {
					err = d.find(of.tag).insertRow(r)
				}
			}
		}
		return err
	}
	return rewrite(p.Document, p.Rest, change, restore)
}

// insertRow puts a row of the table, with its position, loop and values, into the loop.
func (l *loop) insertRow(r []string) error {
	position, err := strconv.Atoi(strings.TrimSpace(r[0]))
	if l == nil || err != nil {
		return fmt.Errorf("there is no place for the %s %s", r[1], r[2])
	}
	values := readRow(r[2])
	if len(values) != len(l.tags) {
		return fmt.Errorf("the %s %s has %d values, want %d", r[1], r[2], len(values), len(l.tags))
	}
	l.rows = slices.Insert(l.rows, min(max(position-1, 0), len(l.rows)), row{values: values})
	return nil
}

// takeRows takes the rows out that name one of the atoms, and returns the name of the loop, the
// places that they had, from 1, and their values. Their comments stay.
func (l *loop) takeRows(name string, isOne map[string]bool) (taken [][]string, err error) {
	columns := l.columns(isLabel)
	var kept []row
	for k, w := range l.rows {
		if !slices.ContainsFunc(columns, func(at int) bool { return isOne[w.values[at].text()] }) {
			kept = append(kept, w)
			continue
		}
		if slices.ContainsFunc(w.values, func(v value) bool { return v.form == fieldForm }) {
			return nil, fmt.Errorf("row %d of %s has a text of several lines", k+1, l.tags[0])
		}
		taken = append(taken, []string{name, strconv.Itoa(k + 1), strings.Join(w.written(), " ")})
		if len(w.comments) > 0 {
			l.comments = append(l.comments, w.comments...)
			l.header = ""
		}
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("nothing would be left of the loop with %s", l.tags[0])
	}
	l.rows = kept
	return taken, nil
}

// readRow reads values with a blank between them.
func readRow(line string) []value {
	l := lexer{text: line}
	var values []value
	for w := l.next(); w.kind == lexValue; w = l.next() {
		values = append(values, value{raw: line[w.start:w.end], form: w.form})
	}
	return values
}
