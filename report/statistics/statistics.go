// Package statistics has the intervals and tests of reports. Relays of one
// environment resemble each other, so environments are what is drawn: every
// method works on one Sum for each.
package statistics

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
)

// Sum is what one environment adds to a mean or a ratio: for a mean Over is how
// many values Total is the sum of.
type Sum struct{ Total, Over float64 }

// Interval is an estimate with its 95 % confidence interval.
type Interval struct {
	Estimate  float64 // NaN if there is nothing to estimate from
	Low, High float64 // NaN for fewer than two environments
	N         int     // values
	Clusters  int     // environments
}

// None is the estimate from nothing.
func None() Interval { return Interval{Estimate: math.NaN(), Low: math.NaN(), High: math.NaN()} }

// Exists reports whether there is an estimate.
func (i Interval) Exists() bool { return !math.IsNaN(i.Estimate) }

// Bounded reports whether it has bounds.
func (i Interval) Bounded() bool { return !math.IsNaN(i.Low) }

const (
	// draws is the number of bootstrap samples.
	draws = 2000
	// flips is the number of sign assignments of a test.
	flips = 9999
	// tail is the probability beyond each bound.
	tail = 0.025
)

// Sampler draws environments. The same seed gives the same intervals, in any
// order of questions. It may be used concurrently.
type Sampler struct {
	seed uint64
	mu   sync.Mutex
	// weights are, by number of environments, how often each was drawn in each
	// sample: draws rows.
	weights map[int][]uint8
}

// NewSampler returns a sampler.
func NewSampler(seed uint64) *Sampler { return &Sampler{seed: seed, weights: map[int][]uint8{}} }

func (s *Sampler) drawn(n int) []uint8 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if w := s.weights[n]; w != nil {
		return w
	}
	random := rand.New(rand.NewPCG(s.seed, uint64(n)))
	w := make([]uint8, draws*n)
	for d := range draws {
		for range n {
			if at := d*n + random.IntN(n); w[at] < math.MaxUint8 {
				w[at]++
			}
		}
	}
	s.weights[n] = w
	return w
}

// Ratio is Σ Total / Σ Over, with the percentile interval of a bootstrap in
// which environments are drawn with replacement (Efron and Tibshirani, An
// Introduction to the Bootstrap, chapters 8 and 13). n is the number of values
// that the sums are of.
func (s *Sampler) Ratio(sums []Sum, n int) Interval {
	sums = slices.DeleteFunc(slices.Clone(sums), func(c Sum) bool { return c == Sum{} })
	all := Total(sums)
	if all.Over == 0 {
		return None()
	}
	i := Interval{Estimate: all.Total / all.Over, Low: math.NaN(), High: math.NaN(), N: n, Clusters: len(sums)}
	if len(sums) < 2 {
		return i
	}
	estimates := make([]float64, 0, draws)
	weights := s.drawn(len(sums))
	for d := range draws {
		total, over := 0.0, 0.0
		for k, w := range weights[d*len(sums):][:len(sums)] {
			total += float64(float64(w) * sums[k].Total)
			over += float64(float64(w) * sums[k].Over)
		}
		if over != 0 {
			estimates = append(estimates, total/over)
		}
	}
	i.bound(estimates)
	return i
}

// bound sets the bounds from the estimates of samples.
func (i *Interval) bound(estimates []float64) {
	if len(estimates) == 0 {
		return
	}
	slices.Sort(estimates)
	i.Low, i.High = quantile(tail, estimates), quantile(1-tail, estimates)
}

// quantile is the value below which a share p of sorted values lies, interpolated
// (definition 4 of Hyndman and Fan, Sample Quantiles in Statistical Packages, 1996).
func quantile(p float64, sorted []float64) float64 {
	place := p * float64(len(sorted))
	above := int(math.Ceil(place)) - 1
	if above < 1 {
		return sorted[0]
	}
	t := float64(above+1) - place
	return float64(t*sorted[above-1]) + float64((1-t)*sorted[above])
}

