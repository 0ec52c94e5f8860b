package element

import (
	"cmp"
	"hash/maphash"
	"math/bits"
	"slices"

	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
)

// pair is a matched pair, as indexes into both sides.
type pair struct{ ref, got int }

const (
	// same is the similarity of elements with equal fields.
	same = 1
	// sameElement is the least similarity at which two elements are taken for
	// one that changed; below it one was lost and another added.
	sameElement = 0.5
	// sameKey is that least similarity for elements with equal keys.
	sameKey = 0.25
	// commonValue is the number of elements from which a field value is too common to suggest partners.
	commonValue = 48
	// commonPairs is the number of pairs from which a value of a very large
	// reference is too common for that, however rare it is in the candidate.
	commonPairs = 1 << 17
	// neighbours is how far, in places among what is left, partners are sought that share no field value.
	neighbours = 8
)

// match pairs the elements of one kind: first the identical ones, then those with equal keys, then the most similar of
// the rest. Of identical elements that have places, those of a longest common sequence belong together, so that no element
// is moved because one like it was lost; of others the k-th belongs to the k-th.
func match(ref, got []Element, noted *notes.Notes) []pair {
	if len(ref) == 0 || len(got) == 0 {
		return nil
	}
	m := matcher{
		ref: ref, got: got, noted: noted,
		refFree: slices.Repeat([]bool{true}, len(ref)), gotFree: slices.Repeat([]bool{true}, len(got)),
		pairs: make([]pair, 0, min(len(ref), len(got))),
	}
	var d digester
	refs, gots := d.digests(ref), d.digests(got)
	if placed(ref) && placed(got) {
		for _, p := range lists.Common(refs, gots) {
			if m.similar(p.Ref, p.Got, same) {
				m.take(p.Ref, p.Got)
			}
		}
	}
	pairEqual(&m, func(i int) uint64 { return refs[i] }, func(j int) uint64 { return gots[j] }, same)
	if len(m.pairs) < max(len(ref), len(got)) {
		pairEqual(&m, func(i int) string { return ref[i].Key }, func(j int) string { return got[j].Key }, sameKey)
		m.pairSimilar()
	}
	return m.pairs
}

type matcher struct {
	ref, got         []Element
	refFree, gotFree []bool
	pairs            []pair
	noted            *notes.Notes
}

func (m *matcher) take(i, j int) {
	m.refFree[i], m.gotFree[j] = false, false
	m.pairs = append(m.pairs, pair{i, j})
}

// placed reports whether elements of one kind have places that mean something.
func placed(elements []Element) bool {
	return lists.First(elements, func(e *Element) bool { return e.Position != 0 }) != nil
}

// pairEqual pairs free elements of equal label, the k-th with the k-th, where they are similar enough.
func pairEqual[L comparable](m *matcher, ofRef, ofGot func(int) L, least float64) {
	refs := free(m.refFree)
	numbers := make(map[L]int, len(refs)) // of the queues
	queueOf := make([]int, len(refs))
	for at, i := range refs {
		l := ofRef(i)
		number, known := numbers[l]
		if !known {
			number = len(numbers)
			numbers[l] = number
		}
		queueOf[at] = number
	}
	// A queue is a chain through next; 0 is its end, so places count from 1.
	firsts, lasts := make([]int, len(numbers)), make([]int, len(numbers))
	next := make([]int, len(m.got)+1)
	for j := range m.got {
		if !m.gotFree[j] {
			continue
		}
		number, wanted := numbers[ofGot(j)]
		switch {
		case !wanted:
			continue
		case lasts[number] == 0:
			firsts[number] = j + 1
		default:
			next[lasts[number]] = j + 1
		}
		lasts[number] = j + 1
	}
	for at, i := range refs {
		first := &firsts[queueOf[at]]
		if *first == 0 || !m.similar(i, *first-1, least) {
			continue
		}
		m.take(i, *first-1)
		*first = next[*first]
	}
}

// similar reports whether two elements have at least that similarity.
func (m *matcher) similar(i, j int, least float64) bool {
	return mostSimilar(&m.ref[i], &m.got[j]) >= least && similarity(&m.ref[i], &m.got[j], least) >= least
}

