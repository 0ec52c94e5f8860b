package starcatalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

const counted = "row"

// elements flattens files of any name: every XML element with its attributes and text is one, save that a row takes in
// its cells and that a description belongs to what it describes. Comments, and text that stands where none belongs, are
// others.
func elements(files vfs.Files) []domains.Element {
	f := flattener{numbers: map[string]int{}, met: map[string]int{}}
	names := files.Names()
	f.several = len(names) > 1
	for n, name := range names {
		f.file = n
		f.inFile = map[string]int{}
		c := read(files[name])
		f.all = append(f.all, c.FaultElements()...)
		f.inside(c.Top, scope{})
	}
	if f.several {
		f.orderRows()
	}
	return f.all
}

type flattener struct {
	all       []domains.Element
	numbers   map[string]int // how many were met of what is numbered, by kind
	rowTables []rowPlace     // where each row stands
	file      int            // the number of the one in hand

	// Files that make up a document may repeat all but rows and stray text.
	several bool
	met     map[string]int // the numbers of elements, by what they say
	inFile  map[string]int // how often the file in hand says it
}

// scope is where an element stands.
type scope struct {
	in      string    // what its parent is called
	space   string    // its parent's namespace
	bound   *prefixes // that are declared
	table   int       // the number of the table around it; 0 if there is none
	columns *columns  // of that table
	// described says that the parent's own texts are in its fields.
	described bool
}

// prefixes are those that an element declares, and those of the elements around it.
type prefixes struct {
	declared map[string]bool
	outer    *prefixes
}

func (p *prefixes) has(prefix string) bool {
	for ; p != nil; p = p.outer {
		if p.declared[prefix] {
			return true
		}
	}
	return prefix == "xml"
}

// with returns the prefixes in force in an element.
func (p *prefixes) with(n *xml.Node) *prefixes {
	outer := p
	for _, a := range n.Attrs {
		if prefix, ok := strings.CutPrefix(a.Name, "xmlns:"); ok {
			if p == outer {
				p = &prefixes{map[string]bool{}, outer}
			}
			p.declared[prefix] = true
		}
	}
	return p
}

func (f *flattener) add(e domains.Element) { f.all = plain.Append(f.all, e) }

func (f *flattener) number(kind string) int {
	f.numbers[kind]++
	return f.numbers[kind]
}

// inside flattens the children of an element.
func (f *flattener) inside(n *xml.Node, at scope) {
	hasText := at.described && n.IsLeaf()
	opened := ""
	for _, c := range n.Children {
		switch {
		case c.Kind == xml.Text && hasText:
		case c.Kind != xml.Element:
			f.margin(c)
		case at.described && isDescription(c):
			f.inside(c, at)
		case c.Is("TR") && n.Is("TABLEDATA"):
			f.row(c, at)
		case isContainer(n, c) && opened != xml.Local(c.Name):
			opened = xml.Local(c.Name)
			undescribed := at
			undescribed.described = false
			f.inside(c, undescribed)
		default:
			f.element(c, at)
		}
	}
}

// isDescription reports whether the element belongs to its parent as a text.
func isDescription(n *xml.Node) bool {
	return n.Is("DESCRIPTION") && len(n.Attrs) == 0 && n.IsLeaf()
}

// isContainer reports whether the element only holds the rows of a table.
func isContainer(parent, n *xml.Node) bool {
	return len(n.Attrs) == 0 && (n.Is("DATA") && parent.Is("TABLE") || n.Is("TABLEDATA") && parent.Is("DATA"))
}

// margin flattens what is no element: comments, and lines of text.
func (f *flattener) margin(n *xml.Node) {
	for _, e := range n.Margin(pytext.Collapse) {
		if e.Kind == "line" {
			e.Position = f.number(e.Kind)
		} else if _, repeated := f.repeats(&e, ""); repeated {
			continue
		}
		f.add(e)
	}
}

// element flattens an element and what is in it.
func (f *flattener) element(n *xml.Node, at scope) {
	e := domains.Element{Kind: kindOf(n)}
	called := e.Kind
	if name := nameOf(n); name != "" {
		called += " " + name
	}
	e.Key = within(called, at.in)
	e.Fields = at.enter(n)
	distinct := ""
	if e.Kind == "TABLE" {
		at.columns = columnsOf(n)
		distinct = strings.Join(at.columns.names, "\n")
	}
	number, repeated := f.repeats(&e, distinct)
	if !repeated {
		if e.Kind == "RESOURCE" || e.Kind == "TABLE" || e.Kind == "FIELD" { // of others the order means nothing
			number = f.number(e.Kind)
			e.Position = number
		}
		f.add(e)
	}
	switch {
	case len(n.Children) == 0:
		return
	case e.Kind == "RESOURCE":
		at.in = "RESOURCE " + strconv.Itoa(number)
	case e.Kind == "TABLE":
		at.in, at.table = "TABLE "+strconv.Itoa(number), number
	case e.Kind != "VOTABLE":
		at.in = e.Key
	}
	at.described = true
	f.inside(n, at)
}

