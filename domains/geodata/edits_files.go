package geodata

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// splitByProperty makes a collection of the features with each value of a property. The file
// has the name of the value.
func splitByProperty(p struct {
	Document, Property string
	Others, Table      string
}) exact.Steps {
	return collections.Split(p.Document, "", p.Table, func(f **node) (string, []string) {
		return exact.FileName((*f).property(p.Property).plainText(), ".geojson", p.Others), nil
	})
}

// column is a column of a table, with the property that it has.
type column struct{ Head, Property string }

// numberNotes moves a property into a Markdown table, with other properties in front of it and
// in order of the first of these, and puts the number of the row in its place.
func numberNotes(p struct {
	Document, To string
	List, Title  string   // the file of the table, and the heading above it
	Number       column   // the property is new
	Beside       []column // at least one
	Note         column
}) exact.Steps {
	if len(p.Beside) == 0 {
		return exact.Refuse("beside must have a column")
	}
	columns := slices.Concat(p.Beside, []column{p.Note})
	row := func(number string, cell func(column) string) string {
		line := "| " + number + " |"
		for _, c := range columns {
			line += " " + toCell.Replace(cell(c)) + " |"
		}
		return line + "\n"
	}
	change := func(c *collection) (vfs.Files, error) {
		var noted []*node
		for _, f := range c.features {
			if f.property(p.Note.Property).is(textKind) {
				noted = append(noted, f)
			}
		}
		by := func(f *node) string { return f.property(p.Beside[0].Property).plainText() }
		slices.SortStableFunc(noted, func(a, b *node) int { return strings.Compare(by(a), by(b)) })
		table := "# " + p.Title + "\n\n" + row(p.Number.Head, func(c column) string { return c.Head }) +
			strings.Repeat("| --- ", 1+len(columns)) + "|\n"
		for i, f := range noted {
			table += row(strconv.Itoa(i+1), func(c column) string { return f.property(c.Property).plainText() })
			f.properties().rename(p.Note.Property, p.Number.Property, numberNode(i+1))
		}
		return vfs.Files{p.List: table}, nil
	}
	restore := func(c *collection, files vfs.Files) error {
		table, err := plain.File(files, p.List)
		notes := map[string]string{}
		for _, line := range plain.Lines(table) {
			if cells := tableCells(line); len(cells) > len(columns) {
				notes[cells[0]] = cells[len(columns)]
			}
		}
		for _, f := range c.features {
			if note, ok := notes[f.property(p.Number.Property).plainText()]; ok {
				f.properties().rename(p.Number.Property, p.Note.Property, textNode(note))
			}
		}
		return err
	}
	return collections.Rewrite(p.Document, p.To, change, restore)
}

var (
	toCell   = strings.NewReplacer("|", `\|`, "\n", "<br>")
	fromCell = strings.NewReplacer(`\|`, "|", "<br>", "\n")
)

// rename puts another member in a member's place.
func (n *node) rename(name, newName string, value *node) {
	for i := range n.members {
		if n.members[i].name == name {
			n.members[i] = member{newName, value}
		}
	}
}

// tableCells splits a row of a Markdown table.
func tableCells(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	var cells []string
	start := 0
	for at := range len(line) {
		if line[at] == '|' && (at == 0 || line[at-1] != '\\') {
			cells = append(cells, fromCell.Replace(strings.TrimSpace(line[start:at])))
			start = at + 1
		}
	}
	return cells
}

// numberPositions numbers the positions, equal ones alike, and puts the numbers in their places.
func numberPositions(p struct{ Document, To, Table string }) exact.Steps {
	columns := []string{"node", "lon", "lat", "alt"}
	change := func(c *collection) (vfs.Files, error) {
		table := [][]string{columns}
		numberOf := map[string]int{}
		for _, f := range c.features {
			f.get(geometryKey).eachPosition(func(position *node) {
				row := make([]string, len(columns))
				if len(position.items) < 2 || len(position.items) >= len(row) {
					return
				}
				for i, ordinate := range position.items {
					row[i+1] = ordinate.plainText()
				}
				key := strings.Join(row, " ")
				if numberOf[key] == 0 {
					numberOf[key] = len(table)
					row[0] = strconv.Itoa(len(table))
					table = append(table, row)
				}
				*position = *numberNode(numberOf[key])
			})
		}
		return vfs.Files{p.Table: plain.WriteCSV(table)}, nil
	}
	restore := func(c *collection, files vfs.Files) error {
		table, err := plain.Table(files, p.Table, columns...)
		positions := map[string]*node{}
		for _, row := range table {
			position := &node{kind: arrayKind}
			for _, ordinate := range row[1:] {
				if ordinate != "" {
					position.items = append(position.items, bareNode(ordinate))
				}
			}
			positions[row[0]] = position
		}
		for _, f := range c.features {
			f.get(geometryKey).placeNodes(positions)
		}
		return err
	}
	return collections.Rewrite(p.Document, p.To, change, restore)
}

// placeNodes puts positions in the places of their numbers.
func (n *node) placeNodes(positions map[string]*node) {
	if n == nil {
		return
	}
	if position, ok := positions[n.plainText()]; ok {
		*n = *position
		return
	}
	for _, item := range n.items {
		item.placeNodes(positions)
	}
	n.get("coordinates").placeNodes(positions)
	n.get("geometries").placeNodes(positions)
}
