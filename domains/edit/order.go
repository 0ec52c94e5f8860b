package edit

import (
	"slices"
	"strconv"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// place puts parts at the places of a document, whose separators stay where they are.
func (d *document) place(parts []string) string {
	pieces := d.Pieces
	pieces.Parts = parts
	return pieces.Text()
}

// sort puts the parts in the order of an attribute, and lists the position that each had.
func (s *step) sort() (vfs.Files, error) {
	table := [][]string{{"line", "position"}}
	var parts []string
	for n, at := range s.by.sorted(s.Parts) {
		parts = append(parts, s.Parts[at])
		table = append(table, []string{strconv.Itoa(n + 1), strconv.Itoa(at + 1)})
	}
	return s.document.with(vfs.Files{s.name: s.place(parts), s.verb.Table: plain.WriteCSV(table)}), nil
}

// unsort puts the parts where the table says. Parts that it does not place come last.
func (p *Program) unsort(files vfs.Files) (vfs.Files, error) {
	rows, err := p.table(files, "line", "position")
	if err != nil {
		return nil, err
	}
	d, err := p.format.read(files, p.verb.Document)
	if err != nil {
		return nil, err
	}
	delete(d.rest, p.verb.Table)
	order := make([]int, len(d.Parts)) // of the parts as they are sorted
	for i := range order {
		order[i] = len(d.Parts) + i
	}
	for n, row := range rows[:min(len(rows), len(order))] {
		if at, err := strconv.Atoi(row[1]); err == nil {
			order[n] = at - 1
		}
	}
	places := make([]int, len(d.Parts))
	for i := range places {
		places[i] = i
	}
	slices.SortStableFunc(places, func(x, y int) int { return order[x] - order[y] })
	parts := make([]string, len(places))
	for i, at := range places {
		parts[i] = d.Parts[at]
	}
	return d.with(vfs.Files{d.name: d.place(parts)}), nil
}

// reverse puts the last part first.
func (s *step) reverse() (vfs.Files, error) {
	parts := slices.Clone(s.Parts)
	slices.Reverse(parts)
	return s.document.with(vfs.Files{s.name: s.place(parts)}), nil
}
