package fiction

import (
	"cmp"
	"slices"

	"agentd/domains"
)

const (
	// mostPasses is how often what is left over is looked through for passages that have moved.
	mostPasses = 4
	// mostTable is the product of the numbers of words between two anchors up to
	// which the most equal ones in order are found; beyond, they are in pieces.
	mostTable = 1 << 16
)

// none is the partner of a word that has none.
const none = -1

// align returns for each word of the candidate the one of the reference that it is, or none. Words that occur once on
// both sides, in the same order, are anchors; equal words next to them belong to them, and between them as many as
// possible in order. What is left is looked through again, and so passages are found that stand elsewhere.
func align(ref, got []int) []int {
	texts := 0
	for _, words := range [][]int{ref, got} {
		for _, text := range words {
			texts = max(texts, text+1)
		}
	}
	partners := slices.Repeat([]int{none}, len(got))
	refs, gots := upTo(len(ref)), upTo(len(got))
	for range mostPasses {
		a := alignment{ref: ref, got: got, texts: texts, refs: refs, gots: gots, partner: slices.Repeat([]int{none}, len(gots))}
		a.run()
		taken := make([]bool, len(ref))
		found := false
		var left []int
		for place, p := range a.partner {
			if p == none {
				left = append(left, gots[place])
				continue
			}
			partners[gots[place]] = refs[p]
			taken[refs[p]], found = true, true
		}
		if !found || len(left) == 0 {
			break
		}
		gots = left
		refs = slices.DeleteFunc(refs, func(i int) bool { return taken[i] })
	}
	return partners
}

func upTo(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// alignment is one pass over the words that have no partner yet.
type alignment struct {
	ref, got   []int // words, by the number of their text
	texts      int   // how many there are
	refs, gots []int // places in these
	partner    []int // by place in gots, a place in refs
}

func (a *alignment) equal(r, g int) bool { return a.ref[a.refs[r]] == a.got[a.gots[g]] }

func (a *alignment) run() {
	r, g := 0, 0
	for _, anchor := range a.anchors() {
		if anchor.g < g { // the passage before goes beyond it
			continue
		}
		for anchor.r > r && anchor.g > g && a.equal(anchor.r-1, anchor.g-1) {
			anchor.r, anchor.g = anchor.r-1, anchor.g-1
		}
		a.between(r, anchor.r, g, anchor.g)
		for r, g = anchor.r, anchor.g; r < len(a.refs) && g < len(a.gots) && a.equal(r, g); r, g = r+1, g+1 {
			a.partner[g] = r
		}
	}
	a.between(r, len(a.refs), g, len(a.gots))
}

// anchor is a word at its places in refs and gots.
type anchor struct{ r, g int }

// anchors are the most words in the same order among those that occur once on
// both sides, and the first words and the last ones if they are equal.
func (a *alignment) anchors() []anchor {
	count := make([]anchor, a.texts) // how often, on either side
	at := make([]int, a.texts)       // the last place in refs
	for r, i := range a.refs {
		count[a.ref[i]].r++
		at[a.ref[i]] = r
	}
	for _, j := range a.gots {
		count[a.got[j]].g++
	}
	all := make([]anchor, 0, min(len(a.refs), len(a.gots)))
	for g, j := range a.gots {
		if count[a.got[j]] == (anchor{1, 1}) {
			all = append(all, anchor{at[a.got[j]], g})
		}
	}
	all = rising(all)
	if len(a.refs) > 0 && len(a.gots) > 0 && a.equal(0, 0) && (len(all) == 0 || all[0].r > 0 && all[0].g > 0) {
		all = slices.Insert(all, 0, anchor{})
	}
	return all
}

// rising is a longest part of a list, in the order of g, in which r rises too.
func rising(all []anchor) []anchor {
	var tails []int // of the runs of each length, the one that ends with the smallest r
	before := make([]int, len(all))
	for i := range all {
		k, _ := slices.BinarySearchFunc(tails, all[i].r, func(tail, r int) int { return cmp.Compare(all[tail].r, r) })
		before[i] = none
		if k > 0 {
			before[i] = tails[k-1]
		}
		if k == len(tails) {
			tails = append(tails, i)
		} else {
			tails[k] = i
		}
	}
	run := make([]anchor, len(tails))
	if len(tails) > 0 {
		for k, i := len(tails)-1, tails[len(tails)-1]; i != none; k, i = k-1, before[i] {
			run[k] = all[i]
		}
	}
	return run
}

// between aligns the words between two anchors.
func (a *alignment) between(r, rEnd, g, gEnd int) {
	for r < rEnd && g < gEnd && a.equal(rEnd-1, gEnd-1) {
		rEnd, gEnd = rEnd-1, gEnd-1
		a.partner[gEnd] = rEnd
	}
	n, m := rEnd-r, gEnd-g
	switch {
	case n == 0 || m == 0:
	case n <= mostTable/m:
		a.table(r, rEnd, g, gEnd)
	case !a.within(r, rEnd, g, gEnd):
		// Pieces about as far from the beginnings are compared with each other.
		const side = 1 << 8
		pieces := (max(n, m) + side - 1) / side
		for k := range pieces {
			a.table(r+n*k/pieces, r+n*(k+1)/pieces, g+m*k/pieces, g+m*(k+1)/pieces)
		}
	}
}

// within aligns the words if those of one side are all on the other, in their order; false if they are not.
func (a *alignment) within(r, rEnd, g, gEnd int) bool {
	var all []anchor
	for i, j := r, g; i < rEnd && j < gEnd; {
		switch {
		case a.equal(i, j):
			all = append(all, anchor{i, j})
			i, j = i+1, j+1
		case rEnd-r >= gEnd-g:
			i++
		default:
			j++
		}
	}
	if len(all) < min(rEnd-r, gEnd-g) {
		return false
	}
	for _, p := range all {
		a.partner[p.g] = p.r
	}
	return true
}

// table finds the most equal words in order (the longest common subsequence).
func (a *alignment) table(r, rEnd, g, gEnd int) {
	n, m := rEnd-r, gEnd-g
	longest := make([]int32, (n+1)*(m+1)) // of what follows each pair of places
	at := func(i, j int) *int32 { return &longest[i*(m+1)+j] }
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			if a.equal(r+i, g+j) {
				*at(i, j) = *at(i+1, j+1) + 1
			} else {
				*at(i, j) = max(*at(i+1, j), *at(i, j+1))
			}
		}
	}
	for i, j := 0, 0; i < n && j < m; {
		switch {
		case a.equal(r+i, g+j):
			a.partner[g+j] = r + i
			i, j = i+1, j+1
		case *at(i+1, j) >= *at(i, j+1):
			i++
		default:
			j++
		}
	}
}

