package obj3d

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"sort"

	"agentd/domains"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
)

// Stats counts the parts of a document.
func Stats(m *Model) domains.Stats {
	counts := []any{
		"Groups", len(m.groups), "Vertices", m.vertexLines, "Normals", m.normalLines, "Texcoords", m.textureLines,
		"Faces", len(m.faceEnds),
	}
	if m.libraries > 0 {
		counts = append(counts, "MTL Libraries", m.libraries)
	}
	if len(m.materials) > 0 {
		counts = append(counts, "Materials", len(m.materials))
	}
	return domains.StatsOf(len(m.faceEnds), counts...)
}

// Score is coverage² · vertex · face · √((group + material + order) / 3).
func Score(ref, got *Model, noted *notes.Notes) domains.Reading {
	refNames, gotNames := lists.Each(ref.groups, (*group).called), lists.Each(got.groups, (*group).called)
	coverage := sets.Jaccard(refNames, gotNames)
	order := ratio.Tokens(refNames, gotNames, true)
	var accuracy sets.Mean
	var vertices, faces tally
	for _, p := range slices.Backward(sets.LastPairs(refNames, gotNames)) {
		a, b := &ref.groups[p[0]], &got.groups[p[1]]
		accuracy.Add(groupAccuracy(a, b))
		vertices.add(a.vertices.size(), b.vertices.size(), func() float64 {
			matcher := matcher{left: mostSteps, noted: noted}
			return matcher.similarity(ref.vertices[a.vertices.from:a.vertices.to], got.vertices[b.vertices.from:b.vertices.to])
		})
		faces.add(a.faces.size(), b.faces.size(), func() float64 {
			return float64(faceHits(&ref.mesh, &got.mesh, a.faces, b.faces))
		})
	}
	groups := accuracy.Or(0)
	covered, accurate := compareMaterials(ref.materials, got.materials)
	material := (covered + accurate) / 2
	value := float64(coverage*coverage*vertices.share()*faces.share()) * math.Sqrt((groups+material+order)/3)
	components := map[string]float64{
		"group_coverage": coverage, "group_accuracy": groups, "vertex_accuracy": vertices.share(), "face_accuracy": faces.share(),
		"material_coverage": covered, "material_accuracy": accurate, "material_score": material, "group_order": order,
	}
	for name, share := range components {
		components[name] = pytext.Round(share, 4)
	}
	return domains.Reading{
		RS: pytext.Round(value, 4), Components: components,
		Elements: domains.Elements{Reference: len(ref.faceEnds), Candidate: len(got.faceEnds)},
	}
}

// tally sums over the groups what was found, and out of how much.
type tally struct{ found, of float64 }

func (t *tally) add(reference, candidate int, found func() float64) {
	switch {
	case reference == 0 && candidate == 0:
		t.found++
		t.of++
	case reference == 0 || candidate == 0:
		t.of += float64(max(reference, candidate))
	default:
		t.found += found()
		t.of += float64(reference)
	}
}

func (t *tally) share() float64 {
	if t.of == 0 {
		return 0
	}
	return t.found / t.of
}

func groupAccuracy(ref, got *group) float64 {
	return float64(0.4*sets.OneIf(ref.material == got.material)) + float64(0.3*likeness(ref.vertices.size(), got.vertices.size())) +
		float64(0.3*likeness(ref.faces.size(), got.faces.size()))
}

// likeness is the share that the smaller number is of the larger one.
func likeness(a, b int) float64 {
	if a == b {
		return 1
	}
	return float64(min(a, b)) / float64(max(a, b))
}

// faceHits is how many of the reference's faces are among the candidate's, or, if
// that is more, half of those that are in either direction.
func faceHits(ref, got *mesh, reference, candidate span) int {
	const forward, backward = 1, 2
	in := make(map[string]uint8, reference.size())
	var key []byte
	for n := reference.from; n < reference.to; n++ {
		corners := ref.face(n)
		key = appendCorners(key[:0], corners, false)
		in[string(key)] |= forward
		key = appendCorners(key[:0], corners, true)
		in[string(key)] |= backward
	}
	same, either := 0, 0
	for n := candidate.from; n < candidate.to; n++ {
		key = appendCorners(key[:0], got.face(n), false)
		found := in[string(key)]
		if found == 0 {
			continue
		}
		either++
		if found&forward != 0 {
			same++
		}
		in[string(key)] = 0 // a repeated face counts once
	}
	return min(max(same, either/2), reference.size())
}

func appendCorners(key []byte, corners []int, reversed bool) []byte {
	for n, corner := range corners {
		if reversed {
			corner = corners[len(corners)-1-n]
		}
		key = binary.AppendVarint(key, int64(corner))
	}
	return key
}

// compareMaterials returns how many names there are on both sides, of all, and how alike those are.
func compareMaterials(reference, candidate []material) (coverage, accuracy float64) {
	refNames, gotNames := lists.Each(reference, (*material).called), lists.Each(candidate, (*material).called)
	var alike sets.Mean
	for _, p := range slices.Backward(sets.LastPairs(refNames, gotNames)) {
		alike.Add(compareMaterial(&reference[p[0]], &candidate[p[1]]))
	}
	return sets.Jaccard(refNames, gotNames), alike.Or(0)
}

