package playlist

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/plain"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// jspf is a playlist in JSON, as xspf.org/jspf has it. What that has no place
// for stands in members called xml and attributes.
type jspf struct {
	XML      []string     `json:"xml,omitempty"` // around the playlist
	Playlist jspfPlaylist `json:"playlist"`
}

type jspfPlaylist struct {
	Attributes map[string]string `json:"attributes,omitempty"`
	jspfMembers
	Location   string      `json:"location,omitempty"`
	Identifier string      `json:"identifier,omitempty"`
	Date       string      `json:"date,omitempty"`
	License    string      `json:"license,omitempty"`
	Track      []jspfTrack `json:"track"`
}

type jspfTrack struct {
	Location   []string `json:"location,omitempty"`
	Identifier []string `json:"identifier,omitempty"`
	jspfMembers
	Album    string `json:"album,omitempty"`
	TrackNum any    `json:"trackNum,omitempty"` // a number, or a text that is none
	Duration any    `json:"duration,omitempty"`
}

// jspfMembers are what playlists and tracks have in common.
type jspfMembers struct {
	Title      string              `json:"title,omitempty"`
	Creator    string              `json:"creator,omitempty"`
	Annotation string              `json:"annotation,omitempty"`
	Info       string              `json:"info,omitempty"`
	Image      string              `json:"image,omitempty"`
	Link       []map[string]string `json:"link,omitempty"`
	Meta       []map[string]string `json:"meta,omitempty"`
	Extension  map[string][]string `json:"extension,omitempty"`
	XML        []string            `json:"xml,omitempty"`
}

// texts are the members of one text, in the order of the schema.
func (m *jspfMembers) texts() []member {
	return []member{
		{"title", &m.Title}, {"creator", &m.Creator}, {"annotation", &m.Annotation}, {"info", &m.Info}, {"image", &m.Image},
	}
}

func (p *jspfPlaylist) texts() []member {
	return append(p.jspfMembers.texts(), member{"location", &p.Location}, member{"identifier", &p.Identifier},
		member{"date", &p.Date}, member{"license", &p.License})
}

func (t *jspfTrack) texts() []member { return append(t.jspfMembers.texts(), member{"album", &t.Album}) }

type member struct {
	name string
	text *string
}

// take takes in an element; texts are the members of one text.
func (m *jspfMembers) take(n *xml.Node, texts []member) {
	name, text, ok := simple(n)
	if application, is := extensionFor(n); is {
		if m.Extension == nil {
			m.Extension = map[string][]string{}
		}
		m.Extension[application] = append(m.Extension[application], inOne(n.Children...))
		return
	}
	at := slices.IndexFunc(texts, func(m member) bool { return m.name == name })
	rel, _ := n.Attribute("rel")
	switch {
	case ok && text == "":
	case ok && n.Is("meta"):
		m.Meta = append(m.Meta, map[string]string{rel: text})
	case ok && n.Is("link"):
		m.Link = append(m.Link, map[string]string{rel: text})
	case ok && at >= 0 && *texts[at].text == "":
		*texts[at].text = text
	default:
		m.XML = append(m.XML, n.InOne())
	}
}

// extensionFor returns the application that an extension is for; false if the
// node is none, or has other attributes.
func extensionFor(n *xml.Node) (application string, ok bool) {
	application, ok = n.Attribute("application")
	return application, ok && n.Is("extension") && len(n.Attrs) == 1
}

// inJSPF writes the playlist in JSON.
func inJSPF(p struct{ Document, To string }) exact.Steps {
	forward := func(d playlist) (vfs.Files, error) {
		out, err := d.jspf()
		return vfs.Files{p.To: plain.WriteJSON(out)}, err
	}
	return lists.Whole(p.Document, forward, func(files vfs.Files) (none playlist, err error) {
		var in jspf
		if err := plain.JSON(files, p.To, &in); err != nil {
			return none, err
		}
		if in.Playlist.Track == nil {
			return none, errors.New(p.To + " has no list of tracks")
		}
		return in.read(), nil
	})
}

func (p *playlist) jspf() (out jspf, err error) {
	if p.root != p.Root() || len(p.list.Attrs) > 0 {
		return out, errors.New("a wrapper or attributes that JSPF has no place for")
	}
	out.Playlist = jspfPlaylist{Attributes: map[string]string{}, Track: []jspfTrack{}}
	for _, n := range p.Top.Children {
		if n != p.root && n.Kind != xml.Text {
			out.XML = append(out.XML, n.InOne())
		}
	}
	for _, a := range p.root.Attrs {
		out.Playlist.Attributes[a.Name] = a.Value
	}
	for n, i := range p.items {
		if len(i.Attrs) > 0 {
			return out, fmt.Errorf("track %d has attributes", n+1)
		}
		out.Playlist.Track = append(out.Playlist.Track, newJSPFTrack(i))
	}
	texts := out.Playlist.texts()
	for _, n := range p.root.Children {
		if n != p.list {
			out.Playlist.take(n, texts)
		}
	}
	for _, n := range p.list.Children {
		out.Playlist.XML = append(out.Playlist.XML, n.InOne())
	}
	return out, nil
}

