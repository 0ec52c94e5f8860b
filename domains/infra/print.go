package infra

import (
	"slices"
	"strings"

	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/pytext"
)

// inline is the canonical text of an expression inside another one, as the published evaluator
// has it.
func (n *node) inline() string { return n.written(false) }

// normal is the text of an expression that is equal for expressions that the
// format takes for the same: without layout, parentheses that change nothing,
// the order of an object's keys, "${x}" around a whole value, and the way a
// text is quoted.
func (n *node) normal() string { return n.written(true) }

func (n *node) written(normal bool) string {
	var b strings.Builder
	n.write(&b, normal)
	return b.String()
}

func (n *node) write(b *strings.Builder, normal bool) {
	operand := func(k int, after string) {
		n.kids[k].writeOperand(b, normal)
		b.WriteString(after)
	}
	switch n.kind {
	case numberNode:
		n.writeNumber(b, normal)
	case quotedNode, heredocNode:
		if normal {
			n.writeTemplate(b)
		} else if n.kind == quotedNode {
			n.writeKids(b, normal, `"`, "", `"`)
		} else {
			b.WriteString(`"` + strings.TrimRight(n.text, "\n\t ") + `"`)
		}
	case tupleNode:
		n.writeKids(b, normal, "[", ", ", "]")
	case objectNode:
		n.writeObject(b, normal)
	case callNode:
		closing := ")"
		if n.expanded && normal {
			closing = "...)"
		} else if n.expanded {
			closing = " ...)"
		}
		n.writeKids(b, normal, n.text+"(", ", ", closing)
	case parensNode:
		n.writeOnly(b, normal, "(", ")")
	case unaryNode:
		b.WriteString(n.text)
		operand(0, "")
	case binaryNode:
		operand(0, " "+pytext.Strip(n.text)+" ")
		operand(1, "")
	case conditionalNode:
		operand(0, " ? ")
		operand(1, " : ")
		operand(2, "")
	case indexNode, dotIndexNode, attributeNode, splatNode:
		operand(0, "")
		n.writeAccess(b, normal)
	case forTupleNode, forObjectNode:
		n.writeFor(b, normal)
	case interpolationNode:
		n.writeOnly(b, normal, "${", "}")
	case directiveNode:
		n.writeDirective(b)
	default:
		b.WriteString(n.text)
	}
}

func (n *node) writeNumber(b *strings.Builder, normal bool) {
	text := n.text
	if normal {
		text = jsontext.CanonicalNumber(text)
	} else if v := n.value(); v.kind == numberValue {
		text = v.text
	}
	b.WriteString(text)
}

func (n *node) writeKids(b *strings.Builder, normal bool, before, between, after string) {
	b.WriteString(before)
	for i, kid := range n.kids {
		if i > 0 {
			b.WriteString(between)
		}
		kid.write(b, normal)
	}
	b.WriteString(after)
}

// writeOnly writes the only kid. What is around it changes nothing.
func (n *node) writeOnly(b *strings.Builder, normal bool, before, after string) {
	if normal {
		before, after = "", ""
	}
	n.writeKids(b, normal, before, "", after)
}

// writeOperand writes an operand, in the normal form with parentheses if it has operators, so that
// how they bind can be seen.
func (n *node) writeOperand(b *strings.Builder, normal bool) {
	for normal && (n.kind == parensNode || n.kind == quotedNode && n.isWrapped()) {
		n = n.kids[0]
		if n.kind == interpolationNode {
			n = n.kids[0]
		}
	}
	if !normal || n.kind != binaryNode && n.kind != conditionalNode && n.kind != unaryNode {
		n.write(b, normal)
		return
	}
	b.WriteByte('(')
	n.write(b, normal)
	b.WriteByte(')')
}

// writeObject writes an object, in the normal form with its keys in order.
func (n *node) writeObject(b *strings.Builder, normal bool) {
	var elements []string
	b.WriteByte('{')
	for i := 0; i < len(n.kids); i += 2 {
		if normal {
			elements = append(elements, n.kids[i].normalKey()+" = "+n.kids[i+1].normal())
			continue
		}
		if i > 0 {
			b.WriteString(", ")
		}
		n.kids[i].write(b, normal)
		b.WriteString(" = ")
		n.kids[i+1].write(b, normal)
	}
	slices.Sort(elements)
	b.WriteString(strings.Join(elements, ", ") + "}")
}

// writeAccess writes what is accessed of an operand.
func (n *node) writeAccess(b *strings.Builder, normal bool) {
	switch {
	case n.kind == indexNode:
		b.WriteByte('[')
		n.kids[1].write(b, normal)
		b.WriteByte(']')
	case n.kind == dotIndexNode && normal:
		b.WriteString("[" + jsontext.CanonicalNumber(n.text) + "]")
	case n.kind == dotIndexNode:
		b.WriteString("." + number(n.text).text)
	case n.kind == attributeNode:
		b.WriteString("." + n.text)
	default:
		b.WriteString(n.text)
	}
}

// writeFor writes [for k, v in x : e if c] or {for k, v in x : k => e if c}. The normal form only
// tells different ones apart.
func (n *node) writeFor(b *strings.Builder, normal bool) {
	brackets := "[]"
	if n.kind == forObjectNode {
		brackets = "{}"
	}
	b.WriteString(brackets[:1] + "for " + n.text)
	if normal {
		after := "}"
		if n.expanded {
			after = "...}"
		}
		n.writeKids(b, normal, " : ", ", ", after)
		return
	}
	signs := []string{" in ", " : ", " if "}
	if n.kind == forObjectNode {
		signs = []string{" in ", " : ", " => ", " if "}
		if n.expanded {
			signs[3] = "... if "
		}
	}
	for i, kid := range n.kids {
		b.WriteString(signs[i])
		kid.write(b, normal)
	}
	if n.expanded && len(n.kids) < len(signs) {
		b.WriteString("...")
	}
	b.WriteString(brackets[1:])
}

func (n *node) writeDirective(b *strings.Builder) {
	b.WriteString("%{" + mark(n.trimBefore) + " " + n.text)
	if len(n.kids) > 0 {
		n.writeKids(b, false, " ", "", "")
	}
	b.WriteString(" " + mark(n.trimAfter) + "}")
}
