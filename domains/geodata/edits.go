package geodata

import (
	"errors"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/exact"
)

// collections says how collections, which are lists of features, are taken apart and put
// together. Each file of a divided one has the members around the features.
var collections = exact.Format[collection, *node]{
	Patterns: []string{"*.geojson"},
	Read:     readCollection,
	Print:    collection.print,
	Parts:    func(c *collection) *[]*node { return &c.features },
	Join: func(all []collection) (joined collection) {
		for _, c := range all {
			if len(joined.before)+len(joined.after) == 0 {
				joined.before, joined.after = c.before, c.after
			}
			joined.features = append(joined.features, c.features...)
		}
		return joined
	},
	Shell: func(c collection) collection { return collection{before: c.before, after: c.after} },
	Empty: errors.New("no GeoJSON file with a feature"),
}

func edits() []domains.Edit {
	return []domains.Edit{
		domains.Taking("split_by_property", splitByProperty),
		domains.Taking("feature_table", featureTable),
		domains.Taking("walk_order", walkOrder),
		domains.Taking("flatten", flatten),
		domains.Taking("local_grid", localGrid),
		domains.Taking("bounding_boxes", boundingBoxes),
		domains.Taking("number_notes", numberNotes),
		domains.Taking("number_positions", numberPositions),
	}
}

// readValue reads a text that is one JSON value, such as a table's cell.
func readValue(content string) *node {
	r := newReader(content, &collector{})
	r.Skip()
	return r.Value()
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
