package robotics

import (
	"math"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(doc Document) domains.Stats {
	kinds := map[string]int{}
	for i := range doc.joints {
		kinds[doc.joints[i].kind]++
	}
	return domains.StatsOf(len(doc.links)+len(doc.joints), "Robot Name", doc.name, "Links", len(doc.links),
		"Joints", len(doc.joints), "Joint Types", kinds, "Transmissions", len(doc.transmissions),
		"Gazebo Elements", len(doc.gazebos), "Materials", doc.materials)
}

// Score is 0.15 · link coverage + 0.2 · link accuracy, the same of joints, and
// 0.15 each of transmissions and Gazebo blocks. The conversions keep products
// and sums from being fused on some machines.
func Score(reference, candidate Document) domains.Reading {
	links := pairByName(reference.links, candidate.links, func(l *link) string { return l.name })
	joints := pairByName(reference.joints, candidate.joints, func(j *joint) string { return j.name })
	named := func(t *transmission) string { return t.name }
	transmissions := pairByName(reference.transmissions, candidate.transmissions, named)
	gazebos := pairByName(reference.gazebos, candidate.gazebos, func(g *gazebo) string { return g.reference })
	parts := map[string]float64{
		"link_coverage":  links.Jaccard(),
		"link_accuracy":  accuracy(links, linkSimilarity),
		"joint_coverage": joints.Jaccard(),
		"joint_accuracy": accuracy(joints, jointSimilarity),
		"transmissions":  covered(transmissions, transmissionSimilarity, 0),
		"gazebo":         covered(gazebos, gazeboSimilarity, 1),
	}
	return domains.Reading{
		RS: float64(0.15*parts["link_coverage"]) + float64(0.2*parts["link_accuracy"]) +
			float64(0.15*parts["joint_coverage"]) + float64(0.2*parts["joint_accuracy"]) +
			float64(0.15*parts["transmissions"]) + float64(0.15*parts["gazebo"]),
		Components: parts,
		Elements: domains.Elements{
			Reference: len(reference.links) + len(reference.joints),
			Candidate: len(candidate.links) + len(candidate.joints),
		},
		Problem: candidate.problem,
	}
}

// pairByName pairs elements by name, without regard to case and outer blanks; of several with one name the last counts.
func pairByName[T any](reference, candidate []T, nameOf func(*T) string) *sets.Pairs[T] {
	folded := func(element *T) string { return pytext.Strip(pytext.Lower(nameOf(element))) }
	pairs := sets.PairByName(reference, candidate, folded)
	return &pairs
}

// accuracy is the mean times the share of the larger side that is paired.
func accuracy[T any](p *sets.Pairs[T], similarity func(ref, got *T) float64) float64 {
	if p.Refs+p.Gots == 0 {
		return 1
	}
	return p.Mean(0, similarity) * (float64(len(p.Both)) / float64(max(p.Refs, p.Gots)))
}

// covered is the Jaccard index of the names times the mean.
func covered[T any](p *sets.Pairs[T], similarity func(ref, got *T) float64, ofNone float64) float64 {
	if p.Refs+p.Gots == 0 {
		return 1
	}
	return p.Jaccard() * p.Mean(ofNone, similarity)
}

func linkSimilarity(ref, got *link) float64 {
	visuals := shapesSimilarity(ref.visuals, got.visuals, func(r, g *shape) float64 {
		return (geometrySimilarity(r.geometry, g.geometry) + poseSimilarity(r.origin, g.origin)) / 2
	})
	collisions := shapesSimilarity(ref.collisions, got.collisions, func(r, g *shape) float64 {
		return geometrySimilarity(r.geometry, g.geometry)
	})
	return float64(0.4*inertialSimilarity(ref.inertial, got.inertial)) + float64(0.35*visuals) + float64(0.25*collisions)
}

// shapesSimilarity compares shapes by their places.
func shapesSimilarity(refs, gots []shape, similarity func(ref, got *shape) float64) float64 {
	if similarity, empty := sets.EitherEmpty(refs, gots); empty {
		return similarity
	}
	fewer, more := min(len(refs), len(gots)), max(len(refs), len(gots))
	sum := 0.0
	for i := range fewer {
		sum += similarity(&refs[i], &gots[i])
	}
	return sum / float64(fewer) * (float64(fewer) / float64(more))
}

func inertialSimilarity(ref, got *inertial) float64 {
	if ref == nil || got == nil {
		return sets.OneIf(ref == nil && got == nil)
	}
	tensor := 0.0
	for k := range ref.inertia {
		tensor += closeness(ref.inertia[k], got.inertia[k], 1e-8)
	}
	return float64(0.4*closeness(ref.mass, got.mass, 1e-6)) + float64(0.3*poseSimilarity(ref.origin, got.origin)) +
		float64(0.3*(tensor/float64(len(ref.inertia))))
}

// closeness is 1 for numbers less than that far apart, otherwise 1 less their relative difference.
func closeness(a, b, equal float64) float64 {
	apart := math.Abs(a - b)
	if apart < equal {
		return 1
	}
	return sets.Positive(1 - apart/max(math.Abs(a), math.Abs(b), 1e-9))
}

func poseSimilarity(ref, got *pose) float64 {
	if ref == nil || got == nil {
		return sets.OneIf(ref == nil && got == nil)
	}
	return float64(0.5*distanceSimilarity(ref.xyz, got.xyz)) + float64(0.5*distanceSimilarity(ref.rpy, got.rpy))
}

func distanceSimilarity(a, b []float64) float64 {
	if len(a) != 3 || len(b) != 3 {
		return 1
	}
	sum := 0.0
	for k := range a {
		d := a[k] - b[k]
		sum += float64(d * d)
	}
	switch apart := math.Sqrt(sum); {
	case apart < 1e-6:
		return 1
	case apart < 1e-3:
		return 0.95
	case apart < 0.01:
		return 0.7
	case apart < 0.1:
		return 0.3
	}
	return 0
}

func geometrySimilarity(ref, got *geometry) float64 {
	if ref == nil || got == nil {
		return sets.OneIf(ref == nil && got == nil)
	}
	if ref.kind != got.kind {
		return 0
	}
	const equal, differentSize = 1e-4, 0.3
	switch ref.kind {
	case "box":
		if len(ref.sizes) != 3 || len(got.sizes) != 3 {
			return 0
		}
		return max(sets.OneIf(within(ref.sizes, got.sizes, equal)), differentSize)
	case "cylinder":
		return float64(0.5*sets.OneIf(within(ref.sizes[:1], got.sizes[:1], equal))) +
			float64(0.5*sets.OneIf(within(ref.sizes[1:], got.sizes[1:], equal)))
	case "sphere":
		return max(sets.OneIf(within(ref.sizes, got.sizes, equal)), differentSize)
	}
	return float64(0.8*ratio.Of(baseName(ref.filename), baseName(got.filename))) +
		float64(0.2*scaleSimilarity(ref.scale, got.scale))
}

// within reports whether numbers are pairwise less than that far apart.
func within(a, b []float64, apart float64) bool {
	for k := range a {
		if !(math.Abs(a[k]-b[k]) < apart) {
			return false
		}
	}
	return true
}

func baseName(filename string) string {
	return pytext.Lower(filename[1+strings.LastIndexByte(filename, '/'):])
}

func scaleSimilarity(ref, got []float64) float64 {
	switch {
	case ref == nil && got == nil:
		return 1
	case ref == nil || got == nil:
		return 0.5
	case len(ref) != len(got) || within(ref, got, 1e-6):
		return 1
	}
	sum := 0.0
	for k := range ref {
		sum += math.Abs(ref[k] - got[k])
	}
	return sets.Positive(1 - sum)
}

func jointSimilarity(ref, got *joint) float64 {
	var m sets.Mean
	m.Add(sets.OneIf(sameText(ref.kind, got.kind)))
	m.Add(sets.OneIf(sameText(ref.kind, got.kind))) // it counts twice
	m.Add(sets.OneIf(sameText(ref.parent, got.parent)))
	m.Add(sets.OneIf(sameText(ref.child, got.child)))
	m.Add(poseSimilarity(ref.origin, got.origin))
	if ref.axis != nil || got.axis != nil {
		m.Add(axisSimilarity(ref.axis, got.axis))
	}
	if ref.limit != nil || got.limit != nil {
		m.Add(limitSimilarity(ref.limit, got.limit))
	}
	return m.Or(0)
}

func sameText(a, b string) bool { return pytext.Lower(a) == pytext.Lower(b) }

func axisSimilarity(ref, got []float64) float64 {
	if len(ref) != 3 || len(got) != 3 {
		return 0
	}
	if within(ref, got, 1e-4) {
		return 1
	}
	length := math.Sqrt(product(ref, ref)) * math.Sqrt(product(got, got))
	return 0.8 * sets.Positive(math.Abs(product(ref, got)/length))
}

// product is the scalar product of two vectors.
func product(a, b []float64) float64 {
	sum := 0.0
	for k := range a {
		sum += float64(a[k] * b[k])
	}
	return sum
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
	var m sets.Mean
	if len(ref.plugins) > 0 || len(got.plugins) > 0 {
		m.Add(pluginSimilarity(ref.plugins, got.plugins))
	}
	if len(ref.properties) > 0 || len(got.properties) > 0 {
		m.Add(propertySimilarity(ref.properties, got.properties))
	}
	return m.Or(1)
}

// pluginSimilarity is 1 for equal sets, one half for sets that overlap.
func pluginSimilarity(ref, got []plugin) float64 {
	switch share := sets.Jaccard(ref, got); share {
	case 0, 1:
		return share
	default:
		return 0.5
	}
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

// Others counts the parts by which a document without a counted element is scored.
func Others(doc Document) int { return len(doc.transmissions) + len(doc.gazebos) }
