package lists

import "slices"

// Match is a place on both sides.
type Match struct{ Ref, Got int }

// mostEdits bounds the number of differences up to which a longest common sequence is sought between what two sequences
// begin and end with. The list of how far each step came then has about mostEdits² numbers of 4 bytes.
const mostEdits = 2000

// Common returns a longest common sequence, by the method of Myers ("An O(ND)
// difference algorithm", 1986): nil between what the sequences begin and end with if they differ there in more than
// 2,000 places.
func Common(ref, got []uint64) []Match {
	start := 0
	for start < min(len(ref), len(got)) && ref[start] == got[start] {
		start++
	}
	end := 0
	for end < min(len(ref), len(got))-start && ref[len(ref)-1-end] == got[len(got)-1-end] {
		end++
	}
	pairs := make([]Match, 0, min(len(ref), len(got)))
	for i := range start {
		pairs = append(pairs, Match{i, i})
	}
	pairs = append(pairs, middle(ref[start:len(ref)-end], got[start:len(got)-end], start)...)
	for i := range end {
		pairs = append(pairs, Match{len(ref) - end + i, len(got) - end + i})
	}
	return pairs
}

// middle finds the sequence in what is left, and adds an offset to its places.
func middle(a, b []uint64, offset int) []Match {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	most := min(len(a)+len(b), mostEdits)
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return nil
	}
	reach := make([]int32, 2*most+3) // by diagonal, shifted by most+1
	var trace [][]int32
	for d := 0; d <= most; d++ {
		for k := -d; k <= d; k += 2 {
			at := k + most + 1
			x := reach[at-1] + 1
			if k == -d || k != d && reach[at-1] < reach[at+1] {
				x = reach[at+1]
			}
			for int(x) < len(a) && int(x)-k < len(b) && a[x] == b[int(x)-k] {
				x++
			}
			reach[at] = x
			if int(x) >= len(a) && int(x)-k >= len(b) {
				return walkBack(trace, len(a), len(b), offset)
			}
		}
		trace = append(trace, slices.Clone(reach[most+1-d:most+2+d]))
	}
	return nil
}

// walkBack follows the trace of the furthest reaches from the end to the beginning.
// The d-th part of the trace has the diagonals from -d to d.
func walkBack(trace [][]int32, x, y, offset int) []Match {
	pairs := make([]Match, 0, min(x, y))
	for d := len(trace); d > 0; d-- {
		before := trace[d-1]
		reached := func(k int) int { return int(before[k+d-1]) }
		k := x - y
		from := k - 1
		if k == -d || k != d && reached(k-1) < reached(k+1) {
			from = k + 1
		}
		px := reached(from)
		py := px - from
		for x > px && y > py {
			x, y = x-1, y-1
			pairs = append(pairs, Match{x + offset, y + offset})
		}
		x, y = px, py
	}
	for x > 0 && y > 0 {
		x, y = x-1, y-1
		pairs = append(pairs, Match{x + offset, y + offset})
	}
	slices.Reverse(pairs)
	return pairs
}
