package molecule

import (
	"cmp"
	"slices"
)

const (
	// largestRing is the largest ring that is looked for; porphyrin's outer one
	// is smaller.
	largestRing = 24
	// mostClosures is how many rings are looked at from one atom, small ones first.
	mostClosures = 32
	// ringSteps bounds the search for rings in a molecule. All rings of some
	// sixty fused ones are found within it.
	ringSteps = 50_000
)

// ring is a ring by the numbers of its bonds, ascending, and its atoms.
type ring struct {
	bonds []int32
	atoms []int32
	set   bits // of bonds, counted among ring bonds only
}

// bits is a set of small numbers.
type bits []uint64

func newBits(n int) bits { return make(bits, (n+63)/64) }
func (b bits) set(i int) { b[i/64] |= 1 << (i % 64) }
func (b bits) subtract(c bits) { // modulo two
	for i := range b {
		b[i] ^= c[i]
	}
}

// first is the lowest number in the set, -1 if it is empty.
func (b bits) first() int {
	for i, word := range b {
		for k := range 64 {
			if word>>k&1 == 1 {
				return 64*i + k
			}
		}
	}
	return -1
}

// ringBonds marks the bonds that are part of a ring: those whose loss leaves
// their ends connected.
func (s *structure) ringBonds() []bool {
	inRing := make([]bool, len(s.bonds))
	depth, low := make([]int32, len(s.atoms)), make([]int32, len(s.atoms))
	type visit struct {
		atom, next int
		from       int32 // bond
	}
	var stack []visit
	for start := range s.atoms {
		if depth[start] > 0 {
			continue
		}
		depth[start], low[start] = 1, 1
		stack = append(stack[:0], visit{start, 0, -1})
		for len(stack) > 0 {
			v := &stack[len(stack)-1]
			if v.next == len(s.at[v.atom]) {
				done := *v
				stack = stack[:len(stack)-1]
				if len(stack) > 0 {
					above := stack[len(stack)-1].atom
					low[above] = min(low[above], low[done.atom])
					inRing[done.from] = low[done.atom] <= depth[above]
				}
				continue
			}
			k := s.at[v.atom][v.next]
			v.next++
			if k == v.from {
				continue
			}
			other := s.bonds[k].other(v.atom)
			if depth[other] > 0 {
				low[v.atom] = min(low[v.atom], depth[other])
				inRing[k] = true
				continue
			}
			depth[other] = depth[v.atom] + 1
			low[other] = depth[other]
			stack = append(stack, visit{other, 0, k})
		}
	}
	return inRing
}

// rings finds the rings that are no sum of smaller ones, as chemists count
// them. In very large networks of rings it finds some of them.
func (s *structure) rings(inRing []bool) []*ring {
	numbers := make([]int32, len(s.bonds))
	count := 0
	for k := range s.bonds {
		if inRing[k] {
			numbers[k] = int32(count)
			count++
		}
	}
	if count == 0 {
		return nil
	}
	f := ringFinder{
		s: s, open: slices.Clone(inRing), numbers: numbers, count: count,
		left: ringSteps, seen: map[string]bool{},
	}
	f.distance, f.from, f.branch = make([]int32, len(s.atoms)), make([]int32, len(s.atoms)), make([]int32, len(s.atoms))
	for i := range s.atoms {
		f.search(int32(i))
	}
	slices.SortStableFunc(f.found, func(a, b *ring) int {
		return cmp.Or(cmp.Compare(len(a.bonds), len(b.bonds)), slices.Compare(a.bonds, b.bonds))
	})
	f.left = ringSteps
	return f.irreducible()
}

type ringFinder struct {
	s       *structure
	open    []bool  // ring bonds that the search may still use
	numbers []int32 // of the bonds, among ring bonds
	count   int     // of ring bonds
	left    int     // steps
	found   []*ring
	seen    map[string]bool
	// of the search in hand, 1 + the distance from its start, the bond each
	// atom was reached by, and the neighbour of the start it lies after
	distance, from, branch []int32
}

