package element

import (
	"maps"
	"slices"
	"strings"
	"unicode"
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
		text := strings.Join(strings.Fields(strings.Trim(line, marks+" \t\r")), " ")
		if strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			all = append(all, Element{Kind: RemarkKind, Key: RemarkKind, Fields: []Field{{Name: "text", Value: text}}})
		}
	}
	return all
}

// ForgiveAddedRemarks leaves out what Remarks made of the candidate and the reference does not have. What stays are the remarks that
// both sides have, those that are lost, and those that were reworded, each of which shares half of the words with its old
// wording and takes its key. Neither list is changed.
func ForgiveAddedRemarks(reference, candidate []Element) (ref, got []Element) {
	ref, got, _ = withoutAdded(reference, candidate, RemarkKind)
	return ref, got
}

// ForgiveComments is ForgiveRemarks of what Remarks makes, or of others of that kind.
func ForgiveComments(reference, candidate []Element) (ref, got []Element) {
	return ForgiveRemarks(reference, candidate, RemarkKind)
}

// ForgiveRemarks is ForgiveAddedRemarks, of any kind, where remarks may also go: those that are lost are weightless.
func ForgiveRemarks(reference, candidate []Element, kind string) (ref, got []Element) {
	ref, got, lost := withoutAdded(reference, candidate, kind)
	if len(lost) > 0 {
		ref = slices.Clone(ref)
		for i := range lost {
			ref[i].Weightless = true
		}
	}
	return ref, got
}

// withoutAdded is ForgiveAddedRemarks, of any kind; missing are the places in ref of the remarks that are neither kept nor reworded.
func withoutAdded(reference, candidate []Element, kind string) (ref, got []Element, missing map[int]bool) {
	lost, added := unlike(reference, candidate, kind), unlike(candidate, reference, kind)
	if len(added) == 0 {
		return reference, candidate, lost
	}
	keys := map[int]string{} // of the reworded remarks, by place in candidate
	for _, p := range reworded(reference, candidate, lost, added) {
		delete(lost, p.ref)
		delete(added, p.got)
		keys[p.got] = reference[p.ref].Key
	}
	got = slices.Clone(candidate)
	for j, key := range keys {
		got[j].Key = key
	}
	return reference, without(got, added), lost
}

// ForgiveAdded leaves out the remarks of a candidate that the reference does not have.
func ForgiveAdded(reference, candidate []Element, kind string) []Element {
	return without(candidate, unlike(candidate, reference, kind))
}

// ForgiveAddedAt leaves out what Remarks made of the candidate and the reference does not have, save as many at each place as the
// reference lost there: they may be those that were lost, in other words. place says where a remark stands. Neither list is changed.
func ForgiveAddedAt(reference, candidate []Element, place func(*Element) string) (ref, got []Element) {
	missing := map[string]int{}
	for i := range unlike(reference, candidate, RemarkKind) {
		missing[place(&reference[i])]++
	}
	added := unlike(candidate, reference, RemarkKind)
	for _, j := range slices.Sorted(maps.Keys(added)) {
		if at := place(&candidate[j]); missing[at] > 0 {
			missing[at]--
			delete(added, j)
		}
	}
	return reference, without(candidate, added)
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
