package statistics

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mathext"
)

// student is the two-sided p-value of a value of Student's t: the probability of one as far
// from 0.
func student(t, freedom float64) float64 {
	return mathext.RegIncBeta(freedom/2, 0.5, freedom/(freedom+t*t))
}

// CorrelationP is the p-value of Pearson's r of n pairs, and so of a point-biserial one and of
// Spearman's rho, by the t-test that statistics packages make. It takes the pairs as
// independent. It is NaN for fewer than three pairs, or no r.
func CorrelationP(r float64, n int) float64 {
	freedom := float64(n - 2)
	switch {
	case math.IsNaN(r) || n < 3:
		return math.NaN()
	case math.Abs(r) >= 1:
		return 0
	}
	return student(r*math.Sqrt(freedom/(1-r*r)), freedom)
}

// EffectP is the p-value of Cohen's d of two groups of so many values, by Student's t-test with
// a pooled deviation. It takes the values as independent. It is NaN if there is no d.
func EffectP(d float64, first, second int) float64 {
	if math.IsNaN(d) || first < 2 || second < 2 {
		return math.NaN()
	}
	a, b := float64(first), float64(second)
	return student(d*math.Sqrt(a*b/(a+b)), a+b-2)
}

// Samples are results before and after a change, of one document or environment.
type Samples struct{ Before, After []float64 }

// DropP is the one-sided p-value of a drop from Before to After: the share of ways to divide the
// same results into before and after within each of the samples in which the means drop
// together as much or more (a permutation test; Good, Permutation, Parametric, and Bootstrap Tests
// of Hypotheses, section 3.3). All ways are tried where there are few, 9,999 random ones where there
// are many. It takes results within a sample as independent, and asks nothing else of them. Samples
// without results before or after say nothing. It is 1 if none says anything.
func DropP(all []Samples) float64 {
	var pools []pool
	observed, ways := 0.0, 1.0
	for _, s := range all {
		if len(s.Before) == 0 || len(s.After) == 0 {
			continue
		}
		p := pool{append(append([]float64(nil), s.Before...), s.After...), len(s.Before)}
		pools = append(pools, p)
		observed += p.drop(p.values)
		ways *= math.Round(math.Exp(-mathext.Lbeta(float64(len(s.Before)+1), float64(len(s.After)+1))) / float64(len(p.values)+1))
	}
	const least = 1e-9 // sums of the same numbers in another order differ in their last digits
	if ways <= flips+1 {
		drops := []float64{0}
		for _, p := range pools {
			var more []float64
			p.each(nil, nil, func(d float64) {
				for _, so := range drops {
					more = append(more, so+d)
				}
			})
			drops = more
		}
		extreme := 0
		for _, d := range drops {
			if d >= observed-least {
				extreme++
			}
		}
		return float64(extreme) / float64(len(drops))
	}
	random, extreme := rand.New(rand.NewPCG(1, math.MaxUint64)), 0
	for range flips {
		sum := 0.0
		for _, p := range pools {
			random.Shuffle(len(p.values), func(i, k int) { p.values[i], p.values[k] = p.values[k], p.values[i] })
			sum += p.drop(p.values)
		}
		if sum >= observed-least {
			extreme++
		}
	}
	return float64(extreme+1) / float64(flips+1)
}

// pool is a sample's results together; the first are those before.
type pool struct {
	values []float64
	before int
}

// drop is by how much the mean falls if the values come in this order.
func (p pool) drop(values []float64) float64 {
	before, after := 0.0, 0.0
	for i, v := range values {
		if i < p.before {
			before += v
		} else {
			after += v
		}
	}
	return before/float64(p.before) - after/float64(len(values)-p.before)
}

// each visits the drop of every way to choose which values come before the others. before and
// after hold those that are chosen so far.
func (p pool) each(before, after []float64, visit func(drop float64)) {
	switch at := len(before) + len(after); {
	case at == len(p.values):
		visit(p.drop(append(append([]float64(nil), before...), after...)))
	default:
		if len(before) < p.before {
			p.each(append(before, p.values[at]), after, visit)
		}
		if len(after) < len(p.values)-p.before {
			p.each(before, append(after, p.values[at]), visit)
		}
	}
}
