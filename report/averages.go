package report

import (
	"agentd/report/statistics"
)

// Averages are RS after 2, 4, … interactions, averaged in the ways that papers use: over relays
// (the default here) or over the means of domains; with round trips that the protocol does not
// score omitted, or counted as 0.
type Averages struct {
	Relays, RelaysZero, Domains, DomainsZero []statistics.Interval
}

func (b *builder) averages(s *armSums) Averages {
	dropped, zero := b.roundTrips(s, false), b.roundTrips(s, true)
	return Averages{
		Relays: b.means(dropped), RelaysZero: b.means(zero),
		Domains: b.domainMeans(dropped), DomainsZero: b.domainMeans(zero),
	}
}

// roundTrips returns the scores of an arm by round trip. Those that the protocol does not
// score count as 0 on request.
func (b *builder) roundTrips(s *armSums, unscoredZero bool) []tally {
	var all []tally
	for _, c := range s.curves {
		for k, t := range c.trips {
			if !t.scored() && !t.unscored || t.unscored && !unscoredZero {
				continue
			}
			for len(all) <= k {
				all = append(all, b.tally())
			}
			value := t.rs
			if t.unscored {
				value = 0
			}
			all[k].add(c.place, value, 1)
		}
	}
	return all
}

// domainMeans returns the means of the domains' means.
func (b *builder) domainMeans(tallies []tally) []statistics.Interval {
	means := make([]statistics.Interval, len(tallies))
	for k, t := range tallies {
		over := map[string]float64{}
		for place, sum := range t {
			over[b.environments[place].domain] += sum.Over
		}
		weighted := b.tally()
		for place, sum := range t {
			if of := over[b.environments[place].domain]; of > 0 {
				weighted.add(place, sum.Total/of, sum.Over/of)
			}
		}
		domains := 0
		for _, n := range over {
			if n > 0 {
				domains++
			}
		}
		means[k] = b.sampler.Ratio(weighted, domains)
	}
	return means
}
