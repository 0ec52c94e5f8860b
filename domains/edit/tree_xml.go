package edit

import (
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"agentd/internal/lazyregexp"
)

// What an XML text is cut into, what a start tag says, and its attributes.
var (
	markup    = lazyregexp.New(`(?s)<!--.*?-->|<!\[CDATA\[.*?\]\]>|<\?.*?\?>|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>|</?[\pL_](?:[^<>"']|"[^"]*"|'[^']*')*>|[^<]+|<`)
	startTag  = lazyregexp.New(`(?s)^<([\pL_][^\s/>]*)(.*?)(/?)>$`)
	attribute = lazyregexp.New(` ([^\s="'<>/]+)="([^"]*)"`)
)

// deepestXML is how many elements may stand in each other. What is deeper is text.
const deepestXML = 256

// element is one of XML. A start tag that would be written otherwise is kept as it is, in Tag, which
// stands for Name and Attributes then.
type element struct {
	Name       string      `json:"name,omitempty"`
	Attributes [][2]string `json:"attributes,omitempty"`
	Tag        string      `json:"tag,omitempty"`
	Inside     []any       `json:"inside,omitzero"` // nil of an element that its start tag closes
}

// XMLTree is the tree of a text in XML: an element is an object with its name, its attributes in order,
// as pairs, and the list of what is inside. Other markup, white space and text stand there as they are
// written. A tag without its counterpart is a text.
func XMLTree() Tree {
	return Tree{
		Is: "a list of texts and elements, each an object with name, attributes (a list of pairs) and inside, such a list, which an element in a single tag has not; " +
			"a start tag in another style is in tag; comments and all other markup are texts",
		Read: readXML,
		Write: func(value any) (string, error) {
			var b strings.Builder
			err := writeXML(&b, value)
			return b.String(), err
		},
	}
}

func readXML(text string) any {
	open := []element{{Inside: []any{}}}
	add := func(values ...any) {
		top := &open[len(open)-1]
		top.Inside = append(top.Inside, values...)
	}
	for _, token := range markup.FindAllString(text, -1) {
		m := startTag.FindStringSubmatch(token)
		switch last := len(open) - 1; {
		case m != nil && m[3] != "":
			add(elementOf(m[1], m[2]))
		case m != nil && last < deepestXML:
			e := elementOf(m[1], m[2])
			e.Inside = []any{}
			open = append(open, e)
		case last > 0 && token == open[last].end():
			e := open[last]
			open = open[:last]
			add(e)
		default:
			add(token)
		}
	}
	for len(open) > 1 { // not closed
		last := open[len(open)-1]
		open = open[:len(open)-1]
		add(append([]any{last.start() + ">"}, last.Inside...)...)
	}
	return open[0].Inside
}

// elementOf reads a start tag's name and what follows it, up to the mark that closes it.
func elementOf(name, rest string) element {
	e := element{Name: name}
	for _, m := range attribute.FindAllStringSubmatch(rest, -1) {
		e.Attributes = append(e.Attributes, [2]string{m[1], m[2]})
	}
	if e.start() != "<"+name+rest {
		e = element{Tag: "<" + name + rest}
	}
	return e
}

// start is the start tag without the mark that closes it.
func (e element) start() string {
	if e.Tag != "" {
		return e.Tag
	}
	start := "<" + e.Name
	for _, a := range e.Attributes {
		start += fmt.Sprintf(` %s="%s"`, a[0], a[1])
	}
	return start
}

// end is the end tag.
func (e element) end() string {
	return "</" + strings.Fields(e.start()[1:])[0] + ">"
}

// writeXML writes a tree as json.Unmarshal returns it.
func writeXML(b *strings.Builder, value any) error {
	switch value := value.(type) {
	case string:
		b.WriteString(value)
		return nil
	case []any:
		for _, one := range value {
			if err := writeXML(b, one); err != nil {
				return err
			}
		}
		return nil
	case map[string]any:
		inside, has := value["inside"]
		named := maps.Clone(value)
		delete(named, "inside")
		head, _ := json.Marshal(named) // it was read from JSON
		var e element
		if err := json.Unmarshal(head, &e); err != nil || e.Name == "" && len(e.Tag) < 2 {
			return fmt.Errorf("%.40s is no element", head)
		}
		b.WriteString(e.start())
		if !has {
			b.WriteString("/>")
			return nil
		}
		b.WriteString(">")
		if err := writeXML(b, inside); err != nil {
			return err
		}
		b.WriteString(e.end())
		return nil
	}
	return fmt.Errorf("%.40v is neither a text nor an element", value)
}
