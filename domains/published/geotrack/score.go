package geotrack

import (
	"math"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(doc Document) domains.Stats {
	segments := 0
	for i := range doc.tracks {
		segments += len(doc.tracks[i].segments)
	}
	points := len(doc.points())
	return domains.Stats{Elements: points, Counts: []domains.Count{
		{Name: "Waypoints", Value: strconv.Itoa(len(doc.waypoints))},
		{Name: "Tracks", Value: strconv.Itoa(len(doc.tracks))},
		{Name: "Segments", Value: strconv.Itoa(segments)},
		{Name: "Trackpoints", Value: strconv.Itoa(points)},
	}}
}

func (d *Document) points() []point {
	var all []point
	for i := range d.tracks {
		for _, segment := range d.tracks[i].segments {
			all = append(all, segment...)
		}
	}
	return all
}

// Score is 0.1 · waypoint coverage + 0.1 · waypoint accuracy + 0.15 · structure + 0.65 · points. The conversions keep
// products and sums from being fused on some machines.
func Score(reference, candidate Document) domains.Reading {
	refs, gots := reference.points(), candidate.points()
	coverage, accuracy := waypointSimilarity(reference.waypoints, candidate.waypoints)
	structure := structureSimilarity(reference.tracks, candidate.tracks)
	points := pointSimilarity(refs, gots)
	return domains.Reading{
		RS: float64(0.1*coverage) + float64(0.1*accuracy) + float64(0.15*structure) + float64(0.65*points),
		Components: map[string]float64{
			"waypoint_coverage": coverage, "waypoint_accuracy": accuracy, "structure": structure, "points": points,
		},
		Elements: domains.Elements{Reference: len(refs), Candidate: len(gots)},
		Problem:  candidate.problem,
	}
}

func waypointSimilarity(reference, candidate []waypoint) (coverage, accuracy float64) {
	if s, empty := sets.EitherEmpty(reference, candidate); empty {
		return s, s
	}
	pairs := sets.PairByName(reference, candidate, func(w *waypoint) string { return pytext.Lower(w.name) })
	return pairs.Jaccard(), pairs.Mean(0, (*waypoint).similarity)
}

func (w *waypoint) similarity(other *waypoint) float64 {
	place := 0.0
	north, east := w.lat-other.lat, w.lon-other.lon
	switch apart := math.Sqrt(float64(north*north) + float64(east*east)); {
	case apart < 0.0001:
		place = 1
	case apart < 0.001:
		place = 0.8
	case apart < 0.01:
		place = 0.3
	}
	var m sets.Mean
	m.Add(place)
	m.AddTexts(pytext.Lower(w.description), pytext.Lower(other.description), func(ref, got string) float64 {
		return float64(0.8 * ratio.Of(ref, got))
	})
	return m.Or(place)
}

func structureSimilarity(reference, candidate []track) float64 {
	if s, empty := sets.EitherEmpty(reference, candidate); empty {
		return s
	}
	name := func(t *track) string { return pytext.Lower(t.name) }
	pairs := sets.PairByName(candidate, reference, name) // summed in the order of the candidate
	segments := pairs.Mean(0, func(got, ref *track) float64 { return segmentSimilarity(ref.segments, got.segments) })
	apart := math.Abs(float64(len(reference) - len(candidate)))
	number := 1 - apart/float64(max(len(reference), len(candidate)))
	names := ratio.Tokens(lists.Each(reference, name), lists.Each(candidate, name), true)
	return float64(0.4*number) + float64(0.3*names) + float64(0.3*segments)
}

func segmentSimilarity(ref, got [][]point) float64 {
	if s, empty := sets.EitherEmpty(ref, got); empty {
		return s
	}
	length := func(points *[]point) int { return len(*points) }
	return ratio.Tokens(lists.Each(ref, length), lists.Each(got, length), true)
}

// pointSimilarity is coverage² · (0.6 · fields + 0.4 · ratio) over the points
// that one sequence matching of their places pairs.
func pointSimilarity(refs, gots []point) float64 {
	if s, empty := sets.EitherEmpty(refs, gots); empty {
		return s
	}
	var elevation, time, temperature sets.Mean
	pairs := 0
	ratio.Blocks(lists.Each(refs, (*point).key), lists.Each(gots, (*point).key), true, func(i, j, size int) {
		pairs += size
		for k := range size {
			ref, got := &refs[i+k], &gots[j+k]
			addReading(&elevation, ref.elevation, got.elevation, elevationCloseness)
			addReading(&temperature, ref.temperature, got.temperature, temperatureCloseness)
			addTime(&time, ref.time, got.time)
		}
	})
	if pairs == 0 {
		return 0.1 * float64(min(len(refs), len(gots))) / float64(max(len(refs), len(gots)))
	}
	fields := float64(0.4*elevation.Or(1)) + float64(0.4*time.Or(1)) + float64(0.2*temperature.Or(1))
	coverage := float64(pairs) / float64(len(refs))
	order := 2 * float64(pairs) / float64(len(refs)+len(gots))
	return coverage * coverage * (float64(0.6*fields) + float64(0.4*order))
}

// addReading compares a reading that at least one point has.
func addReading(m *sets.Mean, ref, got optional, closeness func(apart float64) float64) {
	switch {
	case ref.known && got.known:
		m.Add(closeness(math.Abs(ref.value - got.value)))
	case ref.known || got.known:
		m.Add(0)
	}
}

func addTime(m *sets.Mean, ref, got clock) {
	switch {
	case ref == clock{} && got == clock{}:
	case ref == got:
		m.Add(1)
	case ref != clock{} && got != clock{}:
		m.Add(0.3)
	default:
		m.Add(0)
	}
}

func elevationCloseness(metres float64) float64 {
	switch {
	case metres < 0.5:
		return 1
	case metres < 2:
		return 0.7
	case metres < 10:
		return 0.3
	}
	return 0
}

func temperatureCloseness(degrees float64) float64 {
	switch {
	case degrees < 0.1:
		return 1
	case degrees < 1:
		return 0.7
	}
	return 0.3
}

// Others counts the parts by which a document without a counted element is scored.
func Others(doc Document) int { return len(doc.waypoints) }

// key is a place rounded to five decimals.
type key struct{ lat, lon float64 }

func (p *point) key() key { return key{pytext.Round(p.lat, 5), pytext.Round(p.lon, 5)} }
