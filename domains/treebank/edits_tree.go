package treebank

import "fmt"

// tree is the basic dependencies of a sentence.
type tree struct {
	words []token
	heads map[int]int
}

func treeOf(s *sentence) tree {
	t := tree{heads: map[int]int{}}
	for _, line := range s.tokens {
		if !line.isWord() {
			continue
		}
		t.words = append(t.words, line)
		id, ok := line.number(colID)
		if head, hasHead := line.number(colHead); ok && hasHead && head != 0 {
			t.heads[id] = head
		}
	}
	return t
}

// depth is the largest number of arcs between the root and a word. Where heads
// go in a circle, it is the number of words.
func (t tree) depth() int {
	deepest := 0
	for _, word := range t.words {
		at, _ := word.number(colID)
		arcs := 0
		for t.heads[at] != 0 && arcs < len(t.words) {
			at = t.heads[at]
			arcs++
		}
		deepest = max(deepest, arcs)
	}
	return deepest
}

// meanArc is the mean distance of words from their heads, to two decimals,
// rounded half up.
func (t tree) meanArc() string {
	sum := 0
	for id, head := range t.heads {
		sum += max(id-head, head-id)
	}
	hundredths := 0
	if n := len(t.heads); n > 0 {
		hundredths = (200*sum + n) / (2 * n)
	}
	return fmt.Sprintf("%d.%02d", hundredths/100, hundredths%100)
}
