package report

import (
	"math"
	"slices"
	"strings"

	"agentd/report/statistics"
	"agentd/results"
)

// deletion is the share of the seed's counted elements that are missing: 1 − coverage, where
// coverage is candidate/reference, at most 1. The rest of the loss of RS, coverage − RS, is
// corruption; it is negative if a score forgives a loss (paper, Appendix F). Deletion is 0 for a
// document that only the published reader cannot read, since that reader counts no elements.
func deletion(s *results.Score) float64 {
	if s.Reference == 0 || s.Unreadable {
		return 0
	}
	return 1 - min(float64(s.Candidate)/float64(s.Reference), 1)
}

// notCore are the domains in which the number of counted elements says little about how much of
// the document is left, because most of it is something else. The paper uses 38 of its domains
// without naming them.
var notCore = map[string]string{
	"fiction": "words", "latex": "entries of the bibliography", "python": "definitions", "quantum": "subroutines", "image": "none",
}

// notCounted returns the domains that Damage omits, with their counted elements.
func (b *builder) notCounted() []string {
	var all []string
	for _, e := range b.environments {
		if what := notCore[e.domain]; what != "" {
			all = append(all, e.domain+" ("+what+")")
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Damage divides the loss of RS into deletion and corruption, after 2, 4, … interactions.
type Damage struct {
	// Deletion and Corruption add up to 1 − RS. DeletionShare is the share of Deletion in that sum.
	Deletion, Corruption, DeletionShare []statistics.Interval
}

// damage divides the loss of an arm, by round trip.
func (b *builder) damage(s *armSums) Damage {
	var d Damage
	for k := range s.rs {
		deleted, corrupted, share := b.tally(), b.tally(), b.tally()
		n := 0
		for _, c := range s.curves {
			if notCore[b.environments[c.place].domain] != "" || k >= len(c.trips) || !c.trips[k].scored() {
				continue
			}
			t := c.trips[k]
			n++
			deleted.add(c.place, t.deletion, 1)
			corrupted.add(c.place, 1-t.rs-t.deletion, 1)
			share.add(c.place, t.deletion, 1-t.rs)
		}
		d.Deletion, d.Corruption = append(d.Deletion, b.mean(deleted)), append(d.Corruption, b.mean(corrupted))
		d.DeletionShare = append(d.DeletionShare, b.sampler.Ratio(share, n))
	}
	return d
}

// damageTables show deletion and corruption after 2, 4, … interactions, and their shares at the
// end (paper, Figure 7).
func (r *Report) damageTables() []Table {
	tables := []Table{
		r.parts("deletion", "Deletion: the part of 1 − RS that lost elements explain, in %", func(a Arm) []statistics.Interval { return a.Damage.Deletion }),
		r.parts("corruption", "Corruption: the rest of 1 − RS, what is still there and wrong, in %", func(a Arm) []statistics.Interval { return a.Damage.Corruption }),
		r.damageShares(),
	}
	if len(r.NotCounted) > 0 {
		for i := range tables {
			tables[i].Notes = []string{"without the domains whose counted elements are not what a document consists of: " + strings.Join(r.NotCounted, ", ") + "."}
		}
	}
	return tables
}

func (r *Report) damageShares() Table {
	t := Table{Name: "damage_shares", Labels: armLabels, Title: "Deletion and corruption as shares of the degradation at the end, in % (paper, Figure 7)",
		Measures: []Measure{{Name: "at", Head: "@"}, {Name: "deletion_share", Head: "deletion", Unit: Percent}, {Name: "corruption_share", Head: "corruption", Unit: Percent}}}
	var rows []string
	var shares [][]float64
	for _, a := range r.Arms {
		end := len(a.Damage.DeletionShare)
		if end == 0 || !a.Damage.DeletionShare[end-1].Exists() || a.Work.TooLittle() {
			continue
		}
		deleted := a.Damage.DeletionShare[end-1]
		corrupted := deleted
		corrupted.Estimate, corrupted.Low, corrupted.High = 1-deleted.Estimate, 1-deleted.High, 1-deleted.Low
		t.Rows = append(t.Rows, a.row(plainCell(float64(2*end)), interval(deleted), interval(corrupted)))
		rows = append(rows, strings.Join(t.Rows[len(t.Rows)-1].shown(), " "))
		shares = append(shares, []float64{deleted.Estimate, corrupted.Estimate})
	}
	t.Plot = stackedBars(t.Title, rows, []string{"deletion", "corruption"}, shares)
	return t
}

// criticalDrop is the least loss in a critical failure: 10 points of RS in one round trip
// (paper, Tables 9 and A2).
const criticalDrop = 0.10

// IsCritical reports whether a round trip with the given loss of RS, from 0 to 1, had a critical
// failure.
func IsCritical(drop float64) bool { return drop >= criticalDrop-1e-12 }

// Critical are the critical failures of an arm.
type Critical struct {
	// Relays is, after 2, 4, … interactions, the share of the relays scored there that have
	// had one.
	Relays []statistics.Interval
	Drops  int // critical failures
	// Mean is their mean loss, from 0 to 1; Each the mean number per relay; OfLoss their share
	// of the total loss of all relays ("% Critical"). AllDrops and CriticalDrops are the means
	// over relays of the loss in all round trips and in critical ones ("Avg Drop", "Avg Crit
	// Drop").
	Mean, Each, OfLoss, AllDrops, CriticalDrops statistics.Interval
}

// critical counts the critical failures of the relays selected by counts, or of all if it is nil.
func (b *builder) critical(s *armSums, counts func(*curve) bool) Critical {
	sizes, each, loss, drops, criticals := b.tally(), b.tally(), b.tally(), b.tally(), b.tally()
	by := make([]tally, len(s.rs))
	for k := range by {
		by[k] = b.tally()
	}
	var all Critical
	for _, c := range s.curves {
		if counts != nil && !counts(c) {
			continue
		}
		before, had, scored := 1.0, 0.0, false
		for k, t := range c.trips {
			if !t.scored() {
				continue
			}
			scored = true
			drop := before - t.rs
			before = t.rs
			if drop > 0 {
				loss.add(c.place, 0, drop)
				drops.add(c.place, drop, 0)
			}
			if IsCritical(drop) {
				had = 1
				all.Drops++
				sizes.add(c.place, drop, 1)
				loss.add(c.place, drop, 0)
				each.add(c.place, 1, 0)
				criticals.add(c.place, drop, 0)
			}
			by[k].add(c.place, had, 1)
		}
		if scored {
			for _, t := range []tally{each, drops, criticals} {
				t.add(c.place, 0, 1)
			}
		}
	}
	all.Relays = b.means(by)
	all.Mean, all.Each, all.OfLoss = b.sampler.Mean(sizes), b.sampler.Mean(each), b.sampler.Ratio(loss, all.Drops)
	all.AllDrops, all.CriticalDrops = b.sampler.Mean(drops), b.sampler.Mean(criticals)
	return all
}

// criticalTables are the critical failures by the paper's definition, over all relays, and
// where work was not done also over the relays that did theirs.
func (r *Report) criticalTables() []Table {
	tables := []Table{
		r.critical("critical", "Critical failures: round trips that lost 10 points of RS or more (paper, Tables 9 and A2)", func(a Arm) Critical { return a.Critical }),
		r.parts("critical_by", "Relays that had a critical failure by k interactions, in % (paper, Table 9)",
			func(a Arm) []statistics.Interval { return a.Critical.Relays }),
	}
	if slices.ContainsFunc(r.Arms, func(a Arm) bool { return a.NotDone > 0 }) {
		tables = append(tables, r.critical("critical_done", "The same in relays with at least 95 % of their forward steps done", func(a Arm) Critical { return a.CriticalDone }))
	}
	return tables
}

func (r *Report) critical(name, title string, of func(Arm) Critical) Table {
	t := Table{
		Name: name, Title: title, Labels: armLabels,
		Measures: []Measure{
			{Name: "critical_failures", Head: "failures", Score: true}, {Name: "critical_per_relay", Head: "each relay", Unit: Ratio, Score: true},
			{Name: "critical_of_loss", Head: "% Critical", Unit: Percent, Score: true}, {Name: "average_drop", Head: "Avg Drop", Unit: Percent, Score: true},
			{Name: "average_critical_drop", Head: "Avg Crit Drop", Unit: Percent, Score: true}, {Name: "critical_mean", Head: "mean size %", Unit: Percent, Score: true}, notDone,
		},
	}
	for _, a := range r.Arms {
		if c := of(a); c.Each.Exists() {
			t.Rows = append(t.Rows, a.row(plainCell(float64(c.Drops)), interval(c.Each), interval(c.OfLoss), interval(c.AllDrops),
				interval(c.CriticalDrops), interval(c.Mean), plainCell(float64(a.NotDone))))
		}
	}
	return t
}

// Hidden measures damage that scores of round trips do not show.
type Hidden struct {
	// Undone is the share of round trips with a forward score below 0.5, among those that
	// lost less than 0.1 points of RS and whose forward step has an oracle: the document
	// survived, but the work was not done.
	Undone statistics.Interval
	// Unseen is the share of round trips with a strict score below 1, among those with a
	// published score of 1.
	Unseen statistics.Interval
	// Gap is the mean of RS − Strict at the end of the relays.
	Gap statistics.Interval
}

func (b *builder) hidden(s *armSums) Hidden {
	const (
		kept    = 0.001 // the largest loss that counts as none
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
			if before-t.rs < kept && !math.IsNaN(t.forward) {
				undone.add(c.place, when(t.forward < done), 1)
			}
			if t.rs >= perfect {
				unseen.add(c.place, when(t.strict < perfect), 1)
			}
			before, last = t.rs, k
		}
		if last >= 0 {
			gap.add(c.place, c.trips[last].rs-c.trips[last].strict, 1)
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
