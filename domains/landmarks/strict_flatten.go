package landmarks

import (
	"fmt"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// elements flattens files of any name: placemarks, folders, styles, schema
// fields, what root and document say, the namespaces of extensions, comments,
// and text that stands where none belongs.
func elements(files vfs.Files) []domains.Element {
	doc := readAll(files)
	f := flattener{spaces: xml.Spaces{}, paths: xml.Paths{}}
	for _, fault := range doc.Faults {
		f.add(domains.Element{Kind: "fault", Key: "XML", Fields: []domains.Field{{Value: fault}}})
	}
	for _, c := range doc.Top.Children {
		if isRoot(c) {
			f.root(c)
		} else {
			f.child(c, "")
		}
	}
	return f.all
}

type flattener struct {
	all    []domains.Element
	spaces xml.Spaces
	paths  xml.Paths

	placemarks, folders, overlays, lines int // that were met so far
}

func (f *flattener) add(e domains.Element) { f.all = append(f.all, e) }

// headKML and headGeoJSON are the keys of the roots, by which forgive knows them.
const (
	header      = "header"
	headKML     = "kml"
	headGeoJSON = "GeoJSON"
)

func (f *flattener) root(n *xml.Node) {
	e := domains.Element{Kind: header, Key: headKML}
	if n.Is(collectionName) {
		e.Key = headGeoJSON
	}
	if n.Space != "" && n.Space != kmlSpace {
		e.Fields = append(e.Fields, domains.Field{Name: "namespace", Value: n.Space})
	}
	e.Fields = f.attributes(e.Fields, n, "")
	f.add(e)
	f.inside(n, "")
}

// inside flattens the children of a root or container. folder is the path of
// the names of folders that leads there.
func (f *flattener) inside(n *xml.Node, folder string) {
	for _, c := range n.Children {
		f.child(c, folder)
	}
}

func (f *flattener) child(n *xml.Node, folder string) {
	switch {
	case n.Kind != xml.Element:
		f.margin(n)
	case n.Is("Placemark"):
		f.placemark(n, folder)
	case n.Is("Folder"):
		f.folder(n, folder)
	case n.Is("Document"):
		f.document(n, folder)
	case n.Is("Schema"):
		f.schema(n)
	case n.Is("Style") || n.Is("StyleMap"):
		id, _ := n.Attribute("id")
		f.described("style", "style "+id, 0, n)
	case isFeature(n):
		f.overlays++
		f.described("overlay", xml.Local(n.Name)+" "+nameOf(n), f.overlays, n)
	default:
		var inside []*xml.Node
		e := domains.Element{Kind: header, Key: "document"}
		e.Fields, inside = f.value(nil, n, "")
		if len(e.Fields) > 0 {
			f.add(e)
		}
		f.records(inside, folder)
	}
}

// margin flattens what is no element: comments, and lines of text.
func (f *flattener) margin(n *xml.Node) {
	kind := "line"
	if n.Kind == xml.Comment {
		kind = "comment"
	}
	for text := range strings.SplitSeq(n.Text, "\n") {
		if text = straight(text); text == "" {
			continue
		}
		e := domains.Element{Kind: kind, Key: kind, Fields: []domains.Field{{Value: text}}}
		if kind == "line" {
			f.lines++
			e.Position = f.lines
		}
		f.all = append(f.all, e)
	}
}

// described flattens an element that is all its attributes and values.
func (f *flattener) described(kind, key string, position int, n *xml.Node) {
	e := domains.Element{Kind: kind, Key: key, Position: position}
	var inside []*xml.Node
	e.Fields, inside = f.fields(nil, n, "")
	f.add(e)
	f.records(inside, "")
}

func (f *flattener) document(n *xml.Node, folder string) {
	if fields := f.attributes(nil, n, ""); len(fields) > 0 {
		f.add(domains.Element{Kind: header, Key: "document", Fields: fields})
	}
	f.inside(n, folder)
}

func (f *flattener) schema(n *xml.Node) {
	name, _ := n.Attribute("name")
	key := "schema " + name
	f.add(domains.Element{Kind: header, Key: key, Fields: f.attributes(nil, n, "schema")})
	for _, c := range n.Children {
		if c.Kind != xml.Element {
			f.margin(c)
			continue
		}
		e := domains.Element{Kind: "schema field"}
		var inside []*xml.Node
		e.Fields, inside = f.fields(nil, c, "")
		for i := range e.Fields {
			if e.Fields[i].Name == "name" {
				e.Fields[i].Value = strings.ToUpper(e.Fields[i].Value)
			}
		}
		e.Key = key + ", field " + e.Value("name")
		f.add(e)
		f.records(inside, "")
	}
}

func (f *flattener) folder(n *xml.Node, outer string) {
	f.folders++
	name := nameOf(n)
	if name == "" {
		name, _ = n.Attribute("id")
	}
	path := f.paths.Join(outer, name)
	e := domains.Element{Kind: "folder", Key: "folder " + path, Position: f.folders}
	if outer != "" {
		e.Fields = append(e.Fields, domains.Field{Name: "folder", Value: outer})
	}
	var inside []*xml.Node
	e.Fields, inside = f.fields(e.Fields, n, "")
	f.add(e)
	f.records(inside, path)
}

func (f *flattener) placemark(n *xml.Node, folder string) {
	f.placemarks++
	name := nameOf(n)
	if name == "" {
		name, _ = n.Attribute("id")
	}
	e := domains.Element{Kind: counted, Key: "placemark " + name, Position: f.placemarks}
	if folder != "" {
		e.Fields = append(make([]domains.Field, 0, 12), domains.Field{Name: "folder", Value: folder})
	}
	var inside []*xml.Node
	e.Fields, inside = f.fields(e.Fields, n, "")
	f.add(e)
	f.records(inside, folder)
}

func (f *flattener) records(all []*xml.Node, folder string) {
	for _, n := range all {
		f.child(n, folder)
	}
}

// isRecord reports whether a node is no value of the element it stands in.
func isRecord(n *xml.Node) bool {
	return isFeature(n) || isContainer(n) || n.Is("Schema")
}

// fields appends the attributes and values of an element, under the path that
// leads to them. Records that stand in it are returned.
func (f *flattener) fields(fields []domains.Field, n *xml.Node, path string) (all []domains.Field, records []*xml.Node) {
	fields = f.attributes(fields, n, path)
	var met map[string]int
	for _, c := range n.Children {
		switch {
		case c.Kind == xml.Comment || c.Kind == xml.Instruction:
			f.margin(c)
		case c.Kind != xml.Element:
			if text := straight(c.Text); text != "" {
				fields = f.field(fields, f.paths.Join(path, "text"), text)
			}
		case isRecord(c):
			records = append(records, c)
		default:
			at := path
			if !c.IsLeaf() && !isTransparent(c) { // values of one belong together
				if met == nil {
					met = map[string]int{}
				}
				if met[c.Name]++; met[c.Name] > 1 {
					at = f.paths.Join(path, fmt.Sprint(met[c.Name]))
				}
			}
			var inner []*xml.Node
			fields, inner = f.value(fields, c, at)
			records = append(records, inner...)
		}
	}
	return fields, records
}

// isTransparent reports whether an element only holds fields together.
func isTransparent(n *xml.Node) bool { return n.Is("ExtendedData") || n.Is("SchemaData") }

// value appends what a child element says.
func (f *flattener) value(fields []domains.Field, n *xml.Node, path string) (all []domains.Field, records []*xml.Node) {
	if n.Foreign {
		f.space(n)
	}
	switch name := xml.Local(n.Name); {
	case isTransparent(n):
		return f.fields(fields, n, path)
	case n.Is("SimpleData"):
		return f.simpleData(fields, n), nil
	case n.Is("coordinates") && n.IsLeaf():
		return f.coordinates(fields, n.Content(), path), nil
	case isText(n):
		fields = f.attributes(fields, n, f.paths.Join(path, name))
		return f.text(fields, f.paths.Join(path, name), whole(n)), nil
	case !n.IsLeaf():
		return f.fields(fields, n, f.paths.Join(path, name))
	default:
		f.comments(n)
		fields = f.attributes(fields, n, f.paths.Join(path, name))
		value := normalLeaf(name, n.Content())
		if value == "" && !n.Foreign || value != "" && value == defaults[name] {
			return fields, nil
		}
		return f.field(fields, f.paths.Join(path, name), value), nil
	}
}

// simpleData is known by its name, in any case.
func (f *flattener) simpleData(fields []domains.Field, n *xml.Node) []domains.Field {
	f.comments(n)
	name := n.Name
	for _, a := range n.Attrs {
		switch {
		case a.Name == "name":
			name = strings.ToUpper(a.Value)
		case !a.IsDeclaration():
			fields = f.field(fields, f.paths.Join("SimpleData", xml.Local(a.Name)), pytext.Strip(a.Value))
		}
	}
	return f.text(fields, name, whole(n))
}

func (f *flattener) comments(n *xml.Node) {
	for _, c := range n.Children {
		if c.Kind == xml.Comment || c.Kind == xml.Instruction {
			f.margin(c)
		}
	}
}

// attributes appends the attributes of an element.
func (f *flattener) attributes(fields []domains.Field, n *xml.Node, path string) []domains.Field {
	for _, a := range n.Attrs {
		if !a.IsDeclaration() {
			fields = f.field(fields, f.paths.Join(path, xml.Local(a.Name)), straight(a.Value))
		}
	}
	return fields
}

func (f *flattener) field(fields []domains.Field, name, value string) []domains.Field {
	return plain.Append(fields, domains.Field{Name: name, Value: value})
}

// space notes the namespace of an extension.
func (f *flattener) space(n *xml.Node) {
	if name, first := f.spaces.Meet(n); first {
		f.all = append(f.all, domains.Element{Kind: "namespace", Key: "namespace", Fields: []domains.Field{{Value: name}}})
	}
}
