package report

import (
	"cmp"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/internal/look"
)

// Figure draws shares over interactions as curves. Coordinates are in SVG user units.
type Figure struct {
	Title                    string
	UpName                   string // of the vertical axis
	Class                    string // large, or small for narrow screens
	Width, Height            float64
	Left, Right, Top, Bottom float64 // of the area with the curves
	Across, Up               []Tick  // of the axes of interactions and of percent
	Curves                   []Curve
	Grey                     int // number of curves drawn in grey
}

// Tick is a labelled place on an axis.
type Tick struct {
	At    float64
	Label string
}

// Curve is a line as it is drawn.
type Curve struct {
	Name           string // the whole label
	Label, Value   string // what stands next to its end: the label, cut where it is too long, and the last number
	LabelX, LabelY float64
	Class          string // of its colour
	Points         []Point
	// Band is the area between the bounds of the 95 % intervals, as the points of a
	// polygon; "" if there are none.
	Band  string
	Drops []Point // the critical failures
}

// Labelled reports whether the curve has a label and a colour.
func (c Curve) Labelled() bool { return c.Class != look.Series(look.SeriesColours) }

// Middle is halfway along the figure.
func (f *Figure) Middle() float64 { return (f.Left + f.Right) / 2 }

// Point is a place in the drawing.
type Point struct{ X, Y float64 }

// Path returns the points in the syntax of SVG.
func (c Curve) Path() string { return path(c.Points) }

// Last returns the last point of the curve.
func (c Curve) Last() Point { return c.Points[len(c.Points)-1] }

func path(points []Point) string {
	var b strings.Builder
	for _, p := range points {
		fmt.Fprintf(&b, "%.1f,%.1f ", p.X, p.Y)
	}
	return strings.TrimSpace(b.String())
}

// Line is the data of a curve: shares after 2, 4, … interactions.
type Line struct {
	Label string
	// Values are from 0 to 1, nil where there is none.
	Values []*float64
	// Low and High are the bounds, nil where unknown. Both are empty or as long as Values.
	Low, High []*float64
	// Drops are the numbers, from 1, of the round trips with a critical failure.
	Drops []int
	// Whole says that the share is 1 before the first interaction.
	Whole bool
	// Unit is what the last number is written in; Percent if it is 0.
	Unit Unit
}

