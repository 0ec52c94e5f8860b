package report

import (
	"math"
	"slices"
	"strings"

	"agentd/report/statistics"
	"agentd/results"
)

// Comparison compares an arm with another: a policy with another with the same
// model, where each relay is paired with the other's of the same environment and
// repeat, or the arms of two experiments, where environments are paired.
type Comparison struct {
	Model            string
	StandIn          bool
	Policy, Baseline string
	At               int // interactions
	Pairs            int // of relays, or of environments
	// RS and Strict are mean differences: policy minus baseline.
	RS, Strict   statistics.Interval
	RSP, StrictP float64
	// Done and BaselineDone are the shares of forward steps that each carried out, Work and
	// BaselineWork the counts. If either did too little, there is no difference.
	Done, BaselineDone statistics.Interval
	Work, BaselineWork results.Work
}

// work records the work of both, and clears the differences if either did too little.
func (c *Comparison) work(mine, base *armSums) {
	c.Work, c.BaselineWork = mine.work, base.work
	if mine.work.TooLittle() || base.work.TooLittle() {
		c.RS, c.Strict, c.RSP, c.StrictP = statistics.None(), statistics.None(), math.NaN(), math.NaN()
	}
}

// comparisons compares every policy of a model with the first that is a baseline, or with
// the first one where there is none.
func (b *builder) comparisons() []Comparison {
	var all []Comparison
	for _, key := range b.order {
		if key.model == "" {
			continue
		}
		base := b.first(key.model, isBaseline, anyPolicy)
		if key == base {
			continue
		}
		if c, ok := b.compared(key, base); ok {
			all = append(all, c)
		}
	}
	return all
}

// relayTask identifies relays of different arms that have the same task.
type relayTask struct{ place, repeat int }

// compared compares two arms at the last moment that a pair of relays has
// reached.
func (b *builder) compared(key, base armKey) (Comparison, bool) {
	others := map[relayTask]*curve{}
	for _, c := range b.arms[base].curves {
		others[relayTask{c.place, c.repeat}] = c
	}
	var last int
	for _, c := range b.arms[key].curves {
		if other := others[relayTask{c.place, c.repeat}]; other != nil {
			for k := range min(len(c.trips), len(other.trips)) {
				if c.trips[k].scored() && other.trips[k].scored() {
					last = max(last, k+1)
				}
			}
		}
	}
	if last == 0 {
		return Comparison{}, false
	}
	return b.comparedAt(key, base, last), true
}

// comparedAt compares two arms after so many round trips.
func (b *builder) comparedAt(key, base armKey, last int) Comparison {
	values, stricts := b.differences(key, base, last)
	result := Comparison{Model: key.model, StandIn: b.standIn[key.model], Policy: key.policy, Baseline: base.policy, At: 2 * last, Pairs: countOver(values)}
	result.RS, result.RSP = b.sampler.Difference(values)
	result.Strict, result.StrictP = b.sampler.Difference(stricts)
	result.Done, result.BaselineDone = b.sampler.Mean(b.arms[key].done), b.sampler.Mean(b.arms[base].done)
	result.work(b.arms[key], b.arms[base])
	return result
}

// differences returns the differences of paired relays of two arms that both have a score
// after the given number of round trips.
func (b *builder) differences(key, base armKey, last int) (values, stricts tally) {
	others := map[relayTask]*curve{}
	for _, c := range b.arms[base].curves {
		others[relayTask{c.place, c.repeat}] = c
	}
	values, stricts = b.tally(), b.tally()
	for _, c := range b.arms[key].curves {
		other := others[relayTask{c.place, c.repeat}]
		if other == nil || len(c.trips) < last || len(other.trips) < last {
			continue
		}
		mine, theirs := c.trips[last-1], other.trips[last-1]
		if mine.scored() && theirs.scored() {
			values.add(c.place, mine.rs-theirs.rs, 1)
			stricts.add(c.place, mine.strict-theirs.strict, 1)
		}
	}
	return values, stricts
}

// compareWith compares the arms with the same ones of another experiment, such as one
// without distractors, and adds the comparisons to Against. For each common environment it
// compares the means over repeats, after the last interaction that both have reached.
// Experiments with different protocols cannot be compared.
func (r *Report) compareWith(other *Report) error {
	if err := r.sameProtocol(other); err != nil {
		return err
	}
	b := r.source
	r.other = other
	for _, same := range b.sameArms(other.source) {
		key, mine, theirs := same[0], b.arms[same[0]], other.source.arms[same[1]]
		for last := min(len(mine.rs), len(theirs.rs)); last > 0; last-- {
			values, pairs := b.byEnvironment(other.source, mine.rs[last-1], theirs.rs[last-1])
			if pairs == 0 {
				continue
			}
			stricts, _ := b.byEnvironment(other.source, mine.stricts[last-1], theirs.stricts[last-1])
			c := Comparison{
				Model: key.model, StandIn: b.standIn[key.model], Policy: key.policy, Baseline: other.Experiment.Name,
				At: 2 * last, Pairs: pairs,
			}
			c.RS, c.RSP = b.sampler.Difference(values)
			c.Strict, c.StrictP = b.sampler.Difference(stricts)
			c.Done, c.BaselineDone = b.sampler.Mean(mine.done), other.source.sampler.Mean(theirs.done)
			c.work(mine, theirs)
			r.Against = append(r.Against, c)
			break
		}
	}
	return nil
}

// byEnvironment returns the differences of means in the common environments.
func (b *builder) byEnvironment(other *builder, mine, theirs tally) (differences tally, pairs int) {
	differences = b.tally()
	for place, sum := range mine {
		at, ok := other.places[b.environments[place].name]
		if !ok || sum.Over == 0 || theirs[at].Over == 0 {
			continue
		}
		pairs++
		differences.add(place, sum.Total/sum.Over-theirs[at].Total/theirs[at].Over, 1)
	}
	return differences, pairs
}

// DomainEnds are the scores of a domain's relays at their planned ends.
type DomainEnds struct {
	Domain       string
	Environments int
	// By arm, in the order of the arms: the mean RS of relays at their end, the same of
	// relays whose work was done, and the share of forward steps that were carried out.
	Ends, Worked, Done []statistics.Interval
}

func (b *builder) domainEnds() []DomainEnds {
	var all []DomainEnds
	for _, e := range b.environments {
		at := slices.IndexFunc(all, func(d DomainEnds) bool { return d.Domain == e.domain })
		if at < 0 {
			at = len(all)
			n := len(b.order)
			all = append(all, DomainEnds{
				Domain: e.domain, Ends: make([]statistics.Interval, n),
				Worked: make([]statistics.Interval, n), Done: make([]statistics.Interval, n),
			})
		}
		all[at].Environments++
	}
	slices.SortFunc(all, func(x, y DomainEnds) int { return strings.Compare(x.Domain, y.Domain) })
	for a, key := range b.order {
		s := b.arms[key]
		ends, worked := b.ends(s, nil), b.ends(s, (*curve).worked)
		for i := range all {
			d := &all[i]
			d.Ends[a], d.Worked[a] = b.mean(b.within(ends, d.Domain)), b.mean(b.within(worked, d.Domain))
			d.Done[a] = b.sampler.Mean(b.within(s.done, d.Domain))
		}
	}
	return all
}

// within selects the environments of a domain.
func (b *builder) within(all tally, domain string) tally {
	of := b.tally()
	for place, e := range b.environments {
		if e.domain == domain {
			of[place] = all[place]
		}
	}
	return of
}
