// Package playlist is the published reading and score of the domain playlist.
//
// Key of a track = lower-case title + | + lower-case creator. A map from key to track keeps the last track of a key.
// Matched keys occur on both sides. If both sides have no track all four parts are 1; if one side has none all are 0.
//
//   - coverage = Jaccard index of the key sets
//   - metadata = mean over matched keys of points/weight, where a part counts only if either side has a non-empty
//     (true) value, and a pair with no part at all gives 1: album, weight 2, lower-case: equal 2; both non-empty
//     1.5·ratio(ref, cand); else 0; year, weight 1: exact text equality 1 else 0; label, weight 1, lower-case: equal 1;
//     both non-empty 0.5·ratio; else 0; rotation, weight 0.5: case-insensitive equality; local, weight 0.25: equality;
//     request, weight 0.25: equality. (When both are false the part is absent, so writing out a false flag changes
//     nothing.); no matched key: metadata 0
//   - annotation = mean over matched keys: 1 if both empty, 0 if one is, else ratio(ref, cand), case-sensitive; 0 if no
//     key matched
//   - sequence = ratio over the two lists of keys, all tracks, repeats included
//   - score = coverage² · metadata · √((annotation + sequence)/2), 0 if that mean is 0; not rounded, never capped
//
// R, or ratio, is that of package ratio, with the reference first.
package playlist

import (
	"errors"
	"fmt"
	"strings"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/xml"
	"agentd/vfs"
)

// Document is what the published evaluator reads.
type Document struct {
	tracks  []track
	problem string // of the first file that it gives up on
}

// track is a track; all texts are without white space around them.
type track struct {
	title, creator, album, annotation string
	year, label, rotation             string
	local, request                    bool
}

// Extension ends the names of the files that are read.
const Extension = ".xspf"

// Parse reads a document as the published evaluator does. A file that it gives up on contributes nothing.
func Parse(files vfs.Files) (Document, error) {
	var doc Document
	for _, name := range files.Names() {
		if !strings.HasSuffix(name, Extension) {
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
	if root.IsIn(Namespace, "xspf") {
		if inner := root.FirstIn(Namespace, "playlist"); inner != nil {
			root = inner
		}
	}
	list := root.FirstIn(Namespace, "trackList")
	if list == nil {
		return nil, nil
	}
	tracks := make([]track, 0, len(list.Children))
	for _, c := range list.AllIn(Namespace, "track") {
		tracks = append(tracks, newTrack(c))
	}
	return tracks, nil
}

func newTrack(n *xml.Node) track {
	text := func(name string) string { return Content(n.FirstIn(Namespace, name)) }
	t := track{title: text("title"), creator: text("creator"), album: text("album"), annotation: text("annotation")}
	for _, c := range n.AllIn(Namespace, "meta") {
		switch c.Value("rel") {
		case "year":
			t.year = Content(c)
		case "label":
			t.label = Content(c)
		case "rotation":
			t.rotation = Content(c)
		case "local":
			t.local = pytext.Lower(Content(c)) == "true"
		case "request":
			t.request = pytext.Lower(Content(c)) == "true"
		}
	}
	return t
}

// Content is the text of an element up to its first child element, without white space around it.
func Content(n *xml.Node) string { return pytext.Strip(n.Content()) }

// Namespace is that of XSPF.
const Namespace = "http://xspf.org/ns/0/"
