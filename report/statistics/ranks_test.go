package statistics

import (
	"math"
	"testing"
)

// By hand. The ranks of 1 2 3 4 against those of 1 3 2 4: rho = 1 − 6·2/(4·15) = 0.8; 5 of 6 pairs
// are concordant and 1 is discordant, tau = 4/6. With ties, x = 1 1 2 3 and y = 1 2 2 3 have the
// ranks 1.5 1.5 3 4 and 1 2.5 2.5 4: rho = 3.75/√(4.5·4.5). Of 6 pairs 4 are concordant, 5 differ
// in x and 5 in y: tau-b = 4/5.
func TestRankCorrelations(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		x, y     []float64
		rho, tau float64
	}{
		"one exchange":        {[]float64{1, 2, 3, 4}, []float64{1, 3, 2, 4}, 0.8, 4.0 / 6},
		"the other way round": {[]float64{1, 2, 3}, []float64{3, 2, 1}, -1, -1},
		"ties":                {[]float64{1, 1, 2, 3}, []float64{1, 2, 2, 3}, 3.75 / 4.5, 0.8},
	} {
		if rho, tau := Spearman(c.x, c.y, nil), Kendall(c.x, c.y, nil); math.Abs(rho-c.rho) > 1e-12 || math.Abs(tau-c.tau) > 1e-12 {
			t.Errorf("%s: rho %v, tau %v; want %v, %v", name, rho, tau, c.rho, c.tau)
		}
	}
	for _, none := range []float64{Spearman([]float64{1, 1}, []float64{1, 2}, nil), Kendall([]float64{1, 2}, []float64{1, 1}, nil), Spearman(nil, nil, nil), Kendall(nil, nil, nil),
		Spearman([]float64{1, math.NaN(), 2}, []float64{1, 2, 3}, nil), Kendall([]float64{1, 2, 3}, []float64{1, math.NaN(), 3}, nil)} {
		if !math.IsNaN(none) {
			t.Errorf("of what does not vary, or is no number, there is %v", none)
		}
	}
}

// A pair of weight 3 is three equal pairs, one of weight 0 none.
func TestWeightsOfRankCorrelationsCountPairs(t *testing.T) {
	t.Parallel()
	x, y, weights := []float64{1, 1, 2, 3}, []float64{1, 2, 2, 3}, []float64{2, 1, 0, 3}
	repeatedX, repeatedY := []float64{1, 1, 1, 3, 3, 3}, []float64{1, 1, 2, 3, 3, 3}
	if got, want := Spearman(x, y, weights), Spearman(repeatedX, repeatedY, nil); math.Abs(got-want) > 1e-12 {
		t.Errorf("rho is %v, want %v", got, want)
	}
	if got, want := Kendall(x, y, weights), Kendall(repeatedX, repeatedY, nil); math.Abs(got-want) > 1e-12 {
		t.Errorf("tau is %v, want %v", got, want)
	}
}

// A mean by weights has the bounds of the mean by sums: the same environments are drawn.
func TestAWeightedStatisticHasTheBoundsOfItsSums(t *testing.T) {
	t.Parallel()
	values := []float64{0.1, 0.7, 0.4, 0.9}
	want := NewSampler(3).Mean(means(values...))
	got := NewSampler(3).Weighted(len(values), len(values), func(weights []float64) float64 {
		sum, n := 0.0, 0.0
		for i, w := range weights {
			sum, n = sum+float64(w*values[i]), n+w
		}
		return sum / n
	})
	if got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	if one := NewSampler(3).Weighted(1, 1, func([]float64) float64 { return 2 }); one.Estimate != 2 || one.Bounded() {
		t.Errorf("of one environment: %+v", one)
	}
	if none := NewSampler(3).Weighted(3, 3, func([]float64) float64 { return math.NaN() }); none.Exists() {
		t.Errorf("of nothing: %+v", none)
	}
}
