package playlist

import (
	"strconv"
	"strings"
	"time"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
)

// nameOf is the name of an element; of a meta, link or extension, with what it
// is for.
func nameOf(n *xml.Node) string {
	name := xml.Local(n.Name)
	if about := purpose(n); about != "" {
		if value, ok := n.Attribute(about); ok {
			return name + " " + unquoted(value)
		}
	}
	return name
}

// purpose names the attribute that says what an element is for; it is empty if
// there is none.
func purpose(n *xml.Node) string {
	switch {
	case n.Is("meta") || n.Is("link"):
		return "rel"
	case n.Is("extension"):
		return "application"
	}
	return ""
}

// unquoted returns an attribute's value without the curly quotes that stand
// for straight ones where a text was typeset.
func unquoted(value string) string { return strings.Trim(pytext.Strip(value), "“”„‟") }

// attributes appends the attributes of an element that are no declarations.
func attributes(fields []domains.Field, n *xml.Node) []domains.Field {
	for _, a := range n.Attrs {
		if !a.IsDeclaration() {
			fields = append(fields, domains.Field{Name: xml.Local(a.Name), Value: unquoted(a.Value)})
		}
	}
	return fields
}

// collector gathers the fields of a track, or of something else that a playlist
// says.
type collector struct {
	*flattener
	inTrack bool
	fields  []domains.Field
	met     map[string]int // how often each path was met
}

func (c *collector) add(name, value string) {
	c.fields = append(c.fields, domains.Field{Name: name, Value: value})
}

func (c *collector) comment(n *xml.Node) {
	if text := pytext.Collapse(n.Text); text != "" {
		c.add("comment", text)
	}
}

// inside appends what stands in an element that is not a leaf.
func (c *collector) inside(n *xml.Node, path string) {
	for _, child := range n.Children {
		switch child.Kind {
		case xml.Element:
			c.child(child, path)
		case xml.Text:
			if text := pytext.Strip(child.Text); text != "" {
				c.add(c.paths.Join(path, "text"), text)
			}
		default:
			c.comment(child)
		}
	}
}

// child appends an element below a path, and what stands in it.
func (c *collector) child(n *xml.Node, path string) {
	if n.Foreign {
		c.space(n)
	}
	path = c.numbered(c.paths.Join(path, nameOf(n)))
	for _, a := range n.Attrs {
		if !a.IsDeclaration() && a.Name != purpose(n) {
			c.add(c.paths.Join(path, xml.Local(a.Name)), unquoted(a.Value))
		}
	}
	if !n.IsLeaf() {
		c.inside(n, path)
		return
	}
	for _, child := range n.Children {
		if child.Kind != xml.Text {
			c.comment(child)
		}
	}
	if value := c.value(n); value != "" || n.Foreign {
		c.text(path, value)
	}
}

// text appends a value, line by line. The first lines of a long one are enough.
func (c *collector) text(path, value string) {
	const mostLines = 40
	n := 0
	for _, line := range strings.SplitN(value, "\n", mostLines) {
		line = pytext.Strip(line)
		if line == "" && value != "" {
			continue
		}
		if n++; n > 1 {
			c.add(path+", line "+strconv.Itoa(n), line)
		} else {
			c.add(path, line)
		}
	}
}

// value is the text of a leaf as the format has it, empty where that is the
// same as to leave it out.
func (c *collector) value(n *xml.Node) string {
	text := content(n)
	if n.Foreign {
		return text
	}
	switch name := nameOf(n); name {
	case "title", "creator", "album":
		if c.inTrack { // for fuzzy look-ups, as the format says
			return pytext.Lower(text)
		}
	case "trackNum", "duration":
		return plain.Number(text)
	case "date":
		return instant(text)
	case "meta local", "meta request":
		if text = pytext.Lower(text); text == "false" {
			return ""
		}
	}
	return text
}

// instant is a time in UTC; of what is none, or has no zone, the text.
func instant(text string) string {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return text
	}
	return at.UTC().Format(time.RFC3339Nano)
}

// numbered adds a number to a path that was met before: of several elements of
// one name the first is to be preferred.
func (c *collector) numbered(path string) string {
	if c.met == nil {
		c.met = map[string]int{}
	}
	c.met[path]++
	if n := c.met[path]; n > 1 {
		return path + " " + strconv.Itoa(n)
	}
	return path
}
