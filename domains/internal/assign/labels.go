package assign

import (
	"cmp"
	"slices"

	"agentd/domains/internal/notes"
)

const (
	// mostPairs is the number of pairs, rows times columns, up to which
	// MinByLabel is Min: 1,500 elements on both sides are 50,000 tokens.
	mostPairs = 4 << 20
	// lopsidedPairs is that number where one side is more than lopsided times as
	// long as the other, as no edit makes it.
	lopsidedPairs = 1 << 19
	lopsided      = 16
	// windowRows and windowPairs bound the problem that is solved beyond.
	windowRows  = 512
	windowPairs = 1 << 17
)

// MinByLabel is Min for rows and columns with labels, those of equal label having the least cost there is. Beyond
// 4,194,304 pairs of row and column, or 524,288 where one side has more than 16 times as many as the other, the
// assignment need not be the best: the k-th row of a label goes with its k-th column, of the rows and columns that are
// left the first are assigned as Min does, at most 512 on the shorter side and 131,072 pairs, and the others go
// together in order, and noted says so.
func MinByLabel[L comparable](c Costs, row, col func(int) L, noted *notes.Notes) []Pair {
	shorter, longer := min(c.Rows, c.Cols), max(c.Rows, c.Cols)
	pairsAllowed := mostPairs
	if longer/lopsided >= shorter {
		pairsAllowed = lopsidedPairs
	}
	if shorter == 0 || longer <= pairsAllowed/shorter {
		return Min(labelled(c, row, col))
	}
	pairs := equals(c, row, col)
	rows, cols := unpaired(c, pairs)
	most := min(len(rows), len(cols), windowRows)
	noted.AddIf(most > 0, notes.Paired)
	if most > 0 {
		nearRows, nearCols := rows[:min(len(rows), windowPairs/most)], cols[:min(len(cols), windowPairs/most)]
		if len(rows) <= len(cols) {
			nearRows = rows[:most]
		} else {
			nearCols = cols[:most]
		}
		for _, p := range Min(c.of(nearRows, nearCols)) {
			pairs = append(pairs, Pair{nearRows[p.Row], nearCols[p.Col]})
		}
	}
	rows, cols = unpaired(c, pairs)
	for k := range min(len(rows), len(cols)) {
		pairs = append(pairs, Pair{rows[k], cols[k]})
	}
	slices.SortFunc(pairs, func(a, b Pair) int { return cmp.Compare(a.Row, b.Row) })
	return pairs
}

// labelled gives the rows and columns of a problem their labels, which are numbered.
func labelled[L comparable](c Costs, row, col func(int) L) Costs {
	const few = 4
	if min(c.Rows, c.Cols) < few {
		return c // not worth it
	}
	numbers := make(map[L]int32, c.Rows)
	number := func(label L) int32 {
		n, known := numbers[label]
		if !known {
			n = int32(len(numbers))
			numbers[label] = n
		}
		return n
	}
	c.rowLabels, c.colLabels = make([]int32, c.Rows), make([]int32, c.Cols)
	for i := range c.rowLabels {
		c.rowLabels[i] = number(row(i))
	}
	for j := range c.colLabels {
		c.colLabels[j] = number(col(j))
	}
	return c
}

// equals pairs rows and columns of equal label, in order.
func equals[L comparable](c Costs, row, col func(int) L) []Pair {
	waiting := make(map[L][]int, min(c.Rows, c.Cols))
	var pairs []Pair
	if c.Rows <= c.Cols {
		for i := range c.Rows {
			waiting[row(i)] = append(waiting[row(i)], i)
		}
		for j := range c.Cols {
			if l := col(j); len(waiting[l]) > 0 {
				pairs = append(pairs, Pair{waiting[l][0], j})
				waiting[l] = waiting[l][1:]
			}
		}
		return pairs
	}
	for _, p := range equals(c.transposed(), col, row) {
		pairs = append(pairs, Pair{p.Col, p.Row})
	}
	return pairs
}

// unpaired lists the rows and columns that are in no pair.
func unpaired(c Costs, pairs []Pair) (rows, cols []int) {
	rowPaired, colPaired := make([]bool, c.Rows), make([]bool, c.Cols)
	for _, p := range pairs {
		rowPaired[p.Row], colPaired[p.Col] = true, true
	}
	return places(rowPaired), places(colPaired)
}

func places(paired []bool) []int {
	var free []int
	for k, is := range paired {
		if !is {
			free = append(free, k)
		}
	}
	return free
}

// of is the problem of some rows and columns.
func (c Costs) of(rows, cols []int) Costs {
	part := Costs{
		Rows: len(rows), Cols: len(cols),
		Cost: func(i, j int) float64 { return c.Cost(rows[i], cols[j]) },
	}
	if c.Bound != nil {
		part.Bound = func(i, j int) float64 { return c.Bound(rows[i], cols[j]) }
	}
	return part
}
