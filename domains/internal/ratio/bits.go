package ratio

import "math/bits"

// bitWidth is the longest second sequence that the bit rows take. It is below
// popularFrom, so the popularity heuristic never applies to them.
const bitWidth = 128

// row is a set of places in the second sequence.
type row struct{ lo, hi uint64 }

func (r row) and(s row) row { return row{r.lo & s.lo, r.hi & s.hi} }
func (r row) shifted() row  { return row{r.lo << 1, r.hi<<1 | r.lo>>63} }
func (r row) empty() bool   { return r.lo|r.hi == 0 }
func (r row) lowest() int {
	if r.lo != 0 {
		return bits.TrailingZeros64(r.lo)
	}
	return 64 + bits.TrailingZeros64(r.hi)
}

// below returns the set of all places less than n.
func below(n int) row {
	switch {
	case n >= 128:
		return row{^uint64(0), ^uint64(0)}
	case n >= 64:
		return row{^uint64(0), 1<<(n-64) - 1}
	default:
		return row{1<<n - 1, 0}
	}
}

// bitRows finds the matching blocks of short texts with one bit a place: the runs of length k+1 that end in a row are
// the runs of length k of the row before, shifted by one place, where the row has the element too.
type bitRows struct {
	length int
	ascii  [128]row
	other  map[rune]row
	// levels[k] holds the places where runs of length k+1 end.
	levels, before []row
	masks          []row
}

func newBitRows(b []rune) *bitRows {
	r := &bitRows{length: len(b)}
	for j, c := range b {
		at := row{1 << uint(j), 1 << uint(j-64)} // a shift too far leaves nothing
		if c >= 0 && c < 128 {
			r.ascii[c] = row{r.ascii[c].lo | at.lo, r.ascii[c].hi | at.hi}
			continue
		}
		if r.other == nil {
			r.other = map[rune]row{}
		}
		known := r.other[c]
		r.other[c] = row{known.lo | at.lo, known.hi | at.hi}
	}
	return r
}

// matched returns the summed length of the matching blocks of a and b.
func (r *bitRows) matched(a []rune) int {
	r.masks = r.masks[:0]
	for _, c := range a {
		if c >= 0 && c < 128 {
			r.masks = append(r.masks, r.ascii[c])
		} else {
			r.masks = append(r.masks, r.other[c])
		}
	}
	return r.search(window{0, len(a), 0, r.length})
}

func (r *bitRows) search(w window) int {
	high, low := below(w.bhi), below(w.blo)
	inside := row{high.lo &^ low.lo, high.hi &^ low.hi}
	i, j, size := 0, 0, 0
	r.before = r.before[:0]
	for at := w.alo; at < w.ahi; at++ {
		mask := r.masks[at].and(inside)
		r.levels = r.levels[:0]
		for run := mask; !run.empty(); {
			r.levels = append(r.levels, run)
			k := len(r.levels)
			if k > size {
				i, j, size = at-k+1, run.lowest()-k+1, k
			}
			if k > len(r.before) {
				break
			}
			run = r.before[k-1].shifted().and(mask)
		}
		r.levels, r.before = r.before, r.levels
	}
	if size == 0 {
		return 0
	}
	total := size
	if w.alo < i && w.blo < j {
		total += r.search(window{w.alo, i, w.blo, j})
	}
	if i+size < w.ahi && j+size < w.bhi {
		total += r.search(window{i + size, w.ahi, j + size, w.bhi})
	}
	return total
}

// Profile counts a text's code points in 32 buckets. Two profiles bound the
// ratio of their texts from above at a fraction of its price.
type Profile struct {
	length int
	counts [32]uint16
}

// ProfileOf returns the profile of a text of less than 65,536 code points;
// longer texts get a profile that bounds nothing.
func ProfileOf(text []rune) Profile {
	p := Profile{length: len(text)}
	if p.length > 65_535 {
		return p
	}
	for _, c := range text {
		p.counts[c&31]++
	}
	return p
}

// AtMost returns a number that the ratio of the two texts does not exceed.
func (p *Profile) AtMost(q *Profile) float64 {
	if p.length > 65_535 || q.length > 65_535 {
		return 1
	}
	common := 0
	for k := range p.counts {
		common += int(min(p.counts[k], q.counts[k]))
	}
	return ratio(common, p.length, q.length)
}