// kindOf is the name of an element, told from what is no element.
func kindOf(n *xml.Node) string {
	switch name := xml.Local(n.Name); name {
	case counted, "line", "comment", "fault":
		return "element " + name
	default:
		return name
	}
}

// repeats reports whether an element stands in a file before that of the document, as often as in this one, and under
// which number. distinct is what tells elements apart in addition to their fields.
func (f *flattener) repeats(e *domains.Element, distinct string) (number int, repeated bool) {
	if !f.several {
		return 0, false
	}
	says := fmt.Sprint(e.Kind, e.Fields, distinct)
	f.inFile[says]++
	says = fmt.Sprint(f.inFile[says], says)
	if number, repeated = f.met[says]; !repeated {
		f.met[says] = f.numbers[e.Kind] + 1
	}
	return number, repeated
}

// repeatsVersion reports whether an element's namespace says what its version attribute
// does. Documents may have either alone.
func repeatsVersion(n *xml.Node) bool {
	version, ok := n.Attribute("version")
	return ok && xml.Local(n.Name) == "VOTABLE" && !n.Unbound && n.Space == "http://www.ivoa.net/xml/VOTable/v"+version
}

// enter returns what an element says of itself. The scope gets its namespace, and the prefixes that are declared in it.
func (at *scope) enter(n *xml.Node) []domains.Field {
	fields := make([]domains.Field, 0, 1+len(n.Attrs)+min(len(n.Children), 2))
	if at.in != "" {
		fields = append(fields, domains.Field{Name: "in", Value: at.in})
	}
	space := n.Space
	if n.Unbound {
		space = "that of the undeclared prefix " + xml.Prefix(n.Name)
	}
	if space != at.space && !repeatsVersion(n) {
		fields = append(fields, domains.Field{Name: "namespace", Value: space})
	}
	at.space, at.bound = space, at.bound.with(n)
	fields = attributes(fields, n, at.bound)
	for _, c := range n.Children {
		if c.Kind == xml.Element && isDescription(c) {
			fields = text(fields, "description", c)
		}
	}
	if n.IsLeaf() {
		fields = text(fields, "text", n)
	}
	return fields
}

func text(fields []domains.Field, name string, n *xml.Node) []domains.Field {
	if text := pytext.Collapse(n.Content()); text != "" {
		fields = append(fields, domains.Field{Name: name, Value: text})
	}
	return fields
}

// attributes appends an element's attributes. A prefix counts only if it is not declared.
func attributes(fields []domains.Field, n *xml.Node, bound *prefixes) []domains.Field {
	for _, a := range n.Attrs {
		if a.IsDeclaration() {
			continue
		}
		name := a.Name
		if prefix := xml.Prefix(name); prefix != "" && bound.has(prefix) {
			name = xml.Local(name)
		}
		fields = append(fields, domains.Field{Name: name, Value: pytext.Collapse(a.Value)})
	}
	return fields
}

// nameOf is how an element is told from others of its kind; empty if it is not.
func nameOf(n *xml.Node) string {
	for _, name := range []string{"name", "ID", "ref", "system", "value"} {
		if text := pytext.Collapse(n.Value(name)); text != "" {
			return short(text)
		}
	}
	return ""
}

// short cuts what is too long for a name.
func short(text string) string {
	const longest = 80
	if len(text) > longest {
		return strings.ToValidUTF8(text[:longest], "")
	}
	return text
}

// within says what is in what. Beyond a length that no document has it does not grow.
func within(called, in string) string {
	const longest = 200
	if in == "" || len(in) > longest {
		return called
	}
	return called + " in " + in
}

// read takes in any text. It forgives a byte order mark, blank lines before the declaration and code fences.
func read(text string) xml.Document { return xml.Read(xml.Unfenced(text)) }

// without leaves out rows.
func without(_, text string, leave func() bool) string {
	d := read(text)
	var out []*xml.Node
	d.Top.Walk(func(parent *xml.Node) {
		if parent.Is("TABLEDATA") {
			out = append(out, slices.DeleteFunc(parent.All("TR"), func(*xml.Node) bool { return !leave() })...)
		}
	})
	return d.Without(out)
}
