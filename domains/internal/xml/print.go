package xml

import "strings"

// InOne writes a node on one line.
func (n *Node) InOne() string {
	var b strings.Builder
	n.print(&b)
	return b.String()
}

func (n *Node) print(b *strings.Builder) {
	switch n.Kind {
	case Text:
		if n.CDATA {
			b.WriteString("<![CDATA[" + n.Text + "]]>")
		} else {
			_, _ = textEscapes.WriteString(b, n.Text)
		}
	case Comment:
		b.WriteString("<!--" + n.Text + "-->")
	case Instruction:
		b.WriteString("<?" + n.Text + "?>")
	case Doctype:
		b.WriteString(n.Text)
	case Element:
		b.WriteString("<" + n.Name)
		for _, a := range n.Attrs {
			b.WriteString(" " + a.Name + `="`)
			_, _ = valueEscapes.WriteString(b, a.Value)
			b.WriteByte('"')
		}
		if len(n.Children) == 0 {
			b.WriteString("/>")
			return
		}
		b.WriteByte('>')
		for _, c := range n.Children {
			c.print(b)
		}
		b.WriteString("</" + n.Name + ">")
	}
}

// EscapeText escapes what XML does not take in a text.
func EscapeText(text string) string { return textEscapes.Replace(text) }

// EscapeValue escapes what XML does not take in an attribute's value.
func EscapeValue(value string) string { return valueEscapes.Replace(value) }

var (
	textEscapes  = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "\r", "&#13;")
	valueEscapes = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;", "\n", "&#10;", "\t", "&#9;", "\r", "&#13;")
)
