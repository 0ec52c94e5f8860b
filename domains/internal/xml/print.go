package xml

import (
	"slices"
	"strings"
)

// Print writes a document with two blanks a level. Elements that inOne accepts stand on one line with all that is in
// them, as do those with text. What Read reads from it is the same.
func (d *Document) Print(inOne func(*Node) bool) string {
	p := printer{inOne: inOne}
	p.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	for _, n := range d.Top.Children {
		p.node(n, 0)
		p.WriteByte('\n')
	}
	return p.String()
}

// Lines writes a node as Print does at a depth, without a line end after it.
func (n *Node) Lines(depth int, inOne func(*Node) bool) string {
	p := printer{inOne: inOne}
	p.node(n, depth)
	return p.String()
}

// InOne writes a node on one line.
func (n *Node) InOne() string { return n.Lines(inline, nil) }

// EscapeText escapes what XML does not take in a text.
func EscapeText(text string) string { return textEscapes.Replace(text) }

// EscapeValue escapes what XML does not take in an attribute's value.
func EscapeValue(value string) string { return valueEscapes.Replace(value) }

type printer struct {
	strings.Builder
	inOne func(*Node) bool
}

// inline is the depth of what has no lines of its own.
const inline = -1

func (p *printer) node(n *Node, depth int) {
	switch n.Kind {
	case Text:
		if n.CDATA {
			p.write("<![CDATA[", n.Text, "]]>")
		} else {
			_, _ = textEscapes.WriteString(p, n.Text)
		}
	case Comment:
		p.write("<!--", n.Text, "-->")
	case Instruction:
		p.write("<?", n.Text, "?>")
	case Doctype:
		p.WriteString(n.Text)
	case Element:
		p.element(n, depth)
	}
}

func (p *printer) write(parts ...string) {
	for _, part := range parts {
		p.WriteString(part)
	}
}

func (p *printer) element(n *Node, depth int) {
	p.write("<", n.Name)
	for _, a := range n.Attrs {
		p.write(" ", a.Name, `="`)
		_, _ = valueEscapes.WriteString(p, a.Value)
		p.WriteByte('"')
	}
	if len(n.Children) == 0 {
		p.WriteString("/>")
		return
	}
	p.WriteByte('>')
	if depth != inline && !slices.ContainsFunc(n.Children, isText) && !p.inOne(n) {
		for _, c := range n.Children {
			p.newline(depth + 1)
			p.node(c, depth+1)
		}
		p.newline(depth)
	} else {
		for _, c := range n.Children {
			p.node(c, inline)
		}
	}
	p.write("</", n.Name, ">")
}

func (p *printer) newline(depth int) {
	p.WriteByte('\n')
	for range depth {
		p.WriteString("  ")
	}
}

func isText(n *Node) bool { return n.Kind == Text }

var (
	textEscapes  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")
	valueEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "&#10;", "\t", "&#9;", "\r", "&#13;")
)
