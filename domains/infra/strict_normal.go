package infra

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
)

// normal is the text of an expression that is equal for expressions that the
// format takes for the same: without layout, parentheses that change nothing,
// the order of an object's keys, "${x}" around a whole value, and the way a
// text is quoted.
func (n *node) normal() string {
	var b strings.Builder
	n.writeNormal(&b)
	return b.String()
}

func (n *node) writeNormal(b *strings.Builder) {
	switch n.kind {
	case numberNode:
		b.WriteString(plainNumber(n.text))
	case quotedNode, heredocNode:
		n.writeTemplate(b)
	case tupleNode:
		b.WriteByte('[')
		n.writeNormals(b)
		b.WriteByte(']')
	case objectNode:
		n.writeSorted(b)
	case callNode:
		b.WriteString(n.text + "(")
		n.writeNormals(b)
		if n.expanded {
			b.WriteString("...")
		}
		b.WriteByte(')')
	case parensNode, interpolationNode:
		n.kids[0].writeNormal(b)
	case unaryNode:
		b.WriteString(n.text)
		n.kids[0].writeOperand(b)
	case binaryNode:
		n.kids[0].writeOperand(b)
		b.WriteString(" " + n.text + " ")
		n.kids[1].writeOperand(b)
	case conditionalNode:
		n.kids[0].writeOperand(b)
		b.WriteString(" ? ")
		n.kids[1].writeOperand(b)
		b.WriteString(" : ")
		n.kids[2].writeOperand(b)
	case indexNode, dotIndexNode, attributeNode, splatNode:
		n.writeNormalAccess(b)
	case forTupleNode, forObjectNode:
		b.WriteString(map[nodeKind]string{forTupleNode: "[for ", forObjectNode: "{for "}[n.kind])
		b.WriteString(n.text + " : ")
		n.writeNormals(b)
		if n.expanded {
			b.WriteString("...")
		}
		b.WriteByte('}')
	default:
		b.WriteString(n.text)
	}
}

func (n *node) writeNormals(b *strings.Builder) {
	for i, kid := range n.kids {
		if i > 0 {
			b.WriteString(", ")
		}
		kid.writeNormal(b)
	}
}

// writeOperand writes an operand with parentheses if it has operators, so that
// how they bind can be seen.
func (n *node) writeOperand(b *strings.Builder) {
	for n.kind == parensNode || n.kind == quotedNode && n.isWrapped() {
		n = n.kids[0]
		if n.kind == interpolationNode {
			n = n.kids[0]
		}
	}
	if n.kind != binaryNode && n.kind != conditionalNode && n.kind != unaryNode {
		n.writeNormal(b)
		return
	}
	b.WriteByte('(')
	n.writeNormal(b)
	b.WriteByte(')')
}

// isWrapped reports whether a template is a single interpolation, which means
// the same as what is inside.
func (n *node) isWrapped() bool { return len(n.kids) == 1 && n.kids[0].kind == interpolationNode }

func (n *node) writeNormalAccess(b *strings.Builder) {
	n.kids[0].writeOperand(b)
	switch n.kind {
	case indexNode:
		b.WriteByte('[')
		n.kids[1].writeNormal(b)
		b.WriteByte(']')
	case dotIndexNode:
		b.WriteString("[" + plainNumber(n.text) + "]")
	case attributeNode:
		b.WriteString("." + n.text)
	default:
		b.WriteString(n.text)
	}
}

// writeSorted writes an object with its keys in order.
func (n *node) writeSorted(b *strings.Builder) {
	elements := make([]string, 0, len(n.kids)/2)
	for i := 0; i < len(n.kids); i += 2 {
		elements = append(elements, n.kids[i].normalKey()+" = "+n.kids[i+1].normal())
	}
	slices.Sort(elements)
	b.WriteString("{" + strings.Join(elements, ", ") + "}")
}

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

// plainNumber writes a number without exponent and needless zeros.
func plainNumber(literal string) string {
	mantissa, exponent, _ := strings.Cut(strings.ToLower(literal), "e")
	shift, err := strconv.Atoi(strings.TrimPrefix(exponent, "+"))
	if exponent != "" && (err != nil || max(shift, -shift) > 400) {
		return literal
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, point := whole+fraction, len(whole)+shift
	if point < 0 {
		digits, point = strings.Repeat("0", -point)+digits, 0
	}
	if point > len(digits) {
		digits += strings.Repeat("0", point-len(digits))
	}
	whole = strings.TrimLeft(digits[:point], "0")
	fraction = strings.TrimRight(digits[point:], "0")
	if whole == "" {
		whole = "0"
	}
	if fraction == "" {
		return whole
	}
	return whole + "." + fraction
}

// writeTemplate writes a text in quotes, in any form it was written in.
func (n *node) writeTemplate(b *strings.Builder) {
	parts := n.kids
	literal := unquoted
	if n.kind == heredocNode {
		parts = heredocParts(n.text)
		literal = unescaped
	} else if n.isWrapped() {
		parts[0].kids[0].writeNormal(b)
		return
	}
	b.WriteByte('"')
	for _, part := range parts {
		switch part.kind {
		case chunkNode:
			writeQuoted(b, literal(part.text))
		case interpolationNode:
			b.WriteString("${" + mark(part.trimBefore))
			part.kids[0].writeNormal(b)
			b.WriteString(mark(part.trimAfter) + "}")
		default:
			b.WriteString("%{" + mark(part.trimBefore) + part.text + " ")
			part.writeNormals(b)
			b.WriteString(mark(part.trimAfter) + "}")
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
	lines, flush := heredocLines(source)
	if flush {
		lines = unindented(lines)
	}
	text := strings.Join(append(lines, ""), "\n")
	p := parser{text: text}
	var parts []*node
	for p.at < len(text) && p.err == nil {
		parts = append(parts, p.part(false))
	}
	if p.err != nil {
		return []*node{{kind: chunkNode, text: text}}
	}
	return parts
}

// unindented takes the smallest indentation of lines that are not blank off
// all of them.
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

// fields flattens a value: an object into its elements, anything else into one
// field.
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
