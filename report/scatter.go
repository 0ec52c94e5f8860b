package report

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/internal/look"
)

// Scatter names two measures of a table that are plotted against each other, with a point
// for each row.
type Scatter struct {
	Title              string
	Across, Up         string // names of measures; Up is a share
	AcrossName, UpName string // as readers see them
}

// scatterFigure is the drawing of a Scatter. Coordinates are in SVG user units.
type scatterFigure struct {
	Scatter
	Class                string // large, or small for narrow screens
	Width, Height        float64
	Left, Right          float64
	Top, Bottom          float64
	AcrossTicks, UpTicks []Tick
	Marks                []Mark
}

// Mark is the drawing of a row.
type Mark struct {
	Label, Values   string
	Class           string // of its colour
	X, Y            float64
	Bounded         bool    // Low and High are those of the interval upwards
	Low, High       float64 // in the units of the drawing
	LabelY, LabelDX float64
	Anchor          string // of the label: start, or end where it would not fit
}

// Middle is halfway along the figure.
func (f *scatterFigure) Middle() float64 { return (f.Left + f.Right) / 2 }

// scatters draws a table for wide screens and for narrow ones.
func scatters(t Table) []*scatterFigure {
	large := scattered(t, &scatterFigure{Class: "large", Width: 960, Height: 410, Left: 40, Right: 944, Top: 30, Bottom: 360})
	if large == nil {
		return nil
	}
	return []*scatterFigure{large, scattered(t, &scatterFigure{Class: "small", Width: 400, Height: 320, Left: 34, Right: 386, Top: 30, Bottom: 270})}
}

// scattered draws a table into a figure of a given size; nil for one without a Scatter, or
// without two rows that have both numbers.
func scattered(t Table, f *scatterFigure) *scatterFigure {
	if t.Scatter == nil {
		return nil
	}
	place := func(name string) int {
		return slices.IndexFunc(t.Measures, func(m Measure) bool { return m.Name == name })
	}
	across, up := place(t.Scatter.Across), place(t.Scatter.Up)
	var rows []Row
	most, least := 0.0, 1.0
	for _, row := range t.Rows {
		x, y := row.Cells[across], row.Cells[up]
		if x.Value == nil || y.Value == nil {
			continue
		}
		rows = append(rows, row)
		most, least = max(most, *x.Value), min(least, *y.Value)
		if y.Low != nil {
			least = min(least, *y.Low)
		}
	}
	if len(rows) < 2 {
		return nil
	}
	f.Scatter = *t.Scatter
	x, y := f.axes(most, least)
	for i, label := range labelsOf(rows) {
		right, high := rows[i].Cells[across], rows[i].Cells[up]
		m := Mark{
			Label: label, Class: look.Series(i % look.SeriesColours), X: x(*right.Value), Y: y(*high.Value), LabelDX: 8, Anchor: "start",
			Values: high.text(t.Measures[up].Unit) + " " + f.UpName + ", " + strconv.FormatFloat(*right.Value, 'g', 3, 64) + " " + f.AcrossName,
		}
		if high.Low != nil && high.High != nil {
			m.Bounded, m.Low, m.High = true, y(*high.Low), y(*high.High)
		}
		if m.X+m.LabelDX+labelWidth(label) > f.Right {
			m.LabelDX, m.Anchor = -8, "end"
		}
		f.Marks = append(f.Marks, m)
	}
	f.label()
	return f
}

// axes are from 0 to the most across, and upwards from a full ten percent below the least
// to 100 %. It returns where numbers lie on them.
func (f *scatterFigure) axes(most, least float64) (x, y func(float64) float64) {
	const ticks = 5
	from := min(0.9, max(0, math.Floor(10*least)/10))
	step := niceStep(most)
	end := max(step, math.Ceil(most/step-1e-9)*step)
	x = func(v float64) float64 { return f.Left + (f.Right-f.Left)*v/end }
	y = func(v float64) float64 { return f.Bottom - (f.Bottom-f.Top)*(v-from)/(1-from) }
	for k := 0; float64(k)*step <= end*(1+1e-9); k++ {
		f.AcrossTicks = append(f.AcrossTicks, Tick{x(float64(k) * step), strconv.FormatFloat(float64(k)*step, 'g', 3, 64)})
	}
	for k := range ticks + 1 {
		share := from + (1-from)*float64(k)/ticks
		f.UpTicks = append(f.UpTicks, Tick{y(share), strconv.FormatFloat(100*share, 'g', 3, 64)})
	}
	return x, y
}

// labelsOf returns the labels of rows without the parts common to all; the full label of a single row.
func labelsOf(rows []Row) []string {
	labels := make([]string, len(rows))
	for i, row := range rows {
		var parts []string
		for k, part := range row.shown() {
			if slices.ContainsFunc(rows, func(other Row) bool { return other.shown()[k] != part }) {
				parts = append(parts, part)
			}
		}
		labels[i] = strings.Join(parts, " ")
		if labels[i] == "" {
			labels[i] = strings.Join(row.shown(), " ")
		}
	}
	return labels
}

// labelWidth estimates the width of a label; letters such as m are wider than others.
func labelWidth(label string) float64 {
	wide := 0
	for _, letter := range label {
		if strings.ContainsRune("mwMW@%", letter) {
			wide++
		}
	}
	return letterWidth * (float64(len([]rune(label))) + 0.7*float64(wide))
}

// niceStep returns the step of an axis from 0 to most: 1, 2 or 5 times a power of ten, with
// at most seven steps.
func niceStep(most float64) float64 {
	if most <= 0 {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(most/7)))
	for _, times := range []float64{1, 2, 5} {
		if most/(times*power) <= 7 {
			return times * power
		}
	}
	return 10 * power
}

// label moves labels down from their points until none overlaps another label or another row's
// point.
func (f *scatterFigure) label() {
	order := make([]*Mark, len(f.Marks))
	for i := range f.Marks {
		order[i] = &f.Marks[i]
		order[i].LabelY = order[i].Y
	}
	slices.SortStableFunc(order, func(a, b *Mark) int { return cmp.Compare(a.Y, b.Y) })
	for i, m := range order {
		for try := 1; m.hidesPoint(order) || slices.ContainsFunc(order[:i], func(o *Mark) bool { return m.covers(o) }); try++ {
			m.LabelY += labelHeight / 2
			if m.LabelY > f.Bottom || try > 100 {
				break
			}
		}
	}
}

// covers reports whether the label of a mark overlaps another's.
func (m *Mark) covers(o *Mark) bool {
	from, to := m.span()
	otherFrom, otherTo := o.span()
	return math.Abs(m.LabelY-o.LabelY) < labelHeight-2 && from < otherTo && otherFrom < to
}

// hidesPoint reports whether the label of a mark covers the point of another one.
func (m *Mark) hidesPoint(all []*Mark) bool {
	const radius = 5
	from, to := m.span()
	return slices.ContainsFunc(all, func(o *Mark) bool {
		return o != m && math.Abs(m.LabelY-o.Y) < labelHeight/2 && from-radius < o.X && o.X < to+radius
	})
}

// span returns the horizontal extent of the label.
func (m *Mark) span() (from, to float64) {
	if m.Anchor == "end" {
		return m.X + m.LabelDX - labelWidth(m.Label), m.X + m.LabelDX
	}
	return m.X + m.LabelDX, m.X + m.LabelDX + labelWidth(m.Label)
}
