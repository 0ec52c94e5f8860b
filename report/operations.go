package report

import (
	"maps"
	"slices"
	"strconv"

	"agentd/report/statistics"
)

// operationTables returns the tables on the effect of an edit's semantic operations on the backward
// score of single round trips (paper, Figure 9), and on the number of operations (Figure A4).
func (b *builder) operationTables() []Table {
	effects := Table{
		Name: "operations", Labels: append(slices.Clone(armLabels), "operation"),
		Title: "Backward score of single round trips by the semantic operations of their edits, in %, and point-biserial correlation (paper, Figure 9)",
		Measures: []Measure{
			{Name: "round_trips", Head: "round trips"}, {Name: "rs_with", Head: "RS with", Unit: Percent}, {Name: "rs_without", Head: "without", Unit: Percent},
			{Name: "r", Head: "r", Unit: Coefficient}, {Name: "p", Head: "p", Unit: Probability},
		},
		Notes:  []string{independent},
		Forest: &Forest{Measure: "r", Axis: "point-biserial r with the backward score, 95 % interval"},
	}
	numbers := Table{
		Name: "operation_numbers", Labels: append(slices.Clone(armLabels), "operations"), Title: "Backward score of single round trips by how many operations their edits have, in %",
		Measures: []Measure{{Name: "round_trips", Head: "round trips"}, {Name: "rs", Head: "RS", Unit: Percent}},
	}
	ranked := Table{
		Name: "operation_rho", Labels: armLabels, Title: "Spearman's rho of the number of operations with the backward score of single round trips",
		Measures: []Measure{{Name: "round_trips", Head: "round trips"}, {Name: "operations", Head: "operations, mean", Unit: Ratio},
			{Name: "rho", Head: "rho", Unit: Coefficient}, {Name: "p", Head: "p", Unit: Probability}},
		Notes: []string{independent},
	}
	for a, key := range b.order {
		arm := &b.report.Arms[a]
		if key.model == "" || arm.Work.TooLittle() {
			continue
		}
		trips := slices.DeleteFunc(b.singles(key), func(t single) bool { return len(b.operationsOf(t)) == 0 })
		if len(trips) == 0 {
			continue
		}
		effects.Rows = append(effects.Rows, b.operationEffects(arm, trips)...)
		numbers.Rows = append(numbers.Rows, b.operationNumbers(arm, trips)...)
		ranked.Rows = append(ranked.Rows, b.operationRho(arm, trips))
	}
	if len(effects.Rows) == 0 {
		return nil
	}
	return []Table{effects, numbers, ranked, b.operationDistribution()}
}

// operationsOf returns the operations of a round trip's edit.
func (b *builder) operationsOf(t single) []string {
	if f := b.facts[t.place]; f != nil {
		return f.operations[t.edit]
	}
	return nil
}

func (b *builder) operationEffects(arm *Arm, trips []single) []Row {
	met := map[string]int{}
	for _, t := range trips {
		for _, name := range b.operationsOf(t) {
			met[name]++
		}
	}
	var rows []Row
	for _, name := range slices.Sorted(maps.Keys(met)) {
		with, without := b.tally(), b.tally()
		pairs := make([]statistics.Pairs, len(b.environments))
		for _, t := range trips {
			has := slices.Contains(b.operationsOf(t), name)
			pairs[t.place].Add(when(has), t.score)
			if has {
				with.add(t.place, t.score, 1)
			} else {
				without.add(t.place, t.score, 1)
			}
		}
		r := b.sampler.Correlation(pairs)
		row := arm.row(plainCell(float64(met[name])), interval(b.sampler.Mean(with)), interval(b.sampler.Mean(without)),
			interval(r), probability(statistics.CorrelationP(r.Estimate, len(trips))))
		row.Labels = append(row.Labels, name)
		rows = append(rows, row)
	}
	return rows
}

func (b *builder) operationNumbers(arm *Arm, trips []single) []Row {
	byNumber := map[int]tally{}
	for _, t := range trips {
		n := len(b.operationsOf(t))
		if byNumber[n] == nil {
			byNumber[n] = b.tally()
		}
		byNumber[n].add(t.place, t.score, 1)
	}
	var rows []Row
	for _, n := range slices.Sorted(maps.Keys(byNumber)) {
		row := arm.row(plainCell(float64(countOver(byNumber[n]))), interval(b.sampler.Mean(byNumber[n])))
		row.Labels = append(row.Labels, strconv.Itoa(n))
		rows = append(rows, row)
	}
	return rows
}

func (b *builder) operationRho(arm *Arm, trips []single) Row {
	var numbers, scores []float64
	var places []int
	sum := 0.0
	for _, t := range trips {
		n := float64(len(b.operationsOf(t)))
		numbers, scores, places = append(numbers, n), append(scores, t.score), append(places, t.place)
		sum += n
	}
	rho := b.rankCorrelation(numbers, scores, places)
	return arm.row(plainCell(float64(len(trips))), plainCell(sum/float64(len(trips))), interval(rho),
		probability(statistics.CorrelationP(rho.Estimate, len(trips))))
}

// operationDistribution counts operations over the edits that have any.
func (b *builder) operationDistribution() Table {
	counts, edits := map[int]int{}, 0
	for _, f := range b.facts {
		if f == nil {
			continue
		}
		for _, operations := range f.operations {
			if len(operations) > 0 {
				counts[len(operations)]++
				edits++
			}
		}
	}
	t := Table{Name: "operation_distribution", Labels: []string{"operations"}, Title: "Edits by how many operations they have, in % (paper, Figure A4)",
		Measures: []Measure{{Name: "edits", Head: "edits"}, {Name: "share", Head: "%", Unit: Percent}}}
	var rows []string
	var shares [][]float64
	for _, n := range slices.Sorted(maps.Keys(counts)) {
		share := float64(counts[n]) / float64(edits)
		t.Rows = append(t.Rows, Row{Labels: []string{strconv.Itoa(n)}, Cells: []Cell{plainCell(float64(counts[n])), plainCell(share)}})
		rows, shares = append(rows, count(n, "operation")), append(shares, []float64{share})
	}
	t.Plot = stackedBars(t.Title, rows, []string{"edits"}, shares)
	return t
}
