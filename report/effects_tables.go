package report

import (
	"fmt"
	"slices"
	"strings"

	"agentd/internal/usage"
	"agentd/report/statistics"
)

// String returns the arm's name as commands accept it.
func (k armKey) String() string { return strings.TrimSpace(k.model + " " + k.policy) }

// chooseArm selects the arm to compare the others with. If it is not stored, the error is a usage.Error.
func (r *Report) chooseArm(name string) error {
	if name == "" {
		return nil
	}
	var names []string
	for _, key := range r.source.order {
		if key.String() == name {
			r.chosen = &key
			return nil
		}
		names = append(names, key.String())
	}
	return usage.Unknown("experiment or arm", name, names)
}

// effects returns the tables on effects that grow over the interactions, and their correlations.
func (r *Report) effects() []Table {
	if r.source == nil {
		return nil
	}
	policies := r.policyContrasts()
	return []Table{
		r.contrasts("differences", "Policies of one model against its baseline, relay by relay: difference of RS@k in points", policies),
		r.contrastMeans(policies),
		r.armDifferences(),
		r.experimentDifferences(),
		r.modelMeans(),
		r.sizeSlopes(),
		r.halves(),
		r.environmentRanks(),
		r.armRanks(),
		r.lossTable(),
	}
}

// seriesOf returns an empty table with a value in percentage points after 2, 4, … interactions.
func (r *Report) seriesOf(name, title, measure string, labels []string, amount string, unit Unit) Table {
	t := Table{Name: name, Title: title, Labels: labels, Series: true, Measures: []Measure{{Name: amount, Head: strings.ReplaceAll(amount, "_", " ")}}}
	t.addMoments(Measure{Name: measure, Unit: unit, Score: true}, r.trips())
	return t
}

func (r *Report) contrasts(name, title string, all []contrast) Table {
	t := r.seriesOf(name, title, "difference", []string{"model", "policy", "against"}, "pairs", Points)
	for i := range all {
		var values []statistics.Interval
		for _, by := range all[i].by {
			values = append(values, r.source.sampler.Mean(by))
		}
		t.against(all[i].versus, all[i].baseline)
		row := all[i].Row
		row.Cells = []Cell{plainCell(float64(all[i].pairs()))}
		t.addSeries(row, values)
	}
	return t
}

func (r *Report) armDifferences() Table {
	if r.chosen == nil {
		return Table{}
	}
	return r.contrasts("differences_arms", "All arms against "+r.chosen.String()+", relay by relay: difference of RS@k in points", r.armContrasts(*r.chosen))
}

func (r *Report) experimentDifferences() Table {
	if r.other == nil {
		return Table{}
	}
	return r.contrasts("differences_experiments", "The same arms in two experiments, environment by environment: difference of RS@k in points", r.experimentContrasts(r.other))
}

// overModels holds the arms of several models with the same policies.
type overModels struct {
	policy, versus string
	relays         int
	standIn        bool
	series         [][]tally // by model and round trip
}

// row begins the row of a mean over models.
func (o *overModels) row(labels ...string) Row {
	return Row{
		Labels: append([]string{fmt.Sprintf("mean of %d models", len(o.series))}, labels...), StandIn: o.standIn,
		Cells: []Cell{plainCell(float64(o.relays))},
	}
}

// add adds a model to those of its policies.
func addModel(all []*overModels, policy, versus string, standIn bool, relays int, series []tally) []*overModels {
	at := slices.IndexFunc(all, func(o *overModels) bool { return o.policy == policy && o.versus == versus })
	if at < 0 {
		at = len(all)
		all = append(all, &overModels{policy: policy, versus: versus})
	}
	o := all[at]
	o.series, o.relays, o.standIn = append(o.series, series), o.relays+relays, o.standIn || standIn
	return all
}

// means returns the means over the models, with equal weights, after every round trip that all
// have reached.
func (o *overModels) means(b *builder) []statistics.Interval {
	var means []statistics.Interval
	for k := 0; ; k++ {
		var at []tally
		for _, series := range o.series {
			if k < len(series) {
				at = append(at, series[k])
			}
		}
		if len(at) < len(o.series) {
			return means
		}
		means = append(means, b.joint(at, meanOf))
	}
}

const fewestModels = 2 // for a mean to be shown

func (r *Report) contrastMeans(all []contrast) Table {
	var groups []*overModels
	for i := range all {
		if c := &all[i]; c.by != nil {
			groups = addModel(groups, c.policy, c.versus, c.StandIn, c.pairs(), c.by)
		}
	}
	t := r.seriesOf("differences_mean", "The mean over models of these differences, in points", "difference", []string{"models", "policy", "against"}, "pairs", Points)
	for _, o := range groups {
		if len(o.series) >= fewestModels {
			t.addSeries(o.row(o.policy, o.versus), o.means(r.source))
		}
	}
	return t
}

// modelMeans returns RS@k averaged over models.
func (r *Report) modelMeans() Table {
	b := r.source
	var groups []*overModels
	for i, key := range b.order {
		s := b.arms[key]
		if key.model == "" || r.Arms[i].Work.TooLittle() || len(s.rs) == 0 {
			continue
		}
		var series []tally
		for _, values := range s.rs {
			series = append(series, b.weighted(values))
		}
		groups = addModel(groups, key.policy, "", r.Arms[i].StandIn, r.Arms[i].Relays, series)
	}
	t := r.seriesOf("models_mean", "RS@k averaged over models, in %", "rs", []string{"models", "policy"}, "relays", Percent)
	for i := range t.Measures {
		t.Measures[i].Graded = i > 0
	}
	for _, o := range groups {
		if len(o.series) >= fewestModels {
			t.addSeries(o.row(o.policy), o.means(b))
		}
	}
	return t
}

