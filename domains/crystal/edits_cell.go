package crystal

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

var cartesianTags = []string{"_atom_site_Cartn_x", "_atom_site_Cartn_y", "_atom_site_Cartn_z"}

// cartesian gives atom sites coordinates in ångströms, and back those of the table.
func cartesian(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		m, err := readCell(*d)
		if err != nil {
			return nil, err
		}
		l, labels, positions, err := d.atoms()
		if err != nil {
			return nil, err
		}
		rows := [][]string{{"label", "x", "y", "z"}}
		for k, label := range labels {
			cells := []string{label}
			xyz := m.cartesian(positions[k])
			for i, tag := range siteTags[2:5] {
				column := l.column(tag)
				cells = append(cells, l.rows[k].values[column].text())
				l.rows[k].set(column, value{raw: decimals(xyz[i], 4)})
			}
			rows = append(rows, cells)
		}
		l.renameTags(siteTags[2:5], cartesianTags)
		return vfs.Files{p.Table: plain.WriteCSV(rows)}, nil
	}
	restore := func(d *document, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "label", "x", "y", "z")
		if err != nil {
			return err
		}
		l := d.find(siteTags[0], "_atom_site_cartn_x", "_atom_site_cartn_y", "_atom_site_cartn_z")
		if l == nil {
			return structures.Empty
		}
		labels, err := l.labels(siteTags[0])
		for _, r := range rows {
			k := slices.Index(labels, r[0])
			for i, tag := range cartesianTags {
				if k >= 0 {
					l.rows[k].set(l.column(strings.ToLower(tag)), written(r[i+1]))
				}
			}
		}
		l.renameTags(cartesianTags, siteTags[2:5])
		return err
	}
	return rewrite(p.Document, p.To, change, restore)
}

// renameTags gives columns of a loop other tags.
func (l *loop) renameTags(tags, names []string) {
	for i, tag := range tags {
		l.tags[l.column(strings.ToLower(tag))] = names[i]
	}
	l.header = ""
}

// symmetryRecord is the symmetry that the full cell no longer has.
type symmetryRecord struct {
	SpaceGroup string   `json:"space_group"`
	Operations []string `json:"operations"`
}

// fillCell writes out the atoms of the whole cell, in space group P 1.
func fillCell(p struct {
	Document, To string
	Mark         string // before the number at the end of a copy's label
	List         string
}) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		group, symmetry, err := d.symmetry()
		if err != nil {
			return nil, err
		}
		operations, err := d.operations()
		if err != nil {
			return nil, err
		}
		sites, labels, positions, err := d.atoms()
		if err != nil {
			return nil, err
		}
		for _, label := range labels {
			if isCopy(label, p.Mark) {
				return nil, fmt.Errorf("the label %s is like that of a copy", label)
			}
		}
		record := symmetryRecord{SpaceGroup: group.value.text(), Operations: symmetry.texts(0)}
		if operations[0] != (operation{rotation: [3][3]int{{1}, {0, 1}, {0, 0, 1}}}) {
			return nil, fmt.Errorf("the first operation is %s", record.Operations[0])
		}
		for k, o := range operations[1:] {
			addCopies(sites, positions, operations[:k+1], o, p.Mark)
		}
		group.set(written("P 1"))
		symmetry.keepFirst()
		return vfs.Files{p.List: plain.WriteJSON(record)}, nil
	}
	restore := func(d *document, files vfs.Files) error {
		var record symmetryRecord
		if err := plain.JSON(files, p.List, &record); err != nil {
			return err
		}
		return d.reduce(record, p.Mark)
	}
	return rewrite(p.Document, p.To, change, restore)
}

// reduce takes copies out and writes the symmetry that the sites have without them.
func (d document) reduce(record symmetryRecord, mark string) error {
	sites := d.sites()
	if sites == nil {
		return structures.Empty
	}
	group, symmetry, err := d.symmetry()
	if err != nil {
		return err
	}
	label := sites.column(siteTags[0])
	sites.rows = slices.DeleteFunc(sites.rows, func(w row) bool { return isCopy(w.values[label].text(), mark) })
	group.set(written(record.SpaceGroup))
	symmetry.keepFirst()
	for i, text := range record.Operations {
		if i > 0 {
			symmetry.rows = append(symmetry.rows, row{})
		}
		symmetry.rows[i].values = []value{written(text)}
	}
	return nil
}

// symmetry is the item with the space group and the loop of the operations.
func (d document) symmetry() (group *part, operations *loop, err error) {
	group, operations = d.item(spaceGroupTag), d.find(operationTag)
	if group == nil || operations == nil || len(operations.tags) != 1 {
		err = errNoSymmetry
	}
	return group, operations, err
}

// keepFirst leaves the first row of a loop, with the comments of all of them.
func (l *loop) keepFirst() {
	first := row{values: l.rows[0].values}
	for _, w := range l.rows {
		first.comments = append(first.comments, w.comments...)
	}
	l.rows = []row{first}
}

var errNoSymmetry = errors.New("want a space group and a loop of only symmetry operations")

// operations are the symmetry operations of the document.
func (d document) operations() ([]operation, error) {
	l := d.find(operationTag)
	if l == nil || len(l.rows) == 0 {
		return nil, errNoSymmetry
	}
	var all []operation
	for _, text := range l.texts(l.column(operationTag)) {
		o, ok := readOperation(text)
		if !ok {
			return nil, fmt.Errorf("%q is no symmetry operation", text)
		}
		all = append(all, o)
	}
	return all, nil
}

// isCopy reports whether a label ends in a mark and a number.
func isCopy(label, mark string) bool {
	at := strings.LastIndex(label, mark)
	return at >= 0 && isNumber(label[at+len(mark):])
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// addCopies adds the images of sites by an operation, save those that fall onto
// an image by one of the operations before.
func addCopies(l *loop, positions [][3]float64, before []operation, o operation, mark string) {
	label := l.column(siteTags[0])
	for k, x := range positions {
		y := o.of(x)
		if slices.ContainsFunc(before, func(b operation) bool { return samePlace(b.of(x), y) }) {
			continue
		}
		w := row{values: slices.Clone(l.rows[k].values)}
		w.values[label] = written(w.values[label].text() + mark + strconv.Itoa(len(before)+1))
		for i, tag := range siteTags[2:5] {
			w.values[l.column(tag)] = value{raw: insideCell(y[i])}
		}
		l.rows = append(l.rows, w)
	}
}

// samePlace reports whether positions differ by whole cells, within 0.001.
func samePlace(x, y [3]float64) bool {
	const near = 0.001
	for i := range x {
		apart := x[i] - y[i]
		if math.Abs(apart-math.Round(apart)) >= near {
			return false
		}
	}
	return true
}

// insideCell is a coordinate from 0 up to 1, with five decimals.
func insideCell(x float64) string {
	text := decimals(x-math.Floor(x), 5)
	if strings.HasPrefix(text, "1") {
		return decimals(0, 5)
	}
	return text
}