// numbering gives equal texts equal numbers.
type numbering map[string]int

func (n numbering) of(text string) int {
	number, known := n[text]
	if !known {
		number = len(n)
		n[text] = number
	}
	return number
}

// numbered are the numbers of what items say.
func numbered[T any](n numbering, items []T, text func(*T) string) []int {
	all := make([]int, len(items))
	for i := range items {
		all[i] = n.of(text(&items[i]))
	}
	return all
}

// similarity is the share of the words of the longer story that both have in the same order.
func similarity(ref, got []string) float64 {
	if len(ref) == 0 && len(got) == 0 {
		return 1
	}
	n, itself := numbering{}, func(word *string) string { return *word }
	var both []anchor
	for g, r := range align(numbered(n, ref, itself), numbered(n, got, itself)) {
		if r != none {
			both = append(both, anchor{r, g})
		}
	}
	return float64(len(rising(both))) / float64(max(len(ref), len(got)))
}

// aligned gives the words and paragraphs of a candidate the names of those in the reference that they are. Where words
// gave way to others, as many of them as there are on both sides are taken for each other.
func aligned(ref, got []domains.Element) ([]domains.Element, []domains.Element) {
	refs, gots := wordsOf(ref), wordsOf(got)
	value := func(e *domains.Element) string { return e.Fields[0].Value }
	same := func(a, b domains.Element) bool { return value(&a) == value(&b) && a.Key == b.Key }
	if slices.EqualFunc(ref[:refs], got[:gots], same) {
		return ref, got
	}
	n := numbering{}
	partners := align(numbered(n, ref[:refs], value), numbered(n, got[:gots], value))
	replaced(partners, refs)
	paragraphs := paragraphsLike(ref, got, partners)
	renamed := slices.Clone(got)
	fields := make([]domains.Field, len(got))
	for j := range renamed {
		e := &renamed[j]
		fields[j] = e.Fields[0]
		e.Fields = fields[j : j+1 : j+1]
		switch {
		case e.Kind == restKind:
		case j < gots && partners[j] != none:
			i := partners[j]
			e.Key, e.Fields[0].Name = ref[i].Key, ref[i].Fields[0].Name
		case e.Kind == paragraphKind && paragraphs[e.Key] != "":
			e.Key = paragraphs[e.Key]
			e.Fields[0].Name = e.Key
		default:
			e.Key += ofCopy
			e.Fields[0].Name += ofCopy
		}
	}
	return ref, renamed
}

// ofCopy is after the names of what only the candidate has.
const ofCopy = " of the copy"

// paragraphsLike gives each paragraph of the candidate the one of the reference
// that begins where it does: between the same words, or what is left of them.
func paragraphsLike(ref, got []domains.Element, partners []int) map[string]string {
	like, taken := map[string]string{}, map[string]bool{}
	before := "" // the reference's paragraph of the last word with a partner
	for start := 0; start < len(partners); {
		key := got[start].Key
		first, last := "", before
		end := start
		for ; end < len(partners) && got[end].Key == key; end++ {
			if partners[end] == none {
				continue
			}
			last = ref[partners[end]].Key
			if first == "" {
				first = last
			}
		}
		if first != before && !taken[first] {
			like[key], taken[first] = first, true
		}
		before, start = last, end
	}
	return like
}

// wordsOf is the number of words, which come first.
func wordsOf(elements []domains.Element) int {
	n := slices.IndexFunc(elements, func(e domains.Element) bool { return e.Kind != counted })
	if n < 0 {
		return len(elements)
	}
	return n
}

// replaced makes partners of words without one that stand between the same neighbours.
func replaced(partners []int, refs int) {
	taken := make([]bool, refs)
	for _, i := range partners {
		if i != none {
			taken[i] = true
		}
	}
	next := 0 // the word of the reference after the neighbour before
	for j, i := range partners {
		if i != none {
			next = i + 1
			continue
		}
		if next < refs && !taken[next] {
			partners[j], taken[next] = next, true
			next++
		}
	}
}
