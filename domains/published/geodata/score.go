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
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/domains/internal/ujson"
)

// Stats counts the parts of a document.
func Stats(doc Document) domains.Stats {
	types, keys := map[string]int{}, map[string]bool{}
	for i := range doc.Features {
		f := &doc.Features[i]
		geometryType := "null"
		if f.geometryType != nil {
			geometryType = pythonText(f.geometryType)
		}
		types[geometryType]++
		for _, key := range f.properties.Keys {
			keys[key] = true
		}
	}
	return domains.Stats{Elements: len(doc.Features), Counts: []domains.Count{
		{Name: "Features", Value: strconv.Itoa(len(doc.Features))},
		{Name: "Geometry Types", Value: fmt.Sprint(types)},
		{Name: "Property Keys", Value: strconv.Itoa(len(keys))},
		{Name: "Files", Value: strconv.Itoa(len(doc.Metadata))},
	}}
}

// Score is coverage² · property · √((coordinate + ordering + metadata) / 3).
func Score(reference, candidate Document) domains.Reading {
	coverage, property, coordinate, ordering := 1.0, 1.0, 1.0, 1.0
	if len(reference.Features) > 0 || len(candidate.Features) > 0 {
		refs, gots := fingerprints(reference.Features), fingerprints(candidate.Features)
		coverage = sets.Jaccard(refs, gots)
		ordering = ratio.Tokens(refs, gots, true)
		property, coordinate = shared(reference.Features, candidate.Features)
	}
	metadata := metadataSimilarity(reference.Metadata, candidate.Metadata)
	secondary := (coordinate + ordering + metadata) / 3
	return domains.Reading{
		RS: coverage * coverage * property * math.Sqrt(secondary),
		Components: map[string]float64{
			"coverage": coverage, "property": property, "coordinate": coordinate,
			"ordering": ordering, "metadata": metadata,
		},
		Elements: domains.Elements{Reference: len(reference.Features), Candidate: len(candidate.Features)},
	}
}

func fingerprints(features []Feature) []string {
	return lists.Each(features, func(f *Feature) string { return f.fingerprint })
}

// shared returns the mean similarities, of properties and of places, of the
// features that both sides have; 0 if there are none.
func shared(reference, candidate []Feature) (property, coordinate float64) {
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

// byFingerprint adds the index to the fingerprint of every feature that is not the first to have it.
func byFingerprint(features []Feature) map[string]*Feature {
	table := make(map[string]*Feature, len(features))
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

func placeSimilarity(ref, got *Feature) float64 {
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
	return ratio.Of(compact(ref.coordinates), compact(got.coordinates))
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

// equal is Python's ==: numbers and booleans by value, objects in any order.
func equal(a, b any) bool {
	if x, ok := asNumber(a); ok {
		y, ok := asNumber(b)
		return ok && x == y
	}
	switch x := a.(type) {
	case nil:
		return b == nil
	case string:
		y, ok := b.(string)
		return ok && x == y
	case ujson.List:
		y, ok := b.(ujson.List)
		return ok && slices.EqualFunc(x, y, equal)
	case *ujson.Object:
		y, ok := b.(*ujson.Object)
		if !ok || len(x.Keys) != len(y.Keys) {
			return false
		}
		for key, value := range x.Values {
			if other, ok := y.Values[key]; !ok || !equal(value, other) {
				return false
			}
		}
		return true
	}
	return false
}

// similarity is the published comparison of two values, 0 to 1.
func similarity(ref, got any) float64 {
	switch {
	case equal(ref, got):
		return 1
	case ref == nil || got == nil:
		return 0
	}
	switch x := ref.(type) {
	case string:
		if y, ok := got.(string); ok {
			return ratio.Of(normalText(x), normalText(y))
		}
	case ujson.List:
		if y, ok := got.(ujson.List); ok {
			return sets.InPlace(x, y, func(a, b *any) float64 { return similarity(*a, *b) })
		}
	case *ujson.Object:
		if y, ok := got.(*ujson.Object); ok {
			return objectSimilarity(x, y)
		}
	}
	if x, ok := asNumber(ref); ok {
		if y, ok := asNumber(got); ok {
			return numberSimilarity(x, y)
		}
	}
	const otherType = 0.5
	return otherType * ratio.Of(normalText(pythonText(ref)), normalText(pythonText(got)))
}

func numberSimilarity(x, y float64) float64 {
	off := math.Abs(x-y) / max(math.Abs(x), math.Abs(y))
	if math.IsNaN(off) {
		return 0
	}
	return 1 - min(off, 1)
}

// memberSimilarity is the mean over the keys of both objects, a missing key counting as null; 1 if there are no keys.
func memberSimilarity(x, y *ujson.Object) float64 {
	var m sets.Mean
	for _, key := range x.Keys {
		m.Add(similarity(x.Values[key], y.Values[key]))
	}
	for _, key := range y.Keys {
		if _, ok := x.Values[key]; !ok {
			m.Add(similarity(nil, y.Values[key]))
		}
	}
	return m.Or(1)
}

// objectSimilarity is memberSimilarity with 0 for a missing key, of objects that are not both empty.
func objectSimilarity(x, y *ujson.Object) float64 {
	sum, union := 0.0, len(x.Keys)+len(y.Keys)
	for _, key := range x.Keys {
		if other, ok := y.Values[key]; ok {
			union--
			sum += similarity(x.Values[key], other)
		}
	}
	return sum / float64(union)
}

func normalText(text string) string {
	return pytext.Lower(pytext.Collapse(Straight(text)))
}

// Straight is a text with the quotes and hyphens of a typewriter.
func Straight(text string) string { return straightQuotes.Replace(text) }

var straightQuotes = strings.NewReplacer("‘", "'", "’", "'", "“", `"`, "”", `"`, "–", "-", "—", "-")

// compact writes coordinates as JSON without blanks.
func compact(coordinates any) string { return strings.ReplaceAll(pythonText(coordinates), " ", "") }
