package geotrack

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// elements flattens files of any name: points, waypoints, routes, tracks and segments, what the root and its other
// children say, the namespaces of extensions, comments, and text that stands where none belongs.
func elements(files vfs.Files) []domains.Element {
	f := flattener{Flat: xml.NewFlat(), headers: map[string]int{}, met: map[string]int{}}
	all := readAll(files)
	f.several = len(all) > 1
	for n, file := range all {
		f.file = n
		f.All = append(f.All, file.FaultElements()...)
		f.children(file.Top, f.root)
	}
	return f.All
}

type flattener struct {
	xml.Flat
	file    int  // that is in hand
	several bool // there is more than one
	// headers are the files in which each header came first: parts of a document may repeat it.
	headers map[string]int
	records []*xml.Node // that stand in the element in hand, but are no part of it

	// How many were met so far, by kind. Tracks and segments have numbers, not names, in
	// what is said of their points: a new name is one change.
	met           map[string]int
	trackSegments int    // of the track in hand
	place         string // of the points in hand, such as "track 1, segment 2"
}

// children flattens what stands in the document or the root; other does what is no record.
func (f *flattener) children(n *xml.Node, other func(*xml.Node)) {
	for _, c := range n.Children {
		switch {
		case c.Kind != xml.Element:
			f.Margin(c, pytext.Collapse)
		case isRecord(c):
			f.record(c)
		default:
			other(c)
		}
	}
}

// root flattens the outermost element.
func (f *flattener) root(n *xml.Node) {
	fields := []domains.Field{{Name: "element", Value: xml.Local(n.Name)}, {Name: "namespace", Value: n.Space}}
	f.header(xml.Local(n.Name), f.Attributes(fields, n, "", pytext.Collapse))
	f.children(n, func(c *xml.Node) {
		f.inside(func() { f.header(xml.Local(c.Name), f.fields(nil, c, xml.Local(c.Name))) })
	})
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
	f.Add(domains.Element{Kind: "header", Key: name, Fields: fields})
}

// inside flattens an element, then the records that stand in it.
func (f *flattener) inside(flatten func()) {
	outer := f.records
	f.records = nil
	flatten()
	records := f.records
	f.records = outer
	for _, n := range records {
		f.record(n)
	}
}

// record flattens a waypoint, a route, a track, or a part of one.
func (f *flattener) record(n *xml.Node) {
	next := func(kind, key string, fields ...domains.Field) domains.Element {
		f.met[kind]++
		return domains.Element{Kind: kind, Key: key, Position: f.met[kind], Fields: fields}
	}
	var e domains.Element
	switch xml.Local(n.Name) {
	case "wpt":
		e = domains.Element{Kind: waypointKind, Key: "waypoint " + nameOf(n)}
	case "rte":
		e = next("route", "route "+nameOf(n))
	case "rtept":
		e = next(routePointKind, routePointKind+" "+nameOf(n), domains.Field{Name: "route", Value: strconv.Itoa(f.met["route"])})
	case "trk":
		f.trackSegments = 0
		e = next("track", "track "+nameOf(n))
	case "trkseg":
		f.trackSegments++
		f.place = fmt.Sprintf("track %d, segment %d", f.met["track"], f.trackSegments)
		e = next("segment", f.place, domains.Field{Name: "track", Value: strconv.Itoa(f.met["track"])})
	default:
		fields := append(make([]domains.Field, 0, 8), domains.Field{Name: "segment", Value: f.place})
		e = next(counted, pointKey(n), fields...)
	}
	f.inside(func() {
		e.Fields = f.fields(e.Fields, n, "")
		f.Add(e)
	})
}

func nameOf(n *xml.Node) string { return pytext.Strip(n.Child("name").Content()) }

// pointKey names a point by its time, otherwise by its place.
func pointKey(n *xml.Node) string {
	if at := n.Child("time"); at != nil {
		return "point at " + normalTime(at.Content())
	}
	return "point " + n.Value("lat") + ", " + n.Value("lon")
}

// fields appends the attributes and values of an element, under the path that leads to them.
func (f *flattener) fields(fields []domains.Field, n *xml.Node, path string) []domains.Field {
	f.Space(n)
	fields = f.Attributes(fields, n, path, plain.Number)
	leaf := n.IsLeaf()
	var met map[string]int
	for _, c := range n.Children {
		switch {
		case c.Kind == xml.Comment || c.Kind == xml.Instruction:
			f.Margin(c, pytext.Collapse)
		case c.Kind == xml.Text && (!leaf || path == ""):
			if text := pytext.Strip(c.Text); text != "" {
				fields = append(fields, domains.Field{Name: f.Paths.Join(path, "text"), Value: text})
			}
		case c.Kind != xml.Element:
		case isRecord(c):
			f.records = append(f.records, c)
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
			fields = f.fields(fields, c, f.Paths.Join(path, name))
		}
	}
	if value, says := leafValue(n); leaf && path != "" && says {
		fields = append(fields, domains.Field{Name: path, Value: value})
	}
	return fields
}

