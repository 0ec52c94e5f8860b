package playlist

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
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

// parse reads a document as the published evaluator does. A file that it gives up on contributes nothing.
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

// content is the text of an element up to its first child element, without white space around it.
func content(n *xml.Node) string { return pytext.Strip(n.Content()) }

const counted = "track"

func stats(doc document) domains.Stats {
	artists, albums := map[string]bool{}, map[string]bool{}
	for i := range doc.tracks {
		t := &doc.tracks[i]
		artists[t.creator], albums[t.album] = true, true
	}
	notes := lists.Count(doc.tracks, func(t *track) bool { return t.annotation != "" })
	delete(artists, "")
	delete(albums, "")
	return domains.Stats{Elements: len(doc.tracks), Counts: []domains.Count{
		{Name: "Tracks", Value: strconv.Itoa(len(doc.tracks))},
		{Name: "Artists", Value: strconv.Itoa(len(artists))},
		{Name: "Albums", Value: strconv.Itoa(len(albums))},
		{Name: "With Notes", Value: strconv.Itoa(notes)},
	}}
}

// score is coverage² · metadata · √((annotation + sequence) / 2).
func score(reference, candidate document) domains.Reading {
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
	refKeys, gotKeys := keys(reference), keys(candidate)
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

func keys(tracks []track) []string {
	return lists.Each(tracks, (*track).key)
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
