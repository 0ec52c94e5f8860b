package vector

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

// elements flattens files of any name: the drawing itself, drawn elements,
// definitions, rules of style sheets, titles and metadata, comments, and text
// that stands where none belongs.
func elements(files vfs.Files) []domains.Element {
	parts := make([][]domains.Element, 0, len(files))
	for n, name := range files.Names() {
		f := flattener{drawing: read(files[name]), places: map[string]int{}, file: n}
		f.drawingItself()
		parts = append(parts, f.all)
	}
	return joined(parts)
}

// flattener flattens a file.
type flattener struct {
	*drawing
	all    []domains.Element
	places map[string]int // how many of each kind were met
	file   int
}

func (f *flattener) add(e domains.Element) { f.all = plain.Append(f.all, e) }

// fileShift is by how many bits the number of a file is above the place in it.
const fileShift = 32

// place is the next of a kind whose order has meaning.
func (f *flattener) place(kind string) int {
	f.places[kind]++
	return f.file<<fileShift | f.places[kind]
}

// drawingItself flattens the outermost elements. What stands around them is no
// part of a drawing, save comments and style sheets that belong to it.
func (f *flattener) drawingItself() {
	for _, c := range f.Top.Children {
		switch c.Kind {
		case xml.Comment, xml.Instruction:
			f.remark(c)
		case xml.Element:
			e := domains.Element{Kind: "drawing", Key: "drawing"}
			e.Fields = f.fields([]domains.Field{{Name: "element", Value: xml.Local(c.Name)}, {Name: "namespace", Value: c.Space}}, c)
			f.add(e)
			f.inside(c, scope{})
		}
	}
}

// scope is where the children of an element stand.
type scope struct {
	in      string // the key of the element; empty for the drawing
	defined bool   // in definitions
	label   bool   // text belongs to it
}

// inside flattens the children of an element.
func (f *flattener) inside(n *xml.Node, s scope) {
	place := 0
	for _, c := range n.Children {
		if c.Kind == xml.Element {
			place++
		}
		switch {
		case c.Kind == xml.Comment || c.Kind == xml.Instruction:
			f.remark(c)
		case c.Kind == xml.Text && !s.label:
			f.lines(c.Text)
		case c.Kind != xml.Element:
		case isSkipped(c):
			f.metadata(c, s.in, f.name(c))
		default:
			f.shape(c, s, place)
		}
	}
}

// shape flattens an element of the drawing or of its definitions. place is its
// number among the children.
func (f *flattener) shape(n *xml.Node, s scope, place int) {
	name := f.name(n)
	e := domains.Element{Kind: counted, Key: f.key(n)}
	e.Fields = append(make([]domains.Field, 0, 2+len(n.Attrs)), domains.Field{Name: "in", Value: s.in}, domains.Field{Name: "element", Value: name})
	if s.defined {
		e.Kind = "definition"
		if !strings.HasPrefix(s.in, "defs") { // there the order means nothing
			e.Fields = append(e.Fields, domains.Field{Name: "place", Value: strconv.Itoa(place)})
		}
	} else {
		e.Position = f.place(counted)
	}
	e.Fields = f.fields(e.Fields, n)
	label := isLabel(n, s.label)
	if name == "style" {
		f.add(e)
		f.styleSheet(n)
		return
	}
	if label {
		e.Fields = append(e.Fields, runs(n)...)
	}
	f.add(e)
	f.inside(n, scope{in: e.Key, defined: s.defined || name == "defs", label: label})
}

// runs are the pieces of an element's own text: before its first child, and
// behind each.
func runs(n *xml.Node) []domains.Field {
	var all []domains.Field
	name, behind, last := "text", 0, len(n.Children)-1
	for at, c := range n.Children {
		switch c.Kind {
		case xml.Element:
			behind++
			name = "text behind part " + strconv.Itoa(behind)
		case xml.Text:
			text := collapsed(c.Text)
			if at == 0 {
				text = strings.TrimPrefix(text, " ")
			}
			if at == last {
				text = strings.TrimSuffix(text, " ")
			}
			if text == "" {
				continue
			}
			if k := len(all) - 1; k >= 0 && all[k].Name == name {
				all[k].Value += text
			} else {
				all = append(all, domains.Field{Name: name, Value: text})
			}
		}
	}
	return all
}

