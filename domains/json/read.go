package json

import (
	"slices"
	"strings"

	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	published "agentd/domains/published/json"
	"agentd/internal/lazyregexp"
)

func textNode(s string) *published.Node { return &published.Node{Kind: published.Text, Text: s} }

// entries is the number of members or items.
func entries(n *published.Node) int { return len(n.Items) + len(n.Members) }

// size is the number of members and items below a value.
func size(n *published.Node) int {
	all := entries(n)
	for i := range entries(n) {
		all += size(entry(n, i))
	}
	return all
}

// entry is a member's value or an item, by its place.
func entry(n *published.Node, i int) *published.Node {
	if i < len(n.Items) {
		return n.Items[i]
	}
	return n.Members[i-len(n.Items)].Value
}

// lastNamed is the value of the last member of a name, which counts; nil if there is none.
func lastNamed(n *published.Node, name string) *published.Node {
	for _, m := range slices.Backward(n.Members) {
		if m.Name == name && m.Key == nil {
			return m.Value
		}
	}
	return nil
}

// nameOf is the name of a member in words, which in YAML may be no text.
func nameOf(m published.Member) string {
	switch key := m.Key; {
	case key == nil:
		return m.Name
	case key.Kind == published.Text:
		return key.Text
	case key.Kind == published.Merge:
		return "<<"
	case key.IsContainer():
		return compact(key)
	default:
		return key.Text + " (" + [...]string{
			published.Null: "null", published.Bool: "boolean", published.Number: "number", published.Typed: "typed",
			published.Alias: "alias", published.Invalid: "invalid",
		}[key.Kind] + ")"
	}
}

// clone copies a value with all that is in it.
func clone(n *published.Node) *published.Node {
	c := *n
	c.Items = lists.Map(n.Items, clone)
	c.Members = lists.Map(n.Members, func(m published.Member) published.Member {
		return published.Member{Name: m.Name, Key: m.Key, Value: clone(m.Value)}
	})
	return &c
}

// each visits a value and all in it, in order; a list or object before what is in it.
func each(n *published.Node, visit func(*published.Node)) {
	visit(n)
	for i := range entries(n) {
		each(entry(n, i), visit)
	}
}

// content is what a tolerant reader finds in a file.
type content struct {
	roots    []*published.Node
	comments []string
	outside  []string // lines that are no part of a document
}

// longestGuess is the length up to which a text that is not what its name says
// is tried as YAML, and one that is damaged as YAML in blocks.
const longestGuess = 256 << 10

// read takes in any text: as JSON if it is valid, otherwise by its name and its looks
// as YAML, as damaged JSON, or as YAML of which some is damaged.
func read(name, text string) content {
	lines := plain.Lines(text)
	text = plain.Text(lines)
	if root, err := published.DecodeJSON(text); err == nil {
		return content{roots: []*published.Node{root}}
	}
	bracketed := slices.ContainsFunc(lines, startsBracketed)
	if published.IsYAML(name) || !bracketed && len(text) <= longestGuess {
		if c, ok := readYAML(text); ok {
			return c
		}
	}
	switch {
	case bracketed && (!published.IsYAML(name) || startsBracketed(text)):
		return readJSON(text)
	case len(text) <= longestGuess:
		return readBlocks(lines)
	}
	return content{outside: inked(lines)}
}

func startsBracketed(text string) bool {
	text = strings.TrimLeft(text, " \t\n")
	return text != "" && (text[0] == '{' || text[0] == '[')
}

// inked returns the lines that are not blank.
func inked(lines []string) []string {
	var kept []string
	for _, line := range lines {
		if line = strings.TrimSpace(strings.Trim(line, "\x00")); line != "" {
			kept = plain.Append(kept, line)
		}
	}
	return kept
}

// readYAML reads text that is YAML of lists or objects.
func readYAML(text string) (content, bool) {
	documents, err := published.DecodeYAML(text)
	if err != nil || len(documents) == 0 {
		return content{}, false
	}
	var c content
	for _, d := range documents {
		if !d.Root.IsContainer() && len(documents) == 1 {
			return content{}, false // prose is a scalar to YAML
		}
		c.roots = plain.Append(c.roots, d.Root)
		c.comments = append(c.comments, d.Comments...)
	}
	return c, true
}

