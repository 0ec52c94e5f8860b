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
