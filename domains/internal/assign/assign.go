// Package assign solves the rectangular assignment problem: pair rows with
// columns one to one so that the summed cost is least.
//
// Between equal optima the choice shows in several domains' scores, so the procedure, shortest augmenting paths after
// Crouse (IEEE TAES 52, 2016), also takes the order of SciPy's linear_sum_assignment: columns are scanned from the last
// to the first, and of equally near columns a later one is preferred only if it is unassigned.
package assign

import "math"

// Pair is one assigned pair.
type Pair struct{ Row, Col int }

// Costs are the costs of a problem of Rows × Cols; none is below 0. Bound may be nil; otherwise
// Bound(i, j) <= Cost(i, j) must hold, and Cost is asked only where the bound
// does not decide. Cost is asked at most once for each pair, unless there are
// more than four million.
type Costs struct {
	Rows, Cols int
	Cost       func(row, col int) float64
	Bound      func(row, col int) float64
	// Where they are known, rows and columns of equal label are likely to cost nothing.
	rowLabels, colLabels []int32
}

// Min returns the assignment of least summed cost, min(Rows, Cols) pairs in
// ascending order of row. The pairs are the same with and without a bound.
func Min(c Costs) []Pair {
	if c.Rows == 1 && c.Cols == 1 {
		return []Pair{{}}
	}
	if c.Rows <= c.Cols {
		s := newSearch(c)
		s.run()
		pairs := make([]Pair, c.Rows)
		for row, col := range s.colOf {
			pairs[row] = Pair{row, col}
		}
		return pairs
	}
	s := newSearch(c.transposed())
	s.run()
	pairs := make([]Pair, 0, c.Cols)
	for row, col := range s.rowOf {
		if col >= 0 {
			pairs = append(pairs, Pair{row, col})
		}
	}
	return pairs
}

func (c Costs) transposed() Costs {
	t := Costs{
		Rows: c.Cols, Cols: c.Rows, Cost: func(i, j int) float64 { return c.Cost(j, i) },
		rowLabels: c.colLabels, colLabels: c.rowLabels,
	}
	if c.Bound != nil {
		t.Bound = func(i, j int) float64 { return c.Bound(j, i) }
	}
	return t
}

// visit is a row whose true cost to a column has not been asked yet, with the length of the path that led to the row.
type visit struct {
	row int
	low float64
}

// search is the state of the procedure, with rows <= cols. Names follow the
// literature: u and v are the duals, d the shortest path lengths.
type search struct {
	Costs
	u, v         []float64
	colOf, rowOf []int // the assignment so far, -1 where there is none
	known        memo  // costs asked so far

	d       []float64
	pred    []int
	atLeast []float64 // lower bound of d once the pending rows are applied
	pending [][]visit
	waiting []int // room for the columns that settle looks at
	columns []int // room for those that a path has not reached
	bounds  memo  // bounds that were asked for

	labelled map[int32][]int // the columns of a label that are not assigned, and some that are
	raised   bool            // a dual of a column is above 0, which rounding may bring about
}

func newSearch(c Costs) *search {
	s := &search{
		Costs: c,
		u:     make([]float64, c.Rows), v: make([]float64, c.Cols),
		colOf: make([]int, c.Rows), rowOf: make([]int, c.Cols),
		known:   newMemo(c.Rows, c.Cols),
		d:       make([]float64, c.Cols),
		pred:    make([]int, c.Cols),
		atLeast: make([]float64, c.Cols),
		pending: make([][]visit, c.Cols),
		waiting: make([]int, 0, c.Cols),
		columns: make([]int, c.Cols),
	}
	if c.Bound != nil {
		s.bounds = newMemo(c.Rows, c.Cols)
	}
	if c.rowLabels != nil {
		s.labelled = make(map[int32][]int, c.Cols)
		for col, label := range c.colLabels {
			s.labelled[label] = append(s.labelled[label], col)
		}
	}
	for i := range s.colOf {
		s.colOf[i] = -1
	}
	for j := range s.rowOf {
		s.rowOf[j] = -1
	}
	return s
}

// memo remembers costs, in a table while that is of a reasonable size. A row of it is made when it is first needed.
type memo struct {
	cols  int
	table [][]float64 // NaN where unknown; nil where it would be too large
}

// largestTable is the number of costs up to which a table is kept, 32 MiB.
const largestTable = 4 << 20

func newMemo(rows, cols int) memo {
	if rows > 0 && cols > largestTable/rows {
		return memo{}
	}
	return memo{cols, make([][]float64, rows)}
}

// row are the costs of a row; nil if none are kept.
func (m *memo) row(row int) []float64 {
	if m.table == nil {
		return nil
	}
	if m.table[row] == nil {
		m.table[row] = make([]float64, m.cols)
		for col := range m.table[row] {
			m.table[row][col] = math.NaN()
		}
	}
	return m.table[row]
}

// ask is a cost, which is found out unless it is known.
func (m *memo) ask(row, col int, of func(row, col int) float64) float64 {
	known := m.row(row)
	if known == nil {
		return of(row, col)
	}
	if math.IsNaN(known[col]) {
		known[col] = of(row, col)
	}
	return known[col]
}

func (s *search) run() {
	visited := make([]bool, s.Cols)
	for row := range s.Rows {
		if col, found := s.free(row); found {
			s.colOf[row], s.rowOf[col] = col, row
			continue
		}
		low, sink := s.shortestPath(row, visited)
		s.updateDuals(row, low, visited)
		s.augment(row, sink)
	}
}

