package obj3d

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// place reads the first three numbers of a vertex or normal.
func (e *entry) place() (place [3]decimal.Decimal, err error) {
	if len(e.words) < len(place) {
		return place, fmt.Errorf("%s has too few numbers", e.quoted())
	}
	for axis := range place {
		value, err := decimal.NewFromString(e.words[axis])
		const farthest = 60 // exponent
		if err != nil || value.Exponent() < -farthest || value.Exponent() > farthest {
			return place, fmt.Errorf("%.40q in %s is no number", e.words[axis], e.quoted())
		}
		place[axis] = value
	}
	return place, nil
}

// box is the smallest and the largest coordinates of a block.
func (b *block) box() (least, most [3]decimal.Decimal, err error) {
	vertices := vertices(b.entries)
	if len(vertices) == 0 {
		return least, most, fmt.Errorf("the group %.60q has no vertex", b.name())
	}
	for n, v := range vertices {
		place, err := v.place()
		if err != nil {
			return least, most, err
		}
		for axis, value := range place {
			if n == 0 || value.LessThan(least[axis]) {
				least[axis] = value
			}
			if n == 0 || value.GreaterThan(most[axis]) {
				most[axis] = value
			}
		}
	}
	return least, most, nil
}

// yUp turns a model from z up to y up, with lengths in a smaller unit.
func yUp(p struct {
	Document, To string
	Decimals     int32 // by which the unit is smaller
}) exact.Steps {
	change := func(d *document) (vfs.Files, error) {
		return nil, d.turn(p.Decimals, func(p [3]decimal.Decimal) [3]decimal.Decimal {
			return [3]decimal.Decimal{p[0], p[2], p[1].Neg()}
		})
	}
	restore := func(d *document, _ vfs.Files) error {
		return d.turn(-p.Decimals, func(p [3]decimal.Decimal) [3]decimal.Decimal {
			return [3]decimal.Decimal{p[0], p[2].Neg(), p[1]}
		})
	}
	return withMaterials(meshes.Rewrite(p.Document, p.To, change, restore))
}

// turn turns vertices and normals; only vertices have a length.
func (d *document) turn(shift int32, axes func([3]decimal.Decimal) [3]decimal.Decimal) error {
	for _, e := range d.all() {
		if e.keyword != "v" && e.keyword != "vn" {
			continue
		}
		place, err := e.place()
		if err != nil {
			return err
		}
		words := slices.Clone(e.words)
		for axis, value := range axes(place) {
			if e.keyword == "v" {
				value = value.Shift(shift)
			}
			words[axis] = value.String()
		}
		e.replace(words)
	}
	return nil
}

// sortByVolume sorts groups by the volume of the box around them. On the way back the rows of
// the table are in the present order.
func sortByVolume(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) ([][]string, error) {
		volumes, rows := map[*block]decimal.Decimal{}, map[*block][]string{}
		for n, b := range d.blocks {
			least, most, err := b.box()
			if err != nil {
				return nil, err
			}
			volume := decimal.NewFromInt(1)
			row := []string{strconv.Itoa(n + 1), b.name()}
			for axis := range least {
				length := most[axis].Sub(least[axis])
				volume = volume.Mul(length)
				row = append(row, length.String())
			}
			volumes[b], rows[b] = volume, append(row, volume.StringFixed(4))
		}
		slices.SortStableFunc(d.blocks, func(a, b *block) int { return volumes[a].Cmp(volumes[b]) })
		table := [][]string{{"position", "group", "length", "depth", "height", "volume"}}
		for _, b := range d.blocks {
			table = append(table, rows[b])
		}
		return table, nil
	}
	restore := func(d *document, rows [][]string) {
		lists.Arrange(d.blocks, lists.Map(rows, func(row []string) int { return plain.LineNumber(row[0]) }))
	}
	return rewrite(p.Document, p.To, p.Table, change, restore, "position")
}

// pooled is a vertex with where it came from.
type pooled struct {
	vertex       *entry
	place        [3]decimal.Decimal
	group, index int
}

// poolVertices puts all vertices, sorted, above the first group. On the way back those that the
// table does not list stay there.
func poolVertices(p struct{ Document, To, Table string }) exact.Steps {
	change := func(d *document) ([][]string, error) {
		var pool []pooled
		for n, b := range d.blocks {
			for i, v := range vertices(b.entries) {
				place, err := v.place()
				if err != nil {
					return nil, err
				}
				pool = append(pool, pooled{v, place, n + 1, i + 1})
			}
			b.entries = slices.DeleteFunc(b.entries, (*entry).isVertex)
		}
		slices.SortStableFunc(pool, func(a, b pooled) int {
			return cmp.Or(a.place[0].Cmp(b.place[0]), a.place[1].Cmp(b.place[1]), a.place[2].Cmp(b.place[2]))
		})
		table := [][]string{{"vertex", "group", "index"}}
		for n, v := range pool {
			d.heading = append(d.heading, v.vertex)
			table = append(table, []string{strconv.Itoa(n + 1), strconv.Itoa(v.group), strconv.Itoa(v.index)})
		}
		return table, nil
	}
	return rewrite(p.Document, p.To, p.Table, change, returnVertices, "vertex", "group", "index")
}

// returnVertices gives each group the vertices that rows have for it, above its shapes.
func returnVertices(d *document, rows [][]string) {
	pool := vertices(d.heading)
	given := map[*entry]bool{}
	of := make([][]pooled, len(d.blocks))
	for _, row := range rows {
		vertex, group := plain.LineNumber(row[0])-1, plain.LineNumber(row[1])-1
		if vertex < 0 || vertex >= len(pool) || group < 0 || group >= len(of) || given[pool[vertex]] {
			continue
		}
		given[pool[vertex]] = true
		of[group] = append(of[group], pooled{vertex: pool[vertex], index: plain.LineNumber(row[2])})
	}
	d.heading = slices.DeleteFunc(d.heading, func(e *entry) bool { return given[e] })
	for n, b := range d.blocks {
		at := slices.IndexFunc(b.entries, (*entry).isCounted)
		if at < 0 {
			at = len(b.entries)
		}
		slices.SortStableFunc(of[n], func(a, b pooled) int { return a.index - b.index })
		for i, v := range of[n] {
			b.entries = slices.Insert(b.entries, at+i, v.vertex)
		}
	}
}
