package report

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"agentd/domains"
	"agentd/internal/opinion"
	"agentd/report/statistics"
	"agentd/results"
	"agentd/vfs"
)

// Embedder makes embedding vectors of texts, for their cosine similarity.
type Embedder struct {
	Model string
	// Of returns the vector of a text. If the error wraps Refused, the document is omitted.
	Of      func(ctx context.Context, text string) ([]float32, error)
	Cosine  func(a, b []float32) float64
	Refused error
}

const (
	// scoreBuckets is the number of buckets of RS in each domain, perCell the most documents
	// sampled from each (paper, Appendix C).
	scoreBuckets = 20
	perCell      = 10
	// hardLeast and hardMost bound the ratio of lengths, document to seed, in characters, within
	// which the length says little about the score.
	hardLeast, hardMost = 0.8, 1.2
)

// scoredText is a document of the sample with its score and the generic measures, which are
// NaN where they are not known.
type scoredText struct {
	relay    int64
	number   int
	place    int
	domain   string
	score    float64
	hard     bool
	measures []float64 // in the order of the names of generic
}

// generic lists the names of the measures.
type generic struct{ names, heads []string }

// compareSimilarity compares generic similarity measures with the domains' scores (paper, Appendix
// C): also a judge's opinion and the cosine of embeddings, unless judging or embedder is nil. It
// reads all stored documents, which takes a while.
func (r *Report) compareSimilarity(ctx context.Context, store *results.Store, judging *Judging, embedder *Embedder) error {
	chosen := r.sampledTrips()
	opinions := r.judgedTexts(chosen, judging)
	named := generic{[]string{"sequence_matcher", "rouge_l"}, []string{"SequenceMatcher ratio", "ROUGE-L F"}}
	if embedder != nil {
		named.names, named.heads = append(named.names, "embeddings"), append(named.heads, "cosine, "+embedder.Model)
	}
	if judging != nil {
		r.judgedBy(judging)
		named.names, named.heads = append(named.names, "judge"), append(named.heads, "opinion of "+name(judging.Judge, judging.StandIn))
	}
	var mu sync.Mutex
	var all []scoredText
	err := r.eachRelay(ctx, store, func(read relayRead) error {
		for _, trip := range results.Trips(read.steps) {
			key, in := tripKey{trip.Relay, trip.Number - 1}, trip.Backward
			if !chosen[key] || in == nil || in.Score == nil {
				continue
			}
			text := scoredText{relay: in.Relay, number: in.Number, place: read.curve.place, domain: read.env.Domain, score: in.Score.RS}
			text.compare(joined(read.env.Seed), joined(in.Output))
			if embedder != nil {
				cosine, err := embedder.likeness(ctx, joined(read.env.Seed), joined(in.Output))
				if err != nil {
					return err
				}
				text.measures = append(text.measures, cosine)
			}
			if judging != nil {
				opinion, err := math.NaN(), error(nil)
				if opinions[key] {
					opinion, err = judging.likeness(read.env.Domain, read.env.Seed, in.Output)
				}
				if err != nil {
					return err
				}
				text.measures = append(text.measures, opinion)
			}
			mu.Lock()
			all = append(all, text)
			mu.Unlock()
		}
		return nil
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(x, y scoredText) int { return cmp.Or(cmp.Compare(x.relay, y.relay), x.number-y.number) })
	r.add("similarity", append([]Table{r.correlations(named, all), r.points(named, all)}, curves(named, all)...)...)
	return nil
}

// sampledTrips returns a few round trips of each domain and bucket of RS, sampled with the
// experiment's seed. Documents that could not be read are omitted.
func (r *Report) sampledTrips() map[tripKey]bool {
	var trips []tripKey
	var cells []int
	domains := map[string]int{}
	for _, key := range r.source.order {
		for _, c := range r.source.arms[key].curves {
			domain := r.source.environments[c.place].domain
			if _, known := domains[domain]; !known {
				domains[domain] = len(domains)
			}
			for k, t := range c.trips {
				if key.model != "" && t.scored() && !t.unscored && !t.problem {
					bucket := min(int(t.rs*scoreBuckets+1e-9), scoreBuckets-1)
					trips, cells = append(trips, tripKey{c.relay, k}), append(cells, domains[domain]*scoreBuckets+bucket)
				}
			}
		}
	}
	chosen := map[tripKey]bool{}
	for i, is := range pick(cells, 0, perCell, r.Experiment.Manifest.Seed) {
		if is {
			chosen[trips[i]] = true
		}
	}
	return chosen
}

// judgedTexts returns the documents of the sample that the judge is asked about.
func (r *Report) judgedTexts(sample map[tripKey]bool, judging *Judging) map[tripKey]bool {
	if judging == nil || judging.Most == 0 || len(sample) <= judging.Most {
		return sample
	}
	keys := slices.SortedFunc(maps.Keys(sample), func(x, y tripKey) int { return cmp.Or(cmp.Compare(x.relay, y.relay), x.trip-y.trip) })
	chosen := map[tripKey]bool{}
	for _, i := range shuffled(len(keys), r.Experiment.Manifest.Seed)[:judging.Most] {
		chosen[keys[i]] = true
	}
	return chosen
}

func (e *Embedder) likeness(ctx context.Context, seed, left string) (float64, error) {
	var vectors [2][]float32
	for i, text := range []string{seed, left} {
		vector, err := e.Of(ctx, text)
		if errors.Is(err, e.Refused) {
			return math.NaN(), nil
		}
		if err != nil {
			return 0, err
		}
		vectors[i] = vector
	}
	return e.Cosine(vectors[0], vectors[1]), nil
}

// likeness returns the judge's opinion of how much of a document is left, from 0 to 1; NaN without
// an answer.
func (j *Judging) likeness(domain string, seed, left vfs.Files) (float64, error) {
	prompt, err := opinion.Prompt(prompts, "prompts/similarity.md", map[string]any{
		"Domain": domain, "Original": opinion.Framed("the original", seed), "Copy": opinion.Framed("the copy", left),
	})
	if err != nil {
		return 0, err
	}
	n, err := j.Ask.Number(prompt, 0, 100)
	if errors.Is(err, domains.ErrNoAnswer) {
		return math.NaN(), nil
	}
	return float64(n) / 100, err
}

// correlations returns the table of Spearman's rho of each measure with RS.
func (r *Report) correlations(named generic, all []scoredText) Table {
	t := Table{
		Name: "similarity", Title: "Generic similarity of texts against the domains' scores: Spearman's rho (paper, Appendix C)", Labels: []string{"measure"},
		Measures: []Measure{
			{Name: "documents", Head: "documents"}, {Name: "rho", Head: "rho", Unit: Coefficient},
			{Name: "documents_hard", Head: "hard ones"}, {Name: "rho_hard", Head: "rho", Unit: Coefficient},
		},
		Notes: []string{"the documents are drawn by domain and 20 buckets of RS, at most 10 of each; hard: 0.8 to 1.2 times as long as the seed, in characters."},
	}
	for k, head := range named.heads {
		whole, hard := r.source.spearman(all, k, false), r.source.spearman(all, k, true)
		t.Rows = append(t.Rows, Row{Labels: []string{head}, Judged: named.names[k] == "judge", Cells: []Cell{
			plainCell(float64(whole.N)), interval(whole), plainCell(float64(hard.N)), interval(hard),
		}})
	}
	return t
}

// points returns the table of the sampled documents with their scores and measures.
func (r *Report) points(named generic, all []scoredText) Table {
	t := Table{
		Name: "similarity_points", Title: "The documents of the sample with their scores and measures", Labels: append(slices.Clone(armLabels), "environment", "relay", "step"),
		Measures: []Measure{{Name: "rs", Head: "RS", Unit: Percent}, {Name: "hard", Head: "hard"}},
	}
	for k, name := range named.names {
		t.Measures = append(t.Measures, Measure{Name: name, Head: named.heads[k], Unit: Percent})
	}
	for _, text := range all {
		relay := r.source.relays[text.relay]
		row := r.armOf(armKey{relay.Model, relay.Policy}).row(plainCell(text.score), plainCell(when(text.hard)))
		row.Labels = append(row.Labels, relay.Environment, strconv.FormatInt(text.relay, 10), strconv.Itoa(text.number))
		for _, measure := range text.measures {
			row.Cells = append(row.Cells, probability(measure))
		}
		t.Rows = append(t.Rows, row)
	}
	return forPrograms(t)
}

// curves returns the quartiles of each measure by bucket of RS (paper, Figure A2).
func curves(named generic, all []scoredText) []Table {
	var tables []Table
	for k, head := range named.heads {
		t := Table{Name: "similarity_" + named.names[k], Labels: []string{"RS"}, Title: head + " by RS, in % (paper, Figure A2)",
			Measures: []Measure{{Name: "documents", Head: "documents"}, {Name: "lower_quartile", Head: "lower quartile", Unit: Percent},
				{Name: "median", Head: "median", Unit: Percent}, {Name: "upper_quartile", Head: "upper quartile", Unit: Percent}}}
		var dots []Point
		var curve []middling
		for bucket := range scoreBuckets {
			var values []float64
			for _, text := range all {
				if value := text.measures[k]; !math.IsNaN(value) && min(int(text.score*scoreBuckets+1e-9), scoreBuckets-1) == bucket {
					values = append(values, value)
					dots = append(dots, Point{text.score, value})
				}
			}
			if len(values) == 0 {
				continue
			}
			slices.Sort(values)
			m := middling{(float64(bucket) + 0.5) / scoreBuckets, statistics.Quantile(values, 0.25), statistics.Quantile(values, 0.5), statistics.Quantile(values, 0.75)}
			curve = append(curve, m)
			t.Rows = append(t.Rows, Row{Labels: []string{fmt.Sprintf("%d–%d", bucket*100/scoreBuckets, (bucket+1)*100/scoreBuckets)},
				Cells: []Cell{plainCell(float64(len(values))), plainCell(m.low), plainCell(m.median), plainCell(m.high)}})
		}
		t.Plot = scatter(t.Title, "RS", head, dots, curve)
		tables = append(tables, t)
	}
	return tables
}

// joined returns the text of all files, in name order.
func joined(files vfs.Files) string {
	var b strings.Builder
	for _, name := range files.Names() {
		b.WriteString(files[name])
	}
	return b.String()
}

// compare computes the ratio of Python's SequenceMatcher, in characters, and ROUGE-L (Lin 2004: F1
// of the longest common subsequence of words).
func (t *scoredText) compare(seed, text string) {
	v, w := rougeWords(seed), rougeWords(text)
	t.measures = []float64{domains.TextRatio(seed, text), overlap(lcs(v, w), len(v), len(w))}
	before, after := utf8.RuneCountInString(seed), utf8.RuneCountInString(text)
	t.hard = float64(after) >= hardLeast*float64(before) && float64(after) <= hardMost*float64(before)
}

func overlap(common, a, b int) float64 {
	if a+b == 0 {
		return 1
	}
	return 2 * float64(common) / float64(a+b)
}

// rougeWords returns the maximal runs of letters from a to z and digits, in lower case, like the
// package rouge-score.
func rougeWords(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
}

// lcs returns the length of the longest common subsequence. It processes 64 elements of a at a
// time (Hyyrö, Bit-Parallel LCS-length Computation Revisited, 2004).
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

// spearman returns the rank correlation of a measure with RS, with average ranks for ties; on
// request, of the hard documents only.
func (b *builder) spearman(texts []scoredText, measure int, hard bool) statistics.Interval {
	var scores, measures []float64
	var places []int
	for _, t := range texts {
		if value := t.measures[measure]; !math.IsNaN(value) && (t.hard || !hard) {
			scores, measures, places = append(scores, t.score), append(measures, value), append(places, t.place)
		}
	}
	return b.rankCorrelation(measures, scores, places)
}

// rankCorrelation returns Spearman's rho of values that belong to environments.
func (b *builder) rankCorrelation(xs, ys []float64, places []int) statistics.Interval {
	x, y := ranks(xs), ranks(ys)
	pairs := make([]statistics.Pairs, len(b.environments))
	for i, place := range places {
		pairs[place].Add(x[i], y[i])
	}
	rho := b.sampler.Correlation(pairs)
	rho.N = len(xs)
	return rho
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
