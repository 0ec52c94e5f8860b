package treebank

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"agentd/domains/internal/plain"
	"agentd/vfs"
)

const (
	depthFile     = "by_depth.conllu"
	positionsFile = "positions.csv"
)

// orderByDepth notes the depth and the mean length of arcs of every sentence,
// and sorts by depth, then number of words.
func orderByDepth(files vfs.Files) (vfs.Files, error) {
	sentences, err := readDocument(files)
	if err != nil {
		return nil, err
	}
	type measured struct {
		sentence
		position, depth, words int
	}
	all := make([]measured, len(sentences))
	for i, s := range sentences {
		t := treeOf(&s)
		depth := t.depth()
		s.comments = append(s.comments, fmt.Sprintf("depth = %d", depth), "mean_arc = "+t.meanArc())
		all[i] = measured{s, i + 1, depth, len(t.words)}
	}
	slices.SortStableFunc(all, func(a, b measured) int {
		return cmp.Or(cmp.Compare(b.depth, a.depth), cmp.Compare(b.words, a.words))
	})
	positions := [][]string{{"sent_id", "position"}}
	for i := range all {
		sentences[i] = all[i].sentence
		positions = append(positions, []string{all[i].id(), strconv.Itoa(all[i].position)})
	}
	return vfs.Files{depthFile: printAll(sentences), positionsFile: plain.WriteCSV(positions)}, nil
}

// orderByPosition puts sentences that have no position last.
func orderByPosition(files vfs.Files) (vfs.Files, error) {
	rows, err := plain.Table(files, positionsFile, "sent_id", "position")
	if err != nil {
		return nil, err
	}
	sentences, err := readNamed(files, depthFile)
	if err != nil {
		return nil, err
	}
	type placed struct {
		sentence
		position int
	}
	var all []placed
	for _, row := range rows {
		position, err := strconv.Atoi(row[1])
		if err != nil {
			continue
		}
		if s, ok := takeSentence(&sentences, row[0]); ok {
			all = append(all, placed{s, position})
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int { return cmp.Compare(a.position, b.position) })
	sorted := make([]sentence, 0, len(all)+len(sentences))
	for _, p := range all {
		sorted = append(sorted, p.sentence)
	}
	sorted = append(sorted, sentences...)
	for i := range sorted {
		sorted[i].comments = slices.DeleteFunc(sorted[i].comments, func(c string) bool {
			name, _ := cutComment(c)
			return name == "depth" || name == "mean_arc"
		})
	}
	return asDocument(sorted), nil
}

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
