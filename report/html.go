package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed page.gohtml
var pageText string

var page = template.Must(template.New("page").Funcs(template.FuncMap{
	"figure": figure,
	"shown":  Row.shown,
	"number": func(c Cell, m Measure) string { return c.text(m.Unit) },
	"bounds": func(c Cell, m Measure) string {
		if c.Value == nil || c.Low == nil {
			return ""
		}
		return m.Unit.text(*c.Low) + " to " + m.Unit.text(*c.High)
	},
	"class": func(c Cell, m Measure) string {
		if g := c.grade(); m.Graded && g >= 0 {
			return fmt.Sprintf("g%d", g)
		}
		return ""
	},
}).Parse(pageText))

// html writes one page that needs nothing else: no script, no request.
func (r *Report) html(w io.Writer, sections []Section) error {
	var heading strings.Builder
	r.heading(&heading)
	lines := strings.Split(strings.TrimSpace(heading.String()), "\n")
	return page.Execute(w, struct {
		Report   *Report
		Summary  string
		Warnings []string
		Sections []Section
		Notes    []string
	}{r, lines[0], lines[1:], sections, r.Notes()})
}