func newJSPFTrack(i item) jspfTrack {
	var t jspfTrack
	for _, comment := range i.comments {
		t.XML = append(t.XML, comment.InOne())
	}
	texts := t.texts()
	for _, c := range i.Children {
		name, text, ok := simple(c)
		switch {
		case ok && text == "":
		case ok && name == "location":
			t.Location = append(t.Location, text)
		case ok && name == "identifier":
			t.Identifier = append(t.Identifier, text)
		case ok && name == "trackNum" && t.TrackNum == nil:
			t.TrackNum = number(text)
		case ok && name == "duration" && t.Duration == nil:
			t.Duration = number(text)
		default:
			t.take(c, texts)
		}
	}
	return t
}

// number is a JSON number for a text that is written like one, otherwise the text.
func number(text string) any {
	if ms, ok := milliseconds(text); ok && strconv.Itoa(ms) == text {
		return ms
	}
	return text
}

// read builds the playlist.
func (in *jspf) read() playlist {
	root := &xml.Node{Name: "playlist"}
	for _, name := range sortedNames(in.Playlist.Attributes) {
		a := xml.Attr{Name: name, Value: in.Playlist.Attributes[name]}
		root.Attrs = append(root.Attrs, a)
		if a.IsDeclaration() && a.Value == namespace && a.Name != "xmlns" {
			root.Name = xml.Local(a.Name) + ":playlist"
		}
	}
	b := builder{root}
	b.texts(in.Playlist.texts())
	b.members(&in.Playlist.jspfMembers)
	list := root.NewChild("trackList")
	root.Children = append(root.Children, list)
	outside := &xml.Node{}
	for _, text := range in.XML {
		outside.Children = append(outside.Children, fragment(text)...)
	}
	outside.Children = append(outside.Children, root)
	p := playlist{Document: &xml.Document{Top: outside}, root: root, list: list}
	for _, text := range in.Playlist.XML {
		p.addXML(text)
	}
	for i := range in.Playlist.Track {
		p.items = append(p.items, in.Playlist.Track[i].item(list))
	}
	return p
}

// addXML takes in what has no member: comments into the list of tracks, all else
// before it.
func (p *playlist) addXML(text string) {
	for _, n := range fragment(text) {
		if n.Kind == xml.Comment {
			p.list.Children = append(p.list.Children, n)
		} else {
			p.root.Children = slices.Insert(p.root.Children, slices.Index(p.root.Children, p.list), n)
		}
	}
}

// item builds the track.
func (t *jspfTrack) item(list *xml.Node) item {
	i := item{Node: list.NewChild("track")}
	b := builder{i.Node}
	for _, text := range t.Location {
		b.add("location", text)
	}
	for _, text := range t.Identifier {
		b.add("identifier", text)
	}
	b.texts(t.texts())
	for _, m := range []struct {
		name  string
		value any
	}{{"trackNum", t.TrackNum}, {"duration", t.Duration}} {
		switch value := m.value.(type) {
		case float64:
			b.add(m.name, strconv.FormatFloat(value, 'f', -1, 64))
		case string:
			b.add(m.name, value)
		}
	}
	b.members(&t.jspfMembers)
	for _, text := range t.XML {
		i.addXML(text)
	}
	return i
}

// builder gives an element children.
type builder struct{ *xml.Node }

func (b builder) add(name, text string) {
	if n := newSimple(b.Node, name, text); n != nil && text != "" {
		b.Children = append(b.Children, n)
	}
}

func (b builder) texts(all []member) {
	for _, m := range all {
		b.add(m.name, *m.text)
	}
}

func (b builder) members(m *jspfMembers) {
	for _, link := range m.Link {
		for _, rel := range sortedNames(link) {
			b.add("link "+rel, link[rel])
		}
	}
	for _, meta := range m.Meta {
		for _, rel := range sortedNames(meta) {
			b.add("meta "+rel, meta[rel])
		}
	}
	for _, application := range sortedNames(m.Extension) {
		for _, text := range m.Extension[application] {
			n := b.NewChild("extension", fragment(text)...)
			n.Attrs = []xml.Attr{{Name: "application", Value: application}}
			b.Children = append(b.Children, n)
		}
	}
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
