// Package assign solves the rectangular assignment problem: pair rows with
// columns one to one so that the summed cost is least.
//
// Between equal optima the choice shows in several domains' scores, so the
// procedure, shortest augmenting paths after Crouse (IEEE TAES 52, 2016), also
// takes the order of SciPy's linear_sum_assignment: columns are scanned from
// the last to the first, and of equally near columns a later one is preferred
// only if it is unassigned.
package assign

import "math"

// Pair is one assigned pair.
type Pair struct{ Row, Col int }

// Costs are the costs of a problem of Rows × Cols. Bound may be nil; otherwise
// Bound(i, j) <= Cost(i, j) must hold, and Cost is asked only where the bound
// does not decide. Cost is asked at most once for each pair, unless there are
// more than four million.
type Costs struct {
	Rows, Cols int
	Cost       func(row, col int) float64
	Bound      func(row, col int) float64
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
	t := Costs{Rows: c.Cols, Cols: c.Rows, Cost: func(i, j int) float64 { return c.Cost(j, i) }}
	if c.Bound != nil {
		t.Bound = func(i, j int) float64 { return c.Bound(j, i) }
	}
	return t
}

// visit is a row whose true cost to a column has not been asked yet, with the
// length of the path that led to the row.
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
	for i := range s.colOf {
		s.colOf[i] = -1
	}
	for j := range s.rowOf {
		s.rowOf[j] = -1
	}
	return s
}

// memo remembers costs, in a table while that is of a reasonable size.
type memo struct {
	cols  int
	table []float64 // NaN where unknown; nil where it would be too large
}

// largestTable is the number of costs up to which a table is kept, 32 MiB.
const largestTable = 4 << 20

func newMemo(rows, cols int) memo {
	if rows > 0 && cols > largestTable/rows {
		return memo{cols: cols}
	}
	m := memo{cols: cols, table: make([]float64, rows*cols)}
	for k := range m.table {
		m.table[k] = math.NaN()
	}
	return m
}

func (m *memo) get(row, col int) (cost float64, known bool) {
	if m.table == nil {
		return 0, false
	}
	cost = m.table[row*m.cols+col]
	return cost, !math.IsNaN(cost)
}

func (m *memo) put(row, col int, cost float64) {
	if m.table != nil {
		m.table[row*m.cols+col] = cost
	}
}

func (s *search) run() {
	visited := make([]bool, s.Cols)
	for row := range s.Rows {
		low, sink := s.shortestPath(row, visited)
		s.updateDuals(row, low, visited)
		s.augment(row, sink)
	}
}

// shortestPath grows the tree of shortest alternating paths from an unassigned
// row until it reaches an unassigned column, and returns the path's length and
// that column. It leaves the columns it passed in visited.
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
	for _, col := range remaining {
		cost, asked := s.known.get(row, col)
		if s.Bound == nil || asked && len(s.pending[col]) == 0 {
			s.apply(col, visit{row, low})
			continue
		}
		if !asked {
			if cost, asked = s.bounds.get(row, col); !asked {
				cost = s.Bound(row, col)
				s.bounds.put(row, col, cost)
			}
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
	cost, known := s.known.get(v.row, col)
	if !known {
		cost = s.Cost(v.row, col)
		s.known.put(v.row, col, cost)
	}
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
