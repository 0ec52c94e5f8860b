package playlist

import (
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	published "agentd/domains/published/playlist"
)

// read takes in any text. It forgives a byte order mark, code fences and closing tags that are lost or misspelt.
func read(text string) *xml.Document {
	text = xml.Unfenced(text)
	x := xml.Read(text)
	for _, root := range x.Top.Children {
		markForeign(root, root.Space)
		if len(x.Faults) > 0 {
			settle(root, root, root)
		}
	}
	return &x
}

// markForeign marks the elements that are neither in the root's namespace nor in that of XSPF.
func markForeign(n *xml.Node, rootSpace string) {
	if n.Kind != xml.Element {
		return
	}
	n.Foreign = n.Space != rootSpace && n.Space != published.Namespace
	for _, c := range n.Children {
		markForeign(c, rootSpace)
	}
}

// isText reports whether elements of the name hold text alone.
func isText(name string) bool {
	switch name {
	case "title", "creator", "annotation", "album", "info", "image", "location", "identifier", "date", "license",
		"trackNum", "duration", "link", "meta":
		return true
	}
	return false
}

// settle moves elements out of those that cannot hold them, whose closing tag is lost or misspelt: tracks to the list,
// other elements to the track or playlist that holds the one they stand in. All keep their order.
func settle(n, holder, list *xml.Node) {
	children := n.Children
	n.Children = nil
	for _, c := range children {
		parent := n
		if c.Kind == xml.Element && !c.Foreign {
			switch name := xml.Local(c.Name); {
			case name == "track":
				parent, n = list, list // what follows, follows the track
			case isText(xml.Local(n.Name)) && (isText(name) || name == "extension" || name == "trackList"):
				parent = holder
			}
		}
		parent.Children = plain.Append(parent.Children, c)
		switch {
		case c.Kind != xml.Element || c.Foreign || c.Is("extension"):
		case c.Is("trackList") || c.Is("playlist"):
			settle(c, c, c)
		case c.Is("track"):
			settle(c, c, list)
		default:
			settle(c, holder, list)
		}
	}
}

// item is a track with the comments that stand before it.
type item struct {
	*xml.Node
	comments []*xml.Node
}

// takeItems takes the tracks out of an element for which take holds, with the
// comments before them, and returns them. It asks in the order of the document.
func takeItems(n *xml.Node, take func() bool) []item {
	var items []item
	var comments, kept []*xml.Node
	for _, c := range n.Children {
		switch {
		case c.Kind == xml.Comment:
			comments = append(comments, c)
			continue
		case c.Is("track") && take():
			items = append(items, item{c, comments})
		default:
			kept = append(kept, comments...)
			kept = append(kept, c)
		}
		comments = nil
	}
	n.Children = append(kept, comments...)
	return items
}

// isList reports whether tracks are looked for in an element. They stand in a
// trackList, but without one they are still tracks.
func isList(n *xml.Node) bool { return n.Is("trackList") || n.Is("playlist") || n.Is("xspf") }

// without leaves out tracks.
func without(_, text string, leave func() bool) string {
	if isM3U(text) {
		return withoutM3U(text, leave)
	}
	x := read(text)
	takeItems(x.Top, leave)
	x.Top.Walk(func(e *xml.Node) {
		if isList(e) {
			takeItems(e, leave)
		}
	})
	return printed(x)
}

// printed writes a file with each element on a line of its own, extensions with all that is in them.
func printed(x *xml.Document) string { return x.Print(xml.Named("extension")) }
