package sets

// Pairs are the items of two sides that have a name in common.
type Pairs[T any] struct {
	Refs, Gots int // different names
	Both       [][2]*T
}

// PairByName pairs items, of several with one name the last. The pairs are in the order in which
// the names come first in the reference.
func PairByName[T any](reference, candidate []T, name func(*T) string) Pairs[T] {
	names, refs := lastByName(reference, name)
	_, gots := lastByName(candidate, name)
	p := Pairs[T]{Refs: len(refs), Gots: len(gots)}
	for _, name := range names {
		if got := gots[name]; got != nil {
			p.Both = append(p.Both, [2]*T{refs[name], got})
		}
	}
	return p
}

// lastByName returns the different names, in order, and of each the last item.
func lastByName[T any](items []T, name func(*T) string) (names []string, last map[string]*T) {
	last = make(map[string]*T, len(items))
	for i := range items {
		key := name(&items[i])
		if last[key] == nil {
			names = append(names, key)
		}
		last[key] = &items[i]
	}
	return names, last
}

// Jaccard is the share of common names among all, 1 if there are none.
func (p *Pairs[T]) Jaccard() float64 {
	union := p.Refs + p.Gots - len(p.Both)
	if union == 0 {
		return 1
	}
	return float64(len(p.Both)) / float64(union)
}

// Mean is the mean similarity of the pairs, none if there are none.
func (p *Pairs[T]) Mean(none float64, similarity func(ref, got *T) float64) float64 {
	var m Mean
	for _, pair := range p.Both {
		m.Add(similarity(pair[0], pair[1]))
	}
	return m.Or(none)
}

// EitherEmpty is the similarity of two lists of which one has nothing: 1 if both have not. Otherwise
// it is false.
func EitherEmpty[R, G any](ref []R, got []G) (similarity float64, empty bool) {
	if len(ref) == 0 && len(got) == 0 {
		return 1, true
	}
	return 0, len(ref) == 0 || len(got) == 0
}
