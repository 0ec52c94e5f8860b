package crystal

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// structureFile is the file that every backward step leaves.
const structureFile = "zp2aq.cif"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "cartesian_sites", Forward: toCartesian, Backward: toFractional},
		{Name: "deposition_files", Forward: splitFiles, Backward: joinFiles},
		{Name: "loop_tables", Forward: toTables, Backward: fromTables},
		{Name: "relabelled_atoms", Forward: relabel, Backward: restoreLabels},
		{Name: "uncertainty_columns", Forward: divideUncertainties, Backward: joinUncertainties},
		{Name: "site_order", Forward: sortSites, Backward: unsortSites},
		{Name: "full_cell", Forward: fillCell, Backward: reduceCell},
		{Name: "written_operators", Forward: writeOperators, Backward: writeCodes},
		{Name: "heavy_atom_geometry", Forward: takeOutHydrogen, Backward: putBackHydrogen},
	}
}

var errNoSites = errors.New("no CIF with a loop of atom sites")

// readDocument reads the files that a forward step is given, as one.
func readDocument(files vfs.Files) (document, error) {
	var d document
	for _, name := range files.Names() {
		if strings.HasSuffix(name, ".cif") {
			d.parts = append(d.parts, read(files[name]).parts...)
		}
	}
	if d.sites() == nil {
		return d, errNoSites
	}
	return d, d.wellFormed()
}

// readNamed reads the CIF that a backward step needs.
func readNamed(files vfs.Files, name string) (document, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return document{}, err
	}
	d := read(text)
	return d, d.wellFormed()
}

// wellFormed reports loops whose rows an edit could not tell apart.
func (d document) wellFormed() error {
	for i := range d.parts {
		if p := &d.parts[i]; p.kind == loopPart {
			for _, w := range p.loop.rows {
				if len(w.values) != len(p.loop.tags) {
					return fmt.Errorf("a row with %d of the %d values of the loop with %s", len(w.values), len(p.loop.tags), p.loop.tags[0])
				}
			}
		}
	}
	return nil
}

// find is the first loop with all of the tags, nil if there is none.
func (d document) find(tags ...string) *part {
	for i := range d.parts {
		if p := &d.parts[i]; p.kind == loopPart && p.loop.has(tags...) {
			return p
		}
	}
	return nil
}

func (l *loop) has(tags ...string) bool {
	return !slices.ContainsFunc(tags, func(tag string) bool { return l.column(tag) < 0 })
}

// sites is the loop of atom sites.
func (d document) sites() *part { return d.find(siteTags[0]) }

// item is the first item with a tag, nil if there is none.
func (d document) item(tag string) *part {
	for i := range d.parts {
		if p := &d.parts[i]; p.kind == itemPart && normalTag(p.text) == tag {
			return p
		}
	}
	return nil
}

// texts are what the values of a column say.
func (l *loop) texts(column int) []string {
	texts := make([]string, len(l.rows))
	for i := range l.rows {
		texts[i] = l.rows[i].values[column].text()
	}
	return texts
}

// set writes another value into a row.
func (w *row) set(column int, v value) {
	w.source = ""
	w.values[column] = v
}

// changed marks a part as one to be printed again.
func (p *part) changed() { p.source = "" }

// order puts the rows of a loop into another order: the k-th is to be the one
// that stands at places[k].
func (p *part) order(places []int) {
	rows := make([]row, len(places))
	for k, at := range places {
		rows[k] = p.loop.rows[at]
	}
	p.loop.rows = rows
	p.changed()
}

// places are the numbers from 0 below n.
func places(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// errLabels is for edits that know atoms by their labels.
var errLabels = errors.New("two atom sites have one label")

// distinct returns the texts by number, an error if one repeats.
func distinct(texts []string) (map[string]int, error) {
	at := make(map[string]int, len(texts))
	for i, text := range texts {
		if _, known := at[text]; known {
			return nil, fmt.Errorf("%w: %s", errLabels, text)
		}
		at[text] = i
	}
	return at, nil
}
