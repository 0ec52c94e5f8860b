package json

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"agentd/domains/internal/plain"
	"agentd/internal/yamlsafe"
	"agentd/vfs"
)

// yamlDocument is one document of a YAML stream.
type yamlDocument struct {
	root           *node
	comments       []string // their lines, without # and the blanks around
	repeatedAnchor string   // an anchor that stands twice, empty if none does
}

// yamlLimits hold for a document, which may be anything that a workspace takes. Half a
// million values have about 100 MB.
func yamlLimits() yamlsafe.Limits {
	return yamlsafe.Limits{Bytes: vfs.MaxFileBytes, Values: 1 << 19}
}

// decodeYAML reads the documents of a YAML stream. Scalars are resolved by the
// rules of YAML 1.1.
func decodeYAML(text string) (documents []yamlDocument, err error) {
	read, err := yamlLimits().Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	for _, y := range read {
		c := conversion{anchors: map[*yaml.Node]*anchor{}, names: map[string]bool{}}
		c.root = c.node(y)
		documents = plain.Append(documents, c.yamlDocument)
	}
	return documents, nil
}

// conversion makes our nodes of those of the library.
type conversion struct {
	yamlDocument
	anchors map[*yaml.Node]*anchor
	names   map[string]bool // of the anchors
}

func (c *conversion) node(y *yaml.Node) *node {
	c.comment(y.HeadComment)
	defer c.comment(y.FootComment)
	c.comment(y.LineComment)
	if y.Kind == yaml.DocumentNode {
		return c.node(y.Content[0])
	}
	n := &node{}
	if y.Anchor != "" {
		n.anchor = &anchor{y.Anchor, n}
		c.anchors[y] = n.anchor
		if c.names[y.Anchor] {
			c.repeatedAnchor = y.Anchor
		}
		c.names[y.Anchor] = true
	}
	switch y.Kind {
	case yaml.AliasNode:
		n.kind, n.text, n.anchor = aliasKind, y.Value, c.anchors[y.Alias]
	case yaml.ScalarNode:
		n.kind, n.text = scalar(y)
	case yaml.SequenceNode:
		n.kind, n.text = listKind, strangeTag(y, "!!seq")
		for _, item := range y.Content {
			n.items = plain.Append(n.items, c.node(item))
		}
	case yaml.MappingNode:
		n.kind, n.text = objectKind, strangeTag(y, "!!map")
		for i := 0; i+1 < len(y.Content); i += 2 {
			n.members = plain.Append(n.members, c.member(y.Content[i], y.Content[i+1]))
		}
	}
	return n
}

func (c *conversion) member(name, value *yaml.Node) member {
	key := c.node(name)
	m := member{name: key.text, key: key, value: c.node(value)}
	switch {
	case key.kind == textKind && key.anchor == nil:
		m.key = nil
	case key.kind == mergeKind:
		m.name = "<<"
	case key.kind != textKind:
		m.name = key.inWords()
	}
	return m
}

// inWords is a name that is no text.
func (n *node) inWords() string {
	if n.isContainer() {
		return n.compact()
	}
	return n.text + " (" + [...]string{
		nullKind: "null", boolKind: "boolean", numberKind: "number", typedKind: "typed", aliasKind: "alias", invalidKind: "invalid",
	}[n.kind] + ")"
}

func (c *conversion) comment(text string) {
	if text == "" {
		return
	}
	for line := range strings.SplitSeq(text, "\n") {
		c.comments = addComment(c.comments, line)
	}
}

// strangeTag is what is wrong with the tag of a list or an object, empty if
// nothing is.
func strangeTag(y *yaml.Node, usual string) string {
	if tag, given := givenTag(y); given && tag != usual {
		return "the tag " + tag + " is unknown"
	}
	return ""
}

// givenTag returns the tag that the text gives a value.
func givenTag(y *yaml.Node) (string, bool) {
	return y.ShortTag(), y.Style&yaml.TaggedStyle != 0
}

const quotedStyles = yaml.DoubleQuotedStyle | yaml.SingleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle

// scalar returns the kind of a scalar and its text.
func scalar(y *yaml.Node) (kind, string) {
	tag, given := givenTag(y)
	switch {
	case y.Style&quotedStyles != 0 && !given:
		return textKind, withoutMarks(y.Value)
	case y.Style&quotedStyles == 0 && strings.ContainsRune(y.Value, tabMark):
		return invalidKind, "a tab outside of quotes"
	case given:
		return tagged(tag, withoutMarks(y.Value))
	}
	return plainScalar(y.Value)
}
