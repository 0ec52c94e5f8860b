package json

import (
	"regexp"
	"slices"
	"strings"

	"agentd/domains/internal/jsontext"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
)

// node is a value as it is written in JSON or YAML: objects keep the order of
// their members and repeated names, numbers their digits.
type node struct {
	kind kind
	// text is a string's text, a number as JSON writes it, true or false, a date or time, the name of an alias, what is
	// wrong with an invalid value or with the tag of a list or an object.
	text    string
	items   []*node
	members []member
	anchor  *anchor // that the value has, or that an alias names
}

// anchor is a value's name within a YAML document.
type anchor struct {
	name  string
	value *node
}

// member is a name and its value. Only YAML has names that are no text; key is then what the name is, nil otherwise.
type member struct {
	name  string
	key   *node
	value *node
}

type kind uint8

const (
	nullKind   = kind(jsontext.Null)
	boolKind   = kind(jsontext.Bool)
	numberKind = kind(jsontext.Number)
	textKind   = kind(jsontext.Text)
)

const (
	typedKind = textKind + 1 + iota // a date or a time, in YAML
	listKind
	objectKind
	aliasKind   // *name, in YAML
	mergeKind   // << as a name, in YAML
	invalidKind // what the published reader refuses
)

func textNode(s string) *node { return &node{kind: textKind, text: s} }

func (n *node) is(k kind) bool { return n != nil && n.kind == k }

// entries is the number of members or items.
func (n *node) entries() int { return len(n.items) + len(n.members) }

// entry is a member's value or an item, by its place.
func (n *node) entry(i int) *node {
	if i < len(n.items) {
		return n.items[i]
	}
	return n.members[i-len(n.items)].value
}

func (n *node) isContainer() bool { return n.kind == listKind || n.kind == objectKind }

// get returns the member that counts, the last of the name; nil if there is none.
func (n *node) get(name string) *node {
	if n == nil {
		return nil
	}
	for _, m := range slices.Backward(n.members) {
		if m.name == name && m.key == nil {
			return m.value
		}
	}
	return nil
}

// clone copies a value with all that is in it.
func (n *node) clone() *node {
	c := *n
	c.items = lists.Map(n.items, (*node).clone)
	c.members = lists.Map(n.members, func(m member) member { return member{m.name, m.key, m.value.clone()} })
	return &c
}

// each visits a value and all in it, in order; a list or object before what is in it.
func (n *node) each(visit func(*node)) {
	visit(n)
	for i := range n.entries() {
		n.entry(i).each(visit)
	}
}

// content is what a tolerant reader finds in a file.
type content struct {
	roots    []*node
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
	if root, err := decodeJSON(text); err == nil {
		return content{roots: []*node{root}}
	}
	bracketed := slices.ContainsFunc(lines, startsBracketed)
	if isYAML(name) || !bracketed && len(text) <= longestGuess {
		if c, ok := readYAML(text); ok {
			return c
		}
	}
	switch {
	case bracketed && (!isYAML(name) || startsBracketed(text)):
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
	documents, err := decodeYAML(text)
	if err != nil || len(documents) == 0 {
		return content{}, false
	}
	var c content
	for _, d := range documents {
		if !d.root.isContainer() && len(documents) == 1 {
			return content{}, false // prose is a scalar to YAML
		}
		c.roots = plain.Append(c.roots, d.root)
		c.comments = append(c.comments, d.comments...)
	}
	return c, true
}

// readBlocks reads YAML of which not all can be read: each member of the
// outermost object, or each item of the list, on its own.
func readBlocks(lines []string) content {
	var c content
	whole := &node{}
	for _, block := range blocks(lines) {
		part, ok := readBlock(block)
		if !ok || whole.kind != nullKind && whole.kind != part.roots[0].kind {
			c.leave(block)
			continue
		}
		whole.kind = part.roots[0].kind
		whole.items = append(whole.items, part.roots[0].items...)
		whole.members = append(whole.members, part.roots[0].members...)
		c.comments = append(c.comments, part.comments...)
	}
	if whole.isContainer() {
		c.roots = []*node{whole}
	}
	return c
}

// leave takes in lines that could not be read.
func (c *content) leave(lines []string) {
	for _, line := range inked(lines) {
		switch {
		case line[0] == '#':
			c.comments = addComment(c.comments, line)
		case line != "---":
			c.outside = append(c.outside, line)
		}
	}
}

// addComment appends the text of a line that is a comment, unless it is blank.
func addComment(comments []string, line string) []string {
	if line = strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "#")); line == "" {
		return comments
	}
	return plain.Append(comments, line)
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

var unknownAnchor = regexp.MustCompile(`unknown anchor '(.+)' referenced`)

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
		documents, err := decodeYAML(text)
		if err != nil {
			name := unknownAnchor.FindStringSubmatch(err.Error())
			if name == nil {
				return content{}, false
			}
			anchors += "&" + name[1] + " x, "
			continue
		}
		if len(documents) != 1 || !documents[0].root.isContainer() {
			return content{}, false
		}
		root := documents[0].root
		if anchors != "" {
			root.items, root.members = root.items[min(1, len(root.items)):], root.members[min(1, len(root.members)):]
		}
		return content{roots: []*node{root}, comments: documents[0].comments}, true
	}
	return content{}, false
}

// deepestDamaged is how many lists and objects are read in each other where brackets may be wrong.
const deepestDamaged = 256

var rules = jsontext.Rules{Halves: true, Scripts: true}

// decodeJSON reads valid JSON.
func decodeJSON(text string) (*node, error) {
	return jsontext.Decode(text, rules, maker{})
}

// maker makes nodes.
type maker struct{}

// Scalar makes a text, a number, a boolean or null.
func (maker) Scalar(k jsontext.Kind, text string) *node { return &node{kind: kind(k), text: text} }

// List makes a list.
func (maker) List(items []*node) *node { return &node{kind: listKind, items: items} }

// Object makes an object.
func (maker) Object() *node { return &node{kind: objectKind} }

// Member adds a member to an object.
func (maker) Member(object *node, name string, value *node) {
	object.members = plain.Append(object.members, member{name: name, value: value})
}

// collector takes in the values of damaged text and the lines outside of them.
type collector struct {
	maker
	content
}

// Outside takes in a name without a value.
func (c *collector) Outside(name string) { c.outside = plain.Append(c.outside, name) }

// Comment passes over a comment: JSON has none, so they say nothing that the document says.
func (c *collector) Comment(string) {}

// readJSON takes in text that is no valid JSON: the values in it, and the lines outside of them.
func readJSON(text string) content {
	var c collector
	r := jsontext.NewReader(text, deepestDamaged, rules, &c)
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
