package statistics

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// Share counts trials by how they ended. A trial may succeed in part, with any result from 0 to 1:
// it adds that to Succeeded and the rest to Failed, and the share is the mean of the results.
type Share struct{ Succeeded, Failed float64 }

// nearSuccess shapes the bets of Above: the density of the bet on a share g is in proportion to
// (1-g)^(nearSuccess-1). At 0.2, 17 successes without a failure are enough evidence (20) for more
// than 0.98¹⁰; the exact binomial test, which may look only once, needs 15.
const nearSuccess = 0.2

// Above is the evidence that more than a share m of trials succeed, for m from 0 to 1: what a
// bettor owns who began with 1 and bet on the results at odds that are fair if the share is m. If
// the share is m or less, the probability that Above ever reaches c is at most 1/c, however often
// one looks and whenever one stops (Ville's inequality; Waudby-Smith and Ramdas, Estimating means
// of bounded random variables by betting, 2024; the spread of bets is Robbins's mixture, 1970).
//
// The trials are independent. They need not be alike: for trials of several documents the share is
// the mean over the documents, if one looks when all of them have equally many trials.
//
// For results between 0 and 1 the bettor gets (g/m)^y ((1-g)/(1-m))^(1-y) for a result y. By the
// inequality of means that is at most what fair odds pay, y g/m + (1-y) (1-g)/(1-m).
func (s Share) Above(m float64) float64 {
	switch {
	case m >= 1 || m <= 0 && s.Succeeded == 0:
		return 1 // there is nothing to win
	case m <= 0:
		return math.Inf(1)
	}
	a, b := s.Succeeded+1, s.Failed+nearSuccess
	within := mathext.RegIncBeta(b, a, 1-m) // the part of the beta distribution above m
	return nearSuccess * math.Exp(mathext.Lbeta(a, b)+math.Log(within)-(a-1)*math.Log(m)-b*math.Log1p(-m))
}

// Below is the evidence that less than a share m of trials succeed, as Above is that more do.
func (s Share) Below(m float64) float64 { return Share{s.Failed, s.Succeeded}.Above(1 - m) }

// Least is a lower bound of the share: there is so much evidence against any below it. With the
// evidence 20 it is wrong at most once in twenty.
func (s Share) Least(evidence float64) float64 {
	if s.Succeeded == 0 {
		return 0
	}
	low, high := 0.0, s.Succeeded/(s.Succeeded+s.Failed)
	for range 40 { // to 1e-12
		if m := (low + high) / 2; s.Above(m) >= evidence {
			low = m
		} else {
			high = m
		}
	}
	return low
}

// Most is an upper bound of the share, as Least is a lower one.
func (s Share) Most(evidence float64) float64 {
	return 1 - Share{s.Failed, s.Succeeded}.Least(evidence)
}
