package geotrack

import "strings"

// print writes a document with two blanks a level, points on a line of their
// own. What read reads from it is the same.
func (f *gpxFile) print() string {
	p := printer{}
	p.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	for _, n := range f.top.children {
		p.node(n, 0)
		p.WriteByte('\n')
	}
	return p.String()
}

type printer struct{ strings.Builder }

// inline is the depth of what has no lines of its own.
const inline = -1

func (p *printer) node(n *node, depth int) {
	switch n.kind {
	case textNode:
		_, _ = textEscapes.WriteString(p, n.text)
	case commentNode:
		p.write("<!--", n.text, "-->")
	case instructionNode:
		p.write("<?", n.text, "?>")
	case doctypeNode:
		p.WriteString(n.text)
	case elementNode:
		p.element(n, depth)
	}
}

func (p *printer) write(parts ...string) {
	for _, part := range parts {
		p.WriteString(part)
	}
}

func (p *printer) element(n *node, depth int) {
	p.write("<", n.name)
	for _, a := range n.attrs {
		p.write(" ", a.name, `="`)
		_, _ = valueEscapes.WriteString(p, a.value)
		p.WriteByte('"')
	}
	if len(n.children) == 0 {
		p.WriteString("/>")
		return
	}
	p.WriteByte('>')
	if depth != inline && n.hasLines() {
		for _, c := range n.children {
			p.newline(depth + 1)
			p.node(c, depth+1)
		}
		p.newline(depth)
	} else {
		for _, c := range n.children {
			p.node(c, inline)
		}
	}
	p.write("</", n.name, ">")
}

func (p *printer) newline(depth int) {
	p.WriteByte('\n')
	for range depth {
		p.WriteString("  ")
	}
}

// hasLines reports whether the children of an element stand on lines of their
// own: not in a point of a track or route, and not beside text.
func (n *node) hasLines() bool {
	if n.is("trkpt") || n.is("rtept") {
		return false
	}
	for _, c := range n.children {
		if c.kind == textNode {
			return false
		}
	}
	return true
}

var (
	textEscapes  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")
	valueEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "&#10;", "\t", "&#9;", "\r", "&#13;")
)
