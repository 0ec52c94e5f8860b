package earncall

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"agentd/domains"
	"agentd/domains/internal/element"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/sets"
	"agentd/vfs"
)

// compared is what Strict compares of two documents. It drops headings that only the candidate has, says of the others
// before which turn they stand, and marks turns of the candidate in which a turn's sentences stand in another order.
func compared(ref, got []domains.Element) (refs, gots []domains.Element) {
	known := headings(ref)
	if len(headings(got)) > 0 {
		got = withoutNew(got, known)
		if len(known) > 0 {
			shared := sharedTurns(ref, got)
			ref, got = placed(ref, shared), placed(got, shared)
		}
	}
	return ref, element.MarkReordered(ref, got, inTurn)
}

// headings counts the headings of a document.
func headings(elements []domains.Element) map[string]int {
	counts := map[string]int{}
	for i := range elements {
		if elements[i].Kind == headingKind {
			counts[elements[i].Fields[0].Value]++
		}
	}
	return counts
}

// withoutNew leaves out the headings of a candidate that the reference does not have, or not as often.
func withoutNew(got []domains.Element, known map[string]int) []domains.Element {
	left := maps.Clone(known)
	return slices.DeleteFunc(slices.Clone(got), func(e domains.Element) bool {
		if e.Kind != headingKind {
			return false
		}
		name := e.Fields[0].Value
		left[name]--
		return left[name] < 0
	})
}

// sharedTurns are the turns that stand unchanged, once, in both documents, with the reference's key.
func sharedTurns(ref, got []domains.Element) map[uint64]string {
	shared, inGot := map[uint64]string{}, once(got)
	for digest, e := range once(ref) {
		if e != nil && inGot[digest] != nil {
			shared[digest] = e.Key
		}
	}
	return shared
}

// once files turns under their digests, nil where several are equal.
func once(elements []domains.Element) map[uint64]*domains.Element {
	turns := map[uint64]*domains.Element{}
	for i := range elements {
		e := &elements[i]
		if e.Kind != counted {
			continue
		}
		digest := element.InOrder(e)
		if _, twice := turns[digest]; twice {
			e = nil
		}
		turns[digest] = e
	}
	return turns
}

// placed adds to each heading the key of the next shared turn after it.
func placed(elements []domains.Element, shared map[uint64]string) []domains.Element {
	elements = slices.Clone(elements)
	next := "the end"
	for i := len(elements) - 1; i >= 0; i-- {
		e := &elements[i]
		switch e.Kind {
		case headingKind:
			e.Fields = append(slices.Clone(e.Fields), domains.Field{Name: "before", Value: next})
		case counted:
			if key, ok := shared[element.InOrder(e)]; ok {
				next = key
			}
		}
	}
	return elements
}

// inTurn are the fields of a turn, of which the first is its speaker; nil for what is no turn.
func inTurn(e *domains.Element) []domains.Field {
	const single = 2 // fields: the speaker and a sentence
	if e.Kind != counted || len(e.Fields) <= single {
		return nil
	}
	return e.Fields
}

// evidence counts the turns in which somebody speaks. There are none if other turns, or lines that begin as headings
// and items of lists do, outnumber them: other documents have lines that begin with a label and a colon too.
func evidence(files vfs.Files, elements []domains.Element) int {
	spoken := domains.Where(isSpoken)(files, elements)
	others := domains.OfKinds(counted)(files, elements) - spoken
	for _, text := range files {
		others += len(listed.FindAllStringIndex(text, spoken+1))
	}
	if others > spoken {
		return 0
	}
	return spoken
}

// listed is how a heading, an item of a list or a row of a table begins.
var listed = regexp.MustCompile(`(?m)^[ \t]*(?:[#|]|[-*+] |[0-9]+[.)] )`)

// isSpoken reports whether an element is a turn in which a person, called by first and
// last name or by a part in the call, says a sentence.
func isSpoken(e *domains.Element) bool {
	const least = 2 // words, which tell a sentence from a label's value
	speaker := e.Value("speaker")
	if e.Kind != counted || len(pytext.Fields(speaker)) < 2 && !unnamed[speaker] {
		return false
	}
	words := 0
	for _, f := range e.Fields {
		if f.Name == "sentence" && strings.ContainsAny(lastOf(f.Value), ".?!") {
			words += len(pytext.Fields(f.Value))
		}
	}
	return words >= least
}

// unnamed are what speakers are called whose names the transcript does not know.
var unnamed = sets.Words("operator moderator analyst")

// lastOf is the last character of a sentence, without the quotes and brackets after it.
func lastOf(sentence string) string {
	sentence = strings.TrimRight(sentence, `"')]`)
	return sentence[max(0, len(sentence)-1):]
}