const (
	labelHeight = 18
	letterWidth = 6.9 // approximate width of a letter in a figure
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

// lines returns the rows of a table as curves; nil if the table is not a series or has only
// one moment.
func (t *Table) lines() []Line {
	moments := t.moments()
	if !t.Series || len(moments) < 2 {
		return nil
	}
	lines := make([]Line, len(t.Rows))
	for i, label := range labelsOf(t.Rows) {
		lines[i] = Line{Label: label, Whole: t.Measures[moments[0]].Graded, Unit: t.Measures[moments[0]].Unit}
		for _, at := range moments {
			cell := t.Rows[i].Cells[at]
			if cell.Value != nil && math.IsNaN(*cell.Value) {
				cell = Cell{}
			}
			lines[i].Values = append(lines[i].Values, cell.Value)
			lines[i].Low, lines[i].High = append(lines[i].Low, cell.Low), append(lines[i].High, cell.High)
		}
	}
	return lines
}

// figures draws a table for wide screens and for narrow ones.
func figures(t Table) []*Figure {
	up := "%"
	if at := t.moments(); len(at) > 0 && t.Measures[at[0]].Unit == Points {
		up = "points of RS"
	}
	score, _, _ := strings.Cut(t.Title, ":")
	if len(score) > len("Strict@k, "+noOpsHead) {
		score, _, _ = strings.Cut(t.Title, " ")
	}
	if strings.HasPrefix(score, "RS") || strings.HasPrefix(score, "Strict") {
		up = score + ", %"
	}
	return drawLines(t.Title, up, t.lines())
}

// Curves returns lines as HTML for a page with the style sheet: one figure for wide screens
// and one for narrow ones. It is empty if no line has a number.
func Curves(title, up string, lines []Line) (template.HTML, error) {
	var b strings.Builder
	if err := page.ExecuteTemplate(&b, "figures", drawLines(title, up, lines)); err != nil {
		return "", err
	}
	return template.HTML(b.String()), nil
}

func drawLines(title, up string, lines []Line) []*Figure {
	lines = slices.DeleteFunc(slices.Clone(lines), func(l Line) bool {
		return !slices.ContainsFunc(l.Values, func(v *float64) bool { return v != nil })
	})
	if len(lines) == 0 {
		return nil
	}
	longest := 0
	for _, l := range lines[:min(len(lines), look.SeriesColours)] {
		longest = max(longest, len([]rune(l.Label)))
	}
	const labelGap, mostLabel = 96, 300 // the gap has room for the number
	large := &Figure{Title: title, UpName: up, Class: "large", Width: 960, Height: 350, Left: 40, Top: 30, Bottom: 296}
	large.Right = large.Width - labelGap - min(mostLabel, letterWidth*float64(longest))
	small := &Figure{Title: title, UpName: up, Class: "small", Width: 400, Left: 34, Right: 386, Top: 28, Bottom: 236}
	for _, f := range []*Figure{large, small} {
		f.draw(lines)
	}
	large.labelEnds()
	small.labelBelow()
	return []*Figure{large, small}
}

// draw places axes and curves.
func (f *Figure) draw(lines []Line) {
	trips, most, least := 0, 0.0, 0.0
	for _, l := range lines {
		trips = max(trips, len(l.Values))
		if l.Whole {
			most = 1
		}
		for _, v := range slices.Concat(l.Values, l.High, l.Low) {
			if v != nil && *v > most { // which NaN is not
				most = *v
			}
			if v != nil && *v < least {
				least = *v
			}
		}
	}
	top, bottom, stepUp := upAxis(most, least)
	x := func(trip int) float64 { return f.Left + (f.Right-f.Left)*float64(trip)/float64(trips) }
	y := func(share float64) float64 { return f.Bottom - (f.Bottom-f.Top)*(share-bottom)/(top-bottom) }
	mostTicks := int((f.Right - f.Left) / 36)
	step := (trips + mostTicks - 1) / mostTicks
	for k := 0; k <= trips; k += step {
		f.Across = append(f.Across, Tick{x(k), strconv.Itoa(2 * k)})
	}
	for k := int(math.Round(bottom / stepUp)); float64(k)*stepUp <= top*(1+1e-9); k++ {
		share := float64(k) * stepUp
		f.Up = append(f.Up, Tick{y(share), strconv.FormatFloat(100*share, 'g', 3, 64)})
	}
	for n, l := range lines {
		c := Curve{Name: l.Label, Label: l.Label, Class: look.Series(n)}
		var low, high []Point
		if l.Whole {
			start := Point{x(0), y(1)}
			c.Points, low, high = []Point{start}, []Point{start}, []Point{start}
		}
		for k, value := range l.Values {
			if value == nil {
				continue
			}
			at := Point{x(k + 1), y(*value)}
			c.Points, c.Value = append(c.Points, at), max(l.Unit, Percent).text(*value)
			if slices.Contains(l.Drops, k+1) {
				c.Drops = append(c.Drops, at)
			}
			if k < len(l.Low) && l.Low[k] != nil && l.High[k] != nil {
				low, high = append(low, Point{x(k + 1), y(*l.Low[k])}), append(high, Point{x(k + 1), y(*l.High[k])})
			}
		}
		switch {
		case !c.Labelled():
			f.Grey++
		case len(low) > 1:
			slices.Reverse(low)
			c.Band = path(append(high, low...))
		}
		f.Curves = append(f.Curves, c)
	}
}

// upAxis returns the upper and lower end of the axis of shares and the step between its
// labels. The axis begins at 0 unless there are negative numbers.
func upAxis(most, least float64) (top, bottom, step float64) {
	if least >= 0 {
		tops := []float64{0.1, 0.2, 0.5, 1}
		top = tops[min(slices.IndexFunc(append(tops, math.Inf(1)), func(t float64) bool { return most <= t }), len(tops)-1)]
		return top, 0, top / 5
	}
	most, least = min(most, 1), max(least, -1)
	step = niceStep(most - least)
	return math.Ceil(most/step-1e-9) * step, math.Floor(least/step+1e-9) * step, step
}

// labelEnds places the labels of the curves next to their ends, one below the other.
func (f *Figure) labelEnds() {
	var labelled []*Curve
	for i := range f.Curves {
		if c := &f.Curves[i]; c.Labelled() {
			c.LabelX, c.LabelY = f.Right+10, c.Last().Y
			c.cut(f.Width - c.LabelX - 82)
			labelled = append(labelled, c)
		}
	}
	slices.SortStableFunc(labelled, func(a, b *Curve) int { return cmp.Compare(a.LabelY, b.LabelY) })
	free := f.Top
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

// labelBelow lists the labels below the axis, where narrow screens have room, the best first.
func (f *Figure) labelBelow() {
	at := f.Bottom + 62
	for _, i := range slices.SortedStableFunc(slices.Values(places(f.Curves)), func(a, b int) int {
		return cmp.Compare(f.Curves[a].Last().Y, f.Curves[b].Last().Y)
	}) {
		if c := &f.Curves[i]; c.Labelled() {
			c.LabelX, c.LabelY = 6, at
			c.cut(f.Width - 92)
			at += labelHeight + 2
		}
	}
	f.Height = at - 8
}

// places are the numbers of a list's elements.
func places[T any](all []T) []int {
	at := make([]int, len(all))
	for i := range all {
		at[i] = i
	}
	return at
}

// cut shortens the label to what fits.
func (c *Curve) cut(width float64) {
	if letters := []rune(c.Label); letterWidth*float64(len(letters)) > width {
		c.Label = string(letters[:max(1, int(width/letterWidth)-1)]) + "…"
	}
}
