package report

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Figure is a table of a series as curves, one for each row, in the units of its
// drawing.
type Figure struct {
	Title         string
	Width, Height float64
	Left, Right   float64 // of the area with the curves
	Bottom        float64
	Across, Up    []Tick // of the axes of interactions and of percent
	Curves        []Curve
	Grey          int // curves that are drawn without a colour
}

// Tick is a labelled place on an axis.
type Tick struct {
	At    float64
	Label string
}

// Curve is a row as it is drawn.
type Curve struct {
	Label  string
	LabelY float64 // of the label, at the end of the curve
	Colour string  // "" for one of those that are grey
	Points []Point
	// Band is the area between the bounds of the 95 % intervals, as the points of a
	// polygon; "" if there are none.
	Band string
}

// Point is a place in the drawing.
type Point struct{ X, Y float64 }

// Path is the points as SVG has them.
func (c Curve) Path() string { return path(c.Points) }

// Last is the end of the curve.
func (c Curve) Last() Point { return c.Points[len(c.Points)-1] }

func path(points []Point) string {
	var b strings.Builder
	for _, p := range points {
		fmt.Fprintf(&b, "%.1f,%.1f ", p.X, p.Y)
	}
	return strings.TrimSpace(b.String())
}

// palette are colours that can be told apart on light and dark ground, also by readers
// who see few colours (Okabe and Ito, Color Universal Design; black and yellow are left
// out). Further curves are grey: more could not be told apart.
var palette = []string{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00"}

const (
	mostTicks   = 10 // of interactions
	labelHeight = 16
)

// moments are the places of the measures of a series that are its moments.
func (t *Table) moments() []int {
	var at []int
	for k, m := range t.Measures {
		if k > 0 && !m.Aside {
			at = append(at, k)
		}
	}
	return at
}

// figure draws a table; nil for one that is no series or has a single moment.
func figure(t Table) *Figure {
	moments := t.moments()
	if !t.Series || len(moments) < 2 || len(t.Rows) == 0 {
		return nil
	}
	f := &Figure{Title: t.Title, Width: 760, Height: 330, Left: 44, Right: 520, Bottom: 290}
	const top = 12
	x := func(moment int) float64 { return f.Left + (f.Right-f.Left)*float64(moment)/float64(len(moments)) }
	y := func(share float64) float64 { return f.Bottom - (f.Bottom-top)*share }
	step := (len(moments) + mostTicks - 1) / mostTicks
	for k := 0; k <= len(moments); k += step {
		f.Across = append(f.Across, Tick{x(k), strconv.Itoa(2 * k)})
	}
	for percent := 0; percent <= 100; percent += 20 {
		f.Up = append(f.Up, Tick{y(float64(percent) / 100), strconv.Itoa(percent)})
	}
	for _, row := range t.Rows {
		c := Curve{Label: strings.Join(row.shown(), " ")}
		var low, high []Point
		for k, at := range moments {
			cell := row.Cells[at]
			if cell.Value == nil || math.IsNaN(*cell.Value) {
				continue
			}
			c.Points = append(c.Points, Point{x(k + 1), y(*cell.Value)})
			if cell.Low != nil && cell.High != nil {
				low, high = append(low, Point{x(k + 1), y(*cell.Low)}), append(high, Point{x(k + 1), y(*cell.High)})
			}
		}
		if len(c.Points) == 0 {
			continue
		}
		if n := len(f.Curves); n < len(palette) {
			c.Colour = palette[n]
			slices.Reverse(low)
			c.Band = path(append(high, low...))
		} else {
			f.Grey++
		}
		f.Curves = append(f.Curves, c)
	}
	f.label(top)
	return f
}

// label places the labels of the curves that have a colour next to their ends, one
// below the other.
func (f *Figure) label(top float64) {
	var labelled []*Curve
	for i := range f.Curves {
		if c := &f.Curves[i]; c.Colour != "" {
			c.LabelY = c.Last().Y
			labelled = append(labelled, c)
		}
	}
	slices.SortStableFunc(labelled, func(a, b *Curve) int { return cmp.Compare(a.LabelY, b.LabelY) })
	free := top
	for _, c := range labelled {
		c.LabelY = max(c.LabelY, free)
		free = c.LabelY + labelHeight
	}
	free = f.Bottom
	for _, c := range slices.Backward(labelled) {
		c.LabelY = min(c.LabelY, free)
		free = c.LabelY - labelHeight
	}
}
