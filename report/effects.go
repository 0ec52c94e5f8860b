package report

import (
	"math"
	"slices"

	"agentd/report/statistics"
	"agentd/results"
)

// armOf returns the arm of a key; nil if none of its interactions is stored.
func (r *Report) armOf(key armKey) *Arm {
	if at := slices.Index(r.source.order, key); at >= 0 {
		return &r.Arms[at]
	}
	return nil
}

// contrast compares one arm with another after 2, 4, … interactions.
type contrast struct {
	Row            // without cells
	policy, versus string
	baseline       results.Work
	by             []tally // differences of RS in pairs, by round trip; nil if an arm did too little
}

// pairs returns the largest number of pairs at any moment.
func (c *contrast) pairs() int {
	most := 0
	for _, t := range c.by {
		most = max(most, countOver(t))
	}
	return most
}

func (r *Report) newContrast(key armKey, base *Arm, versus string) contrast {
	row := r.armOf(key).row()
	row.Labels = append(row.Labels, versus)
	return contrast{Row: row, policy: key.policy, versus: versus, baseline: base.Work}
}

// policyContrasts compares the policies of each model with the same baseline as Comparisons.
func (r *Report) policyContrasts() []contrast {
	var all []contrast
	for _, c := range r.Comparisons {
		all = append(all, r.armContrast(armKey{c.Model, c.Policy}, armKey{c.Model, c.Baseline}, c.Baseline))
	}
	return all
}

// armContrasts compares all arms with a chosen one.
func (r *Report) armContrasts(base armKey) []contrast {
	var all []contrast
	for _, key := range r.source.order {
		if key != base && len(r.source.arms[key].rs) > 0 {
			all = append(all, r.armContrast(key, base, base.String()))
		}
	}
	return all
}

// armContrast pairs the relays of two arms by environment and repeat.
func (r *Report) armContrast(key, base armKey, versus string) contrast {
	c := r.newContrast(key, r.armOf(base), versus)
	if r.armOf(key).Work.TooLittle() || r.armOf(base).Work.TooLittle() {
		return c
	}
	for k := range min(len(r.source.arms[key].rs), len(r.source.arms[base].rs)) {
		rs, _ := r.source.differences(key, base, k+1)
		c.by = append(c.by, rs)
	}
	return c
}

// experimentContrasts compares the arms with the same ones of another experiment, environment by
// environment.
func (r *Report) experimentContrasts(other *Report) []contrast {
	var all []contrast
	for _, same := range r.source.sameArms(other.source) {
		key, mine, theirs := same[0], r.source.arms[same[0]], other.source.arms[same[1]]
		if len(mine.rs) == 0 {
			continue
		}
		c := r.newContrast(key, other.armOf(same[1]), other.Experiment.Name)
		for k := range min(len(mine.rs), len(theirs.rs)) {
			if !r.armOf(key).Work.TooLittle() && !other.armOf(same[1]).Work.TooLittle() {
				by, _ := r.source.byEnvironment(other.source, mine.rs[k], theirs.rs[k])
				c.by = append(c.by, by)
			}
		}
		all = append(all, c)
	}
	return all
}

// joint computes a statistic of the means of several tallies. Its bootstrap draws the same
// environments for all of them. The mean of an empty tally is NaN.
func (b *builder) joint(tallies []tally, statistic func(means []float64) float64) statistics.Interval {
	type part struct {
		tally, cluster int
		statistics.Sum
	}
	var parts []part
	clusters, n := 0, 0
	for place := range b.environments {
		met := false
		for i, t := range tallies {
			if sum := t[place]; sum.Over > 0 {
				parts, met = append(parts, part{i, clusters, sum}), true
				n += int(sum.Over)
			}
		}
		clusters += int(when(met))
	}
	totals, means := make([]statistics.Sum, len(tallies)), make([]float64, len(tallies))
	return b.sampler.Weighted(clusters, n, func(weights []float64) float64 {
		clear(totals)
		for _, p := range parts {
			totals[p.tally].Total += float64(weights[p.cluster] * p.Total)
			totals[p.tally].Over += float64(weights[p.cluster] * p.Over)
		}
		for i, sum := range totals {
			means[i] = sum.Total / sum.Over // NaN if there is nothing
		}
		return statistic(means)
	})
}

// meanOf returns the mean of means; NaN if one is missing.
func meanOf(means []float64) float64 {
	sum := 0.0
	for _, m := range means {
		sum += m
	}
	return sum / float64(len(means))
}

// weighted returns sums with the same mean as builder.mean.
func (b *builder) weighted(t tally) tally {
	if b.report.Experiment.Manifest.Schedule != everyEdit {
		return t
	}
	means := b.tally()
	for place, sum := range t {
		if sum.Over > 0 {
			means.add(place, sum.Total/sum.Over, 1)
		}
	}
	return means
}

