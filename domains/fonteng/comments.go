package fonteng

import (
	"strings"

	"agentd/domains"
)

func isComment(line string) bool {
	return strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//")
}

// comments adds the comments of a stretch between words, a line each.
func (f *flattener) comments(between string) {
	if strings.Trim(between, " \t\r\n;") == "" {
		return
	}
	for _, line := range strings.Split(between, "\n") {
		if text := strings.Join(strings.Fields(strings.Trim(strings.TrimLeft(line, "; \t"), "#/* \t\r")), " "); text != "" {
			f.add(domains.Element{Kind: commentKind, Key: "comment: " + text, Fields: []domains.Field{
				{Name: "text", Value: text}, {Name: "kind", Value: commentKind},
			}})
		}
	}
}

func (f *flattener) commentsAmong(words []word) {
	for i := range words {
		if words[i].lead != "" {
			f.comments(words[i].lead)
		}
	}
}

// withoutComments returns the elements that are no comments, and these.
func withoutComments(elements []domains.Element) (others, comments []domains.Element) {
	n := 0
	for i := range elements {
		if elements[i].Kind == commentKind {
			n++
		}
	}
	if n == 0 {
		return elements, nil
	}
	others = make([]domains.Element, 0, len(elements))
	comments = make([]domains.Element, 0, n)
	for i := range elements {
		if elements[i].Kind == commentKind {
			comments = append(comments, elements[i])
		} else {
			others = append(others, elements[i])
		}
	}
	return others, comments
}

// alteredComments returns the comments of both sides that differ though they are
// about the same: a comment of the candidate that the reference has not, and one
// of the reference, with which it shares half of the words, that is not in the
// candidate. All others may come and go.
func alteredComments(reference, candidate []domains.Element) (was, is []domains.Element) {
	ref, got := unlike(reference, candidate), unlike(candidate, reference)
	if len(ref) == 0 || len(got) == 0 {
		return nil, nil
	}
	const common = 48 // comments that have a word, from which it says nothing
	having := map[string][]int{}
	for i := range ref {
		for word := range strings.FieldsSeq(ref[i].Fields[0].Value) {
			if list := having[word]; len(list) <= common && (len(list) == 0 || list[len(list)-1] != i) {
				having[word] = append(list, i)
			}
		}
	}
	taken := make([]bool, len(ref))
	shared := make([]int, len(ref))
	for _, comment := range got {
		best := mostShared(strings.Fields(comment.Fields[0].Value), having, common, shared, taken)
		if best < 0 || 2*sharedWords(ref[best], comment) < len(strings.Fields(ref[best].Fields[0].Value)) {
			continue
		}
		taken[best] = true
		comment.Key = ref[best].Key
		was, is = append(was, ref[best]), append(is, comment)
	}
	return was, is
}

// mostShared returns which comment that is not taken shares most of the words,
// -1 if none shares any. shared is room for counts, all zero.
func mostShared(words []string, having map[string][]int, common int, shared []int, taken []bool) int {
	best := -1
	for _, word := range words {
		list := having[word]
		if len(list) > common {
			continue
		}
		for _, i := range list {
			if shared[i]++; !taken[i] && (best < 0 || shared[i] > shared[best]) {
				best = i
			}
		}
	}
	for _, word := range words {
		if list := having[word]; len(list) <= common {
			for _, i := range list {
				shared[i] = 0
			}
		}
	}
	return best
}

// sharedWords counts the words of one comment that are in another.
func sharedWords(a, b domains.Element) int {
	in := map[string]bool{}
	for word := range strings.FieldsSeq(b.Fields[0].Value) {
		in[word] = true
	}
	n := 0
	for word := range strings.FieldsSeq(a.Fields[0].Value) {
		if in[word] {
			n++
		}
	}
	return n
}

// unlike returns the comments that have no equal among others, each for one.
func unlike(comments, others []domains.Element) []domains.Element {
	left := make(map[string]int, len(others))
	for i := range others {
		left[others[i].Fields[0].Value]++
	}
	var rest []domains.Element
	for i := range comments {
		if text := comments[i].Fields[0].Value; left[text] > 0 {
			left[text]--
		} else {
			rest = append(rest, comments[i])
		}
	}
	return rest
}
