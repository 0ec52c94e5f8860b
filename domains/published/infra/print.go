package infra

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/pytext"
)

// inline is the canonical text of an expression inside another one, as the published evaluator has it.
func (n *Node) inline() string { return n.written(false) }

// Normal is the text of an expression that is equal for expressions that the format takes for the same: without layout,
// parentheses that change nothing, the order of an object's keys, "${x}" around a whole value, and the way a text is
// quoted.
func (n *Node) Normal() string { return n.written(true) }

func (n *Node) written(normal bool) string {
	var b strings.Builder
	n.write(&b, normal)
	return b.String()
}

func (n *Node) write(b *strings.Builder, normal bool) {
	operand := func(k int, after string) {
		n.Kids[k].writeOperand(b, normal)
		b.WriteString(after)
	}
	switch n.Kind {
	case numberNode:
		n.writeNumber(b, normal)
	case quotedNode, HeredocNode:
		if normal {
			n.writeTemplate(b)
		} else if n.Kind == quotedNode {
			n.writeKids(b, normal, `"`, "", `"`)
		} else {
			b.WriteString(`"` + strings.TrimRight(n.Text, "\n\t ") + `"`)
		}
	case TupleNode:
		n.writeKids(b, normal, "[", ", ", "]")
	case ObjectNode:
		n.writeObject(b, normal)
	case CallNode:
		closing := ")"
		if n.Expanded && normal {
			closing = "...)"
		} else if n.Expanded {
			closing = " ...)"
		}
		n.writeKids(b, normal, n.Text+"(", ", ", closing)
	case parensNode:
		n.writeOnly(b, normal, "(", ")")
	case unaryNode:
		b.WriteString(n.Text)
		operand(0, "")
	case binaryNode:
		operand(0, " "+pytext.Strip(n.Text)+" ")
		operand(1, "")
	case conditionalNode:
		operand(0, " ? ")
		operand(1, " : ")
		operand(2, "")
	case indexNode, dotIndexNode, AttributeNode, splatNode:
		operand(0, "")
		n.writeAccess(b, normal)
	case forTupleNode, forObjectNode:
		n.writeFor(b, normal)
	case interpolationNode:
		n.writeOnly(b, normal, "${", "}")
	case directiveNode:
		n.writeDirective(b)
	default:
		b.WriteString(n.Text)
	}
}

func (n *Node) writeNumber(b *strings.Builder, normal bool) {
	text := n.Text
	if normal {
		text = jsontext.CanonicalNumber(text)
	} else if v := n.value(); v.kind == numberValue {
		text = v.text
	}
	b.WriteString(text)
}

func (n *Node) writeKids(b *strings.Builder, normal bool, before, between, after string) {
	b.WriteString(before)
	for i, kid := range n.Kids {
		if i > 0 {
			b.WriteString(between)
		}
		kid.write(b, normal)
	}
	b.WriteString(after)
}

// writeOnly writes the only kid. What is around it changes nothing.
func (n *Node) writeOnly(b *strings.Builder, normal bool, before, after string) {
	if normal {
		before, after = "", ""
	}
	n.writeKids(b, normal, before, "", after)
}

// writeOperand writes an operand, in the normal form with parentheses if it has operators, so that
// how they bind can be seen.
func (n *Node) writeOperand(b *strings.Builder, normal bool) {
	for normal && (n.Kind == parensNode || n.Kind == quotedNode && n.isWrapped()) {
		n = n.Kids[0]
		if n.Kind == interpolationNode {
			n = n.Kids[0]
		}
	}
	if !normal || n.Kind != binaryNode && n.Kind != conditionalNode && n.Kind != unaryNode {
		n.write(b, normal)
		return
	}
	b.WriteByte('(')
	n.write(b, normal)
	b.WriteByte(')')
}

