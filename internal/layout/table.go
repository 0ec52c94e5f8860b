package layout

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"agentd/internal/printable"
)

// Column is a column of a Table.
type Column struct {
	Head   string
	Number bool // aligned to the right
	// Label says that the column tells what a row is of. Labels stand first, and again in
	// each part of a table that is divided.
	Label bool
	// Moment says that the column is one of a series that may be left out where space is
	// short, save the first and the last one.
	Moment bool
	Least  int // columns that it takes at least
}

// Cell is a cell of a Table.
type Cell struct {
	Text   string
	Colour text.Colors // of Text; nil for none
	// Details are lines below the text, such as an interval; empty ones keep their place.
	Details []string
}

// Table is a table that is laid out for a screen.
type Table struct {
	Columns []Column
	Rows    [][]Cell
	// Divide says that a table which is too wide becomes several, one below the other. Without
	// it, each row becomes a list.
	Divide bool
}

// NewTable returns a table whose columns have these heads. The columns from the one numbered
// numbersFrom on, which counts from 1, hold numbers; those before are labels.
func NewTable(numbersFrom int, heads ...string) *Table {
	t := &Table{}
	for i, head := range heads {
		number := i+1 >= numbersFrom
		t.Columns = append(t.Columns, Column{Head: head, Number: number, Label: !number})
	}
	return t
}

// Row appends a row of plain texts and numbers, as fmt.Sprint writes them.
func (t *Table) Row(values ...any) {
	row := make([]Cell, len(values))
	for i, value := range values {
		row[i].Text = fmt.Sprint(value)
	}
	t.Rows = append(t.Rows, row)
}

// Write prints the table for the screen that w writes to.
func (t *Table) Write(w io.Writer) error {
	_, err := io.WriteString(printable.Exact(w), t.String(ScreenOf(w)))
	return err
}

// String is the table laid out for a screen. It ends with a newline.
func (t *Table) String(s Screen) string {
	lines, _ := t.Lines(s)
	return strings.Join(lines, "\n") + "\n"
}

// fit is how narrow a table is made.
type fit struct {
	gap       int  // between columns
	longWords bool // whether long words are broken
}

var (
	fits     = []fit{{usualGap, false}, {1, false}, tightest}
	tightest = fit{1, true}
)

const usualGap = 2

// Lines lays the table out for a screen. whole is false if moments were left out.
func (t *Table) Lines(s Screen) (lines []string, whole bool) {
	width := s.Columns()
	var moments []int
	for k, c := range t.Columns {
		if c.Moment {
			moments = append(moments, k)
		}
	}
	const fewestMoments = 2
	gaps := fits
	if n := len(moments); Long(n) { // narrow gaps rather than fewer moments
		for kept := n; kept > n/longSeries; kept-- {
			thin := t.thinned(moments, kept)
			for _, f := range fits[:len(fits)-1] {
				if widths := thin.widths(width, f); widths != nil {
					return thin.render(widths, f.gap, s.Colour), kept == n
				}
			}
		}
		gaps = fits[len(fits)-1:]
	}
	for _, f := range gaps {
		for kept := len(moments); kept >= min(fewestMoments, len(moments)); kept-- {
			thin := t.thinned(moments, kept)
			if widths := thin.widths(width, f); widths != nil {
				return thin.render(widths, f.gap, s.Colour), kept == len(moments)
			}
		}
	}
	if t.Divide {
		if parts := t.divided(width); parts != nil {
			for i, part := range parts {
				if i > 0 {
					lines = append(lines, "")
				}
				lines = append(lines, part.render(part.widths(width, tightest), tightest.gap, s.Colour)...)
			}
			return lines, true
		}
	}
	return t.list(width, s.Colour), true
}

// thinned is the table with at most so many of its moments.
func (t *Table) thinned(moments []int, kept int) *Table {
	if kept == len(moments) {
		return t
	}
	left := map[int]bool{}
	for _, at := range Spread(len(moments), kept) {
		left[moments[at]] = true
	}
	return t.only(func(k int) bool { return !t.Columns[k].Moment || left[k] })
}

// longSeries is the number of moments from which on a part of a series is every second, fifth or
// tenth of them and so on, as 10, 20 … 100 are of 2, 4 … 100.
const longSeries = 20

// Long reports whether a series of n moments is a long one.
func Long(n int) bool { return n >= longSeries }

// Spread picks at most so many of n moments, by their places. Of a long series it is every k-th up to
// the last, if some k gives more than half as many as there is room for, so that tables of nearly the
// same width show the same ones. Otherwise it is the first, the last, and those evenly between.
func Spread(n, most int) []int {
	if n <= most {
		most = n
	}
	if Long(n) {
		for _, every := range []int{1, 2, 5, 10, 20, 25, 50} {
			if count := n / every; n%every == 0 && count <= most && 2*count > most {
				return places(count, func(i int) int { return (i+1)*every - 1 })
			}
		}
	}
	return places(most, func(i int) int { return i * (n - 1) / max(most-1, 1) })
}

func places(count int, at func(i int) int) []int {
	all := make([]int, count)
	for i := range all {
		all[i] = at(i)
	}
	return all
}

// only is the table with some of its columns.
func (t *Table) only(kept func(column int) bool) *Table {
	part := &Table{}
	for k, c := range t.Columns {
		if kept(k) {
			part.Columns = append(part.Columns, c)
		}
	}
	for _, row := range t.Rows {
		var cells []Cell
		for k, cell := range row {
			if kept(k) {
				cells = append(cells, cell)
			}
		}
		part.Rows = append(part.Rows, cells)
	}
	return part
}

