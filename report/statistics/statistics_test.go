package statistics

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// means makes one sum of each value.
func means(values ...float64) []Sum {
	var sums []Sum
	for _, v := range values {
		sums = append(sums, Sum{v, 1})
	}
	return sums
}

func TestAMeanOfOneEnvironmentHasNoInterval(t *testing.T) {
	t.Parallel()
	got := NewSampler(1).Mean([]Sum{{Total: 3, Over: 4}})
	if !got.Exists() || got.Estimate != 0.75 || got.N != 4 || got.Clusters != 1 || got.Bounded() {
		t.Error(got)
	}
	if nothing := NewSampler(1).Mean([]Sum{{}, {}}); nothing.Exists() || nothing.Bounded() {
		t.Error(nothing)
	}
}

// Of two environments with the means 0 and 1 a sample has both the first with
// probability 1/4, and both the second: the bounds are the values themselves.
func TestTheBoundsOfTwoEnvironmentsAreTheirMeans(t *testing.T) {
	t.Parallel()
	got := NewSampler(1).Mean(means(0, 1))
	if diff := cmp.Diff(Interval{0.5, 0, 1, 2, 2}, got); diff != "" {
		t.Error(diff)
	}
}

// The interval of n normal values is about mean ± 1.96 σ/√n.
func TestTheIntervalOfManyIsTheNormalOne(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var sums []Sum
	sum, squares := 0.0, 0.0
	const n = 400
	for range n {
		v := random.NormFloat64()
		sum += v
		squares += v * v
		sums = append(sums, Sum{v, 1})
	}
	got := NewSampler(7).Mean(sums)
	half := 1.96 * math.Sqrt(squares/n-sum/n*sum/n) / math.Sqrt(n)
	if math.Abs(got.High-got.Estimate-half) > 0.1*half || math.Abs(got.Estimate-got.Low-half) > 0.1*half {
		t.Errorf("%+v, want ± %.4f", got, half)
	}
}

// Ten values in one environment say no more than one: were values drawn, the
// interval would be narrower.
func TestValuesOfOneEnvironmentAreDrawnTogether(t *testing.T) {
	t.Parallel()
	few := NewSampler(1).Mean(means(0, 1, 0, 1, 1))
	many := make([]Sum, 5)
	for i, v := range []float64{0, 1, 0, 1, 1} {
		many[i] = Sum{10 * v, 10}
	}
	got := NewSampler(1).Mean(many)
	if got.Low != few.Low || got.High != few.High || got.N != 50 {
		t.Errorf("%+v, want the bounds of %+v", got, few)
	}
}

// What was asked before does not change an interval.
func TestIntervalsRepeat(t *testing.T) {
	t.Parallel()
	a, b := NewSampler(3), NewSampler(3)
	b.Mean(means(1, 2))
	b.Mean(means(1, 2, 3, 4, 5, 6))
	first := a.Mean(means(0.1, 0.7, 0.4))
	second := b.Mean(means(0.1, 0.7, 0.4))
	if first != second {
		t.Error(first, second)
	}
}

// Of 2^3 assignments of signs to 1, 2 and 3, two have a sum as far from 0 as
// 6: p = 2/8. For 1, 2 and -3, whose sum is 0, all have.
func TestPValuesOfFewAreExact(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		values []float64
		p      float64
	}{
		{[]float64{1, 2, 3}, 0.25}, {[]float64{1, 2, -3}, 1}, {[]float64{0.1, 0.2, 0.3, 0.1}, 0.125}, {[]float64{0, 0}, 1},
	} {
		if _, p := NewSampler(1).Difference(means(c.values...)); p != c.p {
			t.Errorf("%v: %v, want %v", c.values, p, c.p)
		}
	}
}

func TestPValuesOfMany(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	var alike, apart []Sum
	for range 60 {
		v := random.NormFloat64()
		alike = append(alike, Sum{v, 1})
		apart = append(apart, Sum{v + 2, 1})
	}
	if _, p := NewSampler(1).Difference(alike); p < 0.05 {
		t.Errorf("no difference: p = %v", p)
	}
	if _, p := NewSampler(1).Difference(apart); p != 1.0/10000 {
		t.Errorf("a difference of two standard deviations: p = %v, want the least there is", p)
	}
}

// By hand, x = 0, 0, 1, 1 and y = 1, 3, 2, 6: means 0.5 and 3, Σ(x−x̄)(y−ȳ) = 2,
// Σ(x−x̄)² = 1, Σ(y−ȳ)² = 14: r = 2/√14.
func TestCorrelation(t *testing.T) {
	t.Parallel()
	pairs := make([]Pairs, 3)
	for i, p := range [][2]float64{{0, 1}, {0, 3}, {1, 2}, {1, 6}} {
		pairs[i%3].Add(p[0], p[1])
	}
	got := NewSampler(1).Correlation(pairs)
	if math.Abs(got.Estimate-2/math.Sqrt(14)) > 1e-12 || got.N != 4 || got.Low > got.Estimate || got.High < got.Estimate {
		t.Error(got)
	}
	var constant Pairs
	constant.Add(1, 0.1)
	constant.Add(1, 0.3)
	if got := NewSampler(1).Correlation([]Pairs{constant}); got.Exists() {
		t.Error(got)
	}
}

// By hand: 1, 3 against 4, 8: means 2 and 6, squares within 2 and 8, pooled
// deviation √(10/2): d = 4/√5.
func TestEffect(t *testing.T) {
	t.Parallel()
	groups := make([]Groups, 4)
	groups[0].Add(1, false)
	groups[1].Add(3, false)
	groups[2].Add(4, true)
	groups[3].Add(8, true)
	got := NewSampler(1).Effect(groups)
	if math.Abs(got.Estimate-4/math.Sqrt(5)) > 1e-12 || got.N != 4 || got.Clusters != 4 {
		t.Error(got)
	}
	if got := NewSampler(1).Effect(groups[:3]); got.Exists() {
		t.Errorf("one value in a group: %v", got)
	}
}

// One environment has three values of mean 1/3, the other one of 1.
func TestAMeanOfMeansGivesEachEnvironmentTheSameWeight(t *testing.T) {
	t.Parallel()
	sums := []Sum{{Total: 1, Over: 3}, {}, {Total: 1, Over: 1}}
	got := NewSampler(1).MeanOfMeans(sums)
	if math.Abs(got.Estimate-2.0/3) > 1e-12 || got.N != 4 || got.Clusters != 2 || !got.Bounded() {
		t.Errorf("%+v", got)
	}
	if mean := NewSampler(1).Mean(sums); mean.Estimate != 0.5 {
		t.Errorf("the mean of the values: %+v", mean)
	}
	if nothing := NewSampler(1).MeanOfMeans([]Sum{{}, {}}); nothing.Exists() {
		t.Error(nothing)
	}
}