// writeObject writes an object, in the normal form with its keys in order.
func (n *Node) writeObject(b *strings.Builder, normal bool) {
	var elements []string
	b.WriteByte('{')
	for i := 0; i < len(n.Kids); i += 2 {
		if normal {
			elements = append(elements, n.Kids[i].NormalKey()+" = "+n.Kids[i+1].Normal())
			continue
		}
		if i > 0 {
			b.WriteString(", ")
		}
		n.Kids[i].write(b, normal)
		b.WriteString(" = ")
		n.Kids[i+1].write(b, normal)
	}
	slices.Sort(elements)
	b.WriteString(strings.Join(elements, ", ") + "}")
}

// writeAccess writes what is accessed of an operand.
func (n *Node) writeAccess(b *strings.Builder, normal bool) {
	switch {
	case n.Kind == indexNode:
		b.WriteByte('[')
		n.Kids[1].write(b, normal)
		b.WriteByte(']')
	case n.Kind == dotIndexNode && normal:
		b.WriteString("[" + jsontext.CanonicalNumber(n.Text) + "]")
	case n.Kind == dotIndexNode:
		b.WriteString("." + number(n.Text).text)
	case n.Kind == AttributeNode:
		b.WriteString("." + n.Text)
	default:
		b.WriteString(n.Text)
	}
}

// writeFor writes [for k, v in x : e if c] or {for k, v in x : k => e if c}. The normal form only
// tells different ones apart.
func (n *Node) writeFor(b *strings.Builder, normal bool) {
	brackets := "[]"
	if n.Kind == forObjectNode {
		brackets = "{}"
	}
	b.WriteString(brackets[:1] + "for " + n.Text)
	if normal {
		after := "}"
		if n.Expanded {
			after = "...}"
		}
		n.writeKids(b, normal, " : ", ", ", after)
		return
	}
	signs := []string{" in ", " : ", " if "}
	if n.Kind == forObjectNode {
		signs = []string{" in ", " : ", " => ", " if "}
		if n.Expanded {
			signs[3] = "... if "
		}
	}
	for i, kid := range n.Kids {
		b.WriteString(signs[i])
		kid.write(b, normal)
	}
	if n.Expanded && len(n.Kids) < len(signs) {
		b.WriteString("...")
	}
	b.WriteString(brackets[1:])
}

func (n *Node) writeDirective(b *strings.Builder) {
	b.WriteString("%{" + mark(n.trimBefore) + " " + n.Text)
	if len(n.Kids) > 0 {
		n.writeKids(b, false, " ", "", "")
	}
	b.WriteString(" " + mark(n.trimAfter) + "}")
}

// isWrapped reports whether a template is a single interpolation, which means the same as what is inside.
func (n *Node) isWrapped() bool { return len(n.Kids) == 1 && n.Kids[0].Kind == interpolationNode }

// NormalKey is the key of an object's element, which may be quoted or not.
func (n *Node) NormalKey() string {
	key := n.Normal()
	switch {
	case n.Kind == parensNode:
		return "(" + key + ")"
	case n.Kind == quotedNode && isName(strings.Trim(key, `"`)) && len(n.Kids) == 1 && n.Kids[0].Kind == chunkNode:
		return strings.Trim(key, `"`)
	}
	return key
}

func isName(text string) bool {
	p := Parser{Text: text}
	return text != "" && p.NameEnd() == len(text)
}

// writeTemplate writes a text in quotes, in any form it was written in.
func (n *Node) writeTemplate(b *strings.Builder) {
	parts := n.Kids
	literal := unquoted
	if n.Kind == HeredocNode {
		parts = heredocParts(n.Text)
		literal = unescaped
	} else if n.isWrapped() {
		parts[0].Kids[0].write(b, true)
		return
	}
	b.WriteByte('"')
	for _, part := range parts {
		switch part.Kind {
		case chunkNode:
			writeQuoted(b, literal(part.Text))
		case interpolationNode:
			b.WriteString("${" + mark(part.trimBefore))
			part.Kids[0].write(b, true)
			b.WriteString(mark(part.trimAfter) + "}")
		default:
			b.WriteString("%{" + mark(part.trimBefore) + part.Text)
			part.writeKids(b, true, " ", ", ", mark(part.trimAfter)+"}")
		}
	}
	b.WriteByte('"')
}

