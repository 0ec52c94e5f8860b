package vector

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// styleClasses makes each different style attribute a class.
func styleClasses(p struct {
	Document, To string
	Sheet        string // its id
	First        string // class
}) exact.Steps {
	class := regexp.QuoteMeta(strings.TrimRight(p.First, "0123456789")) + "[0-9]+"
	taken := regexp.MustCompile(`(?:^|\s)` + class + `(?:\s|$)`)
	rule := regexp.MustCompile(`\.(` + class + `)\s*\{([^}]*)\}`)
	change := func(d *drawing) (_ vfs.Files, err error) {
		var rules strings.Builder
		next := exact.Counting(p.First)
		classes := exact.Codes{New: func(style string, known int) string {
			name := next(style, known)
			rules.WriteString("." + name + " {" + style + "}\n")
			return name
		}}
		d.Top.Walk(func(n *xml.Node) {
			class, _ := n.Attribute("class")
			id, _ := n.Attribute("id")
			style, styled := n.Attribute("style")
			switch {
			case taken.MatchString(class) || id == p.Sheet:
				err = errors.New("there are classes of that name already")
			case strings.ContainsAny(style, "{}<"):
				err = fmt.Errorf("a style with a brace or a bracket: %s", style)
			case styled:
				n.RemoveAttribute("style")
				n.SetAttribute("class", strings.TrimPrefix(class+" "+classes.Of(style), " "))
			}
		})
		sheet := d.Root().NewChild("style", &xml.Node{Kind: xml.Text, Text: "\n" + rules.String()})
		sheet.SetAttribute("id", p.Sheet)
		insertElement(d.Root(), sheet, 1)
		return nil, err
	}
	return rewrite(p.Document, p.To, change, func(d *drawing, _ vfs.Files) error {
		sheets := d.Root().Remove(func(c *xml.Node) bool {
			id, _ := c.Attribute("id")
			return c.Is("style") && id == p.Sheet
		})
		if len(sheets) == 0 {
			return fmt.Errorf("%s has no style with the id %s", p.To, p.Sheet)
		}
		styles := map[string]string{}
		for _, rule := range rule.FindAllStringSubmatch(sheets[0].Content(), -1) {
			styles[rule[1]] = rule[2]
		}
		d.Top.Walk(func(n *xml.Node) { styleInline(n, styles) })
		return nil
	})
}

// styleInline gives an element the style of its first class that has one, for the class.
func styleInline(n *xml.Node, styles map[string]string) {
	class, _ := n.Attribute("class")
	names := strings.Fields(class)
	at := slices.IndexFunc(names, func(name string) bool { _, ok := styles[name]; return ok })
	if at < 0 {
		return
	}
	name := names[at]
	n.SetAttribute("style", styles[name])
	if rest, last := strings.CutSuffix(class, name); last {
		class = strings.TrimSuffix(rest, " ")
	} else {
		class = strings.Join(slices.DeleteFunc(names, func(c string) bool { return c == name }), " ")
	}
	if n.SetAttribute("class", class); class == "" {
		n.RemoveAttribute("class")
	}
}

// entry is a part of a drawing in the list of all.
type entry struct {
	Element     int           `json:"element"`
	Parent      int           `json:"parent"` // 0 for what stands outermost
	Name        string        `json:"name,omitempty"`
	Comment     string        `json:"comment,omitempty"`
	Instruction string        `json:"instruction,omitempty"`
	Doctype     string        `json:"doctype,omitempty"`
	Attributes  plain.Members `json:"attributes,omitempty"`
	Text        string        `json:"text,omitempty"` // before the first child
	Tail        string        `json:"tail,omitempty"` // after the part
}

// inJSON makes an array of the parts of a drawing.
func inJSON(p struct{ Document, To string }) exact.Steps {
	forward := func(d *drawing) (plain.Array[entry], error) { return listed(nil, d.Top, 0), nil }
	return exact.JSON(&drawings, p.Document, p.To, forward, func(list plain.Array[entry]) (*drawing, error) {
		d := read("")
		nodes := map[int]*xml.Node{0: d.Top}
		for _, e := range list {
			parent := nodes[e.Parent]
			if parent == nil {
				return nil, fmt.Errorf("%s: element %d stands in %d, which does not come before it", p.To, e.Element, e.Parent)
			}
			n := e.node()
			nodes[e.Element] = n
			parent.Children = append(parent.Children, n)
			if e.Tail != "" {
				parent.Children = append(parent.Children, &xml.Node{Kind: xml.Text, Text: e.Tail})
			}
		}
		if d.Root() == nil {
			return nil, errors.New(p.To + " has no element")
		}
		return d, nil
	})
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
			e.Name = c.Name
			for _, a := range c.Attrs {
				e.Attributes = append(e.Attributes, plain.Member(a))
			}
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

// node is the part of a drawing that an entry describes.
func (e *entry) node() *xml.Node {
	switch {
	case e.Name != "":
		n := &xml.Node{Name: e.Name}
		for _, a := range e.Attributes {
			n.Attrs = append(n.Attrs, xml.Attr(a))
		}
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
