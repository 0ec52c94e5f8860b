package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"agentd/report/statistics"
	"agentd/results"
)

// Section is a part of a report that can be requested by name.
type Section struct {
	Name   string
	Tables []Table
}

// Table is rows of numbers under labels.
type Table struct {
	Name     string // unique in a report
	Title    string
	Labels   []string // heads of the columns that say what a row is of
	Measures []Measure
	Rows     []Row
	// Series says that the measures are one number at several moments.
	Series bool
	// Wide says that the measures are as many as an experiment has arms.
	Wide bool
	// Scatter is how the rows are drawn above the table in html; nil if they are not.
	Scatter *Scatter
	// ForPrograms leaves the table to csv and json.
	ForPrograms bool
	// Forest is how estimates are drawn with their intervals, Matrix how cells are drawn in
	// their colours, above the table in html; nil if they are not.
	Forest *Forest
	Matrix *Matrix
	// Gallery are pictures of documents, shown above the table in html.
	Gallery []galleryDocument
	// Plot is drawn above the table in html; nil for none.
	Plot *Plot
	// Notes are what a reader has to know of this table in addition to the report's Notes.
	Notes []string
}

// Row is a line of a table, with a cell for each measure.
type Row struct {
	Labels  []string
	StandIn bool // the first label names a program that plays a model
	Judged  bool // its numbers rest on a judge's opinions, in whole or in part
	Cells   []Cell
	// Work is that of the row's arm, nil for none. Void says that it is too little for the scores
	// of the row, which are left out.
	Work *results.Work
	Void bool
}

// of records the work of the row's arm.
func (r *Row) of(w results.Work) { r.Work, r.Void = &w, w.TooLittle() }

// leaveOut removes the scores of arms that did too little.
func (t *Table) leaveOut() {
	if !slices.ContainsFunc(t.Measures, func(m Measure) bool { return m.Score }) {
		for i := range t.Rows {
			t.Rows[i].Void = false
		}
		return
	}
	for i := range t.Rows {
		for k := range t.Rows[i].Cells {
			if t.Rows[i].Void && t.Measures[k].Score {
				t.Rows[i].Cells[k] = Cell{}
			}
		}
	}
}

// shown returns the displayed labels. They mark stand-ins and judged scores, so that a reader does not
// take these for a model's numbers or computed scores. If scores were removed, they say what was done.
func (r Row) shown() []string {
	labels := slices.Clone(r.Labels)
	labels[0] = name(labels[0], r.StandIn)
	if r.Judged {
		labels[min(1, len(labels)-1)] += " (judged)"
	}
	if r.Void {
		labels[min(1, len(labels)-1)] += " (" + r.Work.String() + ")"
	}
	return labels
}

func name(model string, standIn bool) string {
	switch {
	case model == "":
		return "(none)"
	case standIn:
		return model + " (stand-in)"
	}
	return model
}

// Measure is what a column holds.
type Measure struct {
	Name   string // for programs
	Head   string // for people
	Unit   Unit
	Graded bool // a score, coloured by how much was lost
	Aside  bool // in a series, not one of its moments
	Score  bool // RS or Strict, or a number made of them: left out for arms that did too little
}

// addMoments adds a measure after 2, 4, … interactions, one for each round trip.
func (t *Table) addMoments(of Measure, trips int) {
	for k := 1; k <= trips; k++ {
		m := of
		m.Name, m.Head = fmt.Sprintf("%s_%d", of.Name, 2*k), fmt.Sprintf("@%d", 2*k)
		t.Measures = append(t.Measures, m)
	}
}

// addSeries adds a row with its values, as many as there are moments.
func (t *Table) addSeries(row Row, values []statistics.Interval) {
	for _, value := range values {
		if len(row.Cells) < len(t.Measures) {
			row.Cells = append(row.Cells, interval(value))
		}
	}
	for len(row.Cells) < len(t.Measures) {
		row.Cells = append(row.Cells, Cell{})
	}
	t.Rows = append(t.Rows, row)
}

// Unit says how a number is written.
type Unit uint8

