package vector

import (
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	published "agentd/domains/published/vector"
)

// drawing is a file as the format has it, in any state.
type drawing struct {
	xml.Document
	spaces map[string]string // the namespaces of all prefixes
}

// read takes in any text. It forgives a byte order mark, code fences, and what is not well-formed but has lost nothing.
func read(text string) *drawing {
	text = xml.Unfenced(text)
	d := drawing{xml.ReadSpaced(text), map[string]string{"": ""}}
	d.arrange(d.Top, false)
	return &d
}

// arrange leaves out the white space that only lays the document out, marks the
// elements that are not SVG's, and collects the namespaces.
func (d *drawing) arrange(n *xml.Node, inLabel bool) {
	kept := n.Children[:0]
	for at, c := range n.Children {
		if c.Kind == xml.Text && !c.CDATA && pytext.Strip(c.Text) == "" {
			if inLabel && len(kept) > 0 && isSpaced(n.Children[at+1:]) {
				c.Text = " "
				kept = append(kept, c)
			}
			continue
		}
		kept = append(kept, c)
	}
	n.Children = kept
	for _, c := range n.Children {
		if c.Kind != xml.Element {
			continue
		}
		for _, a := range c.Attrs {
			if a.IsDeclaration() {
				d.spaces[strings.TrimPrefix(a.Name, "xmlns:")] = a.Value
			}
		}
		c.Foreign = !isSVG(c)
		d.arrange(c, isLabel(c, inLabel))
	}
}

// isSpaced reports whether a blank is seen before what follows in a label: not
// at its end, nor where the next span has a place of its own.
func isSpaced(following []*xml.Node) bool {
	for _, c := range following {
		switch c.Kind {
		case xml.Text:
			return true
		case xml.Element:
			_, hasX := c.Attribute("x")
			_, hasY := c.Attribute("y")
			return !hasX && !hasY
		}
	}
	return false
}

const svgSpace = "http://www.w3.org/2000/svg"

// isSVG reports whether an element is in the namespace of SVG, in none, or under
// a prefix that is not declared but SVG's by custom.
func isSVG(n *xml.Node) bool {
	if n.Unbound {
		return xml.Prefix(n.Name) == "svg"
	}
	return n.Space == svgSpace || n.Space == ""
}

// isLabel reports whether text in an element is drawn, or shown otherwise.
func isLabel(n *xml.Node, inLabel bool) bool {
	switch xml.Local(n.Name) {
	case "text", "tspan", "textPath", "title", "desc", "style", "script":
		return true
	}
	return inLabel
}

// drawn calls do with the elements that are counted, in order of the document.
func drawn(n *xml.Node, do func(*xml.Node)) {
	for _, c := range n.Children {
		if published.IsSkipped(c) {
			continue
		}
		do(c)
		if xml.Local(c.Name) != "defs" {
			drawn(c, do)
		}
	}
}

// without leaves out drawn elements. What stands in one, other than definitions and text, stays where it was.
func without(_, text string, leave func() bool) string {
	d := read(text)
	var out []stretch
	for _, root := range d.Top.Elements() {
		drawn(root, func(c *xml.Node) {
			if leave() {
				out = append(out, whatGoes(c)...)
			}
		})
	}
	return plain.Splice(d.Text, out, func(s stretch) (int, int, string) { return int(s.from), int(s.to), "" })
}

// stretch is a part of a text, in bytes.
type stretch struct{ from, to int32 }

// whatGoes are the stretches of an element that do not stay without it.
func whatGoes(n *xml.Node) (all []stretch) {
	at := n.From
	for _, c := range n.Children {
		if c.Kind != xml.Text && xml.Local(n.Name) != "defs" {
			all = append(all, stretch{at, c.From})
			at = c.To
		}
	}
	return append(all, stretch{at, n.To})
}
