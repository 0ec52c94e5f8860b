package playlist

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"agentd/domains/internal/exact"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/xml"
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
	rel := n.Value("rel")
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
	return exact.JSON(&playlists, p.Document, p.To, playlist.jspf, func(in jspf) (none playlist, err error) {
		if in.Playlist.Track == nil {
			return none, errors.New(p.To + " has no list of tracks")
		}
		return in.read(), nil
	})
}

func (p playlist) jspf() (out jspf, err error) {
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
	t.XML = lists.Map(i.comments, (*xml.Node).InOne)
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

// numberText is the text for a number of JSON, or the text that stood for one.
func numberText(value any) string {
	if number, ok := value.(float64); ok {
		return strconv.FormatFloat(number, 'f', -1, 64)
	}
	text, _ := value.(string)
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
	addTexts(root, in.Playlist.texts())
	in.Playlist.addTo(root)
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
	p.items = lists.Each(in.Playlist.Track, func(t *jspfTrack) item { return t.item(list) })
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
	for _, text := range t.Location {
		addSimple(i.Node, "location", text)
	}
	for _, text := range t.Identifier {
		addSimple(i.Node, "identifier", text)
	}
	addTexts(i.Node, t.texts())
	addSimple(i.Node, "trackNum", numberText(t.TrackNum))
	addSimple(i.Node, "duration", numberText(t.Duration))
	t.addTo(i.Node)
	for _, text := range t.XML {
		i.addXML(text)
	}
	return i
}

func addTexts(to *xml.Node, all []member) {
	for _, m := range all {
		addSimple(to, m.name, *m.text)
	}
}

// addTo adds the members that are no texts.
func (m *jspfMembers) addTo(n *xml.Node) {
	for _, link := range m.Link {
		for _, rel := range sortedNames(link) {
			addSimple(n, "link "+rel, link[rel])
		}
	}
	for _, meta := range m.Meta {
		for _, rel := range sortedNames(meta) {
			addSimple(n, "meta "+rel, meta[rel])
		}
	}
	for _, application := range sortedNames(m.Extension) {
		for _, text := range m.Extension[application] {
			n.Append(n.NewChild("extension", fragment(text)...).With("", "application", application))
		}
	}
}

func sortedNames[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
