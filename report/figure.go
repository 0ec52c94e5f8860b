package report

import (
	"bytes"
	"fmt"
	"html/template"
	"image/color"
	"math"
	"regexp"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// Figure is a table of a series as curves, one for each row.
type Figure struct {
	Picture template.HTML
	Lines   []Line
}

// Line is how a row is drawn.
type Line struct{ Label, Colour, Dashes string }

// palette are colours that can be told apart on light and dark ground, also by
// readers who see few colours (Okabe and Ito, Color Universal Design; black left
// out, yellow darkened). Dashes tell apart what is drawn beyond.
var palette = []color.RGBA{
	{0, 114, 178, 255}, {213, 94, 0, 255}, {0, 158, 115, 255}, {204, 121, 167, 255},
	{86, 180, 233, 255}, {230, 159, 0, 255}, {148, 130, 20, 255},
}

// dashes are strokes and gaps, in points.
var dashes = [][]vg.Length{nil, {6, 3}, {2, 2}, {8, 2, 2, 2}}

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
func figure(t Table) (*Figure, error) {
	moments := t.moments()
	if !t.Series || len(moments) < 2 || len(t.Rows) == 0 {
		return nil, nil
	}
	p := plot.New()
	p.BackgroundColor = nil // the page's
	p.X.Label.Text, p.Y.Label.Text = "interactions", "%"
	p.X.Min, p.X.Max = 0, float64(2*len(moments))
	p.Y.Min, p.Y.Max = 0, 100
	var ticks plot.ConstantTicks
	for k := 0; k <= len(moments); k++ {
		ticks = append(ticks, plot.Tick{Value: float64(2 * k), Label: fmt.Sprint(2 * k)})
	}
	p.X.Tick.Marker = ticks
	grid := plotter.NewGrid()
	grid.Vertical.Width = 0
	grid.Horizontal.Color, grid.Horizontal.Width = color.Gray{128}, 0.3
	p.Add(grid)
	f := &Figure{}
	for n, row := range t.Rows {
		colour, dash := palette[n%len(palette)], dashes[n/len(palette)%len(dashes)]
		var points plotter.XYs
		for k, at := range moments {
			if cell := row.Cells[at]; cell.Value != nil && !math.IsNaN(*cell.Value) {
				points = append(points, plotter.XY{X: float64(2 * (k + 1)), Y: 100 * *cell.Value})
			}
		}
		if len(points) == 0 {
			continue
		}
		line, marks, err := plotter.NewLinePoints(points)
		if err != nil {
			return nil, fmt.Errorf("drawing %s: %w", t.Name, err)
		}
		line.Color, line.Width, line.Dashes = colour, 1.6, dash
		marks.Color, marks.Shape, marks.Radius = colour, draw.CircleGlyph{}, 2
		p.Add(line, marks)
		f.Lines = append(f.Lines, Line{
			Label:  strings.Join(row.shown(), " "),
			Colour: fmt.Sprintf("#%02X%02X%02X", colour.R, colour.G, colour.B),
			Dashes: dashArray(dash),
		})
	}
	canvas := vgsvg.New(15*vg.Centimeter, 8*vg.Centimeter)
	p.Draw(draw.New(canvas))
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("drawing %s: %w", t.Name, err)
	}
	f.Picture = inline(b.String(), t.Title)
	return f, nil
}

func dashArray(dash []vg.Length) string {
	parts := make([]string, len(dash))
	for i, length := range dash {
		parts[i] = fmt.Sprint(float64(length) / 2)
	}
	return strings.Join(parts, " ")
}

var (
	size        = regexp.MustCompile(` (?:width|height)="[^"]*"`)
	styles      = regexp.MustCompile(`\sstyle="([^"]*)"`)
	declaration = regexp.MustCompile(`([a-z-]+):([^;]*);?`)
)

// inline makes a drawing a part of a page: without its XML declaration, scaled
// with the page, with axes in the page's colour and font, and named for those who
// do not see it. Styles become attributes, which a page may have whose policy
// forbids styles.
func inline(svg, title string) template.HTML {
	if at := strings.Index(svg, "<svg"); at >= 0 {
		svg = svg[at:]
	}
	head, body, _ := strings.Cut(svg, ">")
	head = size.ReplaceAllString(head, "")
	body = strings.NewReplacer("#000000", "currentColor", "font-family:", "font-family:system-ui,").Replace(body)
	body = styles.ReplaceAllStringFunc(body, func(style string) string {
		return declaration.ReplaceAllString(styles.FindStringSubmatch(style)[1], ` $1="$2"`)
	})
	return template.HTML(fmt.Sprintf(`%s role="img" aria-label="%s">%s`, head, template.HTMLEscapeString(title), body))
}
