package report

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"agentd/internal/look"
)

// Forest says which measure of a table is drawn as a forest plot: a row for each value of the
// last label, in it a point with its interval for each of the rest, such as an arm.
type Forest struct {
	Measure string // its name
	Axis    string // what the axis says
}

// estimate is a point of a forest.
type estimate struct {
	row, series      int
	value, low, high float64 // low and high are NaN where they are not known
	text             string
}

// forestData is what a forest shows.
type forestData struct {
	rows, series []string
	estimates    []estimate
	more         int // series that are left out
}

// forest draws a table for wide screens and for narrow ones; nil for one without a Forest, or
// without a number.
func forest(t Table) *Plot {
	if t.Forest == nil {
		return nil
	}
	data := t.forestData()
	if len(data.estimates) == 0 {
		return nil
	}
	longest := 0.0
	for _, row := range data.rows {
		longest = max(longest, labelWidth(row))
	}
	large := drawing{&Plot{Title: t.Title, Class: "large", Width: 960}}
	large.forest(data, t.Forest.Axis, min(longest+20, 330), 0)
	small := drawing{&Plot{Title: t.Title, Class: "small", Width: 400}}
	small.forest(data, t.Forest.Axis, 8, labelHeight)
	large.Small = small.Plot
	if data.more > 0 {
		large.Caption = "The table has " + strconv.Itoa(data.more) + " more."
	}
	return large.Plot
}

// forestData are the numbers of a table's forest. As many series are drawn as there are
// colours.
func (t Table) forestData() forestData {
	measure := slices.IndexFunc(t.Measures, func(m Measure) bool { return m.Name == t.Forest.Measure })
	last := len(t.Labels) - 1
	var data forestData
	var others []Row
	for _, row := range t.Rows {
		row.Labels = row.Labels[:last]
		others = append(others, row)
	}
	names := labelsOf(others)
	place := func(list *[]string, name string) int {
		if !slices.Contains(*list, name) {
			*list = append(*list, name)
		}
		return slices.Index(*list, name)
	}
	for i, row := range t.Rows {
		cell := row.Cells[measure]
		if cell.Value == nil || math.IsNaN(*cell.Value) || math.IsInf(*cell.Value, 0) {
			continue
		}
		e := estimate{row: place(&data.rows, row.Labels[last]), series: place(&data.series, names[i]), low: math.NaN(), high: math.NaN()}
		if e.series >= look.SeriesColours {
			continue
		}
		e.value, e.text = *cell.Value, cell.whole(t.Measures[measure].Unit)
		if cell.Low != nil && cell.High != nil {
			e.low, e.high = *cell.Low, *cell.High
		}
		data.estimates = append(data.estimates, e)
	}
	data.more = max(0, len(data.series)-look.SeriesColours)
	data.series = data.series[:len(data.series)-data.more]
	return data
}

// forest draws rows from left on. The name of a row stands to the left of its points, or above
// them where above, the height for it, is not 0.
func (d drawing) forest(data forestData, axis string, left, above float64) {
	const line, gap, most = 11.0, 12.0, 3.0 // most bounds the axis
	least, greatest := 0.0, 0.0
	for _, e := range data.estimates {
		for _, v := range []float64{e.value, e.low, e.high} {
			if !math.IsNaN(v) {
				least, greatest = min(least, max(v, -most)), max(greatest, min(v, most))
			}
		}
	}
	step := niceStep(greatest - least)
	from, to := math.Floor(least/step+1e-9), math.Ceil(greatest/step-1e-9)
	if from == to {
		to++
	}
	right := d.Width - 14
	x := func(v float64) float64 { return left + (right-left)*(min(max(v/step, from), to)-from)/(to-from) }
	top := d.legend(data.series, left, right) + 6
	height := line*float64(len(data.series)) + gap + above
	bottom := top + height*float64(len(data.rows))
	for k := from; k <= to; k++ {
		d.line("", Point{x(k * step), top}, Point{x(k * step), bottom})
		d.text(x(k*step), bottom+16, "middle", strings.TrimPrefix(strconv.FormatFloat(k*step+0, 'g', 3, 64), "+"))
	}
	d.line("grey", Point{x(0), top}, Point{x(0), bottom})
	for i, row := range data.rows {
		y := top + height*float64(i)
		if above > 0 {
			d.text(left, y+above-3, "start", row)
		} else {
			d.text(left-12, y+height/2+4, "end", row)
		}
	}
	for _, e := range data.estimates {
		y := top + height*float64(e.row) + above + gap/2 + line*(float64(e.series)+0.5)
		class := look.Series(e.series)
		if !math.IsNaN(e.low) && !math.IsNaN(e.high) {
			d.Lines = append(d.Lines, PlotLine{Points: path([]Point{{x(e.low), y}, {x(e.high), y}}), Class: class, Thin: true})
		}
		d.Marks = append(d.Marks, PlotMark{Point{x(e.value), y}, class, data.rows[e.row] + ", " + data.series[e.series] + ": " + e.text})
	}
	d.text((left+right)/2, bottom+36, "middle", axis)
	d.Height = bottom + 44
}
