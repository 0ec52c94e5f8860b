package foodmenu

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// groupByTags moves the items to sections, each to the first that they fit. What fits none stays.
func groupByTags(p struct {
	Document, To string
	Groups       []struct {
		Title string
		tags
	}
	Rest, Table string
}) exact.Steps {
	groupOf := func(d *dish) int {
		for n := range p.Groups {
			if p.Groups[n].fit(d) {
				return n
			}
		}
		return -1
	}
	columns := []string{"line", "name"}
	forward := func(all []entry) (vfs.Files, error) {
		groups, rows := make([]string, len(p.Groups)), make([][][]string, len(p.Groups))
		for at, e := range items(all) {
			if n := groupOf(e.dish); n >= 0 {
				name, _ := e.dish.divided()
				groups[n] += plain.Text(e.lines)
				rows[n] = append(rows[n], []string{strconv.Itoa(at.line), name})
			}
		}
		var sections []string
		for n := range groups {
			if groups[n] != "" {
				sections = append(sections, "--- "+p.Groups[n].Title+" ---\n\n"+groups[n])
			}
		}
		rest := slices.DeleteFunc(all, func(e entry) bool { return isItem(e) && groupOf(e.dish) >= 0 })
		table := append([][]string{columns}, slices.Concat(rows...)...)
		return vfs.Files{p.To: strings.Join(sections, "\n"), p.Rest: printed(rest), p.Table: plain.WriteCSV(table)}, nil
	}
	return menus.Whole(p.Document, forward, func(files vfs.Files) ([]entry, error) {
		groups, err := menus.Named(files, p.To)
		if err != nil {
			return nil, err
		}
		rest, err := plain.File(files, p.Rest)
		if err != nil {
			return nil, err
		}
		rows, err := plain.Table(files, p.Table, columns...)
		lines := plain.NotesBy(rows, func(row []string) string { return row[1] })
		var taken []placed
		for _, e := range items(groups) {
			name, _ := e.dish.divided()
			line := 0
			if row := lines.Take(name); row != nil {
				line = plain.LineNumber(row[0])
			}
			taken = append(taken, placed{line, e.lines})
		}
		return putIn(taken, rest), err
	})
}