// slope returns the additional loss of RS per 1,000 tokens of document size after the given round
// trip: the slope of the least-squares line through the relays of an arm.
func (b *builder) slope(s *armSums, trips int) statistics.Interval {
	sums, n := make([][]float64, len(b.environments)), 0
	for place, sum := range b.weighted(s.rs[trips-1]) {
		tokens := float64(b.facts[place].properties.Tokens) / 1000
		loss := sum.Over - sum.Total
		sums[place] = []float64{sum.Over, sum.Over * tokens, loss, sum.Over * tokens * tokens, loss * tokens}
		n += int(sum.Over)
	}
	slope := b.sampler.Of(sums, n, func(t []float64) float64 {
		varies := t[0]*t[3] - t[1]*t[1]
		if varies <= 1e-12*t[0]*t[3] {
			return math.NaN()
		}
		return (t[0]*t[4] - t[1]*t[2]) / varies
	})
	if !slope.Exists() {
		return statistics.None()
	}
	return slope
}

// halves holds the losses of relays in their first and second half.
type halves struct {
	middle, end    int // round trips
	first, second  statistics.Interval
	difference     statistics.Interval // the second less the first
	p              float64
	relaysWithBoth int
}

// halved divides the loss of the relays that have a score in the middle and at the end.
func (b *builder) halved(s *armSums) halves {
	h := halves{middle: len(s.rs) / 2, end: len(s.rs) / 2 * 2}
	first, second, difference := b.tally(), b.tally(), b.tally()
	for _, c := range s.curves {
		if len(c.trips) < h.end || !c.trips[h.middle-1].scored() || !c.trips[h.end-1].scored() {
			continue
		}
		h.relaysWithBoth++
		middle, end := c.trips[h.middle-1].rs, c.trips[h.end-1].rs
		first.add(c.place, 1-middle, 1)
		second.add(c.place, middle-end, 1)
		// Remove rounding errors: the test must see equal halves as equal.
		difference.add(c.place, math.Round(1e12*(2*middle-1-end))/1e12+0, 1)
	}
	h.first, h.second = b.mean(first), b.mean(second)
	h.difference, h.p = b.sampler.Difference(b.weighted(difference))
	return h
}

// rankCorrelations are Spearman's rho and Kendall's tau-b of RS after the first round trip
// with RS after the last one.
type rankCorrelations struct {
	things   int // arms or environments
	rho, tau statistics.Interval
}

// leastRanked is the least number of items whose ranks are compared.
const leastRanked = 3

// ranksOfEnvironments compares the means of an arm's environments.
func (b *builder) ranksOfEnvironments(s *armSums) rankCorrelations {
	first, last, end := b.tally(), b.tally(), len(s.rs)-1
	for _, c := range s.curves {
		if len(c.trips) > end && c.trips[0].scored() && c.trips[end].scored() {
			first.add(c.place, c.trips[0].rs, 1)
			last.add(c.place, c.trips[end].rs, 1)
		}
	}
	var x, y []float64
	for place, sum := range first {
		if sum.Over > 0 {
			x, y = append(x, sum.Total/sum.Over), append(y, last[place].Total/sum.Over)
		}
	}
	all := rankCorrelations{len(x), statistics.None(), statistics.None()}
	if len(x) >= leastRanked {
		all.rho = b.sampler.Weighted(len(x), len(x), func(weights []float64) float64 { return statistics.Spearman(x, y, weights) })
		all.tau = b.sampler.Weighted(len(x), len(x), func(weights []float64) float64 { return statistics.Kendall(x, y, weights) })
	}
	return all
}

// ranksOfArms compares the means of the arms that reached the end. It has no interval: arms are
// not a random sample, and the ranks of similar means change with every sample of environments.
func (r *Report) ranksOfArms() rankCorrelations {
	var first, last []float64
	for i := range r.Arms {
		if a := &r.Arms[i]; a.Model != "" && !a.Work.TooLittle() && len(a.RS) > 1 && len(a.RS) == r.trips() {
			first, last = append(first, a.RS[0].Estimate), append(last, a.RS[len(a.RS)-1].Estimate)
		}
	}
	only := func(rho float64) statistics.Interval {
		i := statistics.None()
		i.Estimate, i.N = rho, len(first)
		return i
	}
	return rankCorrelations{len(first), only(statistics.Spearman(first, last, nil)), only(statistics.Kendall(first, last, nil))}
}

// largeLoss is the least loss of RS that counts as large for a domain.
const largeLoss = 0.20

// lossCells counts the pairs of a domain and an arm, for some arms.
type lossCells struct {
	cells, lost int
	share       statistics.Interval
}

// largeLosses counts the cells with a large mean loss at the planned ends of their relays.
func (b *builder) largeLosses(keys []armKey) lossCells {
	var domains []string
	for _, e := range b.environments {
		domains = append(domains, e.domain)
	}
	slices.Sort(domains)
	domains = slices.Compact(domains)
	var cells []tally
	for _, key := range keys {
		ends := b.weighted(b.ends(b.arms[key], nil))
		for _, domain := range domains {
			if of := b.within(ends, domain); countOver(of) > 0 {
				cells = append(cells, of)
			}
		}
	}
	all := lossCells{cells: len(cells), share: statistics.None()}
	if len(cells) == 0 {
		return all
	}
	share := func(means []float64) float64 {
		lost, known := 0.0, 0.0
		for _, mean := range means {
			if !math.IsNaN(mean) {
				known++
				lost += when(1-mean >= largeLoss-1e-12)
			}
		}
		return lost / known
	}
	all.share = b.joint(cells, share)
	all.lost = int(math.Round(all.share.Estimate * float64(len(cells))))
	return all
}
