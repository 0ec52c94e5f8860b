package infra

import (
	"strings"

	"agentd/domains/internal/pytext"
)

// value is what stands for an expression on the right of an equals sign, or
// inside lists and objects that stand there.
func (n *node) value() value {
	switch n.kind {
	case numberNode:
		if strings.ContainsAny(n.text, "eE") {
			return text(dollar(n.text))
		}
		return number(n.text)
	case literalNode:
		if n.text == "null" {
			return value{}
		}
		return boolean(n.text == "true")
	case wordNode, quotedNode, escapedNode, heredocNode:
		return text(n.inline())
	case tupleNode:
		list := value{kind: listValue, items: make([]value, len(n.kids))}
		for i, kid := range n.kids {
			list.items[i] = kid.value()
		}
		return list
	case objectNode:
		var t table
		for i := 0; i < len(n.kids); i += 2 {
			t.set(n.kids[i].key(), n.kids[i+1].value())
		}
		return t.done()
	case parensNode:
		inner := n.kids[0].value()
		return text(parenthesised(inner.printed()))
	}
	return text(dollar(n.inline()))
}

// key is the key of an object's element.
func (n *node) key() string {
	switch n.kind {
	case wordNode, quotedNode, literalNode:
		return n.inline()
	case numberNode:
		v := n.value()
		return v.text
	}
	return dollar(n.inline())
}

func isDollar(s string) bool { return strings.HasPrefix(s, "${") && strings.HasSuffix(s, "}") }

func dollar(s string) string {
	if isDollar(s) {
		return s
	}
	return "${" + s + "}"
}

func parenthesised(s string) string {
	if isDollar(s) {
		s = s[2 : len(s)-1]
	}
	return dollar("(" + s + ")")
}

// inline is the canonical text of an expression inside another one.
func (n *node) inline() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n *node) write(b *strings.Builder) {
	switch n.kind {
	case numberNode:
		if v := n.value(); v.kind == numberValue {
			b.WriteString(v.text)
		} else {
			b.WriteString(n.text)
		}
	case wordNode, literalNode, escapedNode, chunkNode:
		b.WriteString(n.text)
	case quotedNode:
		b.WriteByte('"')
		n.writeKids(b, "")
		b.WriteByte('"')
	case heredocNode:
		b.WriteString(`"` + strings.TrimRight(n.text, "\n\t ") + `"`)
	case tupleNode:
		b.WriteByte('[')
		n.writeKids(b, ", ")
		b.WriteByte(']')
	case objectNode:
		n.writeObject(b)
	case callNode:
		b.WriteString(n.text + "(")
		n.writeKids(b, ", ")
		if n.expanded {
			b.WriteString(" ...")
		}
		b.WriteByte(')')
	case parensNode:
		b.WriteByte('(')
		n.writeKids(b, "")
		b.WriteByte(')')
	case unaryNode:
		b.WriteString(n.text)
		n.writeKids(b, "")
	case binaryNode:
		n.kids[0].write(b)
		b.WriteString(" " + pytext.Strip(n.text) + " ")
		n.kids[1].write(b)
	case conditionalNode:
		n.kids[0].write(b)
		b.WriteString(" ? ")
		n.kids[1].write(b)
		b.WriteString(" : ")
		n.kids[2].write(b)
	case indexNode, dotIndexNode, attributeNode, splatNode:
		n.writeAccess(b)
	case forTupleNode, forObjectNode:
		n.writeFor(b)
	case interpolationNode:
		b.WriteString("${")
		n.writeKids(b, "")
		b.WriteByte('}')
	case directiveNode:
		n.writeDirective(b)
	}
}

func (n *node) writeKids(b *strings.Builder, between string) {
	for i, kid := range n.kids {
		if i > 0 {
			b.WriteString(between)
		}
		kid.write(b)
	}
}

func (n *node) writeObject(b *strings.Builder) {
	b.WriteByte('{')
	for i := 0; i < len(n.kids); i += 2 {
		if i > 0 {
			b.WriteString(", ")
		}
		n.kids[i].write(b)
		b.WriteString(" = ")
		n.kids[i+1].write(b)
	}
	b.WriteByte('}')
}

func (n *node) writeAccess(b *strings.Builder) {
	n.kids[0].write(b)
	switch n.kind {
	case indexNode:
		b.WriteByte('[')
		n.kids[1].write(b)
		b.WriteByte(']')
	case dotIndexNode:
		b.WriteString("." + number(n.text).text)
	case attributeNode:
		b.WriteString("." + n.text)
	default:
		b.WriteString(n.text)
	}
}

// writeFor writes [for k, v in x : e if c] or {for k, v in x : k => e if c}.
func (n *node) writeFor(b *strings.Builder) {
	kids, closing := n.kids, "]"
	b.WriteString(map[nodeKind]string{forTupleNode: "[", forObjectNode: "{"}[n.kind])
	b.WriteString("for " + n.text + " in ")
	kids[0].write(b)
	b.WriteString(" : ")
	kids[1].write(b)
	kids = kids[2:]
	if n.kind == forObjectNode {
		closing = "}"
		b.WriteString(" => ")
		kids[0].write(b)
		kids = kids[1:]
		if n.expanded {
			b.WriteString("...")
		}
	}
	if len(kids) > 0 {
		b.WriteString(" if ")
		kids[0].write(b)
	}
	b.WriteString(closing)
}

func (n *node) writeDirective(b *strings.Builder) {
	b.WriteString("%{")
	if n.trimBefore {
		b.WriteByte('~')
	}
	b.WriteString(" " + n.text)
	if len(n.kids) > 0 {
		b.WriteByte(' ')
		n.writeKids(b, "")
	}
	b.WriteByte(' ')
	if n.trimAfter {
		b.WriteByte('~')
	}
	b.WriteByte('}')
}
