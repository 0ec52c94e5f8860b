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
				n.To, holder.To = min(n.To, c.From), min(holder.To, c.From)
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

// isList reports whether tracks are looked for in an element. They stand in a
// trackList, but without one they are still tracks.
func isList(n *xml.Node) bool { return n.Is("trackList") || n.Is("playlist") || n.Is("xspf") }

// without leaves out tracks, with the comments that stand before them.
func without(_, text string, leave func() bool) string {
	if isM3U(text) {
		return withoutM3U(text, leave)
	}
	x := read(text)
	var out []*xml.Node
	take := func(list *xml.Node) {
		var comments []*xml.Node
		for _, c := range list.Children {
			if c.Kind == xml.Comment {
				comments = append(comments, c)
				continue
			}
			if c.Is("track") && leave() {
				out = append(append(out, comments...), c)
			}
			comments = nil
		}
	}
	take(x.Top)
	x.Top.Walk(func(e *xml.Node) {
		if isList(e) {
			take(e)
		}
	})
	return x.Without(out)
}
