package geodata

import (
	"cmp"
	"errors"
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/vfs"
)

// documentFile is the file that every backward step leaves.
const documentFile = "colden_walkover.geojson"

func edits() []domains.Edit {
	return []domains.Edit{
		{Name: "split_by_kind", Forward: splitByKind, Backward: mergeKinds},
		{Name: "wkt_table", Forward: toTable, Backward: fromTable},
		{Name: "inspection_round", Forward: orderRound, Backward: orderList},
		{Name: "flat_properties", Forward: flatten, Backward: nest},
		{Name: "local_grid", Forward: toGrid, Backward: fromGrid},
		{Name: "bounding_boxes", Forward: addBoxes, Backward: removeBoxes},
		{Name: "gazetteer", Forward: toGazetteer, Backward: fromGazetteer},
		{Name: "shared_nodes", Forward: toNodes, Backward: fromNodes},
	}
}

var errNoFeature = errors.New("no GeoJSON file with a feature")

// readDocument reads the GeoJSON files that a forward step is given, as one.
func readDocument(files vfs.Files) (*collection, error) {
	c := &collection{}
	for _, name := range files.Match([]string{"*.geojson"}).Names() {
		part := readCollection(files[name])
		c.takeMembers(&part)
		c.features = append(c.features, part.features...)
	}
	if len(c.features) == 0 {
		return nil, errNoFeature
	}
	return c, nil
}

// takeMembers takes the members around another collection's features, if there
// are none yet.
func (c *collection) takeMembers(other *collection) {
	if len(c.before)+len(c.after) == 0 {
		c.before, c.after = other.before, other.after
	}
}

// readNamed reads the GeoJSON file that a backward step needs.
func readNamed(files vfs.Files, name string) (*collection, error) {
	text, err := plain.File(files, name)
	if err != nil {
		return nil, err
	}
	c := readCollection(text)
	return &c, nil
}

// readValue reads a text that is one JSON value, such as a table's cell.
func readValue(content string) *node {
	r := reader{text: content}
	r.skip()
	return r.value()
}

func asDocument(c *collection) vfs.Files { return vfs.Files{documentFile: c.print()} }

// part is the same collection with other features.
func (c *collection) part(features []*node) *collection {
	return &collection{before: c.before, after: c.after, features: features}
}

func (c *collection) removeMember(name string) {
	named := func(m member) bool { return m.name == name }
	c.before, c.after = slices.DeleteFunc(c.before, named), slices.DeleteFunc(c.after, named)
}

// property returns a property of a feature; nil if it has none of the name.
func (n *node) property(name string) *node { return n.get(propertiesKey).get(name) }

// properties returns the properties of a feature, to change them.
func (n *node) properties() *node {
	p := n.get(propertiesKey)
	if !p.is(objectKind) {
		p = &node{kind: objectKind}
		n.set(propertiesKey, p)
	}
	return p
}

// plainText returns a text or number as it is written, otherwise nothing.
func (n *node) plainText() string {
	if n.is(textKind) || n.is(numberKind) {
		return n.text
	}
	return ""
}

// eachPosition calls do with every position of a geometry, to change it.
func (n *node) eachPosition(do func(position *node)) {
	if coordinates := n.get("coordinates"); coordinates.is(arrayKind) {
		coordinates.positionsIn(do)
	}
	if geometries := n.get("geometries"); geometries.is(arrayKind) {
		for _, geometry := range geometries.items {
			geometry.eachPosition(do)
		}
	}
}

func (n *node) positionsIn(do func(position *node)) {
	if slices.ContainsFunc(n.items, func(item *node) bool { return item.kind == numberKind }) {
		do(n)
		return
	}
	for _, item := range n.items {
		item.positionsIn(do)
	}
}

// inOrderOf sorts by number, what has none last.
func inOrderOf[T any](all []T, number func(T) string) {
	value := func(v T) float64 {
		n, err := strconv.ParseFloat(number(v), 64)
		if err != nil {
			return float64(len(all)) + 1
		}
		return n
	}
	slices.SortStableFunc(all, func(a, b T) int { return cmp.Compare(value(a), value(b)) })
}
