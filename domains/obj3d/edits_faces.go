package obj3d

import (
	"slices"
	"strconv"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
)

// inTriangles cuts each polygon into triangles that share its first corner, and back into
// polygons of as many triangles as the table says.
func inTriangles(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) ([][]string, error) {
		table := [][]string{{"face", "corners"}}
		count := 0
		for _, b := range d.blocks {
			var entries []*entry
			for _, e := range b.entries {
				if !e.isFace() {
					entries = append(entries, e)
					continue
				}
				if len(e.words) > 3 {
					table = append(table, []string{strconv.Itoa(count + 1), strconv.Itoa(len(e.words))})
				}
				parts := e.fan()
				count += len(parts)
				entries = append(entries, parts...)
			}
			b.entries = entries
		}
		return table, nil
	}
	restore := func(d *document, rows [][]string) {
		corners := map[int]int{} // by the number of the first triangle
		for _, row := range rows {
			corners[plain.LineNumber(row[0])] = plain.LineNumber(row[1])
		}
		number := 0
		for _, b := range d.blocks {
			var polygon *entry
			missing := 0 // triangles
			b.entries = slices.DeleteFunc(b.entries, func(e *entry) bool {
				if !e.isFace() {
					return false
				}
				number++
				if polygon != nil && missing > 0 && len(e.words) == 3 {
					polygon.join(e)
					missing--
					return true
				}
				polygon, missing = e, corners[number]-3
				return false
			})
		}
	}
	return rewrite(p.Document, p.To, p.Table, change, restore, "face", "corners")
}

// fan is the triangles of a polygon; the first keeps its comment.
func (e *entry) fan() []*entry {
	if len(e.words) <= 3 {
		return []*entry{e}
	}
	var parts []*entry
	for n := 2; n < len(e.words); n++ {
		part := &entry{
			statement: statement{keyword: e.keyword},
			corners:   [][3]target{e.corners[0], e.corners[n-1], e.corners[n]},
		}
		if n == 2 {
			part.comment = e.comment
		}
		part.replace([]string{e.words[0], e.words[n-1], e.words[n]})
		parts = append(parts, part)
	}
	return parts
}

// join adds the last corner of a triangle.
func (e *entry) join(triangle *entry) {
	last := len(triangle.words) - 1
	e.corners = append(e.corners, triangle.corners[last])
	e.replace(append(slices.Clone(e.words), triangle.words[last]))
}
