package json

import (
	"slices"
)

// without leaves out members and items, numbered in the order of the document. A
// list or an object goes only when nothing stays in it: where one is to go and
// something in it stays, the last scalar in it goes in its place, so that as
// many go as are left out.
func without(name, text string, leave func() bool) string {
	c := read(name, text)
	for _, root := range c.roots {
		root.prune(leave)
		root.writeOutAliases()
	}
	return c.print(isYAML(name))
}

func (c content) print(asYAML bool) string {
	text := ""
	if asYAML {
		for _, comment := range c.comments {
			text += "# " + comment + "\n"
		}
	}
	for i, root := range c.roots {
		if !asYAML {
			text += root.printJSON()
			continue
		}
		if i > 0 {
			text += "---\n"
		}
		text += root.printYAML()
	}
	return text
}

// prune leaves out of what is in a list or an object.
func (n *node) prune(leave func() bool) {
	goes := func(value *node) bool {
		goes := leave()
		value.prune(leave)
		if goes && value.entries() > 0 {
			value.dropLast()
			return false
		}
		return goes
	}
	n.items = slices.DeleteFunc(n.items, goes)
	n.members = slices.DeleteFunc(n.members, func(m member) bool { return goes(m.value) })
}

// dropLast removes the last entry that has none itself.
func (n *node) dropLast() {
	at := n.entries() - 1
	switch last := n.entry(at); {
	case last.entries() > 0:
		last.dropLast()
	case n.kind == listKind:
		n.items = n.items[:at]
	default:
		n.members = n.members[:at]
	}
}

// writeOutAliases gives the value and the anchor of what is gone to the first
// alias that names it.
func (n *node) writeOutAliases() {
	there := map[*anchor]bool{}
	n.each(func(value *node) {
		if value.anchor == nil || value.kind == aliasKind && there[value.anchor] {
			return
		}
		if value.kind == aliasKind {
			*value = *value.anchor.value.clone()
		}
		value.anchor.value = value
		there[value.anchor] = true
	})
}
