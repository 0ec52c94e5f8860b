package geodata

import (
	"fmt"
	"math"
	"strconv"

	"github.com/shopspring/decimal"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// walkOrder orders the features for a walk that starts in the south and goes on to the nearest
// place, in lines of sight.
func walkOrder(p struct {
	Document, To     string
	Stop, Leg, Place string // properties: number on the walk, metres before it, former place
}) exact.Steps {
	change := func(c *collection) {
		var located, nowhere []stop
		for i, f := range c.features {
			f.properties().set(p.Place, numberNode(i+1))
			if at, ok := f.firstPoint(); ok {
				located = append(located, stop{f, at, numberNode(0)})
			} else {
				nowhere = append(nowhere, stop{feature: f, leg: &node{}})
			}
		}
		for i, s := range append(walk(located), nowhere...) {
			s.feature.properties().set(p.Stop, numberNode(i+1))
			s.feature.properties().set(p.Leg, s.leg)
			c.features[i] = s.feature
		}
	}
	return collections.Change(p.Document, p.To, change, func(c *collection) {
		collections.SortByNumber(c, func(f **node) (int, bool) {
			place, err := strconv.Atoi((*f).property(p.Place).plainText())
			return place, err == nil
		})
		for _, f := range c.features {
			for _, name := range []string{p.Stop, p.Leg, p.Place} {
				f.properties().remove(name)
			}
		}
	})
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
				before := stops[i-1].at
				distance = plain.Metres(before.lat, before.lon, stops[k].at.lat, stops[k].at.lon)
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

// localGrid writes positions and bounding boxes in units from an origin, east and north. What
// cannot be read of the member that says so is as it should be.
func localGrid(p struct {
	Document, To string
	Origin       [2]decimal.Decimal // longitude and latitude
	Unit         decimal.Decimal    // in degrees
	Member       string             // of the collection
}) exact.Steps {
	if p.Unit.Coefficient().Int64() != 1 {
		return exact.Refuse("the unit must be a power of ten")
	}
	change := func(c *collection) {
		c.eachOrdinate(func(axis int, value decimal.Decimal) decimal.Decimal {
			return value.Sub(p.Origin[axis]).Shift(-p.Unit.Exponent())
		})
		says := fmt.Sprintf(`{"origin": [%s, %s], "unit": %s}`, p.Origin[0], p.Origin[1], p.Unit)
		c.after = append(c.after[:len(c.after):len(c.after)], member{p.Member, readValue(says)})
	}
	return collections.Change(p.Document, p.To, change, func(c *collection) {
		origin, unit := p.Origin, p.Unit
		grid := c.object().get(p.Member)
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
		c.removeMember(p.Member)
		c.eachOrdinate(func(axis int, value decimal.Decimal) decimal.Decimal { return value.Mul(unit).Add(origin[axis]) })
	})
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
	if d, ok := jsontext.ReadDecimal(n.text); !ok || d.Exponent > largest || d.Exponent < -largest {
		return decimal.Decimal{}, false
	}
	value, err := decimal.NewFromString(n.text)
	return value, err == nil
}

// boundingBoxes adds bounding boxes where there are none, and lists what had one.
func boundingBoxes(p struct{ Document, To, List string }) exact.Steps {
	change := func(c *collection) (vfs.Files, error) {
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
		return vfs.Files{p.List: list.print()}, nil
	}
	restore := func(c *collection, files vfs.Files) error {
		list, err := plain.File(files, p.List)
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
		return err
	}
	return collections.Rewrite(p.Document, p.To, change, restore)
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
