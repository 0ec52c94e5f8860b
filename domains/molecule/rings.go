package molecule

import (
	"cmp"
	"math/big"
	"slices"

	"agentd/domains/internal/lists"
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
	set   big.Int // of the bonds, counted among ring bonds only

	number     int
	neighbours []*ring // those that share one bond with it
	done       bool    // it was looked at in its system
}

func (r *ring) bondNumbers() []int32 { return r.bonds }
func (r *ring) atomNumbers() []int32 { return r.atoms }

// ringBonds marks the bonds that are part of a ring: those whose loss leaves
// their ends connected.
func (s *structure) ringBonds() []bool {
	inRing := make([]bool, len(s.bonds))
	// The depth of each atom in a tree, 0 if it was not met, and the least one that it or those
	// below it have a bond to.
	depth, low := make([]int32, len(s.atoms)), make([]int32, len(s.atoms))
	var visit func(i int, from int32)
	visit = func(i int, from int32) {
		low[i] = depth[i]
		for _, k := range s.at[i] {
			next := s.bonds[k].other(i)
			switch {
			case k == from:
			case depth[next] > 0:
				low[i] = min(low[i], depth[next])
				inRing[k] = true
			default:
				depth[next] = depth[i] + 1
				visit(next, k)
				low[i] = min(low[i], low[next])
				inRing[k] = low[next] <= depth[i]
			}
		}
	}
	for start := range s.atoms {
		if depth[start] == 0 {
			depth[start] = 1
			visit(start, -1)
		}
	}
	return inRing
}

// rings finds the rings that are no sum of smaller ones, as chemists count
// them. In very large networks of rings it finds some of them.
func (s *structure) rings(inRing []bool) []*ring {
	numbers, count := make([]int, len(s.bonds)), 0
	for k, in := range inRing {
		if in {
			numbers[k] = count
			count++
		}
	}
	if count == 0 {
		return nil
	}
	f := ringFinder{
		s: s, open: slices.Clone(inRing), numbers: numbers, setSteps: (count + 63) / 64,
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
	s        *structure
	open     []bool // ring bonds that the search may still use
	numbers  []int  // of the bonds, among ring bonds
	setSteps int    // steps that the work on a set of bonds counts for
	left     int    // steps
	found    []*ring
	seen     map[string]bool
	// of the search in hand, 1 + the distance from its start, the bond each
	// atom was reached by, and the neighbour of the start it lies after
	distance, from, branch []int32
}

// search finds the rings through an atom that are closed by a bond between two
// shortest paths from it. Later searches do without the atom.
func (f *ringFinder) search(start int32) {
	if lists.Count(f.s.at[start], func(k *int32) bool { return f.open[*k] }) < 2 {
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
	for _, k := range slices.Backward(r.bonds) {
		r.set.SetBit(&r.set, f.numbers[k], 1)
	}
	key := string(r.set.Bytes())
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	f.left -= f.setSteps
	f.found = append(f.found, r)
}

// irreducible keeps the rings that are no sum of smaller ones.
func (f *ringFinder) irreducible() []*ring {
	var kept []*ring
	basis := map[uint]*big.Int{} // by the lowest bond
	reduced := func(set *big.Int) *big.Int {
		rest := new(big.Int).Set(set)
		for f.left > 0 && rest.Sign() > 0 && basis[rest.TrailingZeroBits()] != nil {
			f.left -= f.setSteps
			rest.Xor(rest, basis[rest.TrailingZeroBits()])
		}
		return rest
	}
	for start := 0; start < len(f.found) && f.left > 0; {
		end := start
		first := len(kept)
		for ; end < len(f.found) && f.left > 0 && len(f.found[end].bonds) == len(f.found[start].bonds); end++ {
			if reduced(&f.found[end].set).Sign() > 0 {
				kept = append(kept, f.found[end])
			}
		}
		for _, r := range kept[first:] {
			rest := reduced(&r.set)
			if lowest := rest.TrailingZeroBits(); rest.Sign() > 0 && basis[lowest] == nil {
				basis[lowest] = rest
			}
		}
		start = end
	}
	return kept
}
