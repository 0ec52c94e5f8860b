package report

import (
	"maps"
	"slices"

	"agentd/report/statistics"
)

// Effect is how round trips that have something differ from those that have not.
// The scores of all arms with a model are taken together.
type Effect struct {
	Name  string
	Trips int // round trips that have it
	// With and Without are the mean changes of RS in a round trip.
	With, Without statistics.Interval
	// R is the point-biserial correlation of having it with the change.
	R statistics.Interval
}

// Operations are the edits' semantic operations (paper, Figure 9).
type Operations struct {
	Effects []Effect
	Numbers []Effect // by how many operations an edit has
}

// change is what a round trip did to a document.
type change struct {
	place  int
	edit   string
	by     float64 // RS after less RS before, or less 1 for the first
	pairs  *pairs
	policy string
}

// changes are those of the arms that have a model.
func (b *builder) changes() []change {
	var all []change
	for _, key := range b.order {
		if key.model == "" {
			continue
		}
		for _, c := range b.arms[key].curves {
			before := 1.0
			for k := range c.trips {
				if t := &c.trips[k]; t.scored() {
					all = append(all, change{c.place, t.edit, t.value - before, &t.pairs, key.policy})
					before = t.value
				}
			}
		}
	}
	return all
}

func (b *builder) operations(changes []change) Operations {
	met := map[string]bool{}
	most := 0
	for _, f := range b.facts {
		if f == nil {
			continue
		}
		for _, operations := range f.operations {
			most = max(most, len(operations))
			for _, name := range operations {
				met[name] = true
			}
		}
	}
	of := func(c *change) []string {
		if f := b.facts[c.place]; f != nil {
			return f.operations[c.edit]
		}
		return nil
	}
	changes = slices.DeleteFunc(slices.Clone(changes), func(c change) bool { return len(of(&c)) == 0 })
	var o Operations
	for _, name := range slices.Sorted(maps.Keys(met)) {
		o.Effects = append(o.Effects, b.effect(name, changes, func(c *change) bool { return slices.Contains(of(c), name) }))
	}
	for n := 1; n <= most; n++ {
		e := b.effect(count(n, "operation"), changes, func(c *change) bool { return len(of(c)) == n })
		if e.Trips > 0 {
			o.Numbers = append(o.Numbers, e)
		}
	}
	return o
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
