package sets

// LastPairs pairs, of each key that both lists have, the last places at which it stands, in the
// order of those of the reference.
func LastPairs[K comparable](ref, got []K) (pairs [][2]int) {
	last := func(keys []K) map[K]int {
		at := make(map[K]int, len(keys))
		for i, key := range keys {
			at[key] = i
		}
		return at
	}
	inRef, inGot := last(ref), last(got)
	for i, key := range ref {
		if at, shared := inGot[key]; shared && inRef[key] == i {
			pairs = append(pairs, [2]int{i, at})
		}
	}
	return pairs
}