// mostSimilar is a number that the similarity does not exceed.
func mostSimilar(a, b *Element) float64 {
	fewer, more := min(len(a.Fields), len(b.Fields)), max(len(a.Fields), len(b.Fields))
	if more == 0 {
		return 1
	}
	return float64(fewer) / float64(more)
}

// pairSimilar pairs what is left, the most similar first. Candidates are elements that share a not too common field
// value, and those about the same place.
func (m *matcher) pairSimilar() {
	refs, gots := free(m.refFree), free(m.gotFree)
	if len(refs) == 0 || len(gots) == 0 {
		return
	}
	sharing := m.bySharedValue(refs, gots)
	type candidate struct {
		similarity float64
		apart      int
		pair       pair
	}
	var candidates []candidate
	seen := make([]int, len(gots)) // 1 + the last place in refs that met it
	for at, i := range refs {
		meet := func(place int) {
			if seen[place] == at+1 {
				return
			}
			seen[place] = at + 1
			j := gots[place]
			if mostSimilar(&m.ref[i], &m.got[j]) < sameElement {
				return
			}
			if s := similarity(&m.ref[i], &m.got[j], sameElement); s >= sameElement {
				candidates = append(candidates, candidate{s, max(at-place, place-at), pair{i, j}})
			}
		}
		for _, f := range m.ref[i].Fields {
			for _, place := range sharing[f].suggested(m.noted) {
				meet(place)
			}
		}
		for place := max(0, at-neighbours); place <= min(at+neighbours, len(gots)-1); place++ {
			meet(place)
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		return cmp.Or(
			-cmp.Compare(a.similarity, b.similarity),
			cmp.Compare(a.apart, b.apart),
			cmp.Compare(a.pair.ref, b.pair.ref),
			cmp.Compare(a.pair.got, b.pair.got))
	})
	for _, c := range candidates {
		if m.refFree[c.pair.ref] && m.gotFree[c.pair.got] {
			m.take(c.pair.ref, c.pair.got)
		}
	}
}

// sharers are the elements that have a field of equal name and value.
type sharers struct {
	refs   int
	places []int // in the free ones of the candidate, at most one too many
}

// suggested are the partners that the field suggests: none if it is too common.
func (s sharers) suggested(noted *notes.Notes) []int {
	if len(s.places) > commonValue {
		return nil
	}
	if s.refs*len(s.places) > commonPairs {
		noted.Add(notes.Paired)
		return nil
	}
	return s.places
}

// bySharedValue lists the elements that are left by their fields. Of the side with more
// fields only those are looked at that the other one has.
func (m *matcher) bySharedValue(refs, gots []int) map[Field]sharers {
	all := map[Field]sharers{}
	count := func(elements []Element, free []int, first bool, add func(*sharers, int)) {
		for place, k := range free {
			for _, f := range elements[k].Fields {
				if f.Value == "" {
					continue
				}
				s, known := all[f]
				if first || known {
					add(&s, place)
					all[f] = s
				}
			}
		}
	}
	addRef := func(s *sharers, _ int) { s.refs++ }
	addGot := func(s *sharers, place int) {
		if len(s.places) <= commonValue {
			s.places = append(s.places, place)
		}
	}
	if fieldsOf(m.ref, refs) <= fieldsOf(m.got, gots) {
		count(m.ref, refs, true, addRef)
		count(m.got, gots, false, addGot)
	} else {
		count(m.got, gots, true, addGot)
		count(m.ref, refs, false, addRef)
	}
	return all
}

func fieldsOf(elements []Element, free []int) (n int) {
	for _, k := range free {
		n += len(elements[k].Fields)
	}
	return n
}

