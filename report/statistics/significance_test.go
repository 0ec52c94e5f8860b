package statistics

import (
	"math"
	"testing"
)

// With 2 degrees of freedom P(|T| > t) is 1 − t/√(2 + t²), with 1 it is 1 − 2/π·arctan t.
func TestPValuesByHand(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want float64 }{
		{CorrelationP(0.5, 4), 1 - math.Sqrt(2.0/3)/math.Sqrt(2+2.0/3)}, // t = 0.5·√(2/0.75) = √(2/3)
		{CorrelationP(-0.5, 4), 1 - math.Sqrt(2.0/3)/math.Sqrt(2+2.0/3)},
		{CorrelationP(0.6, 3), 1 - 2/math.Pi*math.Atan(0.75)}, // t = 0.6·√(1/0.64)
		{CorrelationP(0, 100), 1},
		{CorrelationP(1, 5), 0},
		{EffectP(3, 2, 2), 1 - 3/math.Sqrt(2+9)}, // t = 3·√(4/4)
		{EffectP(0, 5, 7), 1},
	} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%v, want %v", c.got, c.want)
		}
	}
	for _, none := range []float64{CorrelationP(math.NaN(), 9), CorrelationP(0.5, 2), EffectP(1, 1, 9), EffectP(math.NaN(), 5, 5)} {
		if !math.IsNaN(none) {
			t.Errorf("%v, want none", none)
		}
	}
}

// Tables of the normal distribution: with many pairs r·√n of 1.96 has p = 0.05.
func TestPValuesOfManyAreThoseOfTheNormalDistribution(t *testing.T) {
	t.Parallel()
	const n = 1_000_000
	if p := CorrelationP(1.959964/math.Sqrt(n), n); math.Abs(p-0.05) > 1e-4 {
		t.Errorf("p = %v, want 0.05", p)
	}
}

// The critical values of t for 1, 2, 4 and 29 degrees of freedom are those of printed tables.
func TestTheIntervalOfAFewValues(t *testing.T) {
	t.Parallel()
	for n, critical := range map[int]float64{2: 12.706, 3: 4.303, 5: 2.776, 30: 2.045} {
		values := make([]float64, n)
		values[0] = 1 // mean 1/n, variance 1/n, so a standard error of 1/n
		got, want := Few(values), critical/float64(n)
		if math.Abs(got.Estimate-1/float64(n)) > 1e-12 || math.Abs(got.High-got.Estimate-want) > 1e-3*want || math.Abs(got.Estimate-got.Low-want) > 1e-3*want {
			t.Errorf("%d values: %+v, want %v on each side", n, got, want)
		}
	}
	if one := Few([]float64{0.5}); one.Estimate != 0.5 || one.Bounded() {
		t.Errorf("one value: %+v", one)
	}
	if same := Few([]float64{0.9, 0.9, 0.9}); same.Low != same.High || math.Abs(same.Low-0.9) > 1e-12 {
		t.Errorf("equal values: %+v", same)
	}
	if none := Few(nil); none.Exists() {
		t.Errorf("no values: %+v", none)
	}
}
