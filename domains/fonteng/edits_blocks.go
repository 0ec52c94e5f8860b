package fonteng

import (
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// takeLookupsOut moves the lookups that are defined in a feature to before it, and leaves
// references. On the way back each lookup of the table stands where its feature first refers
// to it.
func takeLookupsOut(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		table := [][]string{{"lookup", "feature"}}
		var all []*entry
		for _, e := range d.entries {
			if e.isBlock("feature") {
				for i, inner := range e.body.entries {
					if !inner.isBlock("lookup") {
						continue
					}
					name := inner.text(1)
					e.body.entries[i] = &entry{above: inner.above, words: []word{{"", "lookup"}, {" ", name}, {"", ";"}}}
					inner.above = "\n\n"
					all = append(all, inner)
					table = append(table, []string{name, e.text(1)})
				}
			}
			all = append(all, e)
		}
		d.entries = all
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(d *document, files vfs.Files) error {
		rows, err := plain.Table(files, p.Table, "lookup", "feature")
		references := d.lookupReferences()
		lookups := map[string]*entry{}
		for _, e := range d.entries {
			if e.isBlock("lookup") {
				lookups[e.text(1)] = e
			}
		}
		moved := map[*entry]bool{}
		for _, row := range rows {
			at, lookup := references[[2]string{row[1], row[0]}], lookups[row[0]]
			if at == nil || lookup == nil || moved[lookup] {
				continue
			}
			moved[lookup] = true
			above, after := at.above, at.after
			*at = *lookup
			at.above = above
			at.after += after
		}
		d.entries = slices.DeleteFunc(d.entries, func(e *entry) bool { return moved[e] })
		return err
	}
	return sources.Rewrite(p.Document, p.To, change, restore)
}

// lookupReferences are the first references in features, by feature and lookup.
func (d *document) lookupReferences() map[[2]string]*entry {
	first := map[[2]string]*entry{}
	for _, e := range d.entries {
		if !e.isBlock("feature") {
			continue
		}
		for _, inner := range e.body.entries {
			key := [2]string{e.text(1), inner.text(1)}
			if inner.text(0) == "lookup" && inner.body == nil && first[key] == nil {
				first[key] = inner
			}
		}
	}
	return first
}

// fontTable is a table block.
type fontTable struct {
	Table    string       `json:"table"`
	Place    int          `json:"place"` // among the statements of the file
	Comments []string     `json:"comments"`
	Fields   []tableField `json:"fields"`
}

// tableField is a statement of a table.
type tableField struct {
	Name     string   `json:"name"`
	Value    string   `json:"value"`
	Comments []string `json:"comments"`
	Note     string   `json:"note"`
}

// listTables moves the tables to an array.
func listTables(p struct{ Document, Rest, List string }) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		tables := []fontTable{}
		var kept []*entry
		for i, e := range d.entries {
			if !e.isBlock("table") {
				kept = append(kept, e)
				continue
			}
			fields := lists.Map(e.body.entries, func(inner *entry) tableField {
				name, value, _ := strings.Cut(inner.onOneLine(), " ")
				return tableField{name, value, commentLines(inner.above), note(inner)}
			})
			tables = append(tables, fontTable{e.text(1), i + 1, commentLines(e.above), fields})
		}
		d.entries = kept
		list, err := plain.JSONArray(tables)
		return vfs.Files{p.List: list}, err
	}
	restore := func(d *document, files vfs.Files) error {
		var tables []fontTable
		err := plain.JSON(files, p.List, &tables)
		var placed []placedEntry
		for _, t := range tables {
			head, err := statementOf("table "+t.Table+" {} "+t.Table, "", t.Comments, "")
			if err != nil || head.body == nil {
				continue // a damaged table
			}
			head.body.below = "\n"
			for _, field := range t.Fields {
				e, err := statementOf(strings.TrimRight(field.Name+" "+field.Value, " "), shift, field.Comments, field.Note)
				if err == nil {
					head.body.entries = append(head.body.entries, e)
				}
			}
			placed = append(placed, placedEntry{head, t.Place})
		}
		d.entries = putIn(placed, d.entries)
		return err
	}
	return sources.Rewrite(p.Document, p.Rest, change, restore)
}