func free(is []bool) []int {
	indexes := make([]int, 0, len(is))
	for i, yes := range is {
		if yes {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// seed makes digests comparable within this process.
var seed = maphash.MakeSeed()

// digester finds the digests of elements, most of which have the field names of the one before.
type digester struct {
	names  []string
	hashes []uint64
}

func (d *digester) digests(elements []Element) []uint64 {
	all := make([]uint64, len(elements))
	for i := range elements {
		all[i] = d.digest(&elements[i])
	}
	return all
}

// digest is equal for elements with equal fields, in any order.
func (d *digester) digest(e *Element) uint64 {
	sum := uint64(0)
	for k, f := range e.Fields {
		if k == len(d.names) {
			d.names, d.hashes = append(d.names, f.Name), append(d.hashes, maphash.String(seed, f.Name))
		} else if d.names[k] != f.Name {
			d.names[k], d.hashes[k] = f.Name, maphash.String(seed, f.Name)
		}
		sum += (d.hashes[k]*spread ^ maphash.String(seed, f.Value)) * spread
	}
	return sum
}

// similarity of two elements is the mean over their fields of 1 where they are
// equal and of the share of common beginning and end where not. Where it is below least it may be 0 instead.
func similarity(a, b *Element, least float64) float64 {
	if slices.Equal(a.Fields, b.Fields) {
		return same
	}
	if aligned(a.Fields, b.Fields) {
		sum, n := 0.0, float64(len(a.Fields))
		for k := range a.Fields {
			sum += closeness(a.Fields[k].Value, b.Fields[k].Value)
			const rounding = 1e-6
			if left := n - float64(k+1); sum+left < least*n-rounding {
				return 0
			}
		}
		return sum / n
	}
	if max(len(a.Fields), len(b.Fields)) <= fewFields {
		return similarFew(a.Fields, b.Fields, least)
	}
	sum := 0.0
	pairs := pairMany(a.Fields, b.Fields)
	for _, p := range pairs {
		if p.inRef && p.inGot {
			sum += closeness(p.was, p.is)
		}
	}
	return sum / float64(len(pairs))
}

// similarFew is the similarity of two elements with few fields, by the partners of these.
func similarFew(a, b []Field, least float64) float64 {
	var partner partners
	paired := bits.OnesCount64(partner.pair(a, b))
	all := len(a) + len(b) - paired
	const rounding = 1e-6
	enough, missed := least*float64(all)-rounding, 0.0
	if float64(paired) < enough {
		return 0
	}
	sum := 0.0
	for i := range a {
		if j := int(partner[i]) - 1; j >= 0 {
			near := closeness(a[i].Value, b[j].Value)
			sum += near
			if missed += 1 - near; float64(paired)-missed < enough {
				return 0
			}
		}
	}
	return sum / float64(all)
}

// closeness is the share of the longer text that a common beginning and a common end cover, in bytes.
func closeness(a, b string) float64 {
	if a == b {
		return 1
	}
	shorter, longer := min(len(a), len(b)), max(len(a), len(b))
	start := 0
	for start < shorter && a[start] == b[start] {
		start++
	}
	end := 0
	for end < shorter-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	return float64(start+end) / float64(longer)
}

// movedPairs marks the elements of the reference whose partner is out of
// order: those outside a longest run of pairs with no place going backwards.
func movedPairs(ref, got []Element, pairs []pair) []bool {
	moved := make([]bool, len(ref))
	if !placed(ref) && !placed(got) {
		return moved // order means nothing
	}
	ordered := slices.Clone(pairs)
	slices.SortFunc(ordered, func(a, b pair) int {
		if c := cmp.Compare(ref[a.ref].Position, ref[b.ref].Position); c != 0 {
			return c
		}
		if c := cmp.Compare(got[a.got].Position, got[b.got].Position); c != 0 {
			return c
		}
		return cmp.Compare(a.ref, b.ref)
	})
	places := lists.Map(ordered, func(p pair) int { return got[p.got].Position })
	if slices.IsSorted(places) {
		return moved
	}
	for _, p := range ordered {
		moved[p.ref] = true
	}
	for _, at := range lists.Rising(places) {
		moved[ordered[at].ref] = false
	}
	return moved
}

// movedAmongAll marks also the elements that are in order among those of their kind, and not among those of all kinds.
func movedAmongAll(all []matched) {
	type place struct{ kind, ref, was, is int }
	var places []place
	for kind, m := range all {
		for _, p := range m.pairs {
			if was, is := m.ref[p.ref].Position, m.got[p.got].Position; was > 0 && is > 0 && !m.moved[p.ref] {
				places = append(places, place{kind, p.ref, was, is})
			}
		}
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Compare(a.was, b.was) })
	is := lists.Map(places, func(p place) int { return p.is })
	if slices.IsSorted(is) {
		return
	}
	in := make([]bool, len(places))
	for _, at := range lists.Rising(is) {
		in[at] = true
	}
	for n, p := range places {
		all[p.kind].moved[p.ref] = !in[n]
	}
}
