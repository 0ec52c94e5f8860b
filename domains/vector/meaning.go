package vector

import (
	"fmt"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	published "agentd/domains/published/vector"
	"agentd/internal/lazyregexp"
	"agentd/vfs"
)

// mostFields is how many fields of an element are compared one with the other.
const mostFields = 256

// elements flattens files of any name: the drawing itself, drawn elements, definitions, rules of style sheets, titles
// and metadata, comments, and text that stands where none belongs.
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

func (f *flattener) add(e domains.Element) {
	e.Fields = domains.Bounded(e.Fields, mostFields)
	f.all = plain.Append(f.all, e)
}

// place is the next of a kind whose order has meaning.
func (f *flattener) place(kind string) int {
	f.places[kind]++
	return f.file<<fileShift | f.places[kind]
}

const drawingKind = "drawing"

// drawingItself flattens the outermost elements. What stands around them is no
// part of a drawing, save comments and style sheets that belong to it.
func (f *flattener) drawingItself() {
	for _, c := range f.Top.Children {
		switch c.Kind {
		case xml.Comment, xml.Instruction:
			f.remark(c)
		case xml.Element:
			e := domains.Element{Kind: drawingKind, Key: "drawing"}
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
		case published.IsSkipped(c):
			f.metadata(c, s.in, f.name(c))
		default:
			f.shape(c, s, place)
		}
	}
}

// shape flattens an element of the drawing or of its definitions. place is its number among the children.
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
		f.styleSheet(n, s)
		return
	}
	if label {
		e.Fields = append(e.Fields, runs(n)...)
	}
	f.add(e)
	f.inside(n, scope{in: e.Key, defined: s.defined || name == "defs", label: label})
}

// runs are the pieces of an element's own text: before its first child, and after each.
func runs(n *xml.Node) []domains.Field {
	var all []domains.Field
	var run strings.Builder
	parts := 0
	end := func(isLast bool) {
		text, name := collapsed(run.String()), "text"
		if parts == 0 {
			text = strings.TrimPrefix(text, " ")
		} else {
			name = "text after part " + strconv.Itoa(parts)
		}
		if isLast {
			text = strings.TrimSuffix(text, " ")
		}
		if text != "" {
			all = append(all, domains.Field{Name: name, Value: text})
		}
		run.Reset()
	}
	for _, c := range n.Children {
		switch c.Kind {
		case xml.Text:
			run.WriteString(c.Text)
		case xml.Element:
			end(false)
			parts++
		}
	}
	end(true)
	return all
}

// collapsed turns each run of white space into one blank.
func collapsed(text string) string {
	if text == "" {
		return ""
	}
	words := pytext.Collapse(text)
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

// metadata flattens titles, metadata and the settings of editors, an element for each part that says something.
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

// remark flattens a comment or a processing instruction. The signature of the program that wrote the file is none.
func (f *flattener) remark(n *xml.Node) {
	text := pytext.Collapse(n.Text)
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
		if line = pytext.Collapse(line); line != "" {
			f.add(domains.Element{Kind: "line", Key: "line", Fields: []domains.Field{{Value: line}}, Position: f.place("line")})
		}
	}
}

// fields appends the attributes of an element and the properties of its style, which are alike.
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

const counted = "drawn element"

var (
	documentTypes = lazyregexp.New(`<!DOCTYPE\s+(\S+)\s+(?:PUBLIC\s+["']([^"']*)["']\s+)?(?:SYSTEM\s+)?["']([^"']*)["']`)
	// The document types of SVG: the public identifier, with the end of the system identifier that belongs to it.
	typesOfSVG = map[string]string{
		"-//W3C//DTD SVG 1.0//EN":               "/svg10.dtd",
		"-//W3C//DTD SVG 20010904//EN":          "/svg10.dtd",
		"-//W3C//DTD SVG 1.1//EN":               "/svg11.dtd",
		"-//W3C//DTD SVG 1.1 Basic//EN":         "/svg11-basic.dtd",
		"-//W3C//DTD SVG 1.1 Tiny//EN":          "/svg11-tiny.dtd",
		"-//W3C//DTD SVG 1.2 Tiny//EN":          "/svg12-tiny.dtd",
		"-//W3C//DTD SVG 20000303 Stylable//EN": "/svg-20000303-stylable.dtd",
	}
	hostOfSVG = lazyregexp.New(`^https?://www\.w3\.org/(?:Graphics/SVG|TR)/`)
)

// documentType checks a document type: of an element svg, with identifiers of SVG that belong together. Strict passes over it, as programs do
// that draw; one that validates fetches it. A drawing needs none.
func documentType(_, text string) []domains.Slip {
	at := documentTypes.FindStringSubmatchIndex(text)
	if at == nil {
		return nil
	}
	m := documentTypes.FindStringSubmatch(text)
	name, public, system := m[1], m[2], m[3]
	end, known := typesOfSVG[public]
	if xml.Local(name) == "svg" && (public == "" && at[4] < 0 || known && strings.HasSuffix(system, end) && hostOfSVG.MatchString(system)) {
		return nil
	}
	return []domains.Slip{{Line: 1 + strings.Count(text[:at[0]], "\n"), What: "the document type is none of SVG", Text: text[at[0]:at[1]]}}
}