func compareMaterial(ref, got *material) float64 {
	sum, terms := 0.0, 0
	for n, a := range ref.colours {
		if b := got.colours[n]; a != nil || b != nil {
			sum += colourLikeness(a, b)
			terms++
		}
	}
	for n, a := range ref.factors {
		if b := got.factors[n]; a != nil || b != nil {
			sum += factorLikeness(a, b)
			terms++
		}
	}
	return (sum + sets.OneIf(ref.illumination == got.illumination)) / float64(terms+1)
}

// colourLikeness is 1 less the distance in the unit cube, of which black and white are the farthest corners.
func colourLikeness(a, b *point) float64 {
	distance := 1.0
	if a != nil && b != nil {
		distance = a.distance(b)
	}
	return sets.Positive(1 - distance/math.Sqrt(3))
}

func factorLikeness(a, b *float64) float64 {
	if a == nil || b == nil {
		return 0
	}
	off := math.Abs(*a - *b)
	if off <= 0.01 {
		return 1
	}
	return sets.Positive(1 - off/max(math.Abs(*a), math.Abs(*b), 1))
}

func (p *point) distance(q *point) float64 {
	sum := 0.0
	for axis := range p {
		d := p[axis] - q[axis]
		sum += float64(d * d)
	}
	return math.Sqrt(sum)
}

// Others counts the parts by which a document without a counted element is scored.
func Others(m *Model) int { return len(m.vertices) }

func (g *group) called() string    { return g.name }
func (m *material) called() string { return m.name }

func (s span) size() int { return s.to - s.from }

// face is the vertices of a face, by number.
func (m *mesh) face(n int) []int {
	from := 0
	if n > 0 {
		from = m.faceEnds[n-1]
	}
	return m.corners[from:m.faceEnds[n]]
}

const (
	// mostSteps is how many pairs of vertices of two groups are looked at.
	mostSteps = 1 << 26
	// fewSteps is how many there are for a vertex when those are used up.
	fewSteps = 32

	samePlace = 0.001 // distance below which vertices are the same
	reach     = 1.0   // distance from which vertices have nothing in common
)

// matcher gives each vertex of a reference the most similar one of a candidate
// that is still free, and the first of equals.
type matcher struct {
	left  int     // of the steps
	got   []point // sorted
	noted *notes.Notes
	after []int // the next free one, from a taken one
}

// similarity sums over the reference's vertices how near the vertex lies that each
// was given: 1 at the same place, 0 from a distance of 1 on.
func (m *matcher) similarity(reference, candidate []point) float64 {
	reference, candidate = sorted(reference), sorted(candidate)
	m.got = candidate
	m.after = make([]int, len(candidate)+1)
	for n := range m.after {
		m.after[n] = n
	}
	sum := 0.0
	for n := range reference {
		sum += m.give(&reference[n])
	}
	return sum
}

// sorted are the points with finite coordinates, as no others are near any, in order.
func sorted(points []point) []point {
	finite := make([]point, 0, len(points))
	for _, p := range points {
		if sum := p[0] + p[1] + p[2]; !math.IsNaN(sum - sum) {
			finite = append(finite, p)
		}
	}
	slices.SortFunc(finite, comparePoints)
	return finite
}

func comparePoints(a, b point) int {
	return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1]), cmp.Compare(a[2], b[2]))
}

// give takes the vertex nearest to a place and returns its similarity. A vertex at
// the same place is sought first, among the few that can be there.
func (m *matcher) give(at *point) float64 {
	if m.left <= 0 {
		m.noted.Add(notes.Paired)
		from, _ := slices.BinarySearchFunc(m.got, *at, comparePoints)
		return m.take(at, from, reach, fewSteps)
	}
	if found := m.take(at, m.first(at[0]-samePlace), samePlace, m.left); found > 0 {
		return found
	}
	return m.take(at, m.first(at[0]-reach), reach, m.left)
}

// first is the place of the first vertex with an x not below one.
func (m *matcher) first(x float64) int {
	return sort.Search(len(m.got), func(n int) bool { return m.got[n][0] >= x })
}

// take takes the most similar of the free vertices from a place on that are within a distance, looking at so many.
func (m *matcher) take(at *point, from int, within float64, steps int) float64 {
	best, most := -1, 0.0
	for n := m.free(from); n < len(m.got) && m.got[n][0]-at[0] <= within && steps > 0; n = m.free(n + 1) {
		steps--
		m.left--
		distance := at.distance(&m.got[n])
		if distance < samePlace {
			best, most = n, 1
			break
		}
		if distance < within && 1-distance > most {
			best, most = n, 1-distance
		}
	}
	if best >= 0 {
		m.after[best] = best + 1
	}
	return most
}

// free is the first free vertex from a place on. It shortens the way for those who come after.
func (m *matcher) free(n int) int {
	for m.after[n] != n {
		m.after[n] = m.after[m.after[n]]
		n = m.after[n]
	}
	return n
}
