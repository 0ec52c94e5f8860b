package edit

import (
	"slices"
	"strconv"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// sort puts the parts in the order of an attribute, and lists the position that each had.
func (s *step) sort() (vfs.Files, error) {
	table := [][]string{{"line", "position"}}
	var parts []string
	for n, at := range s.by.sorted(s.Parts) {
		parts = append(parts, s.Parts[at])
		table = append(table, []string{strconv.Itoa(n + 1), strconv.Itoa(at + 1)})
	}
	s.Parts = parts
	return s.document.with(vfs.Files{s.name: s.Text(), s.verb.Table: plain.WriteCSV(table)}), nil
}

// unsort puts the parts where the table says. Parts that it does not place come last.
func (p *Program) unsort(files vfs.Files) (vfs.Files, error) {
	rows, err := p.table(files, "line", "position")
	if err != nil {
		return nil, err
	}
	d, err := p.read(files)
	if err != nil {
		return nil, err
	}
	type placed struct {
		position int
		part     string
	}
	order := make([]placed, len(d.Parts))
	for i, part := range d.Parts {
		order[i] = placed{len(d.Parts) + i, part}
		if i < len(rows) {
			if position, err := strconv.Atoi(rows[i][1]); err == nil {
				order[i].position = position - 1
			}
		}
	}
	slices.SortStableFunc(order, func(x, y placed) int { return x.position - y.position })
	for i := range order {
		d.Parts[i] = order[i].part
	}
	return d.with(vfs.Files{d.name: d.Text()}), nil
}

// reverse puts the last part first.
func (s *step) reverse() (vfs.Files, error) {
	slices.Reverse(s.Parts)
	return s.document.with(vfs.Files{s.name: s.Text()}), nil
}
