package geodata

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/domains/internal/ujson"
)

const counted = "feature"

func stats(doc document) domains.Stats {
	types, keys := map[string]int{}, map[string]bool{}
	for i := range doc.features {
		f := &doc.features[i]
		geometryType := "null"
		if f.geometryType != nil {
			geometryType = pythonText(f.geometryType)
		}
		types[geometryType]++
		for _, key := range f.properties.Keys {
			keys[key] = true
		}
	}
	return domains.Stats{Elements: len(doc.features), Counts: []domains.Count{
		{Name: "Features", Value: strconv.Itoa(len(doc.features))},
		{Name: "Geometry Types", Value: fmt.Sprint(types)},
		{Name: "Property Keys", Value: strconv.Itoa(len(keys))},
		{Name: "Files", Value: strconv.Itoa(len(doc.metadata))},
	}}
}

// score is coverage² · property · √((coordinate + ordering + metadata) / 3).
func score(reference, candidate document) domains.Reading {
	coverage, property, coordinate, ordering := 1.0, 1.0, 1.0, 1.0
	if len(reference.features) > 0 || len(candidate.features) > 0 {
		refs, gots := fingerprints(reference.features), fingerprints(candidate.features)
		coverage = sets.Jaccard(refs, gots)
		ordering = ratio.Tokens(refs, gots, true)
		property, coordinate = shared(reference.features, candidate.features)
	}
	metadata := metadataSimilarity(reference.metadata, candidate.metadata)
	secondary := (coordinate + ordering + metadata) / 3
	return domains.Reading{
		Value: coverage * coverage * property * math.Sqrt(secondary),
		Components: map[string]float64{
			"coverage": coverage, "property": property, "coordinate": coordinate,
			"ordering": ordering, "metadata": metadata,
		},
		Elements: domains.Elements{Reference: len(reference.features), Candidate: len(candidate.features)},
	}
}

func fingerprints(features []feature) []string {
	return lists.Each(features, func(f *feature) string { return f.fingerprint })
}

// shared returns the mean similarities, of properties and of places, of the
// features that both sides have; 0 if there are none.
func shared(reference, candidate []feature) (property, coordinate float64) {
	refs, gots := byFingerprint(reference), byFingerprint(candidate)
	var properties, places sets.Mean
	for _, key := range slices.Sorted(maps.Keys(refs)) {
		if got, ok := gots[key]; ok {
			properties.Add(memberSimilarity(refs[key].properties, got.properties))
			places.Add(placeSimilarity(refs[key], got))
		}
	}
	return properties.Or(0), places.Or(0)
}

// byFingerprint adds the index to the fingerprint of every feature that is not
// the first to have it.
func byFingerprint(features []feature) map[string]*feature {
	table := make(map[string]*feature, len(features))
	for i := range features {
		f := &features[i]
		key := f.fingerprint
		if _, taken := table[key]; taken {
			key += "__dup" + strconv.Itoa(f.index)
		}
		table[key] = f
	}
	return table
}

func placeSimilarity(ref, got *feature) float64 {
	switch {
	case !equal(ref.geometryType, got.geometryType):
		return 0
	case ref.at != nil && got.at != nil:
		return nearness(*ref.at, *got.at)
	case ref.at != nil || got.at != nil:
		return 0
	case equal(ref.coordinates, got.coordinates):
		return 1
	}
	var a, b strings.Builder
	compact.write(&a, ref.coordinates)
	compact.write(&b, got.coordinates)
	return ratio.Of(a.String(), b.String())
}

// nearness is in steps of degrees.
func nearness(a, b point) float64 {
	for _, step := range []struct{ less, near float64 }{{0.0001, 1}, {0.001, 0.9}, {0.01, 0.5}} {
		if math.Abs(a.lon-b.lon) < step.less && math.Abs(a.lat-b.lat) < step.less {
			return step.near
		}
	}
	return 0
}

func metadataSimilarity(reference, candidate map[string]*ujson.Object) float64 {
	if len(reference) == 0 && len(candidate) == 0 {
		return 1
	}
	if len(reference) == 0 || len(candidate) == 0 {
		return 0.5
	}
	sum, union := 0.0, len(candidate)
	for _, name := range slices.Sorted(maps.Keys(reference)) {
		if got, both := candidate[name]; both {
			sum += memberSimilarity(reference[name], got)
		} else {
			union++
		}
	}
	return sum / float64(union)
}