func mark(trims bool) string {
	if trims {
		return "~"
	}
	return ""
}

// heredocParts reads the text of a heredoc as a template. Where an
// interpolation in it cannot be read, all of it is taken as it stands.
func heredocParts(source string) []*Node {
	lines := strings.Split(source, "\n")
	lines = lines[1 : len(lines)-1]
	if strings.HasPrefix(source, "<<-") { // their common indentation is no part of them
		lines = unindented(lines)
	}
	text := strings.Join(append(lines, ""), "\n")
	parts, err := TemplateParts(text, 0)
	if err != nil {
		return []*Node{{Kind: chunkNode, Text: text}}
	}
	return parts
}

// TemplateParts reads a text from a place on as a template without quotes.
func TemplateParts(text string, at int) (parts []*Node, err error) {
	p := Parser{Text: text, At: at}
	for p.At < len(text) && p.Err == nil {
		parts = append(parts, p.part(false))
	}
	return parts, p.Err
}

// unindented takes the smallest indentation of lines that are not blank off all of them.
func unindented(lines []string) []string {
	least := -1
	for _, line := range lines {
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		if indent < len(line) && (least < 0 || indent < least) {
			least = indent
		}
	}
	for i, line := range lines {
		lines[i] = line[min(max(least, 0), len(line)):]
	}
	return lines
}

// unescaped is the text that stands in a heredoc.
func unescaped(text string) string {
	if !strings.Contains(text, "{") {
		return text
	}
	return unescaping.Replace(text)
}

// unquoted is the text that stands in quotes.
func unquoted(text string) string {
	text = unescaped(text)
	if !strings.Contains(text, `\`) {
		return text
	}
	var b strings.Builder
	for at := 0; at < len(text); at++ {
		if text[at] != '\\' || at+1 == len(text) {
			b.WriteByte(text[at])
			continue
		}
		at++
		width := map[byte]int{'u': 4, 'U': 8}[text[at]]
		switch c := text[at]; {
		case c == 'n':
			b.WriteByte('\n')
		case c == 'r':
			b.WriteByte('\r')
		case c == 't':
			b.WriteByte('\t')
		case c == '"' || c == '\\':
			b.WriteByte(c)
		case width > 0 && at+width < len(text):
			if code, err := strconv.ParseUint(text[at+1:at+1+width], 16, 32); err == nil {
				b.WriteRune(rune(code))
				at += width
				continue
			}
			fallthrough
		default:
			b.WriteString(text[at-1 : at+1])
		}
	}
	return b.String()
}

// writeQuoted writes text so that it can be told from an interpolation.
func writeQuoted(b *strings.Builder, text string) {
	if !strings.ContainsAny(text, "\\\"\n\r\t{") {
		b.WriteString(text)
		return
	}
	_, _ = quoting.WriteString(b, text) // a strings.Builder cannot fail
}

var unescaping = strings.NewReplacer("$${", "${", "%%{", "%{")

var quoting = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "${", "$${", "%{", "%%{")

// python writes a value as Python prints it, inside of a container.
func (v *value) python(b *strings.Builder) {
	switch v.kind {
	case nullValue:
		b.WriteString("None")
	case booleanValue:
		b.WriteString(pytext.Bool(v.number != 0))
	case numberValue:
		b.WriteString(v.text)
	case textValue:
		pytext.WriteRepr(b, v.text)
	case listValue:
		b.WriteByte('[')
		for i := range v.items {
			if i > 0 {
				b.WriteString(", ")
			}
			v.items[i].python(b)
		}
		b.WriteByte(']')
	case mapValue:
		b.WriteByte('{')
		for i := range v.items {
			if i > 0 {
				b.WriteString(", ")
			}
			pytext.WriteRepr(b, v.keys[i])
			b.WriteString(": ")
			v.items[i].python(b)
		}
		b.WriteByte('}')
	}
}

// printed is the value as Python's str has it.
func (v *value) printed() string {
	if v.kind == textValue {
		return v.text
	}
	var b strings.Builder
	v.python(&b)
	return b.String()
}