// numbers are the elements of GPX that hold one.
var numbers = []string{
	"ele", "magvar", "geoidheight", "number", "sat", "hdop", "vdop", "pdop", "ageofdgpsdata", "dgpsid", "course", "speed",
}

// texts are the elements of GPX that hold text, or nothing.
var texts = []string{
	"name", "cmt", "desc", "src", "url", "urlname", "sym", "type", "fix", "keywords", "author", "email", "copyright", "year", "license",
	"link", "text", "bounds", "metadata", "extensions", "topografix",
}

// leafValue is an element's text. That it is there at all says something only of an extension, and of an element that GPX does not have.
func leafValue(n *xml.Node) (value string, says bool) {
	text := n.Content()
	switch name := xml.Local(n.Name); {
	case pytext.Strip(text) == "":
		return "", n.Foreign || !slices.Contains(texts, name) && !slices.Contains(numbers, name) && name != "time"
	case name == "time":
		return normalTime(text), true
	case slices.Contains(numbers, name) || n.Foreign && !isPadded(text):
		return plain.Number(text), true
	}
	return pytext.Strip(text), true
}

// isPadded reports whether a text of digits begins in a way that a number need not, such as that of a telephone.
func isPadded(text string) bool {
	text = strings.TrimLeft(pytext.Strip(text), "-")
	return strings.HasPrefix(text, "+") || len(text) > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9'
}

// normalTime is the instant in UTC; of what is no time, the text.
func normalTime(text string) string {
	at, ok := readInstant(text)
	if !ok {
		return pytext.Strip(text)
	}
	return at.Format("2006-01-02T15:04:05.999999999Z")
}

// gpxFile is a file as the format has it, in any state.
type gpxFile struct {
	xml.Document
	start time.Time // of the first point, where there are several files
}

// read takes in any text. It forgives a byte order mark, blank lines before the declaration and code fences.
func read(text string) gpxFile {
	f := gpxFile{Document: xml.Read(xml.Unfenced(text))}
	for _, root := range f.Top.Children {
		markForeign(root, root.Space)
	}
	return f
}

// gpxSpaces begins the namespaces of all versions of GPX.
const gpxSpaces = "http://www.topografix.com/GPX/1/"

// markForeign marks the elements that are neither in the root's namespace nor
// in one of GPX. An undeclared prefix is taken for GPX's where the name is.
func markForeign(n *xml.Node, rootSpace string) {
	if n.Kind != xml.Element {
		return
	}
	if n.Unbound {
		n.Foreign = !slices.Contains(recordNames, xml.Local(n.Name))
	} else {
		n.Foreign = n.Space != rootSpace && !strings.HasPrefix(n.Space, gpxSpaces)
	}
	for _, c := range n.Children {
		markForeign(c, rootSpace)
	}
}

// recordNames are those of the elements that make up the document.
var recordNames = []string{"wpt", "rte", "rtept", "trk", "trkseg", "trkpt"}

// isRecord reports whether a node is one of those.
func isRecord(n *xml.Node) bool {
	return n.Kind == xml.Element && !n.Foreign && slices.Contains(recordNames, xml.Local(n.Name))
}

// firstTime is the earliest time of a track point; zero if there is none.
func (f *gpxFile) firstTime() time.Time {
	var first time.Time
	f.Top.Walk(func(n *xml.Node) {
		if at, ok := instant(n); ok && n.Is("trkpt") && (first.IsZero() || at.Before(first)) {
			first = at
		}
	})
	return first
}

// instant is the time of a point.
func instant(n *xml.Node) (time.Time, bool) {
	return readInstant(n.Child("time").Content())
}

// readInstant reads a time in any zone; without one it is UTC, as GPX wants.
func readInstant(text string) (time.Time, bool) {
	text = pytext.Strip(text)
	for _, clock := range []string{"2006-1-2T15:4:5", "2006-1-2 15:4:5"} {
		for _, zone := range []string{"Z07:00", "Z0700", "Z07", ""} {
			if at, err := time.Parse(clock+zone, text); err == nil {
				return at.UTC(), true
			}
		}
	}
	return time.Time{}, false
}

// readAll reads several files that make up a document. Their names say nothing
// about the order of the tracks in them, so it is that of their first points.
func readAll(files vfs.Files) []gpxFile {
	all := lists.Map(files.Names(), func(name string) gpxFile { return read(files[name]) })
	sortByStart(all)
	return all
}

func sortByStart(all []gpxFile) {
	if len(all) > 1 {
		for i := range all {
			all[i].start = all[i].firstTime()
		}
		slices.SortStableFunc(all, func(a, b gpxFile) int { return a.start.Compare(b.start) })
	}
}

// without leaves out track points.
func without(_, text string, leave func() bool) string {
	f := read(text)
	var out []*xml.Node
	prune := func(n *xml.Node) {
		out = append(out, slices.DeleteFunc(n.All("trkpt"), func(*xml.Node) bool { return !leave() })...)
	}
	prune(f.Top)
	f.Top.Walk(prune)
	return f.Without(out)
}

const counted = "track point"

// The kinds of the other points.
const (
	waypointKind   = "waypoint"
	routePointKind = "route point"
)
