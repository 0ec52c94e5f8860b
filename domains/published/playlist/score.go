package playlist

import (
	"math"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

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
