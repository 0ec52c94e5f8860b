package landmarks

import (
	"cmp"
	"fmt"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// elements flattens files of any name: placemarks, folders, styles, schema fields, what root and document say, the
// namespaces of extensions, comments, and text that stands where none belongs.
func elements(files vfs.Files) []domains.Element {
	doc := readAll(files)
	f := flattener{Flat: xml.NewFlat(), met: map[string]int{}}
	f.All = doc.FaultElements()
	for _, c := range doc.Top.Children {
		if isRoot(c) {
			f.root(c)
		} else {
			f.child(c, "")
		}
	}
	return f.All
}

type flattener struct {
	xml.Flat
	met     map[string]int // how many there are so far of a kind that has an order
	records []*xml.Node    // that stand in the element in hand, but are no values of it
}

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
	e.Fields = f.Attributes(e.Fields, n, "", straight)
	f.Add(e)
	f.children(n.Children, "")
}

// children flattens what stands in a root or container. folder is the path of the names of folders that leads there.
func (f *flattener) children(nodes []*xml.Node, folder string) {
	for _, c := range nodes {
		f.child(c, folder)
	}
}

func (f *flattener) child(n *xml.Node, folder string) {
	title := func() string { return cmp.Or(nameOf(n), n.Value("id")) }
	values := func(e *domains.Element) { e.Fields = f.fields(e.Fields, n, "") }
	switch {
	case n.Kind != xml.Element:
		f.Margin(n, straight)
	case n.Is("Placemark"):
		f.record(f.inOrder(counted, "placemark "+title(), folder), folder, values)
	case n.Is("Folder"):
		path := f.Paths.Join(folder, title())
		f.record(f.inOrder("folder", "folder "+path, folder), path, values)
	case n.Is("Document"):
		if fields := f.Attributes(nil, n, "", straight); len(fields) > 0 {
			f.Add(domains.Element{Kind: header, Key: "document", Fields: fields})
		}
		f.children(n.Children, folder)
	case n.Is("Schema"):
		f.schema(n)
	case n.Is("Style") || n.Is("StyleMap"):
		f.record(domains.Element{Kind: "style", Key: "style " + n.Value("id")}, "", values)
	case isFeature(n):
		f.record(f.inOrder("overlay", xml.Local(n.Name)+" "+nameOf(n), ""), "", values)
	default:
		f.record(domains.Element{Kind: header, Key: "document"}, folder, func(e *domains.Element) {
			e.Fields = f.value(nil, n, "")
		})
	}
}

// inOrder is the next element of a kind that has an order, in a folder.
func (f *flattener) inOrder(kind, key, folder string) domains.Element {
	f.met[kind]++
	e := domains.Element{Kind: kind, Key: key, Position: f.met[kind], Fields: make([]domains.Field, 0, 12)}
	if folder != "" {
		e.Fields = append(e.Fields, domains.Field{Name: "folder", Value: folder})
	}
	return e
}

// record adds an element, if it says anything, and after it the records in it.
func (f *flattener) record(e domains.Element, folder string, say func(*domains.Element)) {
	outer := f.records
	f.records = nil
	say(&e)
	inside := f.records
	f.records = outer
	if e.Kind != header || len(e.Fields) > 0 {
		f.Add(e)
	}
	f.children(inside, folder)
}

func (f *flattener) schema(n *xml.Node) {
	key := "schema " + n.Value("name")
	f.Add(domains.Element{Kind: header, Key: key, Fields: f.Attributes(nil, n, "schema", straight)})
	for _, c := range n.Children {
		if c.Kind != xml.Element {
			f.Margin(c, straight)
			continue
		}
		f.record(domains.Element{Kind: "schema field"}, "", func(e *domains.Element) {
			e.Fields = f.fields(nil, c, "")
			for i := range e.Fields {
				if e.Fields[i].Name == "name" {
					e.Fields[i].Value = strings.ToUpper(e.Fields[i].Value)
				}
			}
			e.Key = key + ", field " + e.Value("name")
		})
	}
}

// isRecord reports whether a node is no value of the element it stands in.
func isRecord(n *xml.Node) bool {
	return isFeature(n) || isContainer(n) || n.Is("Schema")
}

// fields appends the attributes and values of an element, under the path that leads to them.
func (f *flattener) fields(fields []domains.Field, n *xml.Node, path string) []domains.Field {
	fields = f.Attributes(fields, n, path, straight)
	var met map[string]int
	for _, c := range n.Children {
		switch {
		case c.Kind == xml.Comment || c.Kind == xml.Instruction:
			f.Margin(c, straight)
		case c.Kind != xml.Element:
			if text := straight(c.Text); text != "" {
				fields = said(fields, f.Paths.Join(path, "text"), text)
			}
		case isRecord(c):
			f.records = append(f.records, c)
		default:
			at := path
			if !c.IsLeaf() && !isTransparent(c) { // values of one belong together
				if met == nil {
					met = map[string]int{}
				}
				if met[c.Name]++; met[c.Name] > 1 {
					at = f.Paths.Join(path, fmt.Sprint(met[c.Name]))
				}
			}
			fields = f.value(fields, c, at)
		}
	}
	return fields
}

// isTransparent reports whether an element only holds fields together.
func isTransparent(n *xml.Node) bool { return n.Is("ExtendedData") || n.Is("SchemaData") }

// value appends what a child element says.
func (f *flattener) value(fields []domains.Field, n *xml.Node, path string) []domains.Field {
	f.Space(n)
	name := xml.Local(n.Name)
	at := f.Paths.Join(path, name)
	switch {
	case isTransparent(n):
		return f.fields(fields, n, path)
	case n.Is("SimpleData"):
		return f.simpleData(fields, n)
	case n.Is("coordinates") && n.IsLeaf():
		return f.coordinates(fields, n.Content(), path)
	case isText(n):
		return f.text(f.Attributes(fields, n, at, straight), at, whole(n))
	case !n.IsLeaf():
		return f.fields(fields, n, at)
	}
	f.comments(n)
	fields = f.Attributes(fields, n, at, straight)
	value := normalLeaf(name, n.Content())
	if value == "" && !n.Foreign || value != "" && value == defaults[name] {
		return fields
	}
	return said(fields, at, value)
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
			fields = said(fields, f.Paths.Join("SimpleData", xml.Local(a.Name)), pytext.Strip(a.Value))
		}
	}
	return f.text(fields, name, whole(n))
}

func (f *flattener) comments(n *xml.Node) {
	for _, c := range n.Children {
		if c.Kind == xml.Comment || c.Kind == xml.Instruction {
			f.Margin(c, straight)
		}
	}
}

func said(fields []domains.Field, name, value string) []domains.Field {
	return plain.Append(fields, domains.Field{Name: name, Value: value})
}