// The units.
const (
	Count       Unit = iota // a whole number
	Percent                 // of a share
	Points                  // a hundredth of a share, with its sign
	Ratio                   // with two decimals
	USD                     // with four decimals
	Probability             // with three decimals, four below 0.001
	Coefficient             // from -1 to 1, or a number of standard deviations
)

// Cell is a number, with its interval where it has one.
type Cell struct {
	Value       *float64 // nil if there is none
	Low, High   *float64 // nil if they are not known
	N           int      // values that it is computed from; 0 where it is one on its own
	Of          int      // of how many, where that is more than Value
	Doubtful    bool     // it is shown in brackets, and a note says why
	Approximate bool     // it is shown with a sign, as limits on work acted on scores in it
	Ungraded    bool     // it has no colour, as its work was not done
}

func plainCell(v float64) Cell { return Cell{Value: &v} }

func optional(v *float64) Cell { return Cell{Value: v} }

// interval returns the cell of an estimate; an empty cell without one.
func interval(i statistics.Interval) Cell {
	if !i.Exists() {
		return Cell{}
	}
	c := Cell{Value: &i.Estimate, N: i.N}
	if i.Bounded() {
		c.Low, c.High = &i.Low, &i.High
	}
	return c
}

// withoutBounds returns the cell of an estimate whose interval is not shown.
func withoutBounds(i statistics.Interval) Cell {
	c := interval(i)
	c.Low, c.High = nil, nil
	return c
}

// probability returns the cell of a p-value; an empty cell without one.
func probability(p float64) Cell {
	if math.IsNaN(p) {
		return Cell{}
	}
	return plainCell(p)
}

// unknown is shown if there is no number.
const unknown = "–"

// text formats a number for display.
func (u Unit) text(v float64) string {
	switch u {
	case Percent:
		return strconv.FormatFloat(100*v, 'f', 1, 64)
	case Points:
		return fmt.Sprintf("%+.1f", math.Round(1000*v)/10+0) // no −0.0
	case Coefficient:
		return fmt.Sprintf("%+.2f", v)
	case Ratio:
		return strconv.FormatFloat(v, 'f', 2, 64)
	case USD:
		return strconv.FormatFloat(v, 'f', 4, 64)
	case Probability:
		if v < 0.001 {
			return strconv.FormatFloat(v, 'f', 4, 64)
		}
		return strconv.FormatFloat(v, 'f', 3, 64)
	default:
		return strconv.FormatFloat(v, 'f', 0, 64)
	}
}

// text formats the cell without its interval.
func (c Cell) text(u Unit) string {
	switch {
	case c.Value == nil && u == USD:
		return "unknown"
	case c.Value == nil:
		return unknown
	case c.Of > 0 && float64(c.Of) != *c.Value:
		return fmt.Sprintf("%s of %d", u.text(*c.Value), c.Of)
	case c.Doubtful:
		return "(" + u.text(*c.Value) + ")"
	}
	if c.Approximate {
		return "≈ " + u.text(*c.Value)
	}
	return u.text(*c.Value)
}

// whole formats the cell with its interval.
func (c Cell) whole(u Unit) string {
	if c.Value == nil || c.Low == nil {
		return c.text(u)
	}
	return fmt.Sprintf("%s [%s, %s]", c.text(u), u.text(*c.Low), u.text(*c.High))
}

// grades are the paper's bounds of what is left (Table 2), the best first; what is
// below the last has the grade len(grades). From the first on a model is ready for
// a domain.
var grades = []float64{0.98, 0.95, 0.90, 0.80, 0.70, 0.55}

// gradeNames are the displayed names of the grades.
var gradeNames = []string{"≥98", "95–98", "90–95", "80–90", "70–80", "55–70", "<55"}

func grade(score float64) int {
	const rounding = 1e-9
	for g, least := range grades {
		if score >= least-rounding {
			return g
		}
	}
	return len(grades)
}

// grade returns the grade of a score; -1 if there is none or it says nothing.
func (c Cell) grade() int {
	if c.Value == nil || math.IsNaN(*c.Value) || c.Doubtful || c.Ungraded {
		return -1
	}
	return grade(*c.Value)
}
