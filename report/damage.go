package report

import (
	"math"

	"agentd/report/statistics"
	"agentd/results"
)

// deletion is the part of 1 − RS that lost elements explain: 1 −
// min(candidate/reference, 1), at most 1 − RS (paper, Appendix F). The rest is
// corruption: what is still there, and wrong.
func deletion(s *results.Score) float64 {
	if s.Reference == 0 {
		return 0
	}
	return min(1-min(float64(s.Candidate)/float64(s.Reference), 1), 1-s.Value)
}

// damage divides what an arm lost, by round trip.
func (b *builder) damage(arm *Arm, s *armSums) {
	for k := range s.value {
		deleted, corrupted := make([]statistics.Sum, len(b.environments)), make([]statistics.Sum, len(b.environments))
		for _, c := range s.curves {
			if k < len(c.trips) && c.trips[k].scored() {
				t := c.trips[k]
				addTo(&deleted[c.place], t.deletion, 1)
				addTo(&corrupted[c.place], 1-t.value-t.deletion, 1)
			}
		}
		d, _ := b.sampler.Mean(deleted)
		c, _ := b.sampler.Mean(corrupted)
		arm.Deletion, arm.Corruption = append(arm.Deletion, d), append(arm.Corruption, c)
	}
}

// criticalDrop is what a document loses at least in a critical failure: 10 points
// of RS in one round trip (paper, Tables 9 and A2).
const criticalDrop = 0.10

// Critical are the critical failures of an arm.
type Critical struct {
	// Relays is the share of relays that had one by 2, 4, … interactions, of those
	// with a score there.
	Relays []statistics.Interval
	Drops  int // critical failures
	// Mean is their mean size, a share of the document; Each how many a relay had;
	// OfLoss their share of all that round trips lost. Without bounds where there
	// are none.
	Mean, Each, OfLoss statistics.Interval
}

func (b *builder) critical(s *armSums) Critical {
	n := len(b.environments)
	sizes, each, loss := make([]statistics.Sum, n), make([]statistics.Sum, n), make([]statistics.Sum, n)
	by := make([][]statistics.Sum, len(s.value))
	for k := range by {
		by[k] = make([]statistics.Sum, n)
	}
	var all Critical
	for _, c := range s.curves {
		before, had, scored := 1.0, 0.0, false
		for k, t := range c.trips {
			if !t.scored() {
				continue
			}
			scored = true
			drop := before - t.value
			before = t.value
			if drop > 0 {
				addTo(&loss[c.place], 0, drop)
			}
			if drop >= criticalDrop-1e-12 {
				had = 1
				all.Drops++
				addTo(&sizes[c.place], drop, 1)
				addTo(&loss[c.place], drop, 0)
				addTo(&each[c.place], 1, 0)
			}
			addTo(&by[k][c.place], had, 1)
		}
		if scored {
			addTo(&each[c.place], 0, 1)
		}
	}
	for k := range by {
		share, _ := b.sampler.Mean(by[k])
		all.Relays = append(all.Relays, share)
	}
	all.Mean = known(b.sampler.Mean(sizes))
	all.Each = known(b.sampler.Mean(each))
	all.OfLoss = known(b.sampler.Ratio(loss, all.Drops))
	return all
}

// known is an interval; that of nothing has no estimate either.
func known(i statistics.Interval, ok bool) statistics.Interval {
	if !ok {
		return statistics.Interval{Estimate: math.NaN(), Low: math.NaN(), High: math.NaN()}
	}
	return i
}

// Hidden is what scores of round trips do not show.
type Hidden struct {
	// Undone is, of the round trips that lost less than 0.1 points of RS and whose
	// forward step has an oracle, the share whose forward score is below a half: the
	// document came back whole, but the work was not done.
	Undone statistics.Interval
	// Unseen is, of the round trips to which the published score gives 1, the share
	// to which the strict score does not.
	Unseen statistics.Interval
	// Gap is the mean of RS less Strict at the end of the relays.
	Gap statistics.Interval
}

func (b *builder) hidden(s *armSums) Hidden {
	const (
		kept    = 0.001 // the largest loss of a round trip that lost nothing to speak of
		done    = 0.5
		perfect = 1 - 1e-9
	)
	n := len(b.environments)
	undone, unseen, gap := make([]statistics.Sum, n), make([]statistics.Sum, n), make([]statistics.Sum, n)
	for _, c := range s.curves {
		before, last := 1.0, -1
		for k, t := range c.trips {
			if !t.scored() {
				continue
			}
			if before-t.value < kept && !math.IsNaN(t.forward) {
				addTo(&undone[c.place], when(t.forward < done), 1)
			}
			if t.value >= perfect {
				addTo(&unseen[c.place], when(t.strict < perfect), 1)
			}
			before, last = t.value, k
		}
		if last >= 0 {
			addTo(&gap[c.place], c.trips[last].value-c.trips[last].strict, 1)
		}
	}
	return Hidden{
		Undone: known(b.sampler.Mean(undone)), Unseen: known(b.sampler.Mean(unseen)), Gap: known(b.sampler.Mean(gap)),
	}
}

func when(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