// search finds the rings through an atom that are closed by a bond between two
// shortest paths from it. Later searches do without the atom.
func (f *ringFinder) search(start int32) {
	bonds := 0
	for _, k := range f.s.at[start] {
		if f.open[k] {
			bonds++
		}
	}
	if bonds < 2 {
		return
	}
	queue := []int32{start}
	f.distance[start] = 1
	type closure struct{ a, b, bond int32 }
	var closures []closure
	for n := 0; n < len(queue) && f.left > 0 && len(closures) < mostClosures; n++ {
		at := queue[n]
		for _, k := range f.s.at[at] {
			if !f.open[k] || at != start && k == f.from[at] {
				continue
			}
			f.left--
			next := int32(f.s.bonds[k].other(int(at)))
			switch {
			case f.distance[next] == 0 && f.distance[at] <= largestRing/2:
				f.distance[next], f.from[next], f.branch[next] = f.distance[at]+1, k, f.branch[at]
				if at == start {
					f.branch[next] = next
				}
				queue = append(queue, next)
			case f.distance[next] >= f.distance[at] && at != start && f.branch[next] != f.branch[at] &&
				(f.distance[next] > f.distance[at] || at < next) && f.distance[at]+f.distance[next]-1 <= largestRing:
				closures = append(closures, closure{at, next, k})
			}
		}
	}
	for _, c := range closures {
		f.add(c.a, c.b, c.bond)
	}
	for _, i := range queue {
		f.distance[i], f.branch[i] = 0, 0
	}
	for _, k := range f.s.at[start] {
		f.open[k] = false
	}
}

func (f *ringFinder) add(a, b, closing int32) {
	length := int(f.distance[a] + f.distance[b])
	r := &ring{bonds: append(make([]int32, 0, length), closing), atoms: append(make([]int32, 0, length), a, b)}
	for _, end := range []int32{a, b} {
		for f.distance[end] > 1 {
			r.bonds = append(r.bonds, f.from[end])
			end = int32(f.s.bonds[f.from[end]].other(int(end)))
			r.atoms = append(r.atoms, end)
			f.left--
		}
	}
	r.atoms = r.atoms[:len(r.atoms)-1] // the start is there twice
	slices.Sort(r.bonds)
	key := make([]byte, 0, 4*len(r.bonds))
	for _, k := range r.bonds {
		key = append(key, byte(k), byte(k>>8), byte(k>>16), byte(k>>24))
	}
	if f.seen[string(key)] {
		return
	}
	f.seen[string(key)] = true
	r.set = newBits(f.count)
	for _, k := range r.bonds {
		r.set.set(int(f.numbers[k]))
	}
	f.left -= len(r.set)
	f.found = append(f.found, r)
}

// irreducible keeps the rings that are no sum of smaller ones.
func (f *ringFinder) irreducible() []*ring {
	var kept []*ring
	basis := map[int]bits{} // by the lowest bond
	reduced := func(set bits) bits {
		set = slices.Clone(set)
		for f.left > 0 {
			lowest := set.first()
			if lowest < 0 || basis[lowest] == nil {
				break
			}
			f.left -= len(set)
			set.subtract(basis[lowest])
		}
		return set
	}
	for start := 0; start < len(f.found) && f.left > 0; {
		end := start
		first := len(kept)
		for ; end < len(f.found) && f.left > 0 && len(f.found[end].bonds) == len(f.found[start].bonds); end++ {
			if reduced(f.found[end].set).first() >= 0 {
				kept = append(kept, f.found[end])
			}
		}
		for _, r := range kept[first:] {
			if rest := reduced(r.set); rest.first() >= 0 && basis[rest.first()] == nil {
				basis[rest.first()] = rest
			}
		}
		start = end
	}
	return kept
}
