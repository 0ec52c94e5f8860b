package statistics

import (
	"math"
	"math/rand/v2"
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

// By hand: three results of six can be chosen in 20 ways, and where all before are higher than all
// after, no other way drops as much. The ways of two samples are multiplied.
func TestADropByHand(t *testing.T) {
	t.Parallel()
	three := Samples{[]float64{80, 82, 84}, []float64{60, 62, 64}}
	for name, c := range map[string]struct {
		samples []Samples
		want    float64
	}{
		"the largest drop":           {[]Samples{three}, 1.0 / 20},
		"of two":                     {[]Samples{three, three}, 1.0 / 400},
		"a rise":                     {[]Samples{{three.After, three.Before}}, 1},
		"all the same":               {[]Samples{{[]float64{1, 1, 1}, []float64{1, 1}}}, 1},
		"one of three worse":         {[]Samples{{[]float64{1, 1, 1}, []float64{1, 1, 0.9}}}, 0.5},
		"nothing before":             {[]Samples{{nil, []float64{1}}}, 1},
		"nothing before, and others": {[]Samples{{nil, []float64{1}}, three}, 1.0 / 20},
		"nothing at all":             {nil, 1},
	} {
		if got := DropP(c.samples); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// Where there are many ways, random ones are tried: of 20 against 20 results apart the p-value is
// the least there is, and it keeps its promise where nothing changed.
func TestADropOfMany(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	draw := func(n int, loss float64) (values []float64) {
		for range n {
			values = append(values, 1-loss-0.1*random.Float64())
		}
		return values
	}
	if p := DropP([]Samples{{draw(20, 0), draw(20, 0.2)}}); p != 1.0/10000 {
		t.Errorf("p = %v", p)
	}
	wrong := 0
	const times = 400
	for range times {
		if DropP([]Samples{{draw(4, 0), draw(4, 0)}, {draw(3, 0.3), draw(3, 0.3)}}) <= 0.05 {
			wrong++
		}
	}
	if most := atMost(times, 0.05); wrong > most {
		t.Errorf("a drop was seen %d times in %d where there was none", wrong, times)
	}
}
