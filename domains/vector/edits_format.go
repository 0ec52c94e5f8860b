package vector

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const (
	classesFile = "classes.svg"
	stylesID    = "inline-styles"
	listFile    = "elements.json"
)

var (
	styleRule  = regexp.MustCompile(`\.(st[0-9]+)\s*\{([^}]*)\}`)
	styleClass = regexp.MustCompile(`(?:^|\s)st[0-9]+(?:\s|$)`)
)

// toClasses makes each different style attribute a class.
func toClasses(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	root := doc.Root()
	var rules strings.Builder
	classes := map[string]string{}
	doc.Top.Walk(func(n *xml.Node) {
		class, _ := n.Attribute("class")
		id, _ := n.Attribute("id")
		style, styled := n.Attribute("style")
		switch {
		case styleClass.MatchString(class) || id == stylesID:
			err = errors.New("there are classes of that name already")
		case strings.ContainsAny(style, "{}<"):
			err = fmt.Errorf("a style with a brace or a bracket: %s", style)
		case styled:
			name, known := classes[style]
			if !known {
				name = fmt.Sprintf("st%d", len(classes)+1)
				classes[style] = name
				rules.WriteString("." + name + " {" + style + "}\n")
			}
			removeAttribute(n, "style")
			setAttribute(n, "class", strings.TrimPrefix(class+" "+name, " "))
		}
	})
	if err != nil {
		return nil, err
	}
	sheet := root.NewChild("style", &xml.Node{Kind: xml.Text, Text: "\n" + rules.String()})
	sheet.Attrs = []xml.Attr{{Name: "id", Value: stylesID}}
	insertElement(root, sheet, 1)
	return vfs.Files{classesFile: doc.print()}, nil
}

func toStyles(files vfs.Files) (vfs.Files, error) {
	doc, err := readNamed(files, classesFile)
	if err != nil {
		return nil, err
	}
	root := doc.Root()
	sheets := root.Remove(func(c *xml.Node) bool {
		id, _ := c.Attribute("id")
		return c.Is("style") && id == stylesID
	})
	if len(sheets) == 0 {
		return nil, errors.New(classesFile + " has no style with the id " + stylesID)
	}
	styles := map[string]string{}
	for _, rule := range styleRule.FindAllStringSubmatch(sheets[0].Content(), -1) {
		styles[rule[1]] = rule[2]
	}
	doc.Top.Walk(func(n *xml.Node) {
		class, _ := n.Attribute("class")
		for _, name := range strings.Fields(class) {
			style, ok := styles[name]
			if !ok {
				continue
			}
			setAttribute(n, "style", style)
			if rest, last := strings.CutSuffix(class, name); last {
				class = strings.TrimSuffix(rest, " ")
			} else {
				class = strings.Join(slices.DeleteFunc(strings.Fields(class), func(c string) bool { return c == name }), " ")
			}
			if setAttribute(n, "class", class); class == "" {
				removeAttribute(n, "class")
			}
			return
		}
	})
	return asDocument(doc), nil
}

// entry is a part of a drawing in the list of all.
type entry struct {
	Element     int        `json:"element"`
	Parent      int        `json:"parent"` // 0 for what stands outermost
	Name        string     `json:"name,omitempty"`
	Comment     string     `json:"comment,omitempty"`
	Instruction string     `json:"instruction,omitempty"`
	Doctype     string     `json:"doctype,omitempty"`
	Attributes  attributes `json:"attributes,omitempty"`
	Text        string     `json:"text,omitempty"` // before the first child
	Tail        string     `json:"tail,omitempty"` // after the part
}

// attributes are an object of JSON in the order of the element.
type attributes []xml.Attr

func (all attributes) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	for n, a := range all {
		b.WriteByte("{,"[min(n, 1)])
		if err := encoder.Encode(a.Name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := encoder.Encode(a.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func (all *attributes) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return errors.New("attributes are an object")
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return err
		}
		var value string
		if err := d.Decode(&value); err != nil {
			return fmt.Errorf("attribute %v: %w", name, err)
		}
		*all = append(*all, xml.Attr{Name: fmt.Sprint(name), Value: value})
	}
	return nil
}

// toList writes a drawing as a list of its parts.
func toList(files vfs.Files) (vfs.Files, error) {
	doc, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	text, err := plain.JSONArray(listed(nil, doc.Top, 0))
	return vfs.Files{listFile: text}, err
}

// listed appends what stands in a node to a list.
func listed(all []entry, n *xml.Node, number int) []entry {
	last := number - 1 // the part that text belongs to
	for _, c := range n.Children {
		e := entry{Element: len(all) + 1, Parent: number}
		switch c.Kind {
		case xml.Text:
			switch {
			case last < 0: // outside of the root element
			case last == number-1:
				all[last].Text += c.Text
			default:
				all[last].Tail += c.Text
			}
			continue
		case xml.Element:
			e.Name, e.Attributes = c.Name, attributes(c.Attrs)
		case xml.Comment:
			e.Comment = c.Text
		case xml.Instruction:
			e.Instruction = c.Text
		case xml.Doctype:
			e.Doctype = c.Text
		}
		last = len(all)
		all = append(all, e)
		if c.Kind == xml.Element {
			all = listed(all, c, e.Element)
		}
	}
	return all
}

func fromList(files vfs.Files) (vfs.Files, error) {
	var list []entry
	if err := plain.JSON(files, listFile, &list); err != nil {
		return nil, err
	}
	doc := drawing{Document: xml.Document{Top: &xml.Node{}}}
	nodes := map[int]*xml.Node{0: doc.Top}
	for _, e := range list {
		parent := nodes[e.Parent]
		if parent == nil {
			return nil, fmt.Errorf("%s: element %d stands in %d, which does not come before it", listFile, e.Element, e.Parent)
		}
		n := e.node()
		nodes[e.Element] = n
		parent.Children = append(parent.Children, n)
		if e.Tail != "" {
			parent.Children = append(parent.Children, &xml.Node{Kind: xml.Text, Text: e.Tail})
		}
	}
	if doc.Root() == nil {
		return nil, errors.New(listFile + " has no element")
	}
	return asDocument(&doc), nil
}

// node is the part of a drawing that an entry describes.
func (e *entry) node() *xml.Node {
	switch {
	case e.Name != "":
		n := &xml.Node{Name: e.Name, Attrs: e.Attributes}
		if e.Text != "" {
			n.SetContent(e.Text)
		}
		return n
	case e.Instruction != "":
		return &xml.Node{Kind: xml.Instruction, Text: e.Instruction}
	case e.Doctype != "":
		return &xml.Node{Kind: xml.Doctype, Text: e.Doctype}
	}
	return &xml.Node{Kind: xml.Comment, Text: e.Comment}
}
