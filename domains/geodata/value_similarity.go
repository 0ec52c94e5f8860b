package geodata

import (
	"math"
	"slices"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/domains/internal/ujson"
)

// truthy is bool(value).
func truthy(value any) bool {
	switch v := value.(type) {
	case nil:
		return false
	case bool:
		return v
	case ujson.Number:
		return v.Float != 0
	case string:
		return v != ""
	case ujson.List:
		return len(v) > 0
	case *ujson.Object:
		return len(v.Keys) > 0
	}
	return false
}

// asNumber counts booleans as 0 and 1.
func asNumber(value any) (float64, bool) {
	if value == true {
		return 1, true
	}
	v, ok := value.(ujson.Number)
	return v.Float, ok || value == false
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

// memberSimilarity is the mean over the keys of both objects, a missing key counting as null; 1
// if there are no keys.
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
	return pytext.Lower(pytext.Collapse(straight(text)))
}
