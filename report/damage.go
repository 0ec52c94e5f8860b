package report

import (
	"math"

	"agentd/report/statistics"
	"agentd/results"
)

// deletion is the part of 1 − RS that lost elements explain: 1 −
// min(candidate/reference, 1), at most 1 − RS (paper, Appendix F). The rest is
// corruption: what is still there, and wrong. Nothing is deleted from a document that
// only the published reader cannot read.
func deletion(s *results.Score) float64 {
	if s.Reference == 0 || s.Unreadable {
		return 0
	}
	return min(1-min(float64(s.Candidate)/float64(s.Reference), 1), 1-s.Value)
}

// damage divides what an arm lost, by round trip.
func (b *builder) damage(s *armSums) (deletion, corruption []statistics.Interval) {
	for k := range s.values {
		deleted, corrupted := b.tally(), b.tally()
		for _, c := range s.curves {
			if k < len(c.trips) && c.trips[k].scored() {
				t := c.trips[k]
				deleted.add(c.place, t.deletion, 1)
				corrupted.add(c.place, 1-t.value-t.deletion, 1)
			}
		}
		deletion, corruption = append(deletion, b.mean(deleted)), append(corruption, b.mean(corrupted))
	}
	return deletion, corruption
}

// criticalDrop is what a document loses at least in a critical failure: 10 points
// of RS in one round trip (paper, Tables 9 and A2).
const criticalDrop = 0.10

// IsCritical reports whether a round trip that lost so much of the document had a
// critical failure.
func IsCritical(drop float64) bool { return drop >= criticalDrop-1e-12 }

// Critical are the critical failures of an arm.
type Critical struct {
	// Relays is the share of relays that had one by 2, 4, … interactions, of those
	// with a score there.
	Relays []statistics.Interval
	Drops  int // critical failures
	// Mean is their mean size, a share of the document; Each how many a relay had;
	// OfLoss their share of all that round trips lost.
	Mean, Each, OfLoss statistics.Interval
}

func (b *builder) critical(s *armSums) Critical {
	sizes, each, loss := b.tally(), b.tally(), b.tally()
	by := make([]tally, len(s.values))
	for k := range by {
		by[k] = b.tally()
	}
	var all Critical
	for _, c := range s.curves {
		if !c.worked() {
			continue
		}
		before, had, scored := 1.0, 0.0, false
		for k, t := range c.trips {
			if !t.scored() {
				continue
			}
			scored = true
			drop := before - t.value
			before = t.value
			if drop > 0 {
				loss.add(c.place, 0, drop)
			}
			if IsCritical(drop) {
				had = 1
				all.Drops++
				sizes.add(c.place, drop, 1)
				loss.add(c.place, drop, 0)
				each.add(c.place, 1, 0)
			}
			by[k].add(c.place, had, 1)
		}
		if scored {
			each.add(c.place, 0, 1)
		}
	}
	all.Relays = b.means(by)
	all.Mean, all.Each, all.OfLoss = b.sampler.Mean(sizes), b.sampler.Mean(each), b.sampler.Ratio(loss, all.Drops)
	return all
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
	undone, unseen, gap := b.tally(), b.tally(), b.tally()
	for _, c := range s.curves {
		before, last := 1.0, -1
		for k, t := range c.trips {
			if !t.scored() {
				continue
			}
			if before-t.value < kept && !math.IsNaN(t.forward) {
				undone.add(c.place, when(t.forward < done), 1)
			}
			if t.value >= perfect {
				unseen.add(c.place, when(t.strict < perfect), 1)
			}
			before, last = t.value, k
		}
		if last >= 0 {
			gap.add(c.place, c.trips[last].value-c.trips[last].strict, 1)
		}
	}
	return Hidden{Undone: b.sampler.Mean(undone), Unseen: b.sampler.Mean(unseen), Gap: b.sampler.Mean(gap)}
}

func when(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
