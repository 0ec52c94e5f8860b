package robotics

import (
	"math"

	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
)

// points sums what was reached of what could be.
type points struct{ reached, total float64 }

func (p *points) add(reached, total float64) {
	p.reached += reached
	p.total += total
}

func jointSimilarity(ref, got *joint) float64 {
	var p points
	p.add(2*sets.OneIf(sameText(ref.kind, got.kind)), 2)
	p.add(sets.OneIf(sameText(ref.parent, got.parent)), 1)
	p.add(sets.OneIf(sameText(ref.child, got.child)), 1)
	p.add(poseSimilarity(ref.origin, got.origin), 1)
	if ref.axis != nil || got.axis != nil {
		p.add(axisSimilarity(ref.axis, got.axis), 1)
	}
	if ref.limit != nil || got.limit != nil {
		p.add(limitSimilarity(ref.limit, got.limit), 1)
	}
	return p.reached / p.total
}

func sameText(a, b string) bool { return pytext.Lower(a) == pytext.Lower(b) }

func axisSimilarity(ref, got []float64) float64 {
	if len(ref) != 3 || len(got) != 3 {
		return 0
	}
	if within(ref, got, 1e-4) {
		return 1
	}
	length := norm(ref) * norm(got)
	if length == 0 {
		return 0
	}
	dot := 0.0
	for k := range ref {
		dot += float64(ref[k] * got[k])
	}
	return 0.8 * positive(math.Abs(dot/length))
}

func norm(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += float64(x * x)
	}
	return math.Sqrt(sum)
}

func limitSimilarity(ref, got *[4]float64) float64 {
	if ref == nil || got == nil {
		return 0
	}
	sum := 0.0
	for k := range ref {
		sum += closeness(ref[k], got[k], 1e-3)
	}
	return sum / float64(len(ref))
}

func transmissionSimilarity(ref, got *transmission) float64 {
	equal := sets.OneIf(sameText(ref.kind, got.kind)) + sets.OneIf(sameText(ref.joint, got.joint)) +
		sets.OneIf(sameText(ref.actuator, got.actuator))
	return equal / 3
}

func gazeboSimilarity(ref, got *gazebo) float64 {
	var p points
	if len(ref.plugins) > 0 || len(got.plugins) > 0 {
		p.add(pluginSimilarity(ref.plugins, got.plugins), 1)
	}
	if len(ref.properties) > 0 || len(got.properties) > 0 {
		p.add(propertySimilarity(ref.properties, got.properties), 1)
	}
	if p.total == 0 {
		return 1
	}
	return p.reached / p.total
}

// pluginSimilarity is 1 for equal sets, one half for sets that overlap.
func pluginSimilarity(ref, got []plugin) float64 {
	switch share := sets.Jaccard(ref, got); share {
	case 0, 1:
		return share
	}
	return 0.5
}

// propertySimilarity is the share of equal values of all tags.
func propertySimilarity(ref, got map[string]string) float64 {
	union, equal := len(ref), 0.0
	for tag, value := range ref {
		equal += sets.OneIf(sameText(value, got[tag]))
	}
	for tag := range got {
		if _, known := ref[tag]; !known {
			union++
		}
	}
	return equal / float64(union)
}
