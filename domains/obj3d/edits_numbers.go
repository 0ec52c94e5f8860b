package obj3d

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	turnedFile    = "hut_yup_mm.obj"
	volumeFile    = "by_volume.obj"
	inventoryFile = "inventory.csv"
	pooledFile    = "pooled.obj"
	poolFile      = "vertex_pool.csv"
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
	vertices := b.vertices()
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

const (
	toMillimetres = 3 // decimal places
	toMetres      = -3
)

// turnUp turns the model from z up in metres to y up in millimetres.
func turnUp(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	turned, err := d.turn(toMillimetres, func(p [3]decimal.Decimal) [3]decimal.Decimal {
		return [3]decimal.Decimal{p[0], p[2], p[1].Neg()}
	})
	if err != nil {
		return nil, err
	}
	return withMaterials(files, turnedFile, turned)
}

func turnBack(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, turnedFile)
	if err != nil {
		return nil, err
	}
	turned, err := d.turn(toMetres, func(p [3]decimal.Decimal) [3]decimal.Decimal {
		return [3]decimal.Decimal{p[0], p[2].Neg(), p[1]}
	})
	if err != nil {
		return nil, err
	}
	return asDocument(files, turned)
}

// turn turns vertices and normals; only vertices have a length.
func (d *document) turn(shift int32, axes func([3]decimal.Decimal) [3]decimal.Decimal) ([]*entry, error) {
	all := d.all()
	for _, e := range all {
		if e.keyword != "v" && e.keyword != "vn" {
			continue
		}
		place, err := e.place()
		if err != nil {
			return nil, err
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
	return all, nil
}

// sortByVolume sorts groups by the volume of the box around them.
func sortByVolume(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
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
	result, err := withMaterials(files, volumeFile, d.all())
	if err != nil {
		return nil, err
	}
	result[inventoryFile] = plain.WriteCSV(table)
	return result, nil
}

// sortByPosition puts the groups back; the rows of the table are in their present
// order.
func sortByPosition(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, volumeFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, inventoryFile, "position")
	if err != nil {
		return nil, err
	}
	if len(d.blocks) == 0 {
		return nil, errNoGroup
	}
	d.blocks = inOrder(d.blocks, rows)
	return asDocument(files, d.all())
}

// pooled is a vertex with where it came from.
type pooled struct {
	vertex       *entry
	place        [3]decimal.Decimal
	group, index int
}

// poolVertices puts all vertices, sorted, above the first group.
func poolVertices(files vfs.Files) (vfs.Files, error) {
	d, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	var pool []pooled
	for n, b := range d.blocks {
		for i, v := range b.vertices() {
			place, err := v.place()
			if err != nil {
				return nil, err
			}
			pool = append(pool, pooled{v, place, n + 1, i + 1})
		}
		b.entries = slices.DeleteFunc(b.entries, isVertex)
	}
	slices.SortStableFunc(pool, func(a, b pooled) int {
		return cmp.Or(a.place[0].Cmp(b.place[0]), a.place[1].Cmp(b.place[1]), a.place[2].Cmp(b.place[2]))
	})
	table := [][]string{{"vertex", "group", "index"}}
	for n, p := range pool {
		d.heading = append(d.heading, p.vertex)
		table = append(table, []string{strconv.Itoa(n + 1), strconv.Itoa(p.group), strconv.Itoa(p.index)})
	}
	result, err := withMaterials(files, pooledFile, d.all())
	if err != nil {
		return nil, err
	}
	result[poolFile] = plain.WriteCSV(table)
	return result, nil
}

func isVertex(e *entry) bool {
	which, isData := e.isData()
	return isData && which == 0
}

// returnVertices gives each group its vertices back, above its shapes. Those that
// the table does not list stay where they are.
func returnVertices(files vfs.Files) (vfs.Files, error) {
	d, err := readNamed(files, pooledFile)
	if err != nil {
		return nil, err
	}
	rows, err := plain.Table(files, poolFile, "vertex", "group", "index")
	if err != nil {
		return nil, err
	}
	if len(d.blocks) == 0 {
		return nil, errNoGroup
	}
	pool := (&block{entries: d.heading}).vertices()
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
		slices.SortStableFunc(of[n], func(a, b pooled) int { return a.index - b.index })
		b.giveVertices(of[n])
	}
	return asDocument(files, d.all())
}

func (b *block) giveVertices(vertices []pooled) {
	at := slices.IndexFunc(b.entries, func(e *entry) bool {
		_, isData := e.isData()
		return isData || len(e.corners) > 0
	})
	if at < 0 {
		at = len(b.entries)
	}
	var given []*entry
	for _, v := range vertices {
		given = append(given, v.vertex)
	}
	b.entries = slices.Insert(b.entries, at, given...)
}
