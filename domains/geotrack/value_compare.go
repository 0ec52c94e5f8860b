package geotrack

import (
	"math"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

const counted = "track point"

const waypointKind = "waypoint"

func stats(doc document) domains.Stats {
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

func (d *document) points() []point {
	var all []point
	for i := range d.tracks {
		for _, segment := range d.tracks[i].segments {
			all = append(all, segment...)
		}
	}
	return all
}

// score is 0.1 · waypoint coverage + 0.1 · waypoint accuracy + 0.15 ·
// structure + 0.65 · points. The conversions keep products and sums from being
// fused on some machines.
func score(reference, candidate document) domains.Reading {
	refs, gots := reference.points(), candidate.points()
	coverage, accuracy := waypointSimilarity(reference.waypoints, candidate.waypoints)
	structure := structureSimilarity(reference.tracks, candidate.tracks)
	points := pointSimilarity(refs, gots)
	return domains.Reading{
		Value: float64(0.1*coverage) + float64(0.1*accuracy) + float64(0.15*structure) + float64(0.65*points),
		Components: map[string]float64{
			"waypoint_coverage": coverage, "waypoint_accuracy": accuracy, "structure": structure, "points": points,
		},
		Elements: domains.Elements{Reference: len(refs), Candidate: len(gots)},
		Problem:  candidate.problem,
	}
}

// eitherEmpty is the similarity where a side has nothing: 1 if both have not.
func eitherEmpty(ref, got int) (similarity float64, empty bool) {
	if ref == 0 && got == 0 {
		return 1, true
	}
	return 0, ref == 0 || got == 0
}

func waypointSimilarity(reference, candidate []waypoint) (coverage, accuracy float64) {
	if s, empty := eitherEmpty(len(reference), len(candidate)); empty {
		return s, s
	}
	refNames, refs := byName(reference, func(w *waypoint) string { return w.name })
	gotNames, gots := byName(candidate, func(w *waypoint) string { return w.name })
	shared := 0
	for _, name := range refNames {
		if got, ok := gots[name]; ok {
			shared++
			accuracy += refs[name].similarity(got)
		}
	}
	return sets.Jaccard(refNames, gotNames), mean(accuracy, shared, 0)
}

// byName returns the different names, in order, and of each the last that has
// it.
func byName[T any](all []T, nameOf func(*T) string) (names []string, last map[string]*T) {
	last = make(map[string]*T, len(all))
	for i := range all {
		name := pytext.Lower(nameOf(&all[i]))
		if last[name] == nil {
			names = append(names, name)
		}
		last[name] = &all[i]
	}
	return names, last
}

func mean(sum float64, n int, ofNone float64) float64 {
	if n == 0 {
		return ofNone
	}
	return sum / float64(n)
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
	ref, got := pytext.Lower(w.description), pytext.Lower(other.description)
	switch {
	case ref == "" && got == "":
		return place
	case ref == got:
		return (place + 1) / 2
	case ref == "" || got == "":
		return place / 2
	}
	return (place + float64(0.8*ratio.Of(ref, got))) / 2
}

func structureSimilarity(reference, candidate []track) float64 {
	if s, empty := eitherEmpty(len(reference), len(candidate)); empty {
		return s
	}
	_, refs := byName(reference, func(t *track) string { return t.name })
	gotNames, gots := byName(candidate, func(t *track) string { return t.name })
	segments, shared := 0.0, 0
	for _, name := range gotNames {
		if ref, ok := refs[name]; ok {
			shared++
			segments += segmentSimilarity(ref.segments, gots[name].segments)
		}
	}
	apart := math.Abs(float64(len(reference) - len(candidate)))
	number := 1 - apart/float64(max(len(reference), len(candidate)))
	names := ratio.Tokens(trackNames(reference), trackNames(candidate), true)
	return float64(0.4*number) + float64(0.3*names) + float64(0.3*mean(segments, shared, 0))
}

func trackNames(tracks []track) []string {
	names := make([]string, len(tracks))
	for i := range tracks {
		names[i] = pytext.Lower(tracks[i].name)
	}
	return names
}

func segmentSimilarity(ref, got [][]point) float64 {
	if s, empty := eitherEmpty(len(ref), len(got)); empty {
		return s
	}
	return ratio.Tokens(lengths(ref), lengths(got), true)
}

func lengths(segments [][]point) []int {
	all := make([]int, len(segments))
	for i := range segments {
		all[i] = len(segments[i])
	}
	return all
}

// pointSimilarity is coverage² · (0.6 · fields + 0.4 · ratio) over the points
// that one sequence matching of their places pairs.
func pointSimilarity(refs, gots []point) float64 {
	if s, empty := eitherEmpty(len(refs), len(gots)); empty {
		return s
	}
	var elevation, time, temperature field
	pairs := 0
	for _, b := range matchingBlocks(keys(refs), keys(gots)) {
		pairs += b.size
		for k := range b.size {
			ref, got := &refs[b.ref+k], &gots[b.got+k]
			elevation.add(ref.elevation, got.elevation, elevationCloseness)
			temperature.add(ref.temperature, got.temperature, temperatureCloseness)
			time.addTime(ref.time, got.time)
		}
	}
	if pairs == 0 {
		return 0.1 * float64(min(len(refs), len(gots))) / float64(max(len(refs), len(gots)))
	}
	fields := float64(0.4*elevation.mean()) + float64(0.4*time.mean()) + float64(0.2*temperature.mean())
	coverage := float64(pairs) / float64(len(refs))
	order := 2 * float64(pairs) / float64(len(refs)+len(gots))
	return coverage * coverage * (float64(0.6*fields) + float64(0.4*order))
}

func keys(points []point) []key {
	all := make([]key, len(points))
	for i := range points {
		all[i] = points[i].key()
	}
	return all
}

// field averages a reading over the pairs of which at least one point has it.
type field struct {
	sum float64
	n   int
}

func (f *field) mean() float64 { return mean(f.sum, f.n, 1) }

func (f *field) add(ref, got optional, closeness func(apart float64) float64) {
	if !ref.known && !got.known {
		return
	}
	f.n++
	if ref.known && got.known {
		f.sum += closeness(math.Abs(ref.value - got.value))
	}
}

func (f *field) addTime(ref, got clock) {
	switch {
	case ref == clock{} && got == clock{}:
		return
	case ref == got:
		f.sum++
	case ref != clock{} && got != clock{}:
		f.sum += 0.3
	}
	f.n++
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
