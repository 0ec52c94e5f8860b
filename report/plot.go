package report

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"agentd/internal/look"
)

// Plot is a drawing of bars, curves and dots. Coordinates are in SVG user units.
type Plot struct {
	Title         string
	Class         string // large, small for narrow screens, or square for both
	Width, Height float64
	Bars          []Bar
	Lines         []PlotLine
	Dots          []Point
	Marks         []PlotMark
	Texts         []Text
	Small         *Plot  // the same for narrow screens; nil where one serves both
	Caption       string // below both; "" for none
}

// PlotMark is a point with its own colour.
type PlotMark struct {
	At           Point
	Class, Label string
}

// drawn holds the drawings of a table.
func drawn(t Table) []*Plot {
	return slices.DeleteFunc([]*Plot{t.Plot, forest(t), matrix(t)}, func(p *Plot) bool { return p == nil })
}

// Bar is a rectangle, or an area between bounds if it has a Path.
type Bar struct {
	X, Y, Width, Height float64
	Path                string
	Class               string // of its colour
	Opacity             float64
	Label               string
}

// PlotLine is a curve. One without a class is a grid's.
type PlotLine struct {
	Points string
	Class  string
	Thin   bool // a bound of an estimate
}

// Text is a text at a position.
type Text struct {
	At     Point
	Anchor string // start, middle or end
	Text   string
	Class  string // of its type; "" for that of labels
}

// seriesColour returns a colour for one of many series: first the colours of the style sheet,
// then paler versions of them.
func seriesColour(n int) (class string, opacity float64) {
	return look.Series(n % look.SeriesColours), max(0.3, 1-0.55*float64(n/look.SeriesColours))
}

// drawing builds a Plot.
type drawing struct{ *Plot }

func (d drawing) text(x, y float64, anchor, text string) {
	d.Texts = append(d.Texts, Text{At: Point{x, y}, Anchor: anchor, Text: text})
}

func (d drawing) line(class string, points ...Point) {
	d.Lines = append(d.Lines, PlotLine{Points: path(points), Class: class})
}

// stackedBars draws a bar for each row, divided by series; shares[row][series] are from 0 to
// 1. It returns nil if there is nothing to draw.
func stackedBars(title string, rows, series []string, shares [][]float64) *Plot {
	if len(rows) == 0 {
		return nil
	}
	longest := 0.0
	for _, row := range rows {
		longest = max(longest, letterWidth*float64(len([]rune(row))))
	}
	large := drawing{&Plot{Title: title, Class: "large", Width: 960}}
	large.stack(rows, series, shares, min(longest+12, 330), 0)
	small := drawing{&Plot{Title: title, Class: "small", Width: 400}}
	small.stack(rows, series, shares, 4, labelHeight)
	large.Small = small.Plot
	return large.Plot
}

// stack draws bars from left on. The name of a row stands to the left of its bar, or above it
// where above, the height for it, is not 0.
func (d drawing) stack(rows, series []string, shares [][]float64, left, above float64) {
	const thick, gap = 18.0, 8.0
	right := d.Width - 26
	top := d.legend(series, left, right) + 6
	step := thick + gap + above
	bottom := top + step*float64(len(rows))
	for percent := 0; percent <= 100; percent += 20 {
		x := left + (right-left)*float64(percent)/100
		d.line("", Point{x, top}, Point{x, bottom})
		label := strconv.Itoa(percent)
		if percent == 100 {
			label += " %"
		}
		d.text(x, bottom+16, "middle", label)
	}
	for i, row := range rows {
		x, y := left, top+step*float64(i)+above
		if above > 0 {
			d.text(left, y-5, "start", row)
		} else {
			d.text(left-8, y+thick-4, "end", row)
		}
		for k, share := range shares[i] {
			if math.IsNaN(share) || share <= 0 {
				continue
			}
			class, opacity := seriesColour(k)
			width := (right - left) * min(share, 1)
			d.Bars = append(d.Bars, Bar{X: x, Y: y, Width: width, Height: thick, Class: class, Opacity: opacity,
				Label: fmt.Sprintf("%s, %s: %.1f %%", row, series[k], 100*share)})
			x += width
		}
	}
	d.Height = bottom + 24
}

// legend names the series above the bars, in as many lines as needed, and returns where it
// ends. A single series needs no legend.
func (d drawing) legend(series []string, left, right float64) float64 {
	if len(series) < 2 {
		return 0
	}
	x, y := left, 4.0
	for k, name := range series {
		width := 36 + letterWidth*float64(len([]rune(name)))
		if x > left && x+width > right {
			x, y = left, y+labelHeight+2
		}
		class, opacity := seriesColour(k)
		d.Bars = append(d.Bars, Bar{X: x, Y: y, Width: 11, Height: 11, Class: class, Opacity: opacity, Label: name})
		d.text(x+16, y+10, "start", name)
		x += width
	}
	return y + labelHeight
}

// middling holds the median and quartiles at one position, all from 0 to 1.
type middling struct{ at, low, median, high float64 }

// mostDots is how many dots a scatter has at most: the first ones.
const mostDots = 4000

// scatter draws dots from 0 to 1 on both axes, the curve of the medians with the quartiles
// around it, and the diagonal. It returns nil if there is nothing to draw.
func scatter(title, across, up string, dots []Point, curve []middling) *Plot {
	if len(dots) == 0 {
		return nil
	}
	const left, right, top, bottom = 40.0, 490.0, 30.0, 480.0
	d := drawing{&Plot{Title: title, Class: "square", Width: 510, Height: 520}}
	x := func(v float64) float64 { return left + (right-left)*v }
	y := func(v float64) float64 { return bottom - (bottom-top)*v }
	for percent := 0; percent <= 100; percent += 20 {
		at := float64(percent) / 100
		d.line("", Point{x(0), y(at)}, Point{x(1), y(at)})
		d.text(left-8, y(at)+4, "end", strconv.Itoa(percent))
		d.text(x(at), bottom+16, "middle", strconv.Itoa(percent))
	}
	d.line("", Point{x(0), y(0)}, Point{x(1), y(1)})
	for _, dot := range dots[:min(len(dots), mostDots)] {
		d.Dots = append(d.Dots, Point{x(dot.X), y(dot.Y)})
	}
	var median, upper, lower []Point
	for _, m := range curve {
		median = append(median, Point{x(m.at), y(m.median)})
		upper = append(upper, Point{x(m.at), y(m.high)})
		lower = append([]Point{{x(m.at), y(m.low)}}, lower...)
	}
	d.Bars = append(d.Bars, Bar{Path: path(append(upper, lower...)), Class: look.Series(0), Opacity: 0.2, Label: "quartiles"})
	d.line(look.Series(1), median...)
	d.text(0, 14, "start", up+", %; line: median, area: quartiles")
	d.text((left+right)/2, d.Height-6, "middle", across+", %")
	return d.Plot
}
