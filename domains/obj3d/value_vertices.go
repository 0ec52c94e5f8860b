package obj3d

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"agentd/domains/internal/notes"
)

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

// sorted are the points with finite coordinates, as no others are near any, in
// order.
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

// take takes the most similar of the free vertices from a place on that are within
// a distance, looking at so many.
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

// free is the first free vertex from a place on. It shortens the way for those who
// come after.
func (m *matcher) free(n int) int {
	for m.after[n] != n {
		m.after[n] = m.after[m.after[n]]
		n = m.after[n]
	}
	return n
}
