package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentd/report/statistics"
)

// Matrix makes the graded measures of a table be drawn as coloured cells. Rows are grouped by
// their second label.
type Matrix struct{}

// matrixColumn is a measure of a matrix.
type matrixColumn struct {
	at   int // among the measures
	head string
}

// mostMatrixColumns is how many columns a matrix has at most.
const mostMatrixColumns = 40

// matrix draws a table for wide screens and for narrow ones; nil for one without a Matrix or
// without rows.
func matrix(t Table) *Plot {
	if t.Matrix == nil || len(t.Rows) == 0 {
		return nil
	}
	var columns []matrixColumn
	for k, m := range t.Measures {
		if m.Graded {
			columns = append(columns, matrixColumn{k, m.Head})
		}
	}
	more := max(0, len(columns)-mostMatrixColumns)
	columns = columns[:len(columns)-more]
	large := drawing{&Plot{Title: t.Title, Class: "large", Width: 960}}
	large.matrix(t, columns, 96)
	small := drawing{&Plot{Title: t.Title, Class: "small", Width: 400}}
	small.matrix(t, columns, 60)
	large.Small = small.Plot
	if more > 0 {
		large.Caption = fmt.Sprintf("The table has %d more columns.", more)
	}
	return large.Plot
}

// matrix draws cells up to a maximum width. Headings that do not fit become numbers, explained above.
func (d drawing) matrix(t Table, columns []matrixColumn, widest float64) {
	const height, gap = 20.0, 1.0
	longest := 0.0
	for _, row := range t.Rows {
		longest = max(longest, labelWidth(row.Labels[0]))
	}
	left := longest + 12
	wide := min(widest, (d.Width-left-2)/float64(len(columns)))
	y := d.matrixHead(columns, left, wide, d.grades()+labelHeight)
	for i, row := range t.Rows {
		if i == 0 || row.Labels[1] != t.Rows[i-1].Labels[1] {
			d.Texts = append(d.Texts, Text{Point{0, y + height}, "start", row.Labels[1], "name"})
			y += height + 6
		}
		d.text(left-8, y+height-6, "end", row.Labels[0])
		for k, column := range columns {
			cell, m := row.Cells[column.at], t.Measures[column.at]
			class := "none"
			if g := cell.grade(); g >= 0 {
				class = "g" + strconv.Itoa(g)
			}
			x := left + wide*float64(k)
			d.Bars = append(d.Bars, Bar{X: x, Y: y, Width: wide - gap, Height: height - gap, Class: class, Opacity: 1,
				Label: row.Labels[0] + ", " + strings.ReplaceAll(column.head, "\n", " ") + ": " + cell.whole(m.Unit)})
			if text := fitting(cell, m.Unit, wide); text != "" {
				d.text(x+wide/2, y+height-6, "middle", text)
			}
		}
		y += height
	}
	d.Height = y + 6
}

// fitting returns a cell's text that fits the width: with decimals, without, or "".
func fitting(c Cell, u Unit, width float64) string {
	text := c.text(u)
	if labelWidth(text)+4 <= width {
		return text
	}
	if c.Value != nil && u == Percent && !c.Doubtful {
		if text = strconv.FormatFloat(100**c.Value, 'f', 0, 64); labelWidth(text)+4 <= width {
			return text
		}
	}
	return ""
}

// grades draws the colour legend, and returns where it ends.
func (d drawing) grades() float64 {
	x, y := 0.0, 3.0
	for g, name := range gradeNames {
		width := 32 + labelWidth(name)
		if x+width > d.Width {
			x, y = 0, y+labelHeight
		}
		d.Bars = append(d.Bars, Bar{X: x, Y: y, Width: 12, Height: 12, Class: "g" + strconv.Itoa(g), Opacity: 1, Label: name})
		d.text(x+16, y+10, "start", name)
		x += width
	}
	return y + labelHeight + 1
}

// matrixHead names the columns, and returns where the cells begin.
func (d drawing) matrixHead(columns []matrixColumn, left, wide, y float64) float64 {
	heads, most, fits := make([][]string, len(columns)), 0, true
	for k, column := range columns {
		for word := range strings.FieldsSeq(column.head) {
			last := len(heads[k]) - 1
			fits = fits && labelWidth(word) <= wide-2
			if last >= 0 && labelWidth(heads[k][last]+" "+word) <= wide-2 {
				heads[k][last] += " " + word
				continue
			}
			heads[k] = append(heads[k], word)
		}
		most = max(most, len(heads[k]))
	}
	if fits {
		for k, lines := range heads {
			for i, line := range lines {
				d.text(left+wide*(float64(k)+0.5), y+labelHeight*float64(most-len(lines)+i), "middle", line)
			}
		}
		return y + labelHeight*float64(most-1) + 6
	}
	x := 0.0
	for k, column := range columns {
		key := strconv.Itoa(k+1) + " " + strings.ReplaceAll(column.head, "\n", " ")
		if x > 0 && x+labelWidth(key) > d.Width {
			x, y = 0, y+labelHeight
		}
		d.text(x, y, "start", key)
		x += labelWidth(key) + 18
	}
	y += labelHeight + 6
	for k := range columns {
		if wide >= labelWidth("00") {
			d.text(left+wide*(float64(k)+0.5), y, "middle", strconv.Itoa(k+1))
		}
	}
	return y + 4
}

// domainMatrix returns the table of scores of relays whose work was done, by domain and arm,
// ordered by the domains' categories (paper, Table 2).
func (r *Report) domainMatrix() Table {
	t := r.byDomain("readiness_domains", "RS at the end by category and domain, in %. Only relays with at least 95 % of their forward steps done count (paper, Table 2)", true,
		func(d DomainEnds) []statistics.Interval { return d.Worked })
	t.Labels, t.Matrix = []string{"domain", "category"}, &Matrix{}
	for i := range t.Rows {
		row := &t.Rows[i]
		category := ""
		if r.source != nil && r.source.category != nil {
			category = r.source.category(row.Labels[0])
		}
		row.Labels = append(row.Labels, category)
		for k := range row.Cells {
			row.Cells[k].Ungraded = false // these relays did their work
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b Row) int { return strings.Compare(a.Labels[1], b.Labels[1]) })
	return t
}
