package statistics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// evidence is that with which a bound is wrong at most once in twenty.
const evidence = 20

// Without a failure in n trials the bound is near the exact binomial one, 0.05^(1/n), and never
// above it.
func TestWithoutAFailureTheBoundIsNearTheBinomialOne(t *testing.T) {
	t.Parallel()
	for _, n := range []float64{1, 3, 10, 30, 150, 1000} {
		exact, got := math.Pow(0.05, 1/n), Share{Succeeded: n}.Least(evidence)
		if failures, most := 1-got, 1.4*(1-exact); got > exact || failures > most {
			t.Errorf("%v trials: at most %.4f fail, want from %.4f to %.4f", n, failures, 1-exact, most)
		}
		if most := (Share{Succeeded: n}).Most(evidence); most != 1 {
			t.Errorf("%v trials: at most %v succeed", n, most)
		}
	}
}

// By hand, for one success: 0.2 times the integral of (1-g)^(-0.8) g/m from m to 1, over
// (1-m)^0.2, is 1/m - (1-m)/(6m).
func TestTheEvidenceOfOneTrial(t *testing.T) {
	t.Parallel()
	for _, m := range []float64{0.1, 0.5, 0.9} {
		if got, want := (Share{Succeeded: 1}).Above(m), 1/m-(1-m)/(6*m); math.Abs(got-want) > 1e-9 {
			t.Errorf("above %v: %v, want %v", m, got, want)
		}
		if got, want := (Share{Failed: 1}).Below(1-m), (Share{Succeeded: 1}).Above(m); math.Abs(got-want) > 1e-9 {
			t.Errorf("below %v: %v, want %v", 1-m, got, want)
		}
	}
}

// Bets at fair odds neither win nor lose on average: over all numbers of successes, the evidence
// have the mean 1 if the share is m, and less if it is below m.
func TestBetsAreFair(t *testing.T) {
	t.Parallel()
	const n = 12
	for _, m := range []float64{0.2, 0.8, 0.98} {
		mean := func(share float64) float64 {
			sum := 0.0
			for k := 0.0; k <= n; k++ {
				chance := math.Exp(lchoose(n, k) + k*math.Log(share) + (n-k)*math.Log1p(-share))
				sum += chance * (Share{k, n - k}).Above(m)
			}
			return sum
		}
		if got := mean(m); math.Abs(got-1) > 1e-9 {
			t.Errorf("a share of %v: the bets have the mean %v", m, got)
		}
		if low := mean(m - 0.1); low >= mean(m) {
			t.Errorf("a share below %v: the bets have the mean %v", m, low)
		}
	}
}

func lchoose(n, k float64) float64 {
	top, _ := math.Lgamma(n + 1)
	a, _ := math.Lgamma(k + 1)
	b, _ := math.Lgamma(n - k + 1)
	return top - a - b
}

// The bounds hold the share that was seen, and evidence falls with the share that it is against.
func TestBoundsAreAroundTheShare(t *testing.T) {
	t.Parallel()
	for _, s := range []Share{{0, 3}, {1, 2}, {2, 1}, {3, 0}, {2.4, 0.6}, {97, 3}, {0.5, 99.5}} {
		seen := s.Succeeded / (s.Succeeded + s.Failed)
		if low, high := s.Least(evidence), s.Most(evidence); low > seen || high < seen || low < 0 || high > 1 {
			t.Errorf("%v: %v to %v", s, low, high)
		}
		before := math.Inf(1)
		for m := 0.001; m < seen; m += 0.001 {
			if now := s.Above(m); now > before {
				t.Errorf("%v: the evidence grows at %v", s, m)
				break
			} else {
				before = now
			}
		}
	}
	if nothing := (Share{}); nothing.Least(evidence) != 0 || nothing.Most(evidence) != 1 {
		t.Error("nothing was tried, and there are bounds")
	}
}

// The bounds hold while one looks after every trial and stops at the worst moment: binary results,
// results in between, and trials of four documents that differ.
func TestBoundsHoldHoweverOftenOneLooks(t *testing.T) {
	t.Parallel()
	const times, trials = 1500, 120
	for name, c := range map[string]struct {
		mean  float64
		round int // trials between two looks
		draw  func(random *rand.Rand, trial int) float64
	}{
		"rare failures":   {0.97, 1, func(r *rand.Rand, _ int) float64 { return bit(r.Float64() < 0.97) }},
		"one in two":      {0.5, 1, func(r *rand.Rand, _ int) float64 { return bit(r.Float64() < 0.5) }},
		"rare big losses": {0.975, 1, func(r *rand.Rand, _ int) float64 { return 1 - bit(r.Float64() < 0.05)*0.5 }},
		"small losses":    {0.9, 1, func(r *rand.Rand, _ int) float64 { return 0.8 + 0.2*r.Float64() }},
		"documents that differ": {0.9, 4, func(r *rand.Rand, trial int) float64 {
			return bit(r.Float64() < []float64{1, 1, 0.95, 0.65}[trial%4])
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(38, 1))
			tooHigh, tooLow := 0, 0
			for range times {
				var s Share
				above, below := false, false
				for trial := range trials {
					y := c.draw(random, trial)
					s.Succeeded, s.Failed = s.Succeeded+y, s.Failed+1-y
					if (trial+1)%c.round == 0 {
						above = above || s.Above(c.mean) >= evidence
						below = below || s.Below(c.mean) >= evidence
					}
				}
				tooHigh += int(bit(above))
				tooLow += int(bit(below))
			}
			if most := atMost(times, 0.05); tooHigh > most || tooLow > most {
				t.Errorf("the lower bound was wrong %d times and the upper one %d times in %d, more than %d", tooHigh, tooLow, times, most)
			}
		})
	}
}

// atMost is how often a thing of that probability happens in so many trials, with three standard
// deviations to spare.
func atMost(trials int, p float64) int {
	n := float64(trials)
	return int(n*p + 3*math.Sqrt(n*p*(1-p)))
}

func bit(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
