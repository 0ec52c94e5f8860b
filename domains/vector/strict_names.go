package vector

import (
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
)

// The prefixes that namespaces have by custom. Links need none since SVG 2.
var customary = map[string]string{
	"http://www.w3.org/1999/xlink": "", "http://www.w3.org/XML/1998/namespace": "xml:",
	"http://www.inkscape.org/namespaces/inkscape": "inkscape:", "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd": "sodipodi:",
	"http://purl.org/dc/elements/1.1/": "dc:", "http://creativecommons.org/ns#": "cc:", "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
	svgSpace: "",
}

// attributeName is the name of an attribute under the prefix that is customary.
func (f *flattener) attributeName(name string) string {
	prefix := xml.Prefix(name)
	switch {
	case prefix == "":
		return name
	case prefix == "xlink":
		return xml.Local(name)
	}
	if custom, known := customary[f.spaces[prefix]]; known {
		return custom + xml.Local(name)
	}
	return name
}

// name is that of an element, the same under every prefix of SVG.
func (f *flattener) name(n *xml.Node) string {
	if !n.Foreign {
		return xml.Local(n.Name)
	}
	if custom, known := customary[n.Space]; known {
		return custom + xml.Local(n.Name)
	}
	return n.Name
}

// key is what a person would call an element: by its id, otherwise by its label, its
// place or its class, a group also by what it begins with.
func (f *flattener) key(n *xml.Node) string { return f.keyTo(n, 3) }

func (f *flattener) keyTo(n *xml.Node, depth int) string {
	name := f.name(n)
	for _, attribute := range []string{"id", "inkscape:label", "class"} {
		if value, _ := n.Attribute(attribute); value != "" {
			return name + " " + shortened(value)
		}
	}
	if isLabel(n, false) {
		if text := shownText(n); text != "" {
			return name + " “" + text + "”"
		}
	}
	for _, axes := range [][2]string{{"x", "y"}, {"cx", "cy"}, {"x1", "y1"}} {
		x, hasX := n.Attribute(axes[0])
		y, hasY := n.Attribute(axes[1])
		if hasX || hasY {
			return name + " at " + shortened(plain.Number(x)) + ", " + shortened(plain.Number(y))
		}
	}
	for _, c := range n.Children {
		if c.Kind == xml.Element && depth > 0 && !isSkipped(c) {
			return name + " with " + f.keyTo(c, depth-1)
		}
	}
	return name
}

const longestName = 40

func shortened(text string) string {
	if len(text) <= longestName {
		return text
	}
	runes := []rune(text[:min(len(text), 4*longestName)])
	return string(runes[:min(len(runes), longestName)])
}

// shownText is the beginning of the text in a label and its spans.
func shownText(n *xml.Node) string {
	var b strings.Builder
	var collect func(*xml.Node)
	collect = func(n *xml.Node) {
		for _, c := range n.Children {
			if b.Len() > longestName {
				return
			}
			switch c.Kind {
			case xml.Text:
				b.WriteString(shortened(pytext.StripLeft(c.Text)) + " ")
			case xml.Element:
				collect(c)
			}
		}
	}
	collect(n)
	return shortened(pytext.Strip(collapsed(b.String())))
}
