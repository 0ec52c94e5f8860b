package playlist

import (
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// elements flattens files of any name: tracks with the comments before them,
// what else the playlist says, the namespaces of extensions, the other comments,
// and text that stands where none belongs.
func elements(files vfs.Files) []domains.Element {
	f := flattener{parts: map[string]int{}, spaces: xml.Spaces{}, paths: xml.Paths{}}
	for _, name := range files.Names() {
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
	if n.Space != "" && n.Space != namespace {
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
	title, creator := content(n.Child("title")), content(n.Child("creator"))
	switch {
	case title != "" && creator != "":
		return title + " by " + creator
	case title != "":
		return title
	case creator != "":
		return "untitled track by " + creator
	}
	if location := content(n.Child("location")); location != "" {
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
