package playlist

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/wellformed"
	"agentd/domains/internal/xml"
	published "agentd/domains/published/playlist"
	"agentd/vfs"
)

// elements flattens files of any name: tracks with the comments before them, what else the playlist says, the
// namespaces of extensions, the other comments, and text that stands where none belongs.
func elements(files vfs.Files) []domains.Element {
	f := flattener{parts: map[string]int{}, spaces: xml.Spaces{}, paths: xml.Paths{}}
	for _, name := range files.Names() {
		if isM3U(files[name]) {
			f.m3u(files[name])
			continue
		}
		x := read(files[name])
		f.bare, f.begun = x.Root() == nil, false
		f.part++
		f.inside(x.Top)
	}
	return f.all
}

type flattener struct {
	all   []domains.Element
	bare  bool // the file in hand has no element: it is but text
	begun bool // a playlist was met in it
	part  int  // of the document: a playlist, with what stands around it
	// parts are the numbers of those in which what they may repeat came first.
	parts  map[string]int
	spaces xml.Spaces
	paths  xml.Paths

	tracks, lines int // met so far
}

func (f *flattener) add(e domains.Element) { f.all = plain.Append(f.all, e) }

// inside flattens what stands outermost, or in a wrapper around playlists.
// Sentences around a playlist are no part of it.
func (f *flattener) inside(top *xml.Node) {
	for _, c := range top.Children {
		switch {
		case c.Kind != xml.Element:
			if c.Kind != xml.Text || f.bare {
				f.margin(c)
			}
		case c.Is("xspf"):
			f.inside(c)
		case c.Is("track"):
			f.track(c, nil)
		default:
			if f.begun {
				f.part++
			}
			f.begun = true
			f.playlist(c)
		}
	}
}

// margin flattens what is no element: comments, instructions, and lines of text.
func (f *flattener) margin(n *xml.Node) {
	kind := "line"
	switch n.Kind {
	case xml.Comment:
		kind = "comment"
	case xml.Instruction, xml.Doctype:
		kind = "instruction"
	}
	for text := range strings.SplitSeq(n.Text, "\n") {
		if text = pytext.Collapse(text); text == "" {
			continue
		}
		e := domains.Element{Kind: kind, Key: kind, Fields: []domains.Field{{Value: text}}}
		if kind != "line" {
			f.once(e)
			continue
		}
		f.lines++
		e.Position = f.lines
		f.add(e)
	}
}

// playlist flattens the element playlist, or a trackList that stands alone.
func (f *flattener) playlist(n *xml.Node) {
	fields := []domains.Field{{Name: "element", Value: xml.Local(n.Name)}}
	if n.Space != "" && n.Space != published.Namespace {
		fields = append(fields, domains.Field{Name: "namespace", Value: n.Space})
	}
	f.header("playlist", attributes(fields, n))
	f.list(n)
}

// list flattens what stands in a playlist or a trackList.
func (f *flattener) list(n *xml.Node) {
	f.all = slices.Grow(f.all, len(n.Children))
	var comments []*xml.Node
	for _, c := range n.Children {
		switch {
		case c.Kind == xml.Comment:
			comments = append(comments, c)
			continue
		case c.Is("track"):
			f.track(c, comments)
			comments = nil
			continue
		}
		f.margins(comments)
		comments = nil
		switch {
		case c.Kind != xml.Element:
			f.margin(c)
		case isList(c):
			f.header(xml.Local(c.Name), attributes(nil, c))
			f.list(c)
		default:
			collect := collector{flattener: f}
			collect.child(c, "")
			f.header("playlist "+nameOf(c), collect.fields)
		}
	}
	f.margins(comments)
}

func (f *flattener) margins(all []*xml.Node) {
	for _, n := range all {
		f.margin(n)
	}
}

// header takes in what describes a playlist as a whole.
func (f *flattener) header(key string, fields []domains.Field) {
	if len(fields) > 0 {
		f.once(domains.Element{Kind: "header", Key: key, Fields: fields})
	}
}

// once takes in an element that each part of a document may repeat.
func (f *flattener) once(e domains.Element) {
	var all strings.Builder // there may be a hundred thousand fields
	all.WriteString(e.Kind)
	for _, field := range e.Fields {
		all.WriteString("\n" + field.Name + "\n" + field.Value)
	}
	seen := all.String()
	if first, ok := f.parts[seen]; ok && first != f.part {
		return
	}
	f.parts[seen] = f.part
	f.add(e)
}

// track flattens a track and the comments before it.
func (f *flattener) track(n *xml.Node, comments []*xml.Node) {
	f.tracks++
	const fewFields = 16
	c := collector{flattener: f, inTrack: true}
	if most := len(comments) + len(n.Attrs) + len(n.Children); most > 0 {
		c.fields = make([]domains.Field, 0, min(most, fewFields))
	}
	for _, comment := range comments {
		c.comment(comment)
	}
	c.fields = attributes(c.fields, n)
	c.inside(n, "")
	f.add(domains.Element{Kind: counted, Key: trackKey(n), Fields: c.fields, Position: f.tracks})
}

// trackKey names a track by title and creator, otherwise by its location.
func trackKey(n *xml.Node) string {
	title, creator := published.Content(n.Child("title")), published.Content(n.Child("creator"))
	switch {
	case title != "" && creator != "":
		return title + " by " + creator
	case title != "":
		return title
	case creator != "":
		return "untitled track by " + creator
	}
	if location := published.Content(n.Child("location")); location != "" {
		return "track at " + location
	}
	return "untitled track"
}