// Quantile is the value below which a share p of sorted values lies, interpolated between the
// two around it, as Python's numpy does (definition 7 of Hyndman and Fan). There is at least
// one value.
func Quantile(sorted []float64, p float64) float64 {
	place := p * float64(len(sorted)-1)
	below := int(place)
	if below+1 == len(sorted) {
		return sorted[below]
	}
	return sorted[below] + (place-float64(below))*(sorted[below+1]-sorted[below])
}

// Of is a statistic of sums that environments add up to, such as those of values
// and of their squares: of all, with the interval of Ratio. n is the number of
// values. Samples of which the statistic is NaN are left out.
func (s *Sampler) Of(sums [][]float64, n int, statistic func(total []float64) float64) Interval {
	sums = slices.DeleteFunc(slices.Clone(sums), func(c []float64) bool {
		return !slices.ContainsFunc(c, func(v float64) bool { return v != 0 })
	})
	if len(sums) == 0 {
		return None()
	}
	total := make([]float64, len(sums[0]))
	return s.Weighted(len(sums), n, func(weights []float64) float64 {
		clear(total)
		for k, w := range weights {
			addScaled(total, w, sums[k])
		}
		return statistic(total)
	})
}

// Weighted is a statistic of so many environments, with the interval of Ratio. The weights are
// how often each environment counts: once in the estimate, and in a sample as often as it was
// drawn. n is the number of values. Samples of which the statistic is NaN are left out.
func (s *Sampler) Weighted(environments, n int, statistic func(weights []float64) float64) Interval {
	weights := slices.Repeat([]float64{1}, environments)
	i := Interval{Estimate: statistic(weights), Low: math.NaN(), High: math.NaN(), N: n, Clusters: environments}
	if !i.Exists() || environments < 2 {
		return i
	}
	estimates := make([]float64, 0, draws)
	drawn := s.drawn(environments)
	for d := range draws {
		for k, w := range drawn[d*environments:][:environments] {
			weights[k] = float64(w)
		}
		if estimate := statistic(weights); !math.IsNaN(estimate) {
			estimates = append(estimates, estimate)
		}
	}
	i.bound(estimates)
	return i
}

// Mean is the mean of the values that the sums add up, whose Over counts them.
func (s *Sampler) Mean(sums []Sum) Interval { return s.Ratio(sums, int(Total(sums).Over)) }

// MeanOfMeans is the mean over environments of their own means, so that each has
// the same weight however many values it has. N still counts the values.
func (s *Sampler) MeanOfMeans(sums []Sum) Interval {
	return s.Ratio(Means(sums), int(Total(sums).Over))
}

// Means has the mean of each sum as its only value; nothing of a sum without values.
func Means(sums []Sum) []Sum {
	means := make([]Sum, len(sums))
	for i, c := range sums {
		if c.Over > 0 {
			means[i] = Sum{Total: c.Total / c.Over, Over: 1}
		}
	}
	return means
}

// Total is the sum of sums.
func Total(sums []Sum) (all Sum) {
	for _, c := range sums {
		all.Total += c.Total
		all.Over += c.Over
	}
	return all
}

