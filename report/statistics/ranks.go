package statistics

import (
	"cmp"
	"math"
	"slices"
)

// Spearman is Spearman's rho of pairs that count as often as their weights say, nil for once
// each: Pearson's r of the ranks, where equal values have the mean of theirs (Kendall and
// Gibbons, Rank Correlation Methods, chapter 3). It is NaN where x or y does not vary, or a value
// is NaN.
func Spearman(x, y, weights []float64) float64 {
	if slices.ContainsFunc(slices.Concat(x, y), math.IsNaN) {
		return math.NaN()
	}
	u, v := midranks(x, weights), midranks(y, weights)
	n, mean := 0.0, [2]float64{}
	for i := range u {
		w := weight(weights, i)
		n += w
		mean[0] += w * u[i]
		mean[1] += w * v[i]
	}
	xx, yy, xy := 0.0, 0.0, 0.0
	for i := range u {
		w, a, b := weight(weights, i), u[i]-mean[0]/n, v[i]-mean[1]/n
		xx, yy, xy = xx+w*a*a, yy+w*b*b, xy+w*a*b
	}
	if xx <= 0 || yy <= 0 {
		return math.NaN()
	}
	return xy / math.Sqrt(xx*yy)
}

// midranks are the ranks of values, equal ones sharing the mean of theirs.
func midranks(values, weights []float64) []float64 {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	ranks, below := make([]float64, len(values)), 0.0
	for begin := 0; begin < len(order); {
		end, tied := begin, 0.0
		for ; end < len(order) && values[order[end]] == values[order[begin]]; end++ {
			tied += weight(weights, order[end])
		}
		for _, i := range order[begin:end] {
			ranks[i] = below + (tied+1)/2
		}
		below, begin = below+tied, end
	}
	return ranks
}

// Kendall is Kendall's tau-b of pairs that count as often as their weights say, nil for once
// each: concordant less discordant pairs of pairs, over the geometric mean of those that
// differ in x and those that differ in y (Kendall and Gibbons, chapter 3). It is NaN where x
// or y does not vary, or a value is NaN.
func Kendall(x, y, weights []float64) float64 {
	if slices.ContainsFunc(slices.Concat(x, y), math.IsNaN) {
		return math.NaN()
	}
	agree, byX, byY := 0.0, 0.0, 0.0
	for i := range x {
		w := weight(weights, i)
		if w == 0 {
			continue
		}
		for j := range i {
			both := w * weight(weights, j)
			a, b := float64(cmp.Compare(x[i], x[j])), float64(cmp.Compare(y[i], y[j]))
			agree, byX, byY = agree+both*a*b, byX+both*a*a, byY+both*b*b
		}
	}
	if byX == 0 || byY == 0 {
		return math.NaN()
	}
	return agree / math.Sqrt(byX*byY)
}

func weight(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}
