package foodmenu

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	dietFile      = "by_diet.txt"
	dietRestFile  = "without_items.txt"
	dietLinesFile = "diet_lines.csv"
)

var dietColumns = []string{"line", "name"}

// diets are the groups of items, in their order.
var diets = []string{"VEGAN", "VEGETARIAN", "FISH AND SHELLFISH", "MEAT AND OTHERS", "BAR"}

// diet is the place among the diets of the group of a dish.
func (d *dish) diet() int {
	const vegan, vegetarian, seafood, others, bar = 0, 1, 2, 3, 4
	switch {
	case slices.Contains(d.marks, "A"):
		return bar
	case slices.Contains(d.marks, "VG"):
		return vegan
	case slices.Contains(d.marks, "V"):
		return vegetarian
	case d.isSeafood():
		return seafood
	}
	return others
}

// groupByDiet makes a section of the items of each diet.
func groupByDiet(files vfs.Files) (vfs.Files, error) {
	all, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	groups := make([]string, len(diets))
	rows := make([][][]string, len(diets))
	line := 1
	for i := range all {
		e := &all[i]
		if e.kind == itemEntry {
			n := e.dish.diet()
			name, _ := e.dish.divided()
			groups[n] += plain.Text(e.lines)
			rows[n] = append(rows[n], []string{strconv.Itoa(line), name})
		}
		line += len(e.lines)
	}
	table := [][]string{dietColumns}
	var text strings.Builder
	for n, diet := range diets {
		if groups[n] == "" {
			continue
		}
		if text.Len() > 0 {
			text.WriteByte('\n')
		}
		text.WriteString("--- " + diet + " ---\n\n" + groups[n])
		table = append(table, rows[n]...)
	}
	_, rest := takeOut(all, func(e *entry) bool { return e.kind == itemEntry })
	return vfs.Files{dietFile: text.String(), dietRestFile: plain.Text(rest), dietLinesFile: plain.WriteCSV(table)}, nil
}

// ungroup puts the items on their lines again.
func ungroup(files vfs.Files) (vfs.Files, error) {
	groups, err := readNamed(files, dietFile)
	if err != nil {
		return nil, err
	}
	rest, err := plain.File(files, dietRestFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, dietLinesFile, dietColumns...)
	if err != nil {
		return nil, err
	}
	lines := map[string][]int{} // by name
	for _, row := range rows {
		lines[row[1]] = append(lines[row[1]], lineNumber(row[0]))
	}
	var taken []placed
	for i := range groups {
		e := &groups[i]
		if e.kind != itemEntry {
			continue
		}
		name, _ := e.dish.divided()
		line := 0
		if of := lines[name]; len(of) > 0 {
			line, lines[name] = of[0], of[1:]
		}
		taken = append(taken, placed{line, e.lines})
	}
	return putIn(taken, plain.Lines(rest)), nil
}
