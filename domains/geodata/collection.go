package geodata

import "slices"

// collection is the content of GeoJSON files: features, and the members of the
// collection around them.
type collection struct {
	before, after []member // the features
	features      []*node
	declared      bool     // there is an object with features, not just features
	outside       []string // text that is no JSON
}

// readCollection takes in any text. Features may stand in a collection, in an
// array, or one after the other.
func readCollection(content string) collection {
	values, outside := read(content)
	c := collection{outside: outside}
	for _, value := range values {
		switch {
		case value.kind == arrayKind && slices.ContainsFunc(value.items, isObject):
			c.features = append(c.features, value.items...)
		case value.kind == arrayKind:
			c.outside = append(c.outside, value.canonical())
		case value.get("type").isText("Feature") && value.get("features") == nil:
			c.features = append(c.features, value)
		default:
			c.add(value)
		}
	}
	return c
}

func isObject(n *node) bool { return n.kind == objectKind }

// add takes in a collection, or an object that is none.
func (c *collection) add(object *node) {
	features := object.get("features")
	c.declared = c.declared || features.is(arrayKind)
	passed := false
	for _, m := range object.members {
		switch {
		case m.value == features && features.is(arrayKind):
			c.features = append(c.features, features.items...)
			passed = true
		case passed:
			c.after = append(c.after, m)
		default:
			c.before = append(c.before, m)
		}
	}
}
