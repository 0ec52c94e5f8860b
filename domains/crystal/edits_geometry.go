package crystal

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const operatorsFile = "operators.cif"

// writeOperators writes the operation that a symmetry code stands for in its
// place.
func writeOperators(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	operations, err := d.operations()
	if err != nil {
		return nil, err
	}
	for i, o := range operations {
		if number, _, ok := findOperation(operations, o); !ok || number != i+1 {
			return nil, fmt.Errorf("operation %d is one of those before it", i+1)
		}
	}
	err = d.replaceCodes(func(text string) (string, error) {
		if _, ok := readOperation(text); ok {
			return "", fmt.Errorf("%s stands where a symmetry code should", text)
		}
		number, cells, ok := readSymmetryCode(text)
		if !ok || number > len(operations) {
			return text, nil
		}
		return operations[number-1].moved(cells).String(), nil
	})
	return vfs.Files{operatorsFile: d.print()}, err
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

// replaceCodes replaces the symmetry codes in all loops of the geometry.
func (d document) replaceCodes(by func(text string) (string, error)) error {
	for i := range d.parts {
		p := &d.parts[i]
		if p.kind != loopPart {
			continue
		}
		for column, tag := range p.loop.tags {
			tag = normalTag(tag)
			if !strings.HasPrefix(tag, "_geom_") || !strings.Contains(tag, "_site_symmetry_") {
				continue
			}
			for k, text := range p.loop.texts(column) {
				code, err := by(text)
				if err != nil {
					return err
				}
				if code != text {
					p.loop.rows[k].set(column, written(code))
				}
			}
			p.changed()
		}
	}
	return nil
}

func writeCodes(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, operatorsFile)
	if err != nil {
		return nil, err
	}
	operations, err := d.operations()
	if err != nil {
		return nil, err
	}
	err = d.replaceCodes(func(text string) (string, error) {
		o, ok := readOperation(text)
		if !ok {
			return text, nil
		}
		number, cells, ok := findOperation(operations, o)
		if !ok {
			return text, nil
		}
		if code, ok := symmetryCode(number, cells); ok {
			return code, nil
		}
		return text, nil
	})
	return vfs.Files{structureFile: d.print()}, err
}

const (
	heavyFile    = "heavy_atoms.cif"
	hydrogenFile = "hydrogen_geometry.csv"
)

// hydrogenLoops are the loops that give up what is about hydrogen, by the name
// that they have in the table.
var hydrogenLoops = []struct{ name, tag string }{{"bond", bondTags[0]}, {"angle", angleTags[0]}}

var errNoGeometry = errors.New("neither bonds nor angles")

// takeOutHydrogen sets the bonds and angles apart in which a hydrogen atom takes
// part.
func takeOutHydrogen(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	l := d.sites().loop
	isHydrogen := map[string]bool{}
	for k, label := range l.texts(l.column(siteTags[0])) {
		isHydrogen[label] = atomicNumber(l.element(k)) == 1
	}
	table := [][]string{{"loop", "position", "row"}}
	found := false
	for _, h := range hydrogenLoops {
		at := slices.IndexFunc(d.parts, func(p part) bool { return p.kind == loopPart && p.loop.has(h.tag) })
		if at < 0 {
			continue
		}
		found = true
		p := &d.parts[at]
		taken, err := p.takeRows(func(label string) bool { return isHydrogen[label] })
		if err != nil {
			return nil, err
		}
		for _, t := range taken {
			table = append(table, []string{h.name, strconv.Itoa(t.position), t.row.line()})
		}
	}
	if !found {
		return nil, errNoGeometry
	}
	return vfs.Files{heavyFile: d.print(), hydrogenFile: plain.WriteCSV(table)}, nil
}

// takenRow is a row with the place that it had, from 1.
type takenRow struct {
	position int
	row
}

// takeRows takes the rows out that name one of the atoms. Their comments stay.
func (p *part) takeRows(names func(label string) bool) ([]takenRow, error) {
	l := p.loop
	columns := l.labelColumns()
	var taken []takenRow
	var kept []row
	for k, w := range l.rows {
		if !slices.ContainsFunc(columns, func(at int) bool { return names(w.values[at].text()) }) {
			kept = append(kept, w)
			continue
		}
		if slices.ContainsFunc(w.values, func(v value) bool { return v.form == fieldForm }) {
			return nil, fmt.Errorf("row %d of %s has a text of several lines", k+1, l.tags[0])
		}
		taken = append(taken, takenRow{k + 1, w})
		if len(w.comments) > 0 {
			l.comments = append(l.comments, w.comments...)
			l.header = ""
		}
	}
	if len(kept) == 0 {
		return nil, fmt.Errorf("nothing would be left of the loop with %s", l.tags[0])
	}
	l.rows = kept
	p.changed()
	return taken, nil
}

// line is the values of a row with a blank between them.
func (w *row) line() string {
	texts := make([]string, len(w.values))
	for i, v := range w.values {
		texts[i] = v.raw
	}
	return strings.Join(texts, " ")
}

// readRow is the reverse of line.
func readRow(line string) []value {
	l := lexer{text: line}
	var values []value
	for w := l.next(); w.kind == lexValue; w = l.next() {
		values = append(values, value{raw: line[w.start:w.end], form: w.form})
	}
	return values
}

func putBackHydrogen(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, heavyFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, hydrogenFile, "position", "loop", "row")
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, plain.ByNumber)
	for _, h := range hydrogenLoops {
		p := d.find(h.tag)
		for _, r := range rows {
			if r[1] != h.name {
				continue
			}
			position, err := strconv.Atoi(strings.TrimSpace(r[0]))
			if p == nil || err != nil {
				return nil, fmt.Errorf("there is no place for the %s %s", h.name, r[2])
			}
			values := readRow(r[2])
			if len(values) != len(p.loop.tags) {
				return nil, fmt.Errorf("the %s %s has %d values, want %d", h.name, r[2], len(values), len(p.loop.tags))
			}
			p.loop.rows = slices.Insert(p.loop.rows, min(max(position-1, 0), len(p.loop.rows)), row{values: values})
			p.changed()
		}
	}
	return vfs.Files{structureFile: d.print()}, nil
}
