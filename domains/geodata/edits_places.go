package geodata

import (
	"math"
	"strconv"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	roundFile = "round.geojson"
	stopKey   = "stop"
	legKey    = "leg_m"
	listKey   = "list_no"
)

// orderRound orders the features for a walk that starts in the south and goes
// on to the nearest place, in lines of sight.
func orderRound(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	for i, f := range c.features {
		f.properties().set(listKey, numberNode(i+1))
	}
	var located, nowhere []stop
	for _, f := range c.features {
		if at, ok := f.firstPoint(); ok {
			located = append(located, stop{f, at, numberNode(0)})
		} else {
			nowhere = append(nowhere, stop{feature: f, leg: &node{}})
		}
	}
	for i, s := range append(walk(located), nowhere...) {
		s.feature.properties().set(stopKey, numberNode(i+1))
		s.feature.properties().set(legKey, s.leg)
		c.features[i] = s.feature
	}
	return vfs.Files{roundFile: c.print()}, nil
}

// stop is a feature on the way, with the distance from the stop before in
// whole metres.
type stop struct {
	feature *node
	at      point
	leg     *node
}

// walk brings the stops into order, of equally near ones the earlier first.
func walk(stops []stop) []stop {
	for i := range stops {
		next, nearest := i, math.Inf(1)
		for k := i; k < len(stops); k++ {
			distance := stops[k].at.lat
			if i > 0 {
				distance = metres(stops[i-1].at, stops[k].at)
			}
			if distance < nearest {
				next, nearest = k, distance
			}
		}
		s := stops[next]
		copy(stops[i+1:next+1], stops[i:next])
		stops[i] = s
		if i > 0 {
			stops[i].leg = numberNode(int(math.Round(nearest)))
		}
	}
	return stops
}

// metres is the haversine distance on a sphere of 6,371,000 m.
func metres(a, b point) float64 {
	const radius, degree = 6_371_000, math.Pi / 180
	dLat := math.Sin((b.lat - a.lat) * degree / 2)
	dLon := math.Sin((b.lon - a.lon) * degree / 2)
	across := float64(math.Cos(a.lat*degree) * math.Cos(b.lat*degree) * dLon * dLon)
	return 2 * radius * math.Asin(min(1, math.Sqrt(float64(dLat*dLat)+across)))
}

// firstPoint is the first position of the feature's geometry.
func (n *node) firstPoint() (at point, ok bool) {
	n.get(geometryKey).eachPosition(func(position *node) {
		if ok || len(position.items) < 2 {
			return
		}
		lon, errLon := strconv.ParseFloat(position.items[0].plainText(), 64)
		lat, errLat := strconv.ParseFloat(position.items[1].plainText(), 64)
		at, ok = point{lon, lat}, errLon == nil && errLat == nil
	})
	return at, ok
}

func orderList(files vfs.Files) (vfs.Files, error) {
	c, err := readNamed(files, roundFile)
	if err != nil {
		return nil, err
	}
	inOrderOf(c.features, func(f *node) string { return f.property(listKey).plainText() })
	for _, f := range c.features {
		for _, key := range []string{stopKey, legKey, listKey} {
			f.properties().remove(key)
		}
	}
	return asDocument(c), nil
}

const gridFile = "local_grid.geojson"

// The grid counts in units from its origin, east and north.
var (
	gridOrigin = [2]decimal.Decimal{decimal.RequireFromString("-2.08"), decimal.RequireFromString("53.73")}
	gridUnit   = decimal.RequireFromString("0.00001")
)

// toGrid writes positions and bounding boxes in grid units.
func toGrid(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	c.eachOrdinate(func(axis int, value decimal.Decimal) decimal.Decimal {
		return value.Sub(gridOrigin[axis]).Shift(-gridUnit.Exponent())
	})
	c.after = append(c.after[:len(c.after):len(c.after)], member{"grid", readValue(`{"origin": [-2.08, 53.73], "unit": 0.00001}`)})
	return vfs.Files{gridFile: c.print()}, nil
}

func fromGrid(files vfs.Files) (vfs.Files, error) {
	c, err := readNamed(files, gridFile)
	if err != nil {
		return nil, err
	}
	origin, unit := c.takeGrid()
	c.eachOrdinate(func(axis int, value decimal.Decimal) decimal.Decimal {
		return value.Mul(unit).Add(origin[axis])
	})
	return asDocument(c), nil
}

