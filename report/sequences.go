package report

import (
	"cmp"
	"slices"
	"strings"

	"agentd/report/statistics"
)

// Sequence compares round trips that contain two given tool calls in a row with those
// that do not.
type Sequence struct {
	Policy      string
	First, Then string // tools; start and end for the ends of an interaction
	Effect
}

// mostSequences is how many pairs of calls are shown for each policy, the most
// frequent ones.
const mostSequences = 12

// pairs are the tool calls that follow each other: bit 16·first + then of tools by
// their numbers.
type pairs [4]uint64

func (p *pairs) has(pair int) bool { return p[pair>>6]>>(pair&63)&1 == 1 }

func (p *pairs) add(first, then int) {
	pair := first<<4 | then
	p[pair>>6] |= 1 << (pair & 63)
}

// addCalls adds the pairs of an interaction, whose tools are given in order, separated by
// blanks.
func (p *pairs) addCalls(tools string, numbers *toolNumbers) {
	last := startOfCalls
	for tool := range strings.FieldsSeq(tools) {
		then := numbers.of(tool)
		p.add(last, then)
		last = then
	}
	if last != startOfCalls {
		p.add(last, endOfCalls)
	}
}

// toolNumbers gives tools numbers below 16. If there are more tools, all further ones share
// the last number.
type toolNumbers struct{ names []string }

// The first numbers are those of an interaction's ends.
const (
	startOfCalls = iota
	endOfCalls
)

func newToolNumbers() *toolNumbers { return &toolNumbers{[]string{"start", "end"}} }

func (n *toolNumbers) of(tool string) int {
	const most = 16
	if at := slices.Index(n.names, tool); at >= 0 {
		return at
	}
	switch len(n.names) {
	case most:
	case most - 1:
		n.names = append(n.names, "other")
	default:
		n.names = append(n.names, tool)
	}
	return len(n.names) - 1
}

// sequences returns the most frequent pairs of each policy.
func (b *builder) sequences(changes []change) []Sequence {
	byPolicy := map[string][]change{}
	var policies []string
	for _, c := range changes {
		if byPolicy[c.policy] == nil {
			policies = append(policies, c.policy)
		}
		byPolicy[c.policy] = append(byPolicy[c.policy], c)
	}
	var all []Sequence
	for _, policy := range policies {
		var counts [256]int
		var met []int
		for pair := range counts {
			for _, c := range byPolicy[policy] {
				if c.pairs.has(pair) {
					counts[pair]++
				}
			}
			if counts[pair] > 0 {
				met = append(met, pair)
			}
		}
		name := func(pair int) string { return b.tools.names[pair>>4] + " " + b.tools.names[pair&15] }
		slices.SortFunc(met, func(x, y int) int { return cmp.Or(counts[y]-counts[x], cmp.Compare(name(x), name(y))) })
		for _, pair := range met[:min(len(met), mostSequences)] {
			effect := b.effect("", byPolicy[policy], func(c *change) bool { return c.pairs.has(pair) })
			all = append(all, Sequence{policy, b.tools.names[pair>>4], b.tools.names[pair&15], effect})
		}
	}
	return all
}

// Effect compares round trips that have a feature with those that do not. The scores of all
// arms with a model are pooled.
type Effect struct {
	Name  string
	Trips int // round trips that have it
	// With and Without are the mean changes of RS in a round trip.
	With, Without statistics.Interval
	// R is the point-biserial correlation of the feature with the change.
	R statistics.Interval
}

// change is the effect of one round trip on a document.
type change struct {
	place  int
	edit   string
	by     float64 // RS after minus RS before; for the first trip, minus 1
	pairs  *pairs
	policy string
}

// changes are those of the arms that have a model and did not do too little.
func (b *builder) changes() []change {
	var all []change
	for _, key := range b.order {
		if key.model == "" || b.arms[key].work.TooLittle() {
			continue
		}
		for _, c := range b.arms[key].curves {
			before := 1.0
			for k := range c.trips {
				if t := &c.trips[k]; t.scored() {
					all = append(all, change{c.place, t.edit, t.rs - before, &t.pairs, key.policy})
					before = t.rs
				}
			}
		}
	}
	return all
}

func (b *builder) effect(name string, changes []change, has func(*change) bool) Effect {
	e := Effect{Name: name}
	with, without := b.tally(), b.tally()
	pairs := make([]statistics.Pairs, len(b.environments))
	for i := range changes {
		c := &changes[i]
		if has(c) {
			e.Trips++
			with.add(c.place, c.by, 1)
			pairs[c.place].Add(1, c.by)
		} else {
			without.add(c.place, c.by, 1)
			pairs[c.place].Add(0, c.by)
		}
	}
	e.With, e.Without, e.R = b.sampler.Mean(with), b.sampler.Mean(without), b.sampler.Correlation(pairs)
	return e
}
