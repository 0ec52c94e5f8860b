package geotrack

import (
	"fmt"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// elements flattens files of any name: points, waypoints, routes, tracks and
// segments, what the root and its other children say, the namespaces of
// extensions, comments, and text that stands where none belongs.
func elements(files vfs.Files) []domains.Element {
	f := flattener{headers: map[string]int{}, spaces: xml.Spaces{}, paths: xml.Paths{}}
	all := readAll(files)
	f.several = len(all) > 1
	for n, file := range all {
		f.file = n
		for _, fault := range file.Faults {
			f.add(domains.Element{Kind: "fault", Key: "XML", Fields: []domains.Field{{Value: fault}}})
		}
		f.inside(file.Top)
	}
	return f.all
}

type flattener struct {
	all     []domains.Element
	file    int  // that is in hand
	several bool // there is more than one
	// headers are the files in which each header came first: parts of a
	// document may repeat it.
	headers map[string]int
	spaces  xml.Spaces
	paths   xml.Paths

	// How many were met so far. Tracks and segments have numbers, not names, in
	// what is said of their points: a new name is one change.
	tracks, segments, points, routes, routePoints, lines int

	trackSegments int    // of the track in hand
	place         string // of the points in hand, such as "track 1, segment 2"
}

func (f *flattener) add(e domains.Element) { f.all = append(f.all, e) }

// inside flattens the children of the document.
func (f *flattener) inside(top *xml.Node) {
	for _, c := range top.Children {
		switch {
		case c.Kind != xml.Element:
			f.margin(c)
		case !c.Foreign && isRecord(xml.Local(c.Name)):
			f.record(c)
		default:
			f.root(c)
		}
	}
}

// margin flattens what is no element: comments, and lines of text.
func (f *flattener) margin(n *xml.Node) {
	kind := "line"
	if n.Kind == xml.Comment {
		kind = "comment"
	}
	for text := range strings.SplitSeq(n.Text, "\n") {
		if text = strings.Join(strings.Fields(text), " "); text == "" {
			continue
		}
		f.lines++
		e := domains.Element{Kind: kind, Key: kind, Fields: []domains.Field{{Value: text}}}
		if kind == "line" {
			e.Position = f.lines
		}
		f.add(e)
	}
}

// root flattens the outermost element.
func (f *flattener) root(n *xml.Node) {
	fields := []domains.Field{{Name: "element", Value: xml.Local(n.Name)}, {Name: "namespace", Value: n.Space}}
	for _, a := range n.Attrs {
		if !a.IsDeclaration() {
			fields = append(fields, domains.Field{Name: xml.Local(a.Name), Value: pytext.Collapse(a.Value)})
		}
	}
	f.header(xml.Local(n.Name), fields)
	for _, c := range n.Children {
		switch {
		case c.Kind != xml.Element:
			f.margin(c)
		case !c.Foreign && isRecord(xml.Local(c.Name)):
			f.record(c)
		default:
			name := xml.Local(c.Name)
			fields, records := f.fields(nil, c, name)
			f.header(name, fields)
			f.records(records)
		}
	}
}

// header takes in what describes the whole document, once for all files.
func (f *flattener) header(name string, fields []domains.Field) {
	if len(fields) == 0 {
		return
	}
	if f.several {
		seen := fmt.Sprint(name, fields)
		if first, ok := f.headers[seen]; ok && first != f.file {
			return
		}
		f.headers[seen] = f.file
	}
	f.add(domains.Element{Kind: "header", Key: name, Fields: fields})
}

func (f *flattener) records(all []*xml.Node) {
	for _, n := range all {
		f.record(n)
	}
}

// record flattens a waypoint, a route, a track, or a part of one.
func (f *flattener) record(n *xml.Node) {
	e := domains.Element{}
	switch xml.Local(n.Name) {
	case "wpt":
		e.Kind = waypointKind
		e.Key = "waypoint " + nameOf(n)
	case "rte":
		f.routes++
		e = domains.Element{Kind: "route", Key: "route " + nameOf(n), Position: f.routes}
	case "rtept":
		f.routePoints++
		e = domains.Element{Kind: "route point", Key: "route point " + nameOf(n), Position: f.routePoints}
		e.Fields = []domains.Field{{Name: "route", Value: fmt.Sprint(f.routes)}}
	case "trk":
		f.tracks++
		f.trackSegments = 0
		e = domains.Element{Kind: "track", Key: "track " + nameOf(n), Position: f.tracks}
	case "trkseg":
		f.segments++
		f.trackSegments++
		f.place = fmt.Sprintf("track %d, segment %d", f.tracks, f.trackSegments)
		e = domains.Element{Kind: "segment", Key: f.place, Position: f.segments}
		e.Fields = []domains.Field{{Name: "track", Value: fmt.Sprint(f.tracks)}}
	default:
		f.points++
		e = domains.Element{Kind: counted, Key: pointKey(n), Position: f.points}
		e.Fields = append(make([]domains.Field, 0, 8), domains.Field{Name: "segment", Value: f.place})
	}
	var inside []*xml.Node
	e.Fields, inside = f.fields(e.Fields, n, "")
	f.add(e)
	f.records(inside)
}

func nameOf(n *xml.Node) string { return pytext.Strip(n.Child("name").Content()) }

// pointKey names a point by its time, otherwise by its place.
func pointKey(n *xml.Node) string {
	if at := n.Child("time"); at != nil {
		return "point at " + normalTime(at.Content())
	}
	lat, _ := n.Attribute("lat")
	lon, _ := n.Attribute("lon")
	return "point " + lat + ", " + lon
}

// fields appends the attributes and values of an element, under the path that
// leads to them. Records that stand in it are not a part of it; they are
// returned.
func (f *flattener) fields(fields []domains.Field, n *xml.Node, path string) (all []domains.Field, records []*xml.Node) {
	if n.Foreign {
		f.space(n)
	}
	for _, a := range n.Attrs {
		if !a.IsDeclaration() {
			fields = append(fields, domains.Field{Name: f.paths.Join(path, xml.Local(a.Name)), Value: plain.Number(a.Value)})
		}
	}
	leaf := n.IsLeaf()
	var met map[string]int
	for _, c := range n.Children {
		switch {
		case c.Kind == xml.Comment || c.Kind == xml.Instruction:
			f.margin(c)
		case c.Kind == xml.Text && (!leaf || path == ""):
			if text := pytext.Strip(c.Text); text != "" {
				fields = append(fields, domains.Field{Name: f.paths.Join(path, "text"), Value: text})
			}
		case c.Kind != xml.Element:
		case !c.Foreign && isRecord(xml.Local(c.Name)):
			records = append(records, c)
		default:
			name := xml.Local(c.Name)
			if !c.IsLeaf() || len(c.Attrs) > 0 { // values of one belong together
				if met == nil {
					met = map[string]int{}
				}
				if met[name]++; met[name] > 1 {
					name = fmt.Sprintf("%s %d", name, met[name])
				}
			}
			var inner []*xml.Node
			fields, inner = f.fields(fields, c, f.paths.Join(path, name))
			records = append(records, inner...)
		}
	}
	if leaf && path != "" {
		fields = f.leaf(fields, n, path)
	}
	return fields, records
}

// leaf appends an element's text. That it is there at all says something only
// of an extension.
func (f *flattener) leaf(fields []domains.Field, n *xml.Node, path string) []domains.Field {
	text := n.Content()
	switch name := xml.Local(n.Name); {
	case pytext.Strip(text) == "":
		if !n.Foreign {
			return fields
		}
		text = ""
	case name == "time":
		text = normalTime(text)
	case isNumber(name) || n.Foreign && !isPadded(text):
		text = plain.Number(text)
	default:
		text = pytext.Strip(text)
	}
	return append(fields, domains.Field{Name: path, Value: text})
}

// isPadded reports whether a text of digits begins in a way that a number need
// not, such as that of a telephone.
func isPadded(text string) bool {
	text = strings.TrimLeft(pytext.Strip(text), "-")
	return strings.HasPrefix(text, "+") || len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9'
}

func isNumber(name string) bool {
	switch name {
	case "ele", "magvar", "geoidheight", "number", "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid", "course", "speed":
		return true
	}
	return false
}

// space notes the namespace of an extension.
func (f *flattener) space(n *xml.Node) {
	if name, first := f.spaces.Meet(n); first {
		f.add(domains.Element{Kind: "namespace", Key: "namespace", Fields: []domains.Field{{Value: name}}})
	}
}

// normalTime is the instant in UTC; of what is no time, the text.
func normalTime(text string) string {
	at, ok := readInstant(text)
	if !ok {
		return pytext.Strip(text)
	}
	return at.Format("2006-01-02T15:04:05.999999999Z")
}
