// Package lists makes lists of what there is to say about the items of others.
package lists

import (
	"cmp"
	"slices"
)

// Map is what of says of each item.
func Map[T, V any](items []T, of func(T) V) []V {
	all := make([]V, len(items))
	for i, item := range items {
		all[i] = of(item)
	}
	return all
}

// Each is Map for methods of large items, which are not copied and may be changed.
func Each[T, V any](items []T, of func(*T) V) []V {
	all := make([]V, len(items))
	for i := range items {
		all[i] = of(&items[i])
	}
	return all
}

// Found has what of finds in items, of those in which it does.
func Found[T, V any](items []T, of func(*T) (found V, ok bool)) []V {
	var all []V
	for i := range items {
		if found, ok := of(&items[i]); ok {
			all = append(all, found)
		}
	}
	return all
}

// First is the first item that is wanted, nil if there is none.
func First[T any](items []T, wanted func(*T) bool) *T {
	for i := range items {
		if wanted(&items[i]) {
			return &items[i]
		}
	}
	return nil
}

// Count is how many items are wanted.
func Count[T any](items []T, wanted func(*T) bool) int {
	n := 0
	for i := range items {
		if wanted(&items[i]) {
			n++
		}
	}
	return n
}

// Trim leaves out the items at both ends that are not wanted.
func Trim[T any](items []T, unwanted func(T) bool) []T {
	for len(items) > 0 && unwanted(items[0]) {
		items = items[1:]
	}
	for len(items) > 0 && unwanted(items[len(items)-1]) {
		items = items[:len(items)-1]
	}
	return slices.Clip(items)
}

// Order are the places of n things in another order, equal ones as they were.
func Order(n int, compare func(a, b int) int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, compare)
	return order
}

// LeastRotation is where the rotation of a list that comes first in order begins.
func LeastRotation[T cmp.Ordered](ring []T) int {
	a, b, same := 0, 1, 0 // two candidates, and how far they agree
	for a < len(ring) && b < len(ring) && same < len(ring) {
		x, y := ring[(a+same)%len(ring)], ring[(b+same)%len(ring)]
		switch {
		case x == y:
			same++
			continue
		case x > y:
			a += same + 1
		default:
			b += same + 1
		}
		if a == b {
			b++
		}
		same = 0
	}
	return min(a, b)
}
