package report

import (
	"fmt"
	"math"
	"strconv"
)

// Plot is a drawing made of bars, curves and dots, in the units of its drawing.
type Plot struct {
	Title         string
	Width, Height float64
	Bars          []Bar
	Lines         []Line
	Dots          []Point
	Texts         []Text
}

// Bar is a rectangle, or an area between bounds if it has a Path.
type Bar struct {
	X, Y, Width, Height float64
	Path                string
	Colour              string
	Opacity             float64
	Label               string
}

// Line is a curve. One without a colour is a grid's.
type Line struct {
	Points string
	Colour string
}

// Text stands at a place.
type Text struct {
	At     Point
	Anchor string // start, middle or end
	Text   string
}

// seriesColour is a colour for one of many series: those of the palette, and then paler ones.
func seriesColour(n int) (colour string, opacity float64) {
	return palette[n%len(palette)], max(0.3, 1-0.55*float64(n/len(palette)))
}

// drawing helps to build a Plot.
type drawing struct{ *Plot }

func newDrawing(title string, height float64) drawing {
	return drawing{&Plot{Title: title, Width: 760, Height: height}}
}

func (d drawing) text(x, y float64, anchor, text string) {
	d.Texts = append(d.Texts, Text{Point{x, y}, anchor, text})
}

func (d drawing) line(colour string, points ...Point) {
	d.Lines = append(d.Lines, Line{path(points), colour})
}

// stackedBars draws a bar for each row, divided by series; shares[row][series] are from 0 to
// 1. A plot of nothing is nil.
func stackedBars(title string, rows, series []string, shares [][]float64) *Plot {
	if len(rows) == 0 {
		return nil
	}
	const left, right, top, step, thick = 190.0, 550.0, 14.0, 26.0, 18.0
	bottom := top + step*float64(len(rows))
	d := newDrawing(title, max(bottom+34, top+18*float64(len(series))+20))
	for percent := 0; percent <= 100; percent += 20 {
		x := left + (right-left)*float64(percent)/100
		d.line("", Point{x, top}, Point{x, bottom})
		d.text(x, bottom+16, "middle", strconv.Itoa(percent))
	}
	for i, row := range rows {
		x, y := left, top+step*float64(i)
		d.text(left-8, y+thick-5, "end", row)
		for k, share := range shares[i] {
			if math.IsNaN(share) || share <= 0 {
				continue
			}
			colour, opacity := seriesColour(k)
			width := (right - left) * min(share, 1)
			d.Bars = append(d.Bars, Bar{X: x, Y: y, Width: width, Height: thick, Colour: colour, Opacity: opacity,
				Label: fmt.Sprintf("%s, %s: %.1f %%", row, series[k], 100*share)})
			x += width
		}
	}
	for k, name := range series {
		colour, opacity := seriesColour(k)
		y := top + 18*float64(k)
		d.Bars = append(d.Bars, Bar{X: right + 16, Y: y, Width: 10, Height: 10, Colour: colour, Opacity: opacity, Label: name})
		d.text(right+32, y+9, "start", name)
	}
	d.text(left, d.Height-4, "start", "%")
	return d.Plot
}

// middling are the median and the quartiles of values at a place, all from 0 to 1.
type middling struct{ at, low, median, high float64 }

// mostDots is how many dots a scatter has at most: the first ones.
const mostDots = 4000

// scatter draws dots from 0 to 1 on both axes, the curve of the medians with the quartiles
// around it, and the diagonal. A plot of nothing is nil.
func scatter(title, across, up string, dots []Point, curve []middling) *Plot {
	if len(dots) == 0 {
		return nil
	}
	const left, right, top, bottom = 60.0, 460.0, 12.0, 412.0
	d := newDrawing(title, 452)
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
	d.Bars = append(d.Bars, Bar{Path: path(append(upper, lower...)), Colour: palette[0], Opacity: 0.2, Label: "quartiles"})
	d.line(palette[1], median...)
	d.text(left, d.Height-6, "start", across+" across, "+up+" upwards, in %; the curve is the median, the area the quartiles")
	return d.Plot
}
