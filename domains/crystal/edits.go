package crystal

import (
	"errors"
	"fmt"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/vfs"
)

// structures says how documents, which are lists of parts, are taken apart and put together.
var structures = exact.Format[document, part]{
	Patterns: []string{"*.cif"},
	Read:     read,
	Print:    document.print,
	Parts:    func(d *document) *[]part { return &d.parts },
	Empty:    errors.New("no CIF with a loop of atom sites"),
	Counts:   func(p *part) bool { return p.kind == loopPart && p.loop.has(siteTags[0]) },
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("cartesian", cartesian),
		domains.Taking("split_by_tag", splitByTag),
		domains.Taking("tables", inTables),
		domains.Taking("relabel", relabel),
		domains.Taking("divide_uncertainties", divideUncertainties),
		domains.Taking("sort_sites", sortSites),
		domains.Taking("fill_cell", fillCell),
		domains.Taking("write_operators", writeOperators),
		domains.Taking("take_geometry", takeGeometry),
	}
}

// rewrite is an edit of structures, in both directions one of documents without ragged loops.
func rewrite(
	named, to string, change func(*document) (vfs.Files, error), restore func(*document, vfs.Files) error,
) exact.Steps {
	return structures.Rewrite(named, to, func(d *document) (vfs.Files, error) {
		if err := d.wellFormed(); err != nil {
			return nil, err
		}
		return change(d)
	}, func(d *document, files vfs.Files) error {
		if err := d.wellFormed(); err != nil {
			return err
		}
		return restore(d, files)
	})
}

// wellFormed reports loops whose rows an edit could not tell apart.
func (d document) wellFormed() error {
	for i := range d.parts {
		if l := d.parts[i].loop; d.parts[i].kind == loopPart {
			for _, w := range l.rows {
				if n, all := len(w.values), len(l.tags); n != all {
					return fmt.Errorf("a row with %d of the %d values of the loop with %s", n, all, l.tags[0])
				}
			}
		}
	}
	return nil
}

// find is the first loop with all of the tags, nil if there is none.
func (d document) find(tags ...string) *loop {
	p := lists.First(d.parts, func(p *part) bool { return p.kind == loopPart && p.loop.has(tags...) })
	if p == nil {
		return nil
	}
	return p.loop
}

func (l *loop) has(tags ...string) bool {
	return !slices.ContainsFunc(tags, func(tag string) bool { return l.column(tag) < 0 })
}

// sites is the loop of atom sites.
func (d document) sites() *loop { return d.find(siteTags[0]) }

// item is the first item with a tag, nil if there is none.
func (d document) item(tag string) *part {
	return lists.First(d.parts, func(p *part) bool { return p.kind == itemPart && normalTag(p.text) == tag })
}

// texts are what the values of a column say.
func (l *loop) texts(column int) []string {
	return lists.Each(l.rows, func(w *row) string { return w.values[column].text() })
}

// set writes another value into a row.
func (w *row) set(column int, v value) {
	w.source = ""
	w.values[column] = v
}

// set writes another value into an item.
func (p *part) set(v value) {
	p.source = ""
	p.value = v
}

// errLabels is for edits that know atoms by their labels.
var errLabels = errors.New("two atom sites have one label")

// labels are the texts of a column; an error if one repeats.
func (l *loop) labels(tag string) ([]string, error) {
	labels := l.texts(l.column(tag))
	known := map[string]bool{}
	for _, label := range labels {
		if known[label] {
			return nil, fmt.Errorf("%w: %s", errLabels, label)
		}
		known[label] = true
	}
	return labels, nil
}

// atoms are the atom sites with what edits of places need of them.
func (d document) atoms() (sites *loop, labels []string, positions [][3]float64, err error) {
	sites = d.sites()
	if positions, err = sites.positions(); err == nil {
		labels, err = sites.labels(siteTags[0])
	}
	return sites, labels, positions, err
}

// replace puts other texts into those columns of all loops whose tags are of a kind.
func (d document) replace(ofKind func(tag string) bool, by func(text string) (string, error)) error {
	for _, p := range d.parts {
		if p.kind != loopPart {
			continue
		}
		for _, column := range p.loop.columns(ofKind) {
			for k, was := range p.loop.texts(column) {
				is, err := by(was)
				if err != nil {
					return err
				}
				if is != was {
					p.loop.rows[k].set(column, written(is))
				}
			}
		}
	}
	return nil
}
