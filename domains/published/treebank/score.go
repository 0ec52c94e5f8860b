package treebank

import (
	"fmt"
	"slices"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/lists"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/sets"
	"agentd/domains/internal/texts"
)

// Score is the published formula: completeness times a mean of the accuracy of fields, comments and sentence order.
// Every sentence that can have a partner gets one, and so does every word of a pair of sentences. The published
// evaluator crashes at a pair of which one word has no lemma.
func Score(reference, candidate []Annotation, noted *notes.Notes) domains.Reading {
	refWords, gotWords := countWords(reference), countWords(candidate)
	sentences := pair(reference, candidate, (*Annotation).said, noted)
	sums, words, crash := make([]float64, len(measured)), 0, false
	for _, p := range sentences {
		ref, got := reference[p.Row].words, candidate[p.Col].words
		for _, w := range pair(ref, got, (*annotatedWord).said, noted) {
			was, is := &ref[w.Row], &got[w.Col]
			crash = crash || !was.lemma.there || !is.lemma.there
			for k, m := range measured {
				sums[k] += m.agreement(was, is)
			}
			words++
		}
	}
	reading := domains.Reading{Elements: domains.Elements{Reference: refWords, Candidate: gotWords}}
	if crash {
		reading.Crash = errNoLemma
		return reading
	}
	completeness := share(float64(words), refWords) * share(float64(len(sentences)), len(reference))
	parts := map[string]float64{
		"completeness": completeness,
		"metadata":     metadata(reference, candidate, sentences),
		"sequence":     sequence(sentences),
	}
	quality := 0.0
	for k, m := range measured {
		parts[m.name] = share(sums[k], words)
		quality += float64(m.weight * parts[m.name]) // not fused into the sum
	}
	quality += float64(0.10 * parts["metadata"])
	quality += float64(0.05 * parts["sequence"])
	reading.RS, reading.Components = completeness*quality, parts
	return reading
}

// measured are the fields of words that are compared, with their weights.
var measured = []struct {
	name      string
	weight    float64
	agreement func(ref, got *annotatedWord) float64
}{
	{"form", 0.10, func(ref, got *annotatedWord) float64 { return sets.OneIf(ref.form == got.form) }},
	{"lemma", 0.08, func(ref, got *annotatedWord) float64 {
		return sets.OneIf(pytext.Lower(ref.lemma.text) == pytext.Lower(got.lemma.text))
	}},
	{"upos", 0.15, func(ref, got *annotatedWord) float64 { return sets.OneIf(ref.upos == got.upos) }},
	{"xpos", 0.07, func(ref, got *annotatedWord) float64 { return sets.OneIf(ref.xpos == got.xpos) }},
	{"feats", 0.10, func(ref, got *annotatedWord) float64 { return textRatio(ref.feats, got.feats) }},
	{"head", 0.20, func(ref, got *annotatedWord) float64 { return sets.OneIf(ref.head == got.head) }},
	{"deprel", 0.15, func(ref, got *annotatedWord) float64 { return sets.OneIf(ref.relation == got.relation) }},
}

var errNoLemma = fmt.Errorf("%w: a word ends before its lemma", domains.ErrCrash)

// Crashes is what the comparison of a document with itself comes to, in which every word has a partner.
func Crashes(sentences []Annotation) error {
	for i := range sentences {
		if slices.ContainsFunc(sentences[i].words, func(w annotatedWord) bool { return !w.lemma.there }) {
			return errNoLemma
		}
	}
	return nil
}

// share is a part of a whole, and 1 of nothing.
func share(part float64, of int) float64 {
	if of == 0 {
		return 1
	}
	return part / float64(of)
}

func countWords(sentences []Annotation) int {
	n := 0
	for i := range sentences {
		n += len(sentences[i].words)
	}
	return n
}

func textRatio(a, b string) float64 {
	if a == b {
		return 1
	}
	return ratio.Of(a, b)
}

// said is the text of a sentence, as far as a comment states it.
func (s *Annotation) said() string { return s.text }

func (w *annotatedWord) said() string { return w.form }

// pair pairs sentences or words by what is said.
func pair[T any](reference, candidate []T, of func(*T) string, noted *notes.Notes) []assign.Pair {
	lowered := func(list []T) []string {
		return lists.Each(list, func(item *T) string { return pytext.Lower(of(item)) })
	}
	return texts.Pair(lowered(reference), lowered(candidate), noted).Pairs
}

// metadata is how far the three comments that are compared agree, as a mean over the pairs of sentences.
func metadata(reference, candidate []Annotation, pairs []assign.Pair) float64 {
	sum := 0.0
	for _, p := range pairs {
		ref, got := &reference[p.Row], &candidate[p.Col]
		sum += (sets.OneIf(ref.id == got.id) + sets.OneIf(ref.speaker == got.speaker) + textRatio(ref.text, got.text)) / 3
	}
	return share(sum, len(pairs))
}

// sequence is the share of the pairs of sentences that stand in the same order on both sides.
func sequence(pairs []assign.Pair) float64 {
	// tree counts the partners met so far by place, as a Fenwick tree: its k-th
	// entry is the sum of as many counts as k's lowest bit says.
	last := 0
	for _, p := range pairs {
		last = max(last, p.Col)
	}
	tree := make([]int, last+2)
	inOrder := 0
	for _, p := range pairs {
		for k := p.Col; k > 0; k -= k & -k {
			inOrder += tree[k]
		}
		for k := p.Col + 1; k < len(tree); k += k & -k {
			tree[k]++
		}
	}
	return share(float64(inOrder), len(pairs)*(len(pairs)-1)/2)
}

// Stats counts the parts of a document.
func Stats(sentences []Annotation) domains.Stats {
	speakers, tags, relations := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for i := range sentences {
		speakers[sentences[i].speaker] = true
		for k := range sentences[i].words {
			tags[sentences[i].words[k].upos.text] = true
			relations[sentences[i].words[k].relation.text] = true
		}
	}
	for _, set := range []map[string]bool{speakers, tags, relations} {
		delete(set, "")
	}
	words := countWords(sentences)
	return domains.StatsOf(words, "Sentences", len(sentences), "Tokens", words, "Speakers", len(speakers),
		"POS Tags", len(tags), "Dep Rels", len(relations))
}
