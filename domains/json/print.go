package json

import (
	"slices"
	"strconv"
	"strings"

	"agentd/domains/internal/jsontext"
)

const (
	indent = "  "
	// deepestIndent is the indentation beyond which lists and objects stay on
	// one line: many deep ones would print as far more than they are.
	deepestIndent = 200
)

// printJSON writes a value with each member and item on a line of its own.
func (n *node) printJSON() string {
	var b strings.Builder
	n.writeJSON(&b, "\n")
	b.WriteByte('\n')
	return b.String()
}

// writeJSON writes the value; line begins each further line, "" keeps all on one.
func (n *node) writeJSON(b *strings.Builder, line string) {
	switch {
	case n.kind == aliasKind:
		textNode("*"+n.text).writeJSON(b, line)
		return
	case !n.isContainer():
		b.WriteString(n.scalarJSON())
		return
	}
	open, end := "[", "]"
	if n.kind == objectKind {
		open, end = "{", "}"
	}
	inner, colon := line, ":"
	if line != "" {
		inner, colon = line+indent, ": "
	}
	if len(inner) > deepestIndent {
		line, inner = "", ""
	}
	b.WriteString(open)
	for i := range n.entries() {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(inner)
		if n.kind == objectKind {
			b.WriteString(jsontext.Quote(n.members[i].name) + colon)
		}
		n.entry(i).writeJSON(b, inner)
	}
	if n.entries() > 0 {
		b.WriteString(line)
	}
	b.WriteString(end)
}

// compact is the value on one line, however deep.
func (n *node) compact() string {
	var b strings.Builder
	n.writeJSON(&b, "")
	return b.String()
}

func (n *node) scalarJSON() string {
	switch n.kind {
	case nullKind:
		return "null"
	case boolKind:
		return n.text
	case numberKind:
		return n.numberJSON()
	}
	return jsontext.Quote(n.text)
}

// numberJSON is the number as it is written, if JSON takes it like that.
func (n *node) numberJSON() string {
	digits := strings.TrimPrefix(n.text, "-")
	whole, _, _ := strings.Cut(digits, ".")
	if len(whole) > 1 && whole[0] == '0' || whole == "" || strings.HasSuffix(digits, ".") || strings.Contains(digits, ".e") {
		return jsontext.CanonicalNumber(n.text)
	}
	return n.text
}

// printYAML writes a value in block style.
func (n *node) printYAML() string {
	var b strings.Builder
	n.writeYAML(&b, "", "")
	return b.String()
}

// writeYAML writes the lines of a value, each after a margin, the first after one of its own.
func (n *node) writeYAML(b *strings.Builder, first, margin string) {
	if n.entries() == 0 {
		b.WriteString(first + n.scalarYAML(margin) + "\n")
		return
	}
	for _, item := range n.items {
		b.WriteString(first + "-" + item.anchorYAML())
		if item.entries() > 0 && item.anchor != nil {
			b.WriteByte('\n')
			item.writeYAML(b, margin+indent, margin+indent)
		} else {
			item.writeYAML(b, " ", margin+indent)
		}
		first = margin
	}
	for _, m := range n.members {
		b.WriteString(first + m.nameYAML() + ":" + m.value.anchorYAML())
		if m.value.entries() == 0 {
			m.value.writeYAML(b, " ", margin+indent)
		} else {
			b.WriteByte('\n')
			m.value.writeYAML(b, margin+indent, margin+indent)
		}
		first = margin
	}
}

func (n *node) anchorYAML() string {
	if n.anchor == nil || n.kind == aliasKind {
		return ""
	}
	return " &" + n.anchor.name
}

// nameYAML is the name of a member. One that is no text is written as it was read.
func (m member) nameYAML() string {
	switch {
	case m.key.is(mergeKind):
		return "<<"
	case m.key != nil && !m.key.isContainer() && m.key.kind != textKind:
		return m.key.scalarYAML("")
	}
	return oneLineYAML(m.name)
}

// scalarYAML is a value without entries; margin is that of its further lines.
func (n *node) scalarYAML(margin string) string {
	switch n.kind {
	case numberKind:
		switch n.text {
		case "NaN":
			return ".nan"
		case "Infinity":
			return ".inf"
		case "-Infinity":
			return "-.inf"
		}
		if strings.ContainsAny(n.text, "eE") {
			return jsontext.CanonicalNumber(n.text)
		}
		return n.numberJSON()
	case textKind, invalidKind:
		if fitsBlock(n.text) {
			return blockYAML(n.text, margin)
		}
		return oneLineYAML(n.text)
	case typedKind:
		return n.text
	case listKind:
		return "[]"
	case objectKind:
		return "{}"
	case aliasKind:
		return "*" + n.text
	}
	return n.scalarJSON()
}

