// Package statistics has the intervals and tests of reports. Relays of one
// environment resemble each other, so environments are what is drawn: every
// method works on one Sum for each.
package statistics

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat"
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

// Sampler draws environments. The same seed gives the same intervals, whatever
// else was asked before. It is not for concurrent use.
type Sampler struct {
	seed uint64
	// weights are, by number of environments, how often each was drawn in each
	// sample: draws rows.
	weights map[int][]uint8
}

// NewSampler returns a sampler.
func NewSampler(seed uint64) *Sampler { return &Sampler{seed, map[int][]uint8{}} }

func (s *Sampler) drawn(n int) []uint8 {
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
// behind the sums.
func (s *Sampler) Ratio(sums []Sum, n int) Interval {
	sums = slices.DeleteFunc(slices.Clone(sums), func(c Sum) bool { return c == Sum{} })
	total, over := 0.0, 0.0
	for _, c := range sums {
		total += c.Total
		over += c.Over
	}
	if over == 0 {
		return None()
	}
	i := Interval{Estimate: total / over, Low: math.NaN(), High: math.NaN(), N: n, Clusters: len(sums)}
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
	slices.Sort(estimates)
	i.Low = stat.Quantile(tail, stat.LinInterp, estimates, nil)
	i.High = stat.Quantile(1-tail, stat.LinInterp, estimates, nil)
	return i
}

// Mean is the mean of the values behind the sums, whose Over counts them.
func (s *Sampler) Mean(sums []Sum) Interval {
	n := 0.0
	for _, c := range sums {
		n += c.Over
	}
	return s.Ratio(sums, int(n))
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
