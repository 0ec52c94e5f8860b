package treebank

import (
	"fmt"
	"slices"
	"strconv"

	"agentd/domains"
	"agentd/domains/internal/assign"
	"agentd/domains/internal/notes"
	"agentd/domains/internal/pytext"
	"agentd/domains/internal/ratio"
	"agentd/domains/internal/texts"
)

// score is the published formula: completeness times a mean of the accuracy of
// fields, comments and sentence order. Every sentence that can have a partner
// gets one, and so does every word of a pair of sentences. The published
// evaluator crashes at a pair of which one word has no lemma.
func score(reference, candidate []annotation, noted *notes.Notes) domains.Reading {
	refWords, gotWords := countWords(reference), countWords(candidate)
	sentences := pairSentences(reference, candidate, noted)
	var t tally
	for _, p := range sentences {
		ref, got := &reference[p.Row], &candidate[p.Col]
		for _, w := range pairWords(ref.words, got.words, noted) {
			t.add(&ref.words[w.Row], &got.words[w.Col])
		}
	}
	if t.crashes {
		return domains.Reading{Elements: domains.Elements{Reference: refWords, Candidate: gotWords}, Crash: errNoLemma}
	}
	completeness := share(float64(t.words), refWords) * share(float64(len(sentences)), len(reference))
	parts := map[string]float64{
		"completeness": completeness,
		"form":         share(t.form, t.words),
		"lemma":        share(t.lemma, t.words),
		"upos":         share(t.upos, t.words),
		"xpos":         share(t.xpos, t.words),
		"feats":        share(t.feats, t.words),
		"head":         share(t.head, t.words),
		"deprel":       share(t.deprel, t.words),
		"metadata":     metadata(reference, candidate, sentences),
		"sequence":     sequence(sentences),
	}
	// Conversions keep the compiler from fusing products into the sums.
	quality := float64(0.10*parts["form"]) + float64(0.08*parts["lemma"]) + float64(0.15*parts["upos"]) +
		float64(0.07*parts["xpos"]) + float64(0.10*parts["feats"]) + float64(0.20*parts["head"]) +
		float64(0.15*parts["deprel"]) + float64(0.10*parts["metadata"]) + float64(0.05*parts["sequence"])
	return domains.Reading{
		Value:      completeness * quality,
		Components: parts,
		Elements:   domains.Elements{Reference: refWords, Candidate: gotWords},
	}
}

var errNoLemma = fmt.Errorf("%w: a word ends before its lemma", domains.ErrCrash)

// crashes is what the comparison of a document with itself comes to, in which every
// word has a partner.
func crashes(sentences []annotation) error {
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

func countWords(sentences []annotation) int {
	n := 0
	for i := range sentences {
		n += len(sentences[i].words)
	}
	return n
}

// tally sums the agreement of pairs of words, field by field.
type tally struct {
	crashes                                      bool // at a word without lemma
	words                                        int
	form, lemma, upos, xpos, feats, head, deprel float64
}

func (t *tally) add(ref, got *annotatedWord) {
	t.crashes = t.crashes || !ref.lemma.there || !got.lemma.there
	t.words++
	t.form += one(ref.form == got.form)
	t.lemma += one(pytext.Lower(ref.lemma.text) == pytext.Lower(got.lemma.text))
	t.upos += one(ref.upos == got.upos)
	t.xpos += one(ref.xpos == got.xpos)
	t.feats += textRatio(ref.feats, got.feats)
	t.head += one(ref.head == got.head)
	t.deprel += one(ref.relation == got.relation)
}

func one(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

func textRatio(a, b string) float64 {
	if a == b {
		return 1
	}
	return ratio.Of(a, b)
}

func pairSentences(reference, candidate []annotation, noted *notes.Notes) []assign.Pair {
	return texts.Pair(spoken(reference), spoken(candidate), noted).Pairs
}

// spoken are the texts of sentences, as far as a comment states them.
func spoken(sentences []annotation) []string {
	all := make([]string, len(sentences))
	for i := range sentences {
		all[i] = pytext.Lower(sentences[i].text)
	}
	return all
}

func pairWords(reference, candidate []annotatedWord, noted *notes.Notes) []assign.Pair {
	return texts.Pair(forms(reference), forms(candidate), noted).Pairs
}

func forms(words []annotatedWord) []string {
	all := make([]string, len(words))
	for i := range words {
		all[i] = pytext.Lower(words[i].form)
	}
	return all
}

// metadata is how far the three comments that are compared agree, as a mean
// over the pairs of sentences.
func metadata(reference, candidate []annotation, pairs []assign.Pair) float64 {
	sum := 0.0
	for _, p := range pairs {
		ref, got := &reference[p.Row], &candidate[p.Col]
		sum += (one(ref.id == got.id) + one(ref.speaker == got.speaker) + textRatio(ref.text, got.text)) / 3
	}
	return share(sum, len(pairs))
}

// sequence is the share of the pairs of sentences that stand in the same order
// on both sides.
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

func stats(sentences []annotation) domains.Stats {
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
	return domains.Stats{
		Elements: words,
		Counts: []domains.Count{
			{Name: "Sentences", Value: strconv.Itoa(len(sentences))},
			{Name: "Tokens", Value: strconv.Itoa(words)},
			{Name: "Speakers", Value: strconv.Itoa(len(speakers))},
			{Name: "POS Tags", Value: strconv.Itoa(len(tags))},
			{Name: "Dep Rels", Value: strconv.Itoa(len(relations))},
		},
	}
}
