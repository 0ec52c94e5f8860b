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
	"math"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
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

// key is what tracks are paired by.
func (t *track) key() string { return pytext.Lower(t.title) + "|" + pytext.Lower(t.creator) }

// Stats counts the parts of a document.
func Stats(doc Document) domains.Stats {
	artists, albums := map[string]bool{}, map[string]bool{}
	for i := range doc.tracks {
		t := &doc.tracks[i]
		artists[t.creator], albums[t.album] = true, true
	}
	notes := lists.Count(doc.tracks, func(t *track) bool { return t.annotation != "" })
	delete(artists, "")
	delete(albums, "")
	return domains.StatsOf(len(doc.tracks), "Tracks", len(doc.tracks), "Artists", len(artists), "Albums", len(albums),
		"With Notes", notes)
}

// Score is coverage² · metadata · √((annotation + sequence) / 2).
func Score(reference, candidate Document) domains.Reading {
	p := compareTracks(reference.tracks, candidate.tracks)
	return domains.Reading{
		RS: p.coverage * p.coverage * p.metadata * math.Sqrt((p.annotation+p.sequence)/2),
		Components: map[string]float64{
			"coverage": p.coverage, "metadata": p.metadata, "annotation": p.annotation, "sequence": p.sequence,
		},
		Elements: domains.Elements{Reference: len(reference.tracks), Candidate: len(candidate.tracks)},
		Problem:  candidate.problem,
	}
}

// parts are the components of the score.
type parts struct{ coverage, metadata, annotation, sequence float64 }

func compareTracks(reference, candidate []track) parts {
	if similarity, empty := sets.EitherEmpty(reference, candidate); empty {
		return parts{similarity, similarity, similarity, similarity}
	}
	refKeys, gotKeys := lists.Each(reference, (*track).key), lists.Each(candidate, (*track).key)
	var metadata, annotation sets.Mean
	for _, pair := range sets.LastPairs(refKeys, gotKeys) {
		ref, got := &reference[pair[0]], &candidate[pair[1]]
		metadata.Add(metadataSimilarity(ref, got))
		annotation.Add(annotationSimilarity(ref.annotation, got.annotation))
	}
	return parts{
		coverage: sets.Jaccard(refKeys, gotKeys), metadata: metadata.Or(0), annotation: annotation.Or(0),
		sequence: ratio.Tokens(refKeys, gotKeys, true),
	}
}

func metadataSimilarity(ref, got *track) float64 {
	var s weighted
	s.similar(2, 1.5, ref.album, got.album)
	s.equal(1, ref.year, got.year)
	s.similar(1, 0.5, ref.label, got.label)
	s.equal(0.5, pytext.Lower(ref.rotation), pytext.Lower(got.rotation))
	s.equal(0.25, flag(ref.local), flag(got.local))
	s.equal(0.25, flag(ref.request), flag(got.request))
	if s.weight == 0 {
		return 1
	}
	return s.points / s.weight
}

// flag makes a flag that is not set one that is not there.
func flag(set bool) string {
	if set {
		return "true"
	}
	return ""
}

// weighted sums what values are worth that at least one side has.
type weighted struct{ points, weight float64 }

func (s *weighted) equal(weight float64, ref, got string) {
	if ref == "" && got == "" {
		return
	}
	s.weight += weight
	if ref == got {
		s.points += weight
	}
}

// similar gives texts that differ a part of most.
func (s *weighted) similar(weight, most float64, ref, got string) {
	ref, got = pytext.Lower(ref), pytext.Lower(got)
	s.equal(weight, ref, got)
	if ref != got && ref != "" && got != "" {
		s.points += float64(most * ratio.Of(ref, got))
	}
}

func annotationSimilarity(ref, got string) float64 {
	if ref == got {
		return 1
	}
	return ratio.Of(ref, got)
}
