package element

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"agentd/domains/internal/plain"
)

// Remarks are elements that a program that reads the document does without, such as comments: their first field is what
// they say.

// RemarkKind is the kind of the elements that Remarks makes.
const RemarkKind = "comment"

// Remarks are the remarks that a comment makes, one for each line, without the marks and blanks around it. A line without a
// letter or digit is a ruler and no remark.
func Remarks(comment, marks string) []Element {
	var all []Element
	for line := range strings.SplitSeq(comment, "\n") {
		text := plain.SingleBlanks(strings.Trim(line, marks+" \t\r"))
		if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			all = append(all, Element{Kind: RemarkKind, Key: RemarkKind, Fields: []Field{{Name: "text", Value: text}}})
		}
	}
	return all
}

// Harmless is a kind of elements of which a document may have more without a change of its meaning, such as comments. Their
// first field is what they say.
type Harmless struct {
	Kind string // "" for RemarkKind
	// MayGo says that a lost element weighs nothing either.
	MayGo bool
	// Place says where an element stands. Where one was lost, one that was added may be the same in other words, so it stays.
	// If Place is nil, an added one stays if it shares half of the words with one that was lost, whose key it takes.
	Place func(*Element) string
}

// Forgive leaves out of the candidate what the reference does not have; a Spec's Forgives. Neither list is changed.
func (h Harmless) Forgive(reference, candidate []Element) (ref, got []Element) {
	kind := cmp.Or(h.Kind, RemarkKind)
	lost, added := unlike(reference, candidate, kind), unlike(candidate, reference, kind)
	if h.Place != nil {
		h.placed(reference, candidate, lost, added)
	} else if len(added) > 0 {
		candidate = reword(reference, candidate, lost, added)
	}
	if h.MayGo && len(lost) > 0 {
		reference = slices.Clone(reference)
		for i := range lost {
			reference[i].Weightless = true
		}
	}
	return reference, without(candidate, added)
}

// placed takes out of added, and out of lost, as many as were lost at the place of each.
func (h Harmless) placed(reference, candidate []Element, lost, added map[int]bool) {
	missing := map[string][]int{}
	for _, i := range slices.Sorted(maps.Keys(lost)) {
		at := h.Place(&reference[i])
		missing[at] = append(missing[at], i)
	}
	for _, j := range slices.Sorted(maps.Keys(added)) {
		if at := h.Place(&candidate[j]); len(missing[at]) > 0 {
			delete(lost, missing[at][0])
			delete(added, j)
			missing[at] = missing[at][1:]
		}
	}
}

// reword gives the added elements that say a lost one in other words its key, and takes both out of lost and added.
func reword(reference, candidate []Element, lost, added map[int]bool) []Element {
	pairs := reworded(reference, candidate, lost, added)
	if len(pairs) == 0 {
		return candidate
	}
	candidate = slices.Clone(candidate)
	for _, p := range pairs {
		delete(lost, p.ref)
		delete(added, p.got)
		candidate[p.got].Key = reference[p.ref].Key
	}
	return candidate
}

// without leaves elements out, by their places.
func without(elements []Element, left map[int]bool) []Element {
	if len(left) == 0 {
		return elements
	}
	kept := make([]Element, 0, len(elements))
	for i := range elements {
		if !left[i] {
			kept = append(kept, elements[i])
		}
	}
	return kept
}

// unlike are the places of the remarks that have no equal among others, each for one.
func unlike(elements, others []Element, kind string) map[int]bool {
	left := map[string]int{}
	for i := range others {
		if others[i].Kind == kind {
			left[others[i].Fields[0].Value]++
		}
	}
	rest := map[int]bool{}
	for i := range elements {
		if elements[i].Kind != kind {
			continue
		}
		if text := elements[i].Fields[0].Value; left[text] > 0 {
			left[text]--
		} else {
			rest[i] = true
		}
	}
	return rest
}

// mostRemarks is how many remarks may have a word from which partners are sought.
const mostRemarks = 48

// reworded pairs remarks of both sides that share half of the words of the longer
// one: each added one with the lost one of which it has the most words.
func reworded(reference, candidate []Element, lost, added map[int]bool) []pair {
	if len(lost) == 0 || len(added) == 0 {
		return nil
	}
	having := map[string][]int{}
	for i := range reference {
		if !lost[i] {
			continue
		}
		for word := range wordsOf(&reference[i]) {
			if list := having[word]; len(list) <= mostRemarks {
				having[word] = append(list, i)
			}
		}
	}
	var pairs []pair
	taken := map[int]bool{}
	for j := range candidate {
		if !added[j] {
			continue
		}
		words := wordsOf(&candidate[j])
		shared, best := map[int]int{}, -1
		for word := range words {
			list := having[word]
			if len(list) > mostRemarks {
				continue
			}
			for _, i := range list {
				if shared[i]++; taken[i] {
					continue
				}
				if best < 0 || shared[i] > shared[best] || shared[i] == shared[best] && i < best {
					best = i
				}
			}
		}
		if best >= 0 && 2*shared[best] >= max(len(words), len(wordsOf(&reference[best]))) {
			taken[best] = true
			pairs = append(pairs, pair{ref: best, got: j})
		}
	}
	return append(pairs, respelled(reference, candidate, lost, added, pairs)...)
}

// respelled pairs remarks of which all but a quarter in the middle is the same, such as two
// addresses, which are one word each. pairs are those that have a partner already.
func respelled(reference, candidate []Element, lost, added map[int]bool, pairs []pair) []pair {
	const most = 4096 // comparisons
	if len(lost)*len(added) > most {
		return nil
	}
	taken, has := map[int]bool{}, map[int]bool{}
	for _, p := range pairs {
		taken[p.ref], has[p.got] = true, true
	}
	var more []pair
	for _, j := range slices.Sorted(maps.Keys(added)) {
		for _, i := range slices.Sorted(maps.Keys(lost)) {
			if !has[j] && !taken[i] && closeness(reference[i].Fields[0].Value, candidate[j].Fields[0].Value) >= 0.75 {
				taken[i], has[j] = true, true
				more = append(more, pair{ref: i, got: j})
			}
		}
	}
	return more
}

// wordsOf are the words of a remark.
func wordsOf(e *Element) map[string]bool {
	words := map[string]bool{}
	for word := range strings.FieldsSeq(e.Fields[0].Value) {
		words[word] = true
	}
	return words
}