// free returns the first unassigned column that costs a row nothing, if one has the row's label. It is where the
// shortest path from the row ends: no path is shorter than 0 while no dual of a column is above 0.
func (s *search) free(row int) (col int, found bool) {
	if s.labelled == nil || s.raised {
		return 0, false
	}
	label := s.rowLabels[row]
	alike := s.labelled[label]
	for len(alike) > 0 && s.rowOf[alike[0]] >= 0 {
		alike = alike[1:]
	}
	s.labelled[label] = alike
	if len(alike) == 0 || s.known.ask(row, alike[0], s.Cost) != 0 {
		return 0, false
	}
	for col := range alike[0] {
		if s.rowOf[col] < 0 && (s.Bound == nil || s.bounds.ask(row, col, s.Bound) <= 0) && s.known.ask(row, col, s.Cost) == 0 {
			return col, true
		}
	}
	return alike[0], true
}

// shortestPath grows the tree of shortest alternating paths from an unassigned row until it reaches an unassigned
// column, and returns the path's length and that column. It leaves the columns it passed in visited.
func (s *search) shortestPath(start int, visited []bool) (low float64, sink int) {
	remaining := s.columns
	for k := range remaining {
		remaining[k] = s.Cols - 1 - k
	}
	for j := range s.d {
		s.d[j], s.atLeast[j] = math.Inf(1), math.Inf(1)
		s.pending[j] = s.pending[j][:0]
		visited[j] = false
	}
	row := start
	for {
		s.visitRow(row, low, remaining)
		s.settle(remaining)
		at := s.nearest(remaining)
		col := remaining[at]
		low = s.d[col]
		visited[col] = true
		if s.rowOf[col] < 0 {
			return low, col
		}
		row = s.rowOf[col]
		remaining[at] = remaining[len(remaining)-1]
		remaining = remaining[:len(remaining)-1]
	}
}

// visitRow takes a row into the tree: it shortens the paths to the remaining
// columns, or notes that it may, where only a bound of the cost is known.
func (s *search) visitRow(row int, low float64, remaining []int) {
	known, bounds := s.known.row(row), s.bounds.row(row)
	for _, col := range remaining {
		asked := known != nil && !math.IsNaN(known[col])
		if s.Bound == nil || asked && len(s.pending[col]) == 0 {
			s.apply(col, visit{row, low})
			continue
		}
		var cost float64
		switch {
		case asked:
			cost = known[col]
		case bounds == nil:
			cost = s.Bound(row, col)
		default:
			if math.IsNaN(bounds[col]) {
				bounds[col] = s.Bound(row, col)
			}
			cost = bounds[col]
		}
		// Rows apply in the order of their visits, so a known cost waits too.
		reach := low + cost - s.u[row] - s.v[col]
		if reach < s.d[col] {
			s.pending[col] = append(s.pending[col], visit{row, low})
			s.atLeast[col] = min(s.atLeast[col], reach)
		}
	}
}

// settle applies pending rows, nearest column first, until none of those left
// could undercut or equal the smallest settled d.
func (s *search) settle(remaining []int) {
	if s.Bound == nil {
		return
	}
	smallest := math.Inf(1)
	waiting := s.waiting[:0] // a heap: no column is nearer than the one at half its place
	for _, col := range remaining {
		if len(s.pending[col]) == 0 {
			smallest = min(smallest, s.d[col])
		} else {
			waiting = append(waiting, col)
		}
	}
	for at := len(waiting)/2 - 1; at >= 0; at-- {
		s.sink(waiting, at)
	}
	for len(waiting) > 0 && s.atLeast[waiting[0]] <= smallest {
		next, last := waiting[0], len(waiting)-1
		waiting[0] = waiting[last]
		waiting = waiting[:last]
		s.sink(waiting, 0)
		for _, v := range s.pending[next] {
			s.apply(next, v)
		}
		s.pending[next] = s.pending[next][:0]
		s.atLeast[next] = math.Inf(1)
		smallest = min(smallest, s.d[next])
	}
}

// sink moves a column of the heap down to where it belongs.
func (s *search) sink(waiting []int, at int) {
	for {
		child := 2*at + 1
		if child+1 < len(waiting) && s.atLeast[waiting[child+1]] < s.atLeast[waiting[child]] {
			child++
		}
		if child >= len(waiting) || s.atLeast[waiting[at]] <= s.atLeast[waiting[child]] {
			return
		}
		waiting[at], waiting[child] = waiting[child], waiting[at]
		at = child
	}
}

func (s *search) apply(col int, v visit) {
	cost := s.known.ask(v.row, col, s.Cost)
	if r := v.low + cost - s.u[v.row] - s.v[col]; r < s.d[col] {
		s.d[col], s.pred[col] = r, v.row
	}
}

// nearest returns the place in remaining of the column with the smallest d.
func (s *search) nearest(remaining []int) int {
	at, smallest := 0, math.Inf(1)
	for k, col := range remaining {
		if len(s.pending[col]) > 0 {
			continue
		}
		if s.d[col] < smallest || (s.d[col] == smallest && s.rowOf[col] < 0) {
			at, smallest = k, s.d[col]
		}
	}
	return at
}

func (s *search) updateDuals(start int, low float64, visited []bool) {
	s.u[start] += low
	for col, was := range visited {
		if !was {
			continue
		}
		if row := s.rowOf[col]; row >= 0 {
			s.u[row] += low - s.d[col]
		}
		s.v[col] -= low - s.d[col]
		s.raised = s.raised || s.v[col] > 0
	}
}

func (s *search) augment(start, col int) {
	for {
		row := s.pred[col]
		s.rowOf[col] = row
		s.colOf[row], col = col, s.colOf[row]
		if row == start {
			return
		}
	}
}
