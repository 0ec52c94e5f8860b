package report

import (
	"slices"
	"strings"

	"agentd/environments/properties"
	"agentd/report/statistics"
)

// property is a measured property of a text.
type property struct {
	name, head string
	of         func(properties.Properties) float64
}

// allProperties lists the paper's properties, under its names, and then ours.
var allProperties = []property{
	{"naturalness", "naturalness", func(p properties.Properties) float64 { return p.Naturalness }},
	{"numerical", "numerical", func(p properties.Properties) float64 { return p.Numerical }},
	{"richness", "vocabulary richness", func(p properties.Properties) float64 { return p.Richness }},
	{"repetitiveness", "repetitiveness", func(p properties.Properties) float64 { return p.Repetitiveness }},
	{"structure", "structural density", func(p properties.Properties) float64 { return p.Structure }},
	{"tokens", "tokens (ours)", func(p properties.Properties) float64 { return float64(p.Tokens) }},
	{"mattr", "MATTR (ours)", func(p properties.Properties) float64 { return p.MATTR }},
	{"deflate", "DEFLATE (ours)", func(p properties.Properties) float64 { return p.Deflate }},
}

// single is the first round trip of a relay, which starts from the seed. Under the schedule
// single-round-trips all round trips are first ones.
type single struct {
	place int
	edit  string
	score float64 // RS of the backward step
}

// singles returns those of an arm that have a score.
func (b *builder) singles(key armKey) []single {
	var all []single
	for _, c := range b.arms[key].curves {
		if len(c.trips) > 0 && c.trips[0].scored() {
			all = append(all, single{c.place, c.trips[0].edit, c.trips[0].rs})
		}
	}
	return all
}

// propertyTables returns the tables on the effects of properties on single round trips (paper,
// Figure 8) and on their means by category (Table A3).
func (b *builder) propertyTables(category func(domain string) string) []Table {
	effects := Table{
		Name: "property_effects", Labels: append(slices.Clone(armLabels), "property"),
		Title: "Cohen's d of document properties on the backward score of single round trips: documents above the median against the others (paper, Figure 8)",
		Measures: []Measure{
			{Name: "round_trips", Head: "round trips"}, {Name: "rs_above", Head: "RS above", Unit: Percent}, {Name: "rs_others", Head: "others", Unit: Percent},
			{Name: "d", Head: "d", Unit: Coefficient}, {Name: "p", Head: "p", Unit: Probability},
		},
		Notes:  []string{independent},
		Forest: &Forest{Measure: "d", Axis: "Cohen’s d on the backward score, 95 % interval"},
	}
	categories := Table{
		Name: "categories", Labels: append(slices.Clone(armLabels), "category"),
		Title:    "Backward score of single round trips in %, and means of document properties, by category (paper, Table A3)",
		Measures: []Measure{{Name: "documents", Head: "documents"}, {Name: "score", Head: "score", Unit: Percent}},
	}
	for _, p := range allProperties {
		unit := Ratio
		if p.name == "tokens" {
			unit = Count
		}
		categories.Measures = append(categories.Measures, Measure{Name: p.name, Head: strings.NewReplacer(" (ours)", "\n(ours)", " ", "\n").Replace(p.head), Unit: unit})
	}
	for a, key := range b.order {
		if b.report.Arms[a].Work.TooLittle() {
			continue
		}
		trips := slices.DeleteFunc(b.singles(key), func(t single) bool { return b.facts[t.place] == nil })
		effects.Rows = append(effects.Rows, b.propertyEffects(&b.report.Arms[a], trips)...)
		categories.Rows = append(categories.Rows, b.categoryMeans(&b.report.Arms[a], trips, category)...)
	}
	return []Table{effects, categories}
}

const independent = "p: Student's t-test, which takes round trips as independent; intervals do not. The paper does not name its test."

// leastDocuments is the least number of environments whose halves are compared.
const leastDocuments = 4

func (b *builder) propertyEffects(arm *Arm, trips []single) []Row {
	places := environmentsOf(trips)
	if len(places) < leastDocuments {
		return nil
	}
	var rows []Row
	for _, p := range allProperties {
		value := func(place int) float64 { return p.of(b.facts[place].properties) }
		var sorted []float64
		for _, place := range places {
			sorted = append(sorted, value(place))
		}
		slices.Sort(sorted)
		median := sorted[(len(sorted)-1)/2]
		groups := make([]statistics.Groups, len(b.environments))
		above, others := b.tally(), b.tally()
		n := [2]int{}
		for _, t := range trips {
			high := value(t.place) > median
			groups[t.place].Add(t.score, high)
			if n[int(when(high))]++; high {
				above.add(t.place, t.score, 1)
			} else {
				others.add(t.place, t.score, 1)
			}
		}
		d := b.sampler.Effect(groups)
		row := arm.row(plainCell(float64(len(trips))), interval(b.sampler.Mean(above)), interval(b.sampler.Mean(others)),
			interval(d), probability(statistics.EffectP(d.Estimate, n[0], n[1])))
		row.Labels = append(row.Labels, p.head)
		rows = append(rows, row)
	}
	return rows
}

// environmentsOf are the places of the environments of round trips, each once.
func environmentsOf(trips []single) []int {
	var places []int
	for _, t := range trips {
		places = append(places, t.place)
	}
	slices.Sort(places)
	return slices.Compact(places)
}

func (b *builder) categoryMeans(arm *Arm, trips []single, category func(domain string) string) []Row {
	names := map[int]string{}
	var all []string
	for _, place := range environmentsOf(trips) {
		names[place] = category(b.environments[place].domain)
		all = append(all, names[place])
	}
	slices.Sort(all)
	var rows []Row
	for _, name := range slices.Compact(all) {
		score, documents := b.tally(), 0
		for _, t := range trips {
			if names[t.place] == name {
				score.add(t.place, t.score, 1)
			}
		}
		row := arm.row()
		for _, p := range allProperties {
			mean := b.tally()
			for place, of := range names {
				if of == name {
					mean.add(place, p.of(b.facts[place].properties), 1)
				}
			}
			documents = countOver(mean)
			row.Cells = append(row.Cells, interval(b.sampler.Mean(mean)))
		}
		row.Cells = append([]Cell{plainCell(float64(documents)), interval(b.sampler.Mean(score))}, row.Cells...)
		row.Labels = append(row.Labels, name)
		rows = append(rows, row)
	}
	return rows
}

// countOver counts the values of a tally.
func countOver(t tally) int {
	n := 0.0
	for _, sum := range t {
		n += sum.Over
	}
	return int(n)
}
