package report

import (
	"slices"
	"strings"

	"agentd/internal/opinion"
)

// counting counts items by category, for the rows of a table.
type counting struct {
	b          *builder
	categories []opinion.Category
	together   []together // counted in addition by fill
	rows       []countingRow
}

// together combines several categories into one.
type together struct {
	Measure
	of []int // places of categories
}

type countingRow struct {
	Row
	n      int
	shares []tally // by category
}

// add counts an item of an environment in the row with the given labels.
func (c *counting) add(row Row, place, category int) {
	at := slices.IndexFunc(c.rows, func(r countingRow) bool { return slices.Equal(r.Labels, row.Labels) })
	if at < 0 {
		at = len(c.rows)
		c.rows = append(c.rows, countingRow{Row: row})
		for range c.categories {
			c.rows[at].shares = append(c.rows[at].shares, c.b.tally())
		}
	}
	c.rows[at].n++
	for k := range c.categories {
		c.rows[at].shares[k].add(place, when(k == category), 1)
	}
}

// fill adds to a table the number of items in each row and the share of each category.
func (c *counting) fill(t Table, things string) Table {
	t.Measures = []Measure{{Name: things, Head: things}}
	for _, category := range c.categories {
		t.Measures = append(t.Measures, Measure{Name: category.Name, Head: strings.ReplaceAll(category.Name, "_", "\n"), Unit: Percent})
	}
	for _, sum := range c.together {
		t.Measures = append(t.Measures, sum.Measure)
	}
	for _, r := range c.rows {
		r.Cells = []Cell{plainCell(float64(r.n))}
		for _, share := range r.shares {
			r.Cells = append(r.Cells, interval(c.b.sampler.Mean(share)))
		}
		for _, sum := range c.together {
			all := c.b.tally()
			for place := range all {
				for _, k := range sum.of {
					all[place].Total += r.shares[k][place].Total
				}
				all[place].Over = r.shares[sum.of[0]][place].Over // each item is in one category
			}
			r.Cells = append(r.Cells, interval(c.b.sampler.Mean(all)))
		}
		t.Rows = append(t.Rows, r.Row)
	}
	return t
}

// list adds a row to a table for each category with items, with their number and their
// share.
func (c *counting) list(t Table, things string) Table {
	t.Labels = append(slices.Clone(t.Labels), "kind")
	t.Measures = []Measure{{Name: things, Head: things}, {Name: "share", Head: "%", Unit: Percent}}
	for _, r := range c.rows {
		for k, category := range c.categories {
			if total := r.total(k); total > 0 {
				row := r.Row
				row.Labels = append(slices.Clone(row.Labels), category.Head)
				row.Cells = []Cell{plainCell(total), interval(c.b.sampler.Mean(r.shares[k]))}
				t.Rows = append(t.Rows, row)
			}
		}
	}
	return t
}

// total returns the number of items of a category.
func (r *countingRow) total(category int) float64 {
	total := 0.0
	for _, sum := range r.shares[category] {
		total += sum.Total
	}
	return total
}

// bars draws the shares.
func (c *counting) bars(title string) *Plot {
	var rows, series []string
	var shares [][]float64
	for _, category := range c.categories {
		series = append(series, category.Head)
	}
	for _, r := range c.rows {
		rows = append(rows, strings.Join(r.shown(), " "))
		var of []float64
		for k := range c.categories {
			of = append(of, r.total(k)/float64(r.n))
		}
		shares = append(shares, of)
	}
	return stackedBars(title, rows, series, shares)
}

// pick chooses at most most items (0 for all), taking one from each cell in turn, in random
// order within a cell. keys are the cells of the items; each is the most that a cell may give,
// 0 for no limit.
func pick(keys []int, most, each int, seed uint64) []bool {
	chosen := make([]bool, len(keys))
	cells := map[int][]int{}
	for _, i := range shuffled(len(keys), seed) {
		if key := keys[i]; each == 0 || len(cells[key]) < each {
			cells[key] = append(cells[key], i)
		}
	}
	var order []int
	for key := range cells {
		order = append(order, key)
	}
	slices.Sort(order)
	taken := 0
	for round := 0; ; round++ {
		any := false
		for _, key := range order {
			if round >= len(cells[key]) || most > 0 && taken == most {
				continue
			}
			any = true
			chosen[cells[key][round]] = true
			taken++
		}
		if !any {
			return chosen
		}
	}
}