func (r *Report) sizeSlopes() Table {
	if len(r.Sizes) == 0 {
		return Table{}
	}
	t := r.seriesOf("size_slopes", "Loss by size: points of RS that a document of 1,000 more tokens has lost in addition after k interactions", "slope", armLabels, "relays", Points)
	for i, key := range r.source.order {
		s := r.source.arms[key]
		if len(s.rs) == 0 || r.Arms[i].Work.TooLittle() {
			continue
		}
		var slopes []statistics.Interval
		for k := range s.rs {
			slopes = append(slopes, r.source.slope(s, k+1))
		}
		if slices.ContainsFunc(slopes, statistics.Interval.Exists) {
			t.addSeries(r.Arms[i].row(plainCell(float64(r.Arms[i].Relays))), slopes)
		}
	}
	return t
}

func (r *Report) halves() Table {
	t := Table{
		Name: "halves", Labels: armLabels, Title: "What relays lose in their first half and in their second one, in points of RS",
		Measures: []Measure{
			{Name: "relays", Head: "relays"}, {Name: "middle", Head: "to @"}, {Name: "loss_first", Head: "first half", Unit: Percent},
			{Name: "end", Head: "to @"}, {Name: "loss_second", Head: "second half", Unit: Percent},
			{Name: "halves_difference", Head: "second − first", Unit: Points}, {Name: "halves_p", Head: "p", Unit: Probability},
		},
	}
	for i, key := range r.source.order {
		s := r.source.arms[key]
		if len(s.rs) < 2 || r.Arms[i].Work.TooLittle() {
			continue
		}
		if h := r.source.halved(s); h.relaysWithBoth > 0 {
			t.Rows = append(t.Rows, r.Arms[i].row(plainCell(float64(h.relaysWithBoth)), plainCell(float64(2*h.middle)), interval(h.first),
				plainCell(float64(2*h.end)), interval(h.second), interval(h.difference), probability(h.p)))
		}
	}
	return t
}

var rankMeasures = []Measure{{Name: "at", Head: "@2 with @"}, {Name: "rho", Head: "Spearman’s rho", Unit: Coefficient}, {Name: "tau", Head: "Kendall’s tau-b", Unit: Coefficient}}

func (c *rankCorrelations) cells(trips int) []Cell {
	return []Cell{plainCell(float64(c.things)), plainCell(float64(2 * trips)), interval(c.rho), interval(c.tau)}
}

func (r *Report) environmentRanks() Table {
	t := Table{
		Name: "ranks_environments", Labels: armLabels, Title: "Does an early score foretell a late one: correlation of ranks of RS@2 with the last RS, over environments",
		Measures: append([]Measure{{Name: "environments", Head: "environments"}}, rankMeasures...),
	}
	for i, key := range r.source.order {
		s := r.source.arms[key]
		if len(s.rs) < 2 || r.Arms[i].Work.TooLittle() {
			continue
		}
		if c := r.source.ranksOfEnvironments(s); c.things >= leastRanked {
			t.Rows = append(t.Rows, r.Arms[i].row(c.cells(len(s.rs))...))
		}
	}
	return t
}

func (r *Report) armRanks() Table {
	t := Table{
		Name: "ranks_arms", Labels: []string{"over"}, Title: "Does an early score foretell a late one: correlation of ranks of RS@2 with the last RS, over arms that have a model",
		Measures: append([]Measure{{Name: "arms", Head: "arms"}}, rankMeasures...),
	}
	if c := r.ranksOfArms(); c.things >= leastRanked && r.trips() > 1 {
		standIn := slices.ContainsFunc(r.Arms, func(a Arm) bool { return a.StandIn })
		t.Rows = []Row{{Labels: []string{"arms"}, StandIn: standIn, Cells: c.cells(r.trips())}}
	}
	return t
}

func (r *Report) lossTable() Table {
	t := Table{
		Name: "large_losses", Labels: []string{"models", "policy"}, Title: fmt.Sprintf("Cells, each a domain with a model, that have lost %.0f points of RS or more at the end, in %%", 100*largeLoss),
		Measures: []Measure{{Name: "cells", Head: "cells"}, {Name: "cells_lost", Head: "lost much"}, {Name: "share", Head: "%", Unit: Percent}},
	}
	byPolicy, standIn := map[string][]armKey{}, map[string]bool{}
	var policies []string
	for i, key := range r.source.order {
		if key.model == "" || r.Arms[i].Work.TooLittle() {
			continue
		}
		if byPolicy[key.policy] == nil {
			policies = append(policies, key.policy)
		}
		byPolicy[key.policy] = append(byPolicy[key.policy], key)
		standIn[key.policy] = standIn[key.policy] || r.Arms[i].StandIn
	}
	for _, policy := range policies {
		if c := r.source.largeLosses(byPolicy[policy]); c.cells > 0 {
			share := interval(c.share)
			share.N = c.cells
			t.Rows = append(t.Rows, Row{
				Labels: []string{count(len(byPolicy[policy]), "model"), policy}, StandIn: standIn[policy],
				Cells: []Cell{plainCell(float64(c.cells)), plainCell(float64(c.lost)), share},
			})
		}
	}
	return t
}
