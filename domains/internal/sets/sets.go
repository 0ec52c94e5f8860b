// Package sets compares sets of values.
package sets

// Jaccard is the share of common values in the union of the two sets that the
// lists stand for, 1 if both are empty.
func Jaccard[T comparable](a, b []T) float64 {
	const inA, inB = 1, 2
	in := make(map[T]uint8, len(a))
	for _, v := range a {
		in[v] = inA
	}
	common, union := 0, len(in)
	for _, v := range b {
		switch known := in[v]; {
		case known&inB != 0:
			continue
		case known&inA != 0:
			common++
		default:
			union++
		}
		in[v] |= inB
	}
	if union == 0 {
		return 1
	}
	return float64(common) / float64(union)
}

// LastByName keeps of the items of one name the last, in the place of the first.
func LastByName[T any](items []T, name func(*T) string) []T {
	var kept []T
	at := make(map[string]int, len(items))
	for i := range items {
		key := name(&items[i])
		if n, ok := at[key]; ok {
			kept[n] = items[i]
			continue
		}
		at[key] = len(kept)
		kept = append(kept, items[i])
	}
	return kept
}
