package fonteng

import (
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitByPurpose makes a file of language systems and definitions, one of the tables, and one of
// all else.
func splitByPurpose(p struct{ Document, Definitions, Layout, Tables, Table string }) exact.Steps {
	return sources.Split(p.Document, p.Tables, p.Table, func(e **entry) (string, []string) {
		_, isClass := (*e).className()
		switch {
		case isClass || (*e).text(0) == "languagesystem" || isDefinition((*e).text(0)):
			return p.Definitions, nil
		case (*e).isBlock("table"):
			return p.Tables, nil
		}
		return p.Layout, nil
	})
}

// sortFeatures sorts features by their tags, in the places that features have. On the way back
// the first of a tag gets the position in the first row of it; those that are in no row come
// last.
func sortFeatures(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		table := [][]string{{"feature", "position"}}
		d.reorderFeatures(func(features *document) {
			former := sources.Sort(features, func(a, b **entry) int { return strings.Compare((*a).text(1), (*b).text(1)) })
			for i, e := range features.entries {
				table = append(table, []string{e.text(1), strconv.Itoa(former[i])})
			}
		})
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(d *document, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "position", "feature")
		positions := plain.NotesBy(rows, func(row []string) string { return row[1] })
		d.reorderFeatures(func(features *document) {
			sources.SortByNumber(features, func(e **entry) (int, bool) {
				return positions.TakeNumber((*e).text(1))
			})
		})
		return err
	}
	return sources.Rewrite(p.Document, p.To, change, restore)
}

// reorderFeatures brings the features into an order, in the places that features have.
func (d *document) reorderFeatures(reorder func(features *document)) {
	var features document
	for _, e := range d.entries {
		if e.isBlock("feature") {
			features.entries = append(features.entries, e)
		}
	}
	reorder(&features)
	for i, e := range d.entries {
		if e.isBlock("feature") {
			d.entries[i] = features.entries[0]
			features.entries = features.entries[1:]
		}
	}
}
