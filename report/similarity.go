package report

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/sync/errgroup"

	"agentd/report/statistics"
	"agentd/results"
	"agentd/vfs"
)

// Similarity is how a generic measure of two texts goes with the domains' scores.
type Similarity struct {
	Measure string
	// All is Spearman's rho over all scored documents of arms with a model, Matched
	// that of the documents whose length is within matched of the seed's.
	All, Matched statistics.Interval
}

// matched is how far the length of a document may be from the seed's, a share of
// the seed's, for a document to be in the subset in which length tells nothing.
const matched = 0.05

// scoredText is a document with its score and the generic ones.
type scoredText struct {
	relay               int64
	number              int
	seed                vfs.Files
	place               int
	score               float64
	levenshtein, rougeL float64
	judge               float64 // NaN if it was not asked
	lengthMatched       bool
}

// CompareSimilarity lays generic similarity beside the domains' scores (paper,
// Appendix C), a judge's opinion too unless judging is nil. It reads all documents
// that are stored, which takes a while.
func (r *Report) CompareSimilarity(ctx context.Context, store *results.Store, judging *Judging) error {
	b := r.source
	var relays []int64
	for _, key := range b.order {
		if key.model == "" {
			continue
		}
		for _, c := range b.arms[key].curves {
			if slices.ContainsFunc(c.trips, trip.scored) {
				relays = append(relays, c.relay)
			}
		}
	}
	seeds := make(map[string]vfs.Files, len(b.environments))
	for _, e := range b.environments {
		env, err := r.environment(ctx, store, e.name)
		if err != nil {
			return err
		}
		seeds[e.name] = env.Seed
	}
	found := make([][]scoredText, len(relays))
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, id := range relays {
		group.Go(func() error {
			interactions, err := store.Interactions(working, id)
			if err != nil {
				return err
			}
			relay := b.relays[id]
			seed := joined(seeds[relay.Environment])
			for _, in := range interactions {
				if in.Score == nil {
					continue
				}
				text := scoredText{
					place: b.places[relay.Environment], score: in.Score.Value, judge: math.NaN(),
					relay: id, number: in.Number, seed: seeds[relay.Environment],
				}
				text.compare(seed, joined(in.Output))
				found[i] = append(found[i], text)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	all := slices.Concat(found...)
	if judging != nil {
		if err := r.judgeTexts(ctx, store, all, *judging); err != nil {
			return err
		}
	}
	lengthMatched := slices.DeleteFunc(slices.Clone(all), func(t scoredText) bool { return !t.lengthMatched })
	levenshtein := func(t scoredText) float64 { return t.levenshtein }
	rougeL := func(t scoredText) float64 { return t.rougeL }
	r.Similarities = []Similarity{
		{"Levenshtein ratio", b.spearman(all, levenshtein), b.spearman(lengthMatched, levenshtein)},
		{"ROUGE-L", b.spearman(all, rougeL), b.spearman(lengthMatched, rougeL)},
	}
	if judging != nil {
		notAsked := func(t scoredText) bool { return math.IsNaN(t.judge) }
		judge := func(t scoredText) float64 { return t.judge }
		all, lengthMatched = slices.DeleteFunc(all, notAsked), slices.DeleteFunc(lengthMatched, notAsked)
		r.Similarities = append(r.Similarities,
			Similarity{"opinion of " + judging.Judge, b.spearman(all, judge), b.spearman(lengthMatched, judge)})
	}
	return nil
}

// judgeTexts asks the judge for its opinion of documents.
func (r *Report) judgeTexts(ctx context.Context, store *results.Store, texts []scoredText, judging Judging) error {
	chosen := judging.drawn(len(texts), r.Experiment.Manifest.Seed)
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(judgedAtATime)
	for i := range texts {
		if !chosen[i] {
			continue
		}
		group.Go(func() error {
			t := &texts[i]
			left, err := store.Documents(working, t.relay, t.number)
			if err != nil {
				return err
			}
			opinion, err := judging.likeness(t.seed, left)
			switch {
			case errors.Is(err, ErrNoAnswer):
				return nil
			case err != nil:
				return err
			}
			t.judge = opinion
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	r.judgedBy(judging)
	return nil
}

// joined is the text of all files, in name order.
func joined(files vfs.Files) string {
	var b strings.Builder
	for _, name := range files.Names() {
		b.WriteString(files[name])
	}
	return b.String()
}

// compare finds the Levenshtein ratio (of insertions and deletions, as most
// libraries have it: 2·LCS over the sum of the lengths, in characters) and ROUGE-L
// (Lin 2004: F1 of the longest common subsequence of words, in lower case).
func (t *scoredText) compare(seed, text string) {
	a, b := []rune(seed), []rune(text)
	t.levenshtein = overlap(lcs(a, b), len(a), len(b))
	v, w := rougeWords(seed), rougeWords(text)
	t.rougeL = overlap(lcs(v, w), len(v), len(w))
	off := float64(len(b) - len(a))
	t.lengthMatched = max(off, -off) <= matched*float64(len(a))
}

func overlap(common, a, b int) float64 {
	if a+b == 0 {
		return 1
	}
	return 2 * float64(common) / float64(a+b)
}

// rougeWords are longest runs of letters and digits.
func rougeWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// lcs is the length of the longest common subsequence, 64 elements of a at a time
// (Hyyrö, Bit-Parallel LCS-length Computation Revisited, 2004).
func lcs[T comparable](a, b []T) int {
	same := 0
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
		same++
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
		same++
	}
	words := (len(a) + 63) / 64
	places := map[T][]uint64{}
	for i, element := range a {
		if places[element] == nil {
			places[element] = make([]uint64, words)
		}
		places[element][i/64] |= 1 << (i % 64)
	}
	free := slices.Repeat([]uint64{^uint64(0)}, words)
	for _, element := range b {
		at := places[element]
		if at == nil {
			continue
		}
		carry := uint64(0)
		for i, word := range free {
			taken := word & at[i]
			var sum uint64
			sum, carry = bits.Add64(word, taken, carry)
			free[i] = sum | word&^taken
		}
	}
	for i, word := range free {
		if over := (i+1)*64 - len(a); over > 0 {
			word |= ^uint64(0) << (64 - over)
		}
		same += 64 - bits.OnesCount64(word)
	}
	return same
}

// spearman is the correlation of ranks, those of equal values averaged.
func (b *builder) spearman(texts []scoredText, measure func(scoredText) float64) statistics.Interval {
	scores, measures := make([]float64, len(texts)), make([]float64, len(texts))
	for i, t := range texts {
		scores[i], measures[i] = t.score, measure(t)
	}
	x, y := ranks(measures), ranks(scores)
	pairs := make([]statistics.Pairs, len(b.environments))
	for i, t := range texts {
		pairs[t.place].Add(x[i], y[i])
	}
	return b.sampler.Correlation(pairs)
}

// ranks run from about -0.5 to 0.5.
func ranks(values []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch {
		case values[i] < values[j]:
			return -1
		case values[i] > values[j]:
			return 1
		}
		return 0
	})
	of := make([]float64, len(values))
	for begin := 0; begin < len(order); {
		end := begin + 1
		for end < len(order) && values[order[end]] == values[order[begin]] {
			end++
		}
		for _, i := range order[begin:end] {
			of[i] = (float64(begin)+float64(end-1))/2/float64(len(values)) - 0.5
		}
		begin = end
	}
	return of
}
