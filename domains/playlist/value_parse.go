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
		doc.tracks = append(doc.tracks, tracks...)
	}
	return doc, nil
}

func parseFile(text string) ([]track, error) {
	x := xml.ReadStrictly(xml.EscapeAmpersands(text, func(string) bool { return true }), xml.Expat)
	if x.Broken != "" {
		return nil, errors.New(x.Broken)
	}
	root := x.Root()
	if root.IsIn(namespace, "xspf") {
		if inner := root.FirstIn(namespace, "playlist"); inner != nil {
			root = inner
		}
	}
	list := root.FirstIn(namespace, "trackList")
	if list == nil {
		return nil, nil
	}
	tracks := make([]track, 0, len(list.Children))
	for _, c := range list.AllIn(namespace, "track") {
		tracks = append(tracks, newTrack(c))
	}
	return tracks, nil
}

func newTrack(n *xml.Node) track {
	text := func(name string) string { return content(n.FirstIn(namespace, name)) }
	t := track{title: text("title"), creator: text("creator"), album: text("album"), annotation: text("annotation")}
	for _, c := range n.AllIn(namespace, "meta") {
		switch c.Value("rel") {
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
