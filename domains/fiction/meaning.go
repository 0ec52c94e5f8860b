package fiction

import (
	"slices"

	"agentd/domains"
	published "agentd/domains/published/fiction"
)

// aligned gives the words and paragraphs of a candidate the names of those in the reference that they are. Where words
// gave way to others, as many of them as there are on both sides are paired.
func aligned(ref, got []domains.Element) ([]domains.Element, []domains.Element) {
	refs, gots := wordsOf(ref), wordsOf(got)
	value := func(e *domains.Element) string { return e.Fields[0].Value }
	same := func(a, b domains.Element) bool { return value(&a) == value(&b) && a.Key == b.Key }
	if slices.EqualFunc(ref[:refs], got[:gots], same) {
		return ref, got
	}
	n := published.Numbering{}
	partners := published.Align(published.Numbered(n, ref[:refs], value), published.Numbered(n, got[:gots], value))
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
		case j < gots && partners[j] != published.None:
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
			if partners[end] == published.None {
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
		if i != published.None {
			taken[i] = true
		}
	}
	next := 0 // the word of the reference after the neighbour before
	for j, i := range partners {
		if i != published.None {
			next = i + 1
			continue
		}
		if next < refs && !taken[next] {
			partners[j], taken[next] = next, true
			next++
		}
	}
}
