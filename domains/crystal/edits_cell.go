package crystal

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	cartesianFile  = "cartesian.cif"
	fractionalFile = "fractional.csv"
)

var cartesianTags = []string{"_atom_site_Cartn_x", "_atom_site_Cartn_y", "_atom_site_Cartn_z"}

// toCartesian gives atom sites coordinates in ångströms.
func toCartesian(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	m, err := readCell(d)
	if err != nil {
		return nil, err
	}
	sites := d.sites()
	l := sites.loop
	positions, err := l.positions()
	if err != nil {
		return nil, err
	}
	labels := l.texts(l.column(siteTags[0]))
	if _, err := distinct(labels); err != nil {
		return nil, err
	}
	rows := [][]string{{"label", "x", "y", "z"}}
	for k, label := range labels {
		rows = append(rows, []string{label})
		xyz := m.cartesian(positions[k])
		for i, tag := range siteTags[2:5] {
			column := l.column(tag)
			rows[k+1] = append(rows[k+1], l.rows[k].values[column].text())
			l.rows[k].set(column, value{raw: decimals(xyz[i], 4)})
		}
	}
	for i, tag := range siteTags[2:5] {
		l.tags[l.column(tag)] = cartesianTags[i]
	}
	l.header = ""
	sites.changed()
	return vfs.Files{cartesianFile: d.print(), fractionalFile: plain.WriteCSV(rows)}, nil
}

func toFractional(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, cartesianFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, fractionalFile, "label", "x", "y", "z")
	if err != nil {
		return nil, err
	}
	sites := d.find(siteTags[0], "_atom_site_cartn_x", "_atom_site_cartn_y", "_atom_site_cartn_z")
	if sites == nil {
		return nil, errNoSites
	}
	l := sites.loop
	at, err := distinct(l.texts(l.column(siteTags[0])))
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		k, known := at[r[0]]
		for i, tag := range cartesianTags {
			if known {
				l.rows[k].set(l.column(strings.ToLower(tag)), written(r[i+1]))
			}
		}
	}
	for i, axis := range []string{"x", "y", "z"} {
		l.tags[l.column(strings.ToLower(cartesianTags[i]))] = "_atom_site_fract_" + axis
	}
	l.header = ""
	sites.changed()
	return vfs.Files{structureFile: d.print()}, nil
}

const (
	fullCellFile = "p1_cell.cif"
	symmetryFile = "symmetry.json"
)

// symmetryRecord is the symmetry that the full cell no longer has.
type symmetryRecord struct {
	SpaceGroup string   `json:"space_group"`
	Operations []string `json:"operations"`
}

// fillCell writes out the atoms of the whole cell, in space group P 1.
func fillCell(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	group, symmetry := d.item("_symmetry_space_group_name_h-m"), d.find(operationTag)
	if group == nil || symmetry == nil || len(symmetry.loop.tags) != 1 {
		return nil, errNoSymmetry
	}
	operations, err := d.operations()
	if err != nil {
		return nil, err
	}
	sites := d.sites()
	positions, err := sites.loop.positions()
	if err != nil {
		return nil, err
	}
	if err := noCopies(sites.loop); err != nil {
		return nil, err
	}
	record := symmetryRecord{SpaceGroup: group.value.text(), Operations: symmetry.loop.texts(0)}
	if operations[0] != (operation{rotation: [3][3]int{{1}, {0, 1}, {0, 0, 1}}}) {
		return nil, fmt.Errorf("the first operation is %s", record.Operations[0])
	}
	for k, o := range operations[1:] {
		addCopies(sites.loop, positions, operations[:k+1], o)
	}
	group.value = written("P 1")
	group.changed()
	symmetry.keepFirst()
	sites.changed()
	text, err := jsonText(record)
	return vfs.Files{fullCellFile: d.print(), symmetryFile: text}, err
}

// keepFirst leaves the first row of a loop, with the comments of all of them.
func (p *part) keepFirst() {
	first := row{values: p.loop.rows[0].values}
	for _, w := range p.loop.rows {
		first.comments = append(first.comments, w.comments...)
	}
	p.loop.rows = []row{first}
	p.changed()
}

var errNoSymmetry = errors.New("want a space group and a loop of only symmetry operations")

// operations are the symmetry operations of the document.
func (d document) operations() ([]operation, error) {
	p := d.find(operationTag)
	if p == nil || len(p.loop.rows) == 0 {
		return nil, errNoSymmetry
	}
	var all []operation
	for _, text := range p.loop.texts(p.loop.column(operationTag)) {
		o, ok := readOperation(text)
		if !ok {
			return nil, fmt.Errorf("%q is no symmetry operation", text)
		}
		all = append(all, o)
	}
	return all, nil
}

const copyMark = "_s"

// noCopies refuses labels that look like those of copies, and repeated ones.
func noCopies(l *loop) error {
	labels := l.texts(l.column(siteTags[0]))
	for _, label := range labels {
		if isCopy(label) {
			return fmt.Errorf("the label %s is like that of a copy", label)
		}
	}
	_, err := distinct(labels)
	return err
}

// isCopy reports whether a label ends as in O1_s2.
func isCopy(label string) bool {
	at := strings.LastIndex(label, copyMark)
	return at >= 0 && isNumber(label[at+len(copyMark):])
}

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// addCopies adds the images of sites by an operation, save those that fall onto
// an image by one of the operations before.
func addCopies(l *loop, positions [][3]float64, before []operation, o operation) {
	label := l.column(siteTags[0])
	for k, x := range positions {
		y := o.of(x)
		known := slices.ContainsFunc(before, func(b operation) bool { return samePlace(b.of(x), y) })
		if known {
			continue
		}
		w := row{values: slices.Clone(l.rows[k].values)}
		w.values[label] = written(w.values[label].text() + copyMark + strconv.Itoa(len(before)+1))
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

func reduceCell(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, fullCellFile)
	if err != nil {
		return nil, err
	}
	var record symmetryRecord
	if err := plain.JSON(files, symmetryFile, &record); err != nil {
		return nil, err
	}
	sites, group, symmetry := d.sites(), d.item("_symmetry_space_group_name_h-m"), d.find(operationTag)
	switch {
	case sites == nil:
		return nil, errNoSites
	case group == nil || symmetry == nil || len(symmetry.loop.tags) != 1:
		return nil, errNoSymmetry
	}
	label := sites.loop.column(siteTags[0])
	sites.loop.rows = slices.DeleteFunc(sites.loop.rows, func(w row) bool { return isCopy(w.values[label].text()) })
	sites.changed()
	group.value = written(record.SpaceGroup)
	group.changed()
	symmetry.keepFirst()
	for i, text := range record.Operations {
		if i > 0 {
			symmetry.loop.rows = append(symmetry.loop.rows, row{})
		}
		symmetry.loop.rows[i].values = []value{written(text)}
	}
	return vfs.Files{structureFile: d.print()}, nil
}
