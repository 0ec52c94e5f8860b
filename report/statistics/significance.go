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
