package json

import (
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/lists"
	published "agentd/domains/published/json"
)

const (
	indent = "  "
	// deepestIndent is the indentation beyond which lists and objects stay on
	// one line: many deep ones would print as far more than they are.
	deepestIndent = 200
)

// printJSON writes a value with each member and item on a line of its own.
func printJSON(n *published.Node) string {
	var b strings.Builder
	writeJSON(&b, n, "\n")
	b.WriteByte('\n')
	return b.String()
}

// writeJSON writes the value; line begins each further line, "" keeps all on one.
func writeJSON(b *strings.Builder, n *published.Node, line string) {
	if !n.IsContainer() {
		b.WriteString(scalarJSON(n))
		return
	}
	open, end := "[", "]"
	if n.Kind == published.Object {
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
	for i := range entries(n) {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(inner)
		if n.Kind == published.Object {
			b.WriteString(jsontext.Quote(nameOf(n.Members[i])) + colon)
		}
		writeJSON(b, entry(n, i), inner)
	}
	if entries(n) > 0 {
		b.WriteString(line)
	}
	b.WriteString(end)
}

func scalarJSON(n *published.Node) string {
	switch n.Kind {
	case published.Null:
		return "null"
	case published.Bool:
		return n.Text
	case published.Number:
		return number(n, json.Valid([]byte(n.Text)))
	case published.Alias:
		return jsontext.Quote("*" + n.Text)
	}
	return jsontext.Quote(n.Text)
}

// number is a number as it was written, if that is how the format writes one.
func number(n *published.Node, asWritten bool) string {
	if asWritten {
		return n.Text
	}
	return jsontext.CanonicalNumber(n.Text)
}

// compact is the value on one line, however deep.
func compact(n *published.Node) string {
	var b strings.Builder
	writeJSON(&b, n, "")
	return b.String()
}

// printYAML writes a document in block style.
func printYAML(root *published.Node) string {
	var b strings.Builder
	e := yaml.NewEncoder(&b)
	e.SetIndent(len(indent))
	_ = e.Encode(nodeYAML(root)) // a strings.Builder cannot fail, and all texts are UTF-8
	return b.String()
}

// nodeYAML is a value as the library prints it. A text that a reader of YAML 1.1 could take for something else, or
// that begins like a number, is quoted.
func nodeYAML(n *published.Node) *yaml.Node {
	y := &yaml.Node{Kind: yaml.ScalarNode, Value: strings.ToValidUTF8(n.Text, "\ufffd")}
	switch n.Kind {
	case published.Null:
		y.Value = "null"
	case published.Number:
		_, read := published.PlainScalar(n.Text)
		y.Value = number(n, read == n.Text)
		if special, ok := specialYAML[n.Text]; ok {
			y.Value = special
		}
	case published.Text, published.Invalid:
		y.Tag = "!!str"
		if k, _ := published.PlainScalar(n.Text); k != published.Text || strings.IndexByte("+-.0123456789", n.Text[0]) >= 0 {
			y.Style = yaml.DoubleQuotedStyle
		}
	case published.Merge:
		y.Value = "<<"
	case published.Alias:
		y.Kind = yaml.AliasNode
		return y
	case published.List:
		y.Kind, y.Value = yaml.SequenceNode, ""
		y.Content = lists.Map(n.Items, nodeYAML)
	case published.Object:
		y.Kind, y.Value = yaml.MappingNode, ""
		for _, m := range n.Members {
			key := m.Key
			if key == nil {
				key = textNode(m.Name)
			}
			name := nodeYAML(key)
			name.Anchor = ""
			y.Content = append(y.Content, name, nodeYAML(m.Value))
		}
	}
	if n.Anchor != nil {
		y.Anchor = n.Anchor.Name
	}
	return y
}

// specialYAML are numbers that YAML writes in another way.
var specialYAML = map[string]string{"NaN": ".nan", "Infinity": ".inf", "-Infinity": "-.inf"}

// without leaves out members and items, numbered in the order of the document. A list or an object goes only when
// nothing stays in it: where one is to go and something in it stays, the last scalar in it goes in its place, so that
// as many go as are left out.
func without(name, text string, leave func() bool) string {
	c := read(name, text)
	for _, root := range c.roots {
		prune(root, leave)
		writeOutAliases(root)
	}
	return c.print(published.IsYAML(name))
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
			text += printJSON(root)
			continue
		}
		if i > 0 {
			text += "---\n"
		}
		text += printYAML(root)
	}
	return text
}

// prune leaves out of what is in a list or an object.
func prune(n *published.Node, leave func() bool) {
	goes := func(value *published.Node) bool {
		goes := leave()
		prune(value, leave)
		if goes && entries(value) > 0 {
			dropLast(value)
			return false
		}
		return goes
	}
	n.Items = slices.DeleteFunc(n.Items, goes)
	n.Members = slices.DeleteFunc(n.Members, func(m published.Member) bool { return goes(m.Value) })
}

// dropLast removes the last entry that has none itself.
func dropLast(n *published.Node) {
	at := entries(n) - 1
	switch last := entry(n, at); {
	case entries(last) > 0:
		dropLast(last)
	case n.Kind == published.List:
		n.Items = n.Items[:at]
	default:
		n.Members = n.Members[:at]
	}
}

// writeOutAliases gives the value and the anchor of what is gone to the first alias that names it.
func writeOutAliases(root *published.Node) {
	there := map[*published.Anchor]bool{}
	each(root, func(value *published.Node) {
		if value.Anchor == nil || value.Kind == published.Alias && there[value.Anchor] {
			return
		}
		if value.Kind == published.Alias {
			*value = *clone(value.Anchor.Value)
		}
		value.Anchor.Value = value
		there[value.Anchor] = true
	})
}