// fitsBlock reports whether a text can be written as a block: it has several
// lines, the first begins with no blank, and it ends with at most one line end.
func fitsBlock(text string) bool {
	return strings.Contains(strings.TrimSuffix(text, "\n"), "\n") && text[0] > ' ' && !strings.HasSuffix(text, "\n\n") &&
		isPrintable(strings.ReplaceAll(text, "\n", ""))
}

func blockYAML(text, margin string) string {
	head := "|"
	if !strings.HasSuffix(text, "\n") {
		head = "|-"
	}
	var b strings.Builder
	b.WriteString(head)
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		b.WriteByte('\n')
		if line != "" {
			b.WriteString(margin + line)
		}
	}
	return b.String()
}

// oneLineYAML is a text on one line, in double quotes unless it can only be read as text without.
func oneLineYAML(text string) string {
	if isPlainText(text) {
		return text
	}
	return quotedYAML(text)
}

// isPlainText reports whether every reader of YAML takes the bare text for that text: words of letters, digits and a
// few signs, not resolved to anything else in version 1.1 or 1.2.
func isPlainText(text string) bool {
	if text == "" || !isLetter(text[0]) && text[0] != '/' && text[0] != '$' || strings.HasSuffix(text, " ") {
		return false
	}
	for i := range len(text) {
		if c := text[i]; c >= 0x80 || !isLetter(c) && strings.IndexByte("0123456789 _-./$()+,=", c) < 0 {
			return false
		}
	}
	k, _ := plainScalar(text)
	return k == textKind && !strings.EqualFold(text, "y") && !strings.EqualFold(text, "n")
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func isPrintable(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) || r > 0xffff })
}

// quotedYAML is a text in double quotes. Escapes of JSON are ones of YAML, but not every character may stand as it is.
func quotedYAML(text string) string {
	json := jsontext.Quote(text)
	if isPrintable(text) {
		return json
	}
	var b strings.Builder
	for _, r := range json {
		switch {
		case strconv.IsPrint(r) && r != '\ufeff':
			b.WriteRune(r)
		case r <= 0xffff:
			b.WriteString(`\u` + strings.ToLower(strconv.FormatInt(0x10000+int64(r), 16)[1:]))
		default:
			b.WriteString(`\U` + strconv.FormatInt(0x100000000+int64(r), 16)[1:])
		}
	}
	return b.String()
}

// without leaves out members and items, numbered in the order of the document. A list or an object goes only when
// nothing stays in it: where one is to go and something in it stays, the last scalar in it goes in its place, so that
// as many go as are left out.
func without(name, text string, leave func() bool) string {
	c := read(name, text)
	for _, root := range c.roots {
		root.prune(leave)
		root.writeOutAliases()
	}
	return c.print(isYAML(name))
}

func (c content) print(asYAML bool) string {
	text := ""
	if asYAML {
		for _, comment := range c.comments {
			text += "# " + comment + "\n"
		}
	}
	for i, root := range c.roots {
		if !asYAML {
			text += root.printJSON()
			continue
		}
		if i > 0 {
			text += "---\n"
		}
		text += root.printYAML()
	}
	return text
}

// prune leaves out of what is in a list or an object.
func (n *node) prune(leave func() bool) {
	goes := func(value *node) bool {
		goes := leave()
		value.prune(leave)
		if goes && value.entries() > 0 {
			value.dropLast()
			return false
		}
		return goes
	}
	n.items = slices.DeleteFunc(n.items, goes)
	n.members = slices.DeleteFunc(n.members, func(m member) bool { return goes(m.value) })
}

// dropLast removes the last entry that has none itself.
func (n *node) dropLast() {
	at := n.entries() - 1
	switch last := n.entry(at); {
	case last.entries() > 0:
		last.dropLast()
	case n.kind == listKind:
		n.items = n.items[:at]
	default:
		n.members = n.members[:at]
	}
}

// writeOutAliases gives the value and the anchor of what is gone to the first alias that names it.
func (n *node) writeOutAliases() {
	there := map[*anchor]bool{}
	n.each(func(value *node) {
		if value.anchor == nil || value.kind == aliasKind && there[value.anchor] {
			return
		}
		if value.kind == aliasKind {
			*value = *value.anchor.value.clone()
		}
		value.anchor.value = value
		there[value.anchor] = true
	})
}
