package infra

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
)

// isWrapped reports whether a template is a single interpolation, which means
// the same as what is inside.
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
