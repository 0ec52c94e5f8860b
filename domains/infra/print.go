package infra

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/pytext"
)

// inline is the canonical text of an expression inside another one, as the published evaluator has it.
func (n *node) inline() string { return n.written(false) }

// normal is the text of an expression that is equal for expressions that the format takes for the same: without layout,
// parentheses that change nothing, the order of an object's keys, "${x}" around a whole value, and the way a text is
// quoted.
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

// isWrapped reports whether a template is a single interpolation, which means the same as what is inside.
func (n *node) isWrapped() bool { return len(n.kids) == 1 && n.kids[0].kind == interpolationNode }

// normalKey is the key of an object's element, which may be quoted or not.
func (n *node) normalKey() string {
	key := n.normal()
	switch {
	case n.kind == parensNode:
		return "(" + key + ")"
	case n.kind == quotedNode && isName(strings.Trim(key, `"`)) && len(n.kids) == 1 && n.kids[0].kind == chunkNode:
		return strings.Trim(key, `"`)
	}
	return key
}

func isName(text string) bool {
	p := parser{text: text}
	return text != "" && p.nameEnd() == len(text)
}

// writeTemplate writes a text in quotes, in any form it was written in.
func (n *node) writeTemplate(b *strings.Builder) {
	parts := n.kids
	literal := unquoted
	if n.kind == heredocNode {
		parts = heredocParts(n.text)
		literal = unescaped
	} else if n.isWrapped() {
		parts[0].kids[0].write(b, true)
		return
	}
	b.WriteByte('"')
	for _, part := range parts {
		switch part.kind {
		case chunkNode:
			writeQuoted(b, literal(part.text))
		case interpolationNode:
			b.WriteString("${" + mark(part.trimBefore))
			part.kids[0].write(b, true)
			b.WriteString(mark(part.trimAfter) + "}")
		default:
			b.WriteString("%{" + mark(part.trimBefore) + part.text)
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
func heredocParts(source string) []*node {
	lines := strings.Split(source, "\n")
	lines = lines[1 : len(lines)-1]
	if strings.HasPrefix(source, "<<-") { // their common indentation is no part of them
		lines = unindented(lines)
	}
	text := strings.Join(append(lines, ""), "\n")
	parts, err := templateParts(text, 0)
	if err != nil {
		return []*node{{kind: chunkNode, text: text}}
	}
	return parts
}

// templateParts reads a text from a place on as a template without quotes.
func templateParts(text string, at int) (parts []*node, err error) {
	p := parser{text: text, at: at}
	for p.at < len(text) && p.err == nil {
		parts = append(parts, p.part(false))
	}
	return parts, p.err
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

// fields flattens a value: an object into its elements, anything else into one field.
func (n *node) fields(all []domains.Field, path string) []domains.Field {
	switch {
	case n.kind == objectNode && len(n.kids) > 0:
		for i := 0; i < len(n.kids); i += 2 {
			all = n.kids[i+1].fields(all, path+"."+n.kids[i].normalKey())
		}
		return all
	case n.kind == callNode && n.text == "jsonencode" && len(n.kids) == 1 && !n.expanded && n.kids[0].kind == objectNode:
		return n.kids[0].fields(all, path+" as JSON")
	case n.kind == tupleNode && slices.ContainsFunc(n.kids, func(kid *node) bool { return kid.kind == objectNode }):
		for i, kid := range n.kids {
			all = kid.fields(all, path+"["+strconv.Itoa(i)+"]")
		}
		return all
	}
	return append(all, domains.Field{Name: path, Value: n.normal()})
}
