package playlist

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// document is what the published evaluator reads.
type document struct {
	tracks  []track
	problem string // of the first file that it gives up on
}

// track is a track; all texts are without white space around them.
type track struct {
	title, creator, album, annotation string
	year, label, rotation             string
	local, request                    bool
}

// key is what tracks are paired by.
func (t *track) key() string { return pytext.Lower(t.title) + "|" + pytext.Lower(t.creator) }

const extension = ".xspf"

// parse reads a document as the published evaluator does. A file that it gives
// up on contributes nothing.
func parse(files vfs.Files) (document, error) {
	var doc document
	for _, name := range files.Names() {
		if !strings.HasSuffix(name, extension) {
			continue
		}
		tracks, err := parseFile(files[name])
		if err != nil && doc.problem == "" {
			doc.problem = fmt.Sprintf("%s: %v", name, err)
		}
		if doc.tracks == nil {
			doc.tracks = tracks
		} else {
			doc.tracks = append(doc.tracks, tracks...)
		}
	}
	return doc, nil
}

func parseFile(text string) ([]track, error) {
	x := xml.ReadStrictly(escapeAmpersands(text), xml.Expat)
	if x.Broken != "" {
		return nil, errors.New(x.Broken)
	}
	root := x.Root()
	if isPublished(root, "xspf") {
		if inner := publishedChild(root, "playlist"); inner != nil {
			root = inner
		}
	}
	list := publishedChild(root, "trackList")
	if list == nil {
		return nil, nil
	}
	tracks := make([]track, 0, len(list.Children))
	for _, c := range list.Children {
		if isPublished(c, "track") {
			tracks = append(tracks, newTrack(c))
		}
	}
	return tracks, nil
}

// escapeAmpersands writes &amp; for every ampersand that begins none of the
// references that XML knows, also inside of CDATA.
func escapeAmpersands(text string) string {
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "&")
		if !found {
			break
		}
		b.WriteString(before)
		if beginsReference(after) {
			b.WriteByte('&')
		} else {
			b.WriteString("&amp;")
		}
		text = after
	}
	if b.Len() == 0 {
		return text
	}
	b.WriteString(text)
	return b.String()
}

func beginsReference(text string) bool {
	for _, known := range [...]string{"amp;", "lt;", "gt;", "quot;", "apos;", "#"} {
		if strings.HasPrefix(text, known) {
			return true
		}
	}
	return false
}

// isPublished reports whether the published evaluator takes a node for the
// element of a name.
func isPublished(n *xml.Node, name string) bool {
	return n.Kind == xml.Element && n.Space == namespace && xml.Local(n.Name) == name
}

// publishedChild is the first child of a name; nil if there is none.
func publishedChild(n *xml.Node, name string) *xml.Node {
	for _, c := range n.Children {
		if isPublished(c, name) {
			return c
		}
	}
	return nil
}

func newTrack(n *xml.Node) track {
	text := func(name string) string { return content(publishedChild(n, name)) }
	t := track{title: text("title"), creator: text("creator"), album: text("album"), annotation: text("annotation")}
	for _, c := range n.Children {
		if !isPublished(c, "meta") {
			continue
		}
		switch rel, _ := c.Attribute("rel"); rel {
		case "year":
			t.year = content(c)
		case "label":
			t.label = content(c)
		case "rotation":
			t.rotation = content(c)
		case "local":
			t.local = pytext.Lower(content(c)) == "true"
		case "request":
			t.request = pytext.Lower(content(c)) == "true"
		}
	}
	return t
}

// content is the text of an element up to its first child element, without
// white space around it.
func content(n *xml.Node) string { return pytext.Strip(n.Content()) }