// collapsed turns each run of white space into one blank.
func collapsed(text string) string {
	words := strings.Join(pytext.Fields(text), " ")
	if words == "" {
		return " "
	}
	if pytext.StripLeft(text) != text {
		words = " " + words
	}
	if pytext.StripRight(text) != text {
		words += " "
	}
	return words
}

// metadata flattens titles, metadata and the settings of editors, an element for
// each part that says something.
func (f *flattener) metadata(n *xml.Node, in, path string) {
	e := domains.Element{Kind: "metadata", Key: path}
	e.Fields = f.fields([]domains.Field{{Name: "in", Value: in}, {Name: "element", Value: path}}, n)
	for _, c := range n.Children {
		if c.Kind == xml.Text {
			if text := pytext.Strip(collapsed(c.Text)); text != "" {
				e.Fields = append(e.Fields, domains.Field{Name: "text", Value: text})
			}
		}
	}
	if len(e.Fields) > 2 {
		f.add(e)
	}
	for _, c := range n.Children {
		switch c.Kind {
		case xml.Element:
			const longest = 200
			inner := path
			if len(path) < longest {
				inner += "/" + f.name(c)
			}
			f.metadata(c, in, inner)
		case xml.Comment, xml.Instruction:
			f.remark(c)
		}
	}
}

// remark flattens a comment or a processing instruction. The signature of the
// program that wrote the file is none.
func (f *flattener) remark(n *xml.Node) {
	text := strings.Join(pytext.Fields(n.Text), " ")
	kind := "comment"
	if n.Kind == xml.Instruction {
		kind = "instruction"
	} else if strings.HasPrefix(text, "Created with ") || strings.HasPrefix(text, "Generator: ") {
		return
	}
	f.add(domains.Element{Kind: kind, Key: kind, Fields: []domains.Field{{Value: text}}})
}

// lines flattens text that belongs to nothing.
func (f *flattener) lines(text string) {
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.Join(pytext.Fields(line), " "); line != "" {
			f.add(domains.Element{Kind: "line", Key: "line", Fields: []domains.Field{{Value: line}}, Position: f.place("line")})
		}
	}
}

// fields appends the attributes of an element and the properties of its style,
// which are alike.
func (f *flattener) fields(fields []domains.Field, n *xml.Node) []domains.Field {
	for _, a := range n.Attrs {
		if a.IsDeclaration() {
			continue
		}
		name := f.attributeName(a.Name)
		switch name {
		case "style":
			fields = append(fields, declarationsOf(a.Value)...)
		case "d":
			for k, outline := range outlinesOf(a.Value) {
				if k > 0 {
					name = fmt.Sprint("d ", k+1)
				}
				fields = append(fields, domains.Field{Name: name, Value: outline})
			}
		default:
			fields = append(fields, domains.Field{Name: name, Value: normalValue(name, a.Value)})
		}
	}
	return fields
}

// The prefixes that namespaces have by custom. Links need none since SVG 2.
var customary = map[string]string{
	"http://www.w3.org/1999/xlink": "", "http://www.w3.org/XML/1998/namespace": "xml:",
	"http://www.inkscape.org/namespaces/inkscape": "inkscape:", "http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd": "sodipodi:",
	"http://purl.org/dc/elements/1.1/": "dc:", "http://creativecommons.org/ns#": "cc:", "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf:",
	svgSpace: "",
}

// attributeName is the name of an attribute under the prefix that is customary.
func (f *flattener) attributeName(name string) string {
	prefix := xml.Prefix(name)
	switch {
	case prefix == "":
		return name
	case prefix == "xlink":
		return xml.Local(name)
	}
	if custom, known := customary[f.spaces[prefix]]; known {
		return custom + xml.Local(name)
	}
	return name
}