// Difference is a mean of paired differences with its p-value: the share of
// assignments of signs to environments, the given one included, whose mean lies
// as far from 0 (two-sided; Good, Permutation, Parametric, and Bootstrap Tests of
// Hypotheses, section 3.2). All assignments are tried where there are few, 9,999
// random ones where there are many. The p-value of nothing is NaN.
func (s *Sampler) Difference(sums []Sum) (mean Interval, p float64) {
	mean = s.Mean(sums)
	if !mean.Exists() {
		return mean, math.NaN()
	}
	totals := make([]float64, 0, len(sums))
	observed, size := 0.0, 0.0
	for _, c := range sums {
		if c.Over > 0 {
			totals = append(totals, c.Total)
			observed += c.Total
			size += math.Abs(c.Total)
		}
	}
	// Sums of the same numbers in another order differ in their last digits.
	least := math.Abs(observed) - 1e-12*size
	extreme, tried := 0, 0
	try := func(positive func(k int) bool) {
		sum := 0.0
		for k, t := range totals {
			if positive(k) {
				sum += t
			} else {
				sum -= t
			}
		}
		tried++
		if math.Abs(sum) >= least {
			extreme++
		}
	}
	if len(totals) < 14 && 1<<len(totals) <= flips+1 {
		for signs := range 1 << len(totals) {
			try(func(k int) bool { return signs>>k&1 == 0 })
		}
		return mean, float64(extreme) / float64(tried)
	}
	random := rand.New(rand.NewPCG(s.seed, math.MaxUint64))
	for range flips {
		bits, left := uint64(0), 0
		try(func(int) bool {
			if left == 0 {
				bits, left = random.Uint64(), 64
			}
			bit := bits & 1
			bits >>= 1
			left--
			return bit == 0
		})
	}
	return mean, float64(extreme+1) / float64(tried+1)
}

// Pairs are the sums that a correlation is found from.
type Pairs struct{ n, x, y, xx, yy, xy float64 }

// Add adds a pair of values.
func (p *Pairs) Add(x, y float64) {
	p.n++
	p.x += x
	p.y += y
	p.xx += x * x
	p.yy += y * y
	p.xy += x * y
}

// Correlation is Pearson's r of pairs, given by environment; where x is 0 or 1 it
// is the point-biserial correlation. There is none where x or y does not vary.
func (s *Sampler) Correlation(pairs []Pairs) Interval {
	sums, n := make([][]float64, len(pairs)), 0.0
	for i, p := range pairs {
		sums[i] = []float64{p.n, p.x, p.y, p.xx, p.yy, p.xy}
		n += p.n
	}
	r := s.Of(sums, int(n), func(t []float64) float64 {
		n, x, y := t[0], t[1], t[2]
		variance := (n*t[3] - x*x) * (n*t[4] - y*y)
		if least := 1e-12 * n * t[3] * n * t[4]; variance <= least {
			return math.NaN()
		}
		return (n*t[5] - x*y) / math.Sqrt(variance)
	})
	if !r.Exists() {
		return None()
	}
	return r
}

// Groups are the sums that an effect is found from: of values in two groups.
type Groups [2]struct{ n, sum, squares float64 }

// Add adds a value, to the second group if high.
func (g *Groups) Add(value float64, high bool) {
	group := &g[0]
	if high {
		group = &g[1]
	}
	group.n++
	group.sum += value
	group.squares += value * value
}

// Effect is Cohen's d: the mean of the second group less that of the first, over
// their pooled standard deviation (Cohen, Statistical Power Analysis for the
// Behavioral Sciences, section 2.5). There is none with fewer than two values in a
// group, or where values do not vary inside of the groups.
func (s *Sampler) Effect(groups []Groups) Interval {
	sums, n := make([][]float64, len(groups)), 0.0
	for i, g := range groups {
		sums[i] = []float64{g[0].n, g[0].sum, g[0].squares, g[1].n, g[1].sum, g[1].squares}
		n += g[0].n + g[1].n
	}
	d := s.Of(sums, int(n), func(t []float64) float64 {
		if t[0] < 2 || t[3] < 2 {
			return math.NaN()
		}
		within := t[2] - t[1]*t[1]/t[0] + t[5] - t[4]*t[4]/t[3]
		if within <= 1e-12*(t[2]+t[5]) {
			return math.NaN()
		}
		return (t[4]/t[3] - t[1]/t[0]) / math.Sqrt(within/(t[0]+t[3]-2))
	})
	if !d.Exists() {
		return None()
	}
	return d
}

// addScaled adds a multiple of values to others.
func addScaled(to []float64, factor float64, values []float64) {
	for i, v := range values {
		to[i] += float64(factor * v)
	}
}