// takeGrid removes the grid's member and returns what it says; what cannot be
// read there is as it should be.
func (c *collection) takeGrid() (origin [2]decimal.Decimal, unit decimal.Decimal) {
	origin, unit = gridOrigin, gridUnit
	all := c.object()
	grid := all.get("grid")
	if at := grid.get("origin"); at.is(arrayKind) && len(at.items) == len(origin) {
		for axis, item := range at.items {
			if value, ok := item.decimal(); ok {
				origin[axis] = value
			}
		}
	}
	if value, ok := grid.get("unit").decimal(); ok {
		unit = value
	}
	c.removeMember("grid")
	return origin, unit
}

// eachOrdinate changes every longitude (axis 0) and latitude (axis 1) of the
// positions and bounding boxes.
func (c *collection) eachOrdinate(change func(axis int, value decimal.Decimal) decimal.Decimal) {
	do := func(axis int, n *node) {
		if value, ok := n.decimal(); ok {
			*n = node{kind: numberKind, text: change(axis, value).String()}
		}
	}
	inBox := func(box *node) {
		if !box.is(arrayKind) {
			return
		}
		dimensions := len(box.items) / 2
		for i, n := range box.items {
			if axis := i % max(dimensions, 1); axis < 2 {
				do(axis, n)
			}
		}
	}
	inBox(c.object().get("bbox"))
	for _, f := range c.features {
		inBox(f.get("bbox"))
		inBox(f.get(geometryKey).get("bbox"))
		f.get(geometryKey).eachPosition(func(position *node) {
			for axis, n := range position.items[:min(2, len(position.items))] {
				do(axis, n)
			}
		})
	}
}

// decimal returns a number, unless it is too long to be a coordinate.
func (n *node) decimal() (decimal.Decimal, bool) {
	const longest, largest = 60, 60
	if !n.is(numberKind) || len(n.text) > longest {
		return decimal.Decimal{}, false
	}
	if d, ok := readNumber(n.text); !ok || d.exponent > largest || d.exponent < -largest {
		return decimal.Decimal{}, false
	}
	value, err := decimal.NewFromString(n.text)
	return value, err == nil
}

const (
	boxedFile  = "with_bbox.geojson"
	hadBoxFile = "had_bbox.json"
)

// addBoxes adds bounding boxes where there are none.
func addBoxes(files vfs.Files) (vfs.Files, error) {
	c, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	had := &node{kind: arrayKind}
	whole := &box{}
	for i, f := range c.features {
		b := &box{}
		f.get(geometryKey).eachPosition(func(position *node) { b.extend(position); whole.extend(position) })
		if f.get("bbox") != nil {
			had.items = append(had.items, numberNode(i+1))
		} else if b.found {
			f.set("bbox", b.node())
		}
	}
	collectionHad := c.object().get("bbox") != nil
	if !collectionHad && whole.found {
		c.before = append(c.before[:len(c.before):len(c.before)], member{"bbox", whole.node()})
	}
	list := &node{kind: objectKind, members: []member{
		{"collection", &node{kind: boolKind, text: strconv.FormatBool(collectionHad)}}, {"features", had},
	}}
	return vfs.Files{boxedFile: c.print(), hadBoxFile: list.print()}, nil
}

// box has the numbers as they are written, west, south, east, north.
type box struct {
	found   bool
	written [4]*node
	value   [4]float64
}

func (b *box) extend(position *node) {
	for axis, n := range position.items[:min(2, len(position.items))] {
		value, err := strconv.ParseFloat(n.plainText(), 64)
		if err != nil {
			return
		}
		low, high := axis, axis+2
		if b.written[low] == nil || value < b.value[low] {
			b.written[low], b.value[low] = n, value
		}
		if b.written[high] == nil || value > b.value[high] {
			b.written[high], b.value[high] = n, value
		}
	}
	b.found = b.written[1] != nil
}

func (b *box) node() *node { return &node{kind: arrayKind, items: b.written[:]} }

// removeBoxes removes the bounding boxes of what had none.
func removeBoxes(files vfs.Files) (vfs.Files, error) {
	c, err := readNamed(files, boxedFile)
	if err != nil {
		return nil, err
	}
	list, err := plain.File(files, hadBoxFile)
	if err != nil {
		return nil, err
	}
	had := readValue(list)
	if whole := had.get("collection"); whole.is(boolKind) && whole.text == "false" {
		c.removeMember("bbox")
	}
	keep := map[string]bool{}
	if features := had.get("features"); features != nil {
		for _, number := range features.items {
			keep[number.plainText()] = true
		}
	}
	for i, f := range c.features {
		if !keep[strconv.Itoa(i+1)] {
			f.remove("bbox")
		}
	}
	return asDocument(c), nil
}