// readBlocks reads YAML of which not all can be read: each member of the
// outermost object, or each item of the list, on its own.
func readBlocks(lines []string) content {
	var c content
	whole := &published.Node{}
	for _, block := range blocks(lines) {
		part, ok := readBlock(block)
		if !ok || whole.Kind != published.Null && whole.Kind != part.roots[0].Kind {
			c.leave(block)
			continue
		}
		whole.Kind = part.roots[0].Kind
		whole.Items = append(whole.Items, part.roots[0].Items...)
		whole.Members = append(whole.Members, part.roots[0].Members...)
		c.comments = append(c.comments, part.comments...)
	}
	if whole.IsContainer() {
		c.roots = []*published.Node{whole}
	}
	return c
}

// leave takes in lines that could not be read.
func (c *content) leave(lines []string) {
	for _, line := range inked(lines) {
		switch {
		case line[0] == '#':
			c.comments = published.AddComment(c.comments, line)
		case line != "---":
			c.outside = append(c.outside, line)
		}
	}
}

// blocks divides lines where a member or an item of the outermost object or
// list begins. Items may stand below a name without indentation.
func blocks(lines []string) [][]string {
	var all [][]string
	start, begun, items := 0, false, false
	for at, line := range lines {
		isItem := line == "-" || strings.HasPrefix(line, "- ")
		if line == "" || strings.IndexByte(" \t#}]", line[0]) >= 0 || begun && isItem && !items {
			continue
		}
		if !begun {
			begun, items = true, isItem
		}
		if start < at {
			all = append(all, lines[start:at])
		}
		start = at
	}
	return append(all, lines[start:])
}

var unknownAnchor = lazyregexp.New(`unknown anchor '(.+)' referenced`)

// readBlock reads a member or an item. Anchors that stand in other blocks are put in front of it while it is read.
func readBlock(block []string) (content, bool) {
	const mostAnchors = 20
	before, after := `"": [`, "]\n"
	if len(block) > 0 && strings.HasPrefix(block[0], "-") {
		before = "- ["
	}
	anchors := ""
	for range mostAnchors {
		text := plain.Text(block)
		if anchors != "" {
			text = before + anchors + after + text
		}
		documents, err := published.DecodeYAML(text)
		if err != nil {
			name := unknownAnchor.FindStringSubmatch(err.Error())
			if name == nil {
				return content{}, false
			}
			anchors += "&" + name[1] + " x, "
			continue
		}
		if len(documents) != 1 || !documents[0].Root.IsContainer() {
			return content{}, false
		}
		root := documents[0].Root
		if anchors != "" {
			root.Items, root.Members = root.Items[min(1, len(root.Items)):], root.Members[min(1, len(root.Members)):]
		}
		return content{roots: []*published.Node{root}, comments: documents[0].Comments}, true
	}
	return content{}, false
}

// deepestDamaged is how many lists and objects are read in each other where brackets may be wrong.
const deepestDamaged = 256

// collector takes in the values of damaged text and the lines outside of them.
type collector struct {
	published.Maker
	content
}

// Outside takes in a name without a value.
func (c *collector) Outside(name string) { c.outside = plain.Append(c.outside, name) }

// Comment passes over a comment: JSON has none, so they say nothing that the document says.
func (c *collector) Comment(string) {}

// readJSON takes in text that is no valid JSON: the values in it, and the lines outside of them.
func readJSON(text string) content {
	var c collector
	r := jsontext.NewReader(text, deepestDamaged, published.Rules, &c)
	for {
		r.Skip()
		switch r.Peek() {
		case 0:
			return c.content
		case '{', '[':
			c.roots = plain.Append(c.roots, r.Value())
		case ',', ';', '}', ']', 0x1e: // between values, as in text sequences
			r.Pass()
		default:
			if line := strings.TrimSpace(strings.ReplaceAll(r.Line(), "\x00", "")); line != "" {
				c.outside = plain.Append(c.outside, line)
			}
		}
	}
}
