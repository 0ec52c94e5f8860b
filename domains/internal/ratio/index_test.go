package ratio

import (
	"testing"

	"pgregory.net/rapid"
)

// textbook is the summed length of the matching blocks by the definition, row by row.
func textbook(a, b []rune, popularity bool) int {
	most := map[rune]int{}
	for _, r := range b {
		most[r]++
	}
	starts := func(r rune) bool { return !popularity || most[r] <= mostOf(len(b)) }
	var search func(w window) int
	search = func(w window) int {
		i, j, size := w.alo, w.blo, 0
		for row := w.alo; row < w.ahi; row++ {
			for col := w.blo; col < w.bhi; col++ {
				n := 0
				for row+n < w.ahi && col+n < w.bhi && a[row+n] == b[col+n] && starts(a[row+n]) {
					n++
				}
				if n > size {
					i, j, size = row, col, n
				}
			}
		}
		for i > w.alo && j > w.blo && a[i-1] == b[j-1] {
			i, j, size = i-1, j-1, size+1
		}
		for i+size < w.ahi && j+size < w.bhi && a[i+size] == b[j+size] {
			size++
		}
		if size == 0 {
			return 0
		}
		return size + search(window{w.alo, i, w.blo, j}) + search(window{i + size, w.ahi, j + size, w.bhi})
	}
	return search(window{0, len(a), 0, len(b)})
}

func TestBlocksAreThoseOfTheDefinition(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := repetitive(t), repetitive(t)
		a, b = a[:min(len(a), 400)], b[:min(len(b), 400)]
		for _, popularity := range []bool{false, true} {
			if got, want := blocks(a, b, popularity), textbook(a, b, popularity); got != want {
				t.Fatalf("%d code points match, want %d, popularity %v, in %q and %q", got, want, popularity, string(a), string(b))
			}
			if !popularity {
				continue
			}
			text := Prepare(string(b))
			if got, want := text.RatioRunes(a), ratio(textbook(a, b, true), len(a), len(b)); got != want {
				t.Fatalf("ratio %v, want %v, of %q and %q", got, want, string(a), string(b))
			}
		}
	})
}
