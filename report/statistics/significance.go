package statistics

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// student is the two-sided p-value of a value of Student's t: the probability of one as far
// from 0.
func student(t, freedom float64) float64 {
	return mathext.RegIncBeta(freedom/2, 0.5, freedom/(freedom+t*t))
}

// Few is the mean of a few values with its 95 % interval by Student's t, which allows for how
// few they are where a bootstrap does not. The values are taken as independent; Clusters counts
// them, too. Equal values have an interval without width.
func Few(values []float64) Interval {
	n := float64(len(values))
	if n == 0 {
		return None()
	}
	sum, squares := 0.0, 0.0
	for _, v := range values {
		sum += v
	}
	i := Interval{Estimate: sum / n, Low: math.NaN(), High: math.NaN(), N: len(values), Clusters: len(values)}
	if n < 2 {
		return i
	}
	for _, v := range values {
		squares += (v - i.Estimate) * (v - i.Estimate)
	}
	// The t whose two tails together have 5 %, from the inverse of student.
	x := mathext.InvRegIncBeta((n-1)/2, 0.5, 2*tail)
	width := math.Sqrt((n-1)*(1/x-1)) * math.Sqrt(squares/(n-1)/n)
	i.Low, i.High = i.Estimate-width, i.Estimate+width
	return i
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