// name is that of an element, the same under every prefix of SVG.
func (f *flattener) name(n *xml.Node) string {
	if !n.Foreign {
		return xml.Local(n.Name)
	}
	if custom, known := customary[n.Space]; known {
		return custom + xml.Local(n.Name)
	}
	return n.Name
}

// key is what a person would call an element: by its id, else by its label, its
// place or its class, a group also by what it begins with.
func (f *flattener) key(n *xml.Node) string { return f.keyTo(n, 3) }

func (f *flattener) keyTo(n *xml.Node, depth int) string {
	name := f.name(n)
	for _, attribute := range []string{"id", "inkscape:label", "class"} {
		if value, _ := n.Attribute(attribute); value != "" {
			return name + " " + shortened(value)
		}
	}
	if isLabel(n, false) {
		if text := shownText(n); text != "" {
			return name + " “" + text + "”"
		}
	}
	for _, axes := range [][2]string{{"x", "y"}, {"cx", "cy"}, {"x1", "y1"}} {
		x, hasX := n.Attribute(axes[0])
		y, hasY := n.Attribute(axes[1])
		if hasX || hasY {
			return name + " at " + shortened(plain.Number(x)) + ", " + shortened(plain.Number(y))
		}
	}
	for _, c := range n.Children {
		if c.Kind == xml.Element && depth > 0 && !isSkipped(c) {
			return name + " with " + f.keyTo(c, depth-1)
		}
	}
	return name
}

const longestName = 40

func shortened(text string) string {
	if len(text) <= longestName {
		return text
	}
	runes := []rune(text[:min(len(text), 4*longestName)])
	return string(runes[:min(len(runes), longestName)])
}

// shownText is the beginning of the text in a label and its spans.
func shownText(n *xml.Node) string {
	var b strings.Builder
	var collect func(*xml.Node)
	collect = func(n *xml.Node) {
		for _, c := range n.Children {
			if b.Len() > longestName {
				return
			}
			switch c.Kind {
			case xml.Text:
				b.WriteString(shortened(pytext.StripLeft(c.Text)) + " ")
			case xml.Element:
				collect(c)
			}
		}
	}
	collect(n)
	return shortened(pytext.Strip(collapsed(b.String())))
}

// joined puts the elements of several files together. What one repeats of another,
// or of which it has less, so that the part can be drawn by itself, counts once:
// the drawing's size, groups that go on, definitions, style sheets, comments.
func joined(parts [][]domains.Element) []domains.Element {
	if len(parts) == 1 {
		return parts[0]
	}
	type source struct{ kind, key string }
	found := map[source][]*domains.Element{}
	files := map[*domains.Element]int{}
	for file := range parts {
		for i := range parts[file] {
			if e := &parts[file][i]; isRepeatable(e) {
				files[e] = file
				found[source{e.Kind, e.Key}] = append(found[source{e.Kind, e.Key}], e)
			}
		}
	}
	repeated := map[*domains.Element]bool{}
	for _, same := range found {
		const most = 64
		for i, e := range same[:min(len(same), most)] {
			for k, other := range same[:min(len(same), most)] {
				if files[e] != files[other] && !repeated[other] && isPartOf(e, other) && (k < i || !isPartOf(other, e)) {
					repeated[e] = true
				}
			}
		}
	}
	var all []domains.Element
	for file := range parts {
		for i := range parts[file] {
			if e := &parts[file][i]; !repeated[e] {
				all = append(all, *e)
			}
		}
	}
	return all
}

func isRepeatable(e *domains.Element) bool {
	switch e.Kind {
	case "line", "metadata":
		return e.Kind == "metadata"
	case counted:
		name := e.Value("element")
		return name == "g" && e.Value("id") != "" || name == "defs" || name == "style"
	}
	return true
}

// isPartOf reports whether an element has no field that another has not.
func isPartOf(e, other *domains.Element) bool {
	for _, f := range e.Fields {
		if !slices.Contains(other.Fields, f) {
			return false
		}
	}
	return true
}
