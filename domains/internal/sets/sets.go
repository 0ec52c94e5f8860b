// Package sets compares sets of values.
package sets

// Jaccard is the share of common values in the union of the two sets that the
// lists stand for, 1 if both are empty.
func Jaccard[T comparable](a, b []T) float64 {
	inA := make(map[T]bool, len(a))
	for _, v := range a {
		inA[v] = true
	}
	common, union := 0, len(inA)
	seen := make(map[T]bool, len(b))
	for _, v := range b {
		switch {
		case seen[v]:
		case inA[v]:
			common++
		default:
			union++
		}
		seen[v] = true
	}
	if union == 0 {
		return 1
	}
	return float64(common) / float64(union)
}