// space notes the namespace of an extension.
func (f *flattener) space(n *xml.Node) {
	if name, first := f.spaces.Meet(n); first {
		f.add(domains.Element{Kind: "namespace", Key: "namespace", Fields: []domains.Field{{Value: name}}})
	}
}

// nameOf is the name of an element; of a meta, link or extension, with what it is for.
func nameOf(n *xml.Node) string {
	name := xml.Local(n.Name)
	if about := purpose(n); about != "" {
		if value, ok := n.Attribute(about); ok {
			return name + " " + unquoted(value)
		}
	}
	return name
}

// purpose names the attribute that says what an element is for; it is empty if there is none.
func purpose(n *xml.Node) string {
	switch {
	case n.Is("meta") || n.Is("link"):
		return "rel"
	case n.Is("extension"):
		return "application"
	}
	return ""
}

// unquoted returns an attribute's value without the curly quotes that stand for straight ones where a text was typeset.
func unquoted(value string) string { return strings.Trim(pytext.Strip(value), "“”„‟") }

// attributes appends the attributes of an element that are no declarations.
func attributes(fields []domains.Field, n *xml.Node) []domains.Field {
	for _, a := range n.Attrs {
		if !a.IsDeclaration() {
			fields = append(fields, domains.Field{Name: xml.Local(a.Name), Value: unquoted(a.Value)})
		}
	}
	return fields
}

// collector gathers the fields of a track, or of something else that a playlist says.
type collector struct {
	*flattener
	inTrack bool
	fields  []domains.Field
	met     map[string]int // how often each path was met
}

func (c *collector) add(name, value string) {
	c.fields = append(c.fields, domains.Field{Name: name, Value: value})
}

func (c *collector) comment(n *xml.Node) {
	if text := pytext.Collapse(n.Text); text != "" {
		c.add("comment", text)
	}
}

// inside appends what stands in an element that is not a leaf.
func (c *collector) inside(n *xml.Node, path string) {
	for _, child := range n.Children {
		switch child.Kind {
		case xml.Element:
			c.child(child, path)
		case xml.Text:
			if text := pytext.Strip(child.Text); text != "" {
				c.add(c.paths.Join(path, "text"), text)
			}
		default:
			c.comment(child)
		}
	}
}

// child appends an element below a path, and what stands in it.
func (c *collector) child(n *xml.Node, path string) {
	if n.Foreign {
		c.space(n)
	}
	path = c.numbered(c.paths.Join(path, nameOf(n)))
	for _, a := range n.Attrs {
		if !a.IsDeclaration() && a.Name != purpose(n) {
			c.add(c.paths.Join(path, xml.Local(a.Name)), unquoted(a.Value))
		}
	}
	if !n.IsLeaf() {
		c.inside(n, path)
		return
	}
	for _, child := range n.Children {
		if child.Kind != xml.Text {
			c.comment(child)
		}
	}
	if value := c.value(n); value != "" || n.Foreign {
		c.text(path, value)
	}
}

// text appends a value, line by line. The first lines of a long one are enough.
func (c *collector) text(path, value string) {
	const mostLines = 40
	n := 0
	for _, line := range strings.SplitN(value, "\n", mostLines) {
		line = pytext.Strip(line)
		if line == "" && value != "" {
			continue
		}
		if n++; n > 1 {
			c.add(path+", line "+strconv.Itoa(n), line)
		} else {
			c.add(path, line)
		}
	}
}

// value is the text of a leaf as the format has it, empty where that is the same as to leave it out.
func (c *collector) value(n *xml.Node) string {
	text := published.Content(n)
	if n.Foreign {
		return text
	}
	switch name := nameOf(n); name {
	case "title", "creator", "album":
		if c.inTrack { // for fuzzy look-ups, as the format says
			return pytext.Lower(text)
		}
	case "trackNum", "duration":
		return plain.Number(text)
	case "date":
		return instant(text)
	case "meta local", "meta request":
		if text = pytext.Lower(text); text == "false" {
			return ""
		}
	}
	return text
}

// instant is a time in UTC; of what is none, or has no zone, the text.
func instant(text string) string {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return text
	}
	return at.UTC().Format(time.RFC3339Nano)
}

// numbered adds a number to a path that was met before: of several elements of one name the first is to be preferred.
func (c *collector) numbered(path string) string {
	if c.met == nil {
		c.met = map[string]int{}
	}
	c.met[path]++
	if n := c.met[path]; n > 1 {
		return path + " " + strconv.Itoa(n)
	}
	return path
}

const counted = "track"

// entries checks that a line about an entry of an extended M3U has its length and a comma.
var entries = wellformed.Not(`^#EXTINF(?::\s*-?[\d.]+[^,]*$|[^:]|:\s*[^-\d\s])`, "an entry has no length, or no comma after it")

var (
	namespace = wellformed.Namespace(`^http://xspf\.org/ns/0/$`, "playlist")
	head      = wellformed.Begins(`^#EXTM3U`, "#EXTM3U is not the first line")
)

// wellFormed is judged by what a file is: XSPF is XML, and whatever has no tag of XML is M3U.
func wellFormed(name, text string) []domains.Slip {
	if strings.HasPrefix(strings.TrimSpace(text), "<") || strings.Contains(text, "</") {
		return wellformed.All(wellformed.XML, namespace)(name, text)
	}
	if strings.Contains(text, "#EXTM3U") {
		return wellformed.All(head, entries)(name, text)
	}
	return entries(name, text)
}