// divided splits the columns that are no labels into tables that fit; nil if a single one
// would not.
func (t *Table) divided(width int) []*Table {
	var parts []*Table
	for from := 0; from < len(t.Columns); {
		if t.Columns[from].Label {
			from++
			continue
		}
		var part *Table
		to := from
		for to < len(t.Columns) {
			wider := t.only(func(k int) bool { return t.Columns[k].Label || from <= k && k <= to })
			if wider.widths(width, tightest) == nil {
				break
			}
			part, to = wider, to+1
		}
		if part == nil {
			return nil
		}
		parts, from = append(parts, part), to
	}
	return parts
}

// widths returns how wide each column is for a table of at most width columns; nil if it
// cannot be so narrow. Where words have to wrap, the widest columns give way first.
func (t *Table) widths(width int, f fit) []int {
	natural, least := make([]int, len(t.Columns)), make([]int, len(t.Columns))
	total := f.gap * len(t.Columns)
	for k, c := range t.Columns {
		grow := func(content string) {
			for line := range strings.SplitSeq(printable.Text(content), "\n") {
				natural[k] = max(natural[k], textWidth(line))
			}
			least[k] = max(least[k], longestWord(content, f.longWords))
		}
		natural[k], least[k] = c.Least, c.Least
		grow(c.Head)
		for _, row := range t.Rows {
			grow(row[k].Text)
			for _, detail := range row[k].Details {
				grow(detail)
			}
		}
		total += natural[k]
	}
	for ; total > width; total-- {
		widest := -1
		for k := range natural {
			if natural[k] > least[k] && (widest < 0 || natural[k] > natural[widest]) {
				widest = k
			}
		}
		if widest < 0 {
			return nil
		}
		natural[widest]--
	}
	return natural
}

func (t *Table) render(widths []int, gap int, colour bool) []string {
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	style := w.Style()
	style.Options.DrawBorder, style.Options.SeparateColumns = false, false
	style.Format.Header = text.FormatDefault
	style.Box.PaddingLeft, style.Box.PaddingRight = strings.Repeat(" ", gap/2), strings.Repeat(" ", gap-gap/2)
	head := table.Row{}
	var configs []table.ColumnConfig
	for k, c := range t.Columns {
		head = append(head, strings.Join(Wrap(c.Head, widths[k]), "\n"))
		config := table.ColumnConfig{Number: k + 1, WidthMin: widths[k]}
		if c.Number {
			config.Align, config.AlignHeader = text.AlignRight, text.AlignRight
		}
		configs = append(configs, config)
	}
	w.AppendHeader(head)
	w.SetColumnConfigs(configs)
	for _, row := range t.Rows {
		line := table.Row{}
		heights := rowHeights(row, widths)
		for k, cell := range row {
			line = append(line, cell.block(widths[k], heights, colour))
		}
		w.AppendRow(line)
	}
	lines := strings.Split(w.Render(), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return lines
}

func (c *Cell) detailed() bool {
	return slices.ContainsFunc(c.Details, func(d string) bool { return d != "" })
}

// rowHeights are the lines that the texts of cells with details take in a row, and then
// those of each detail.
func rowHeights(row []Cell, widths []int) []int {
	heights := []int{1}
	for k, cell := range row {
		if !cell.detailed() {
			continue
		}
		heights[0] = max(heights[0], len(Wrap(cell.Text, widths[k])))
		for i, detail := range cell.Details {
			if len(heights) == i+1 {
				heights = append(heights, 1)
			}
			heights[i+1] = max(heights[i+1], len(Wrap(detail, widths[k])))
		}
	}
	return heights
}

// block is a cell with its details, each of which begins in the same line in all cells of
// the row.
func (c *Cell) block(width int, heights []int, colour bool) string {
	lines := Wrap(c.Text, width)
	if colour && c.Colour != nil {
		for i := range lines {
			lines[i] = c.Colour.Sprint(lines[i])
		}
	}
	if !c.detailed() {
		return strings.Join(lines, "\n")
	}
	end := heights[0]
	for i, detail := range c.Details {
		for len(lines) < end {
			lines = append(lines, "")
		}
		lines = append(lines, Wrap(detail, width)...)
		end += heights[i+1]
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// list writes each row as a list: its labels, then a line for each number.
func (t *Table) list(width int, colour bool) []string {
	const indent = "  "
	names := 0
	for _, c := range t.Columns {
		if !c.Label {
			names = max(names, textWidth(oneLine(c.Head)))
		}
	}
	names = min(names, width/2)
	var lines []string
	for _, row := range t.Rows {
		var labels []string
		for k, c := range t.Columns {
			if c.Label && row[k].Text != "" {
				labels = append(labels, oneLine(row[k].Text))
			}
		}
		lines = append(lines, Wrap(strings.Join(labels, ", "), width)...)
		for k, c := range t.Columns {
			if c.Label {
				continue
			}
			lines = append(lines, row[k].entry(oneLine(c.Head), names, width, indent, colour)...)
		}
	}
	return lines
}

// entry is a cell in a line of a list, after its name.
func (c *Cell) entry(name string, names, width int, indent string, colour bool) []string {
	heads := Wrap(name, names)
	value := oneLine(c.Text)
	for _, detail := range c.Details {
		if detail != "" {
			value += " " + Together("("+strings.Trim(detail, "()[]")+")")
		}
	}
	values := Wrap(value, max(width-len(indent)-names-usualGap, 1))
	var lines []string
	for i := range max(len(heads), len(values)) {
		head, content := "", ""
		if i < len(heads) {
			head = heads[i]
		}
		if i < len(values) {
			content = values[i]
		}
		if colour && c.Colour != nil {
			content = c.Colour.Sprint(content)
		}
		lines = append(lines, strings.TrimRight(indent+text.Pad(head, names+usualGap, ' ')+content, " "))
	}
	return lines
}

func oneLine(content string) string { return strings.ReplaceAll(content, "\n", " ") }
