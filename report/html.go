package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"
)

//go:embed page.gohtml parts.gohtml scatter.gohtml
var pageFiles embed.FS

//go:embed page.css
var style string

// Style is the style sheet of reports: colours, light and dark, and tables.
func Style() string { return style }

var page = template.Must(template.New("page.gohtml").Funcs(template.FuncMap{
	"figure":  figure,
	"scatter": scattered,
	"shown":   Row.shown,
	"number":  func(c Cell, m Measure) string { return c.text(m.Unit) },
	"bounds": func(c Cell, m Measure) string {
		if c.Value == nil || c.Low == nil {
			return ""
		}
		return m.Unit.text(*c.Low) + " to " + m.Unit.text(*c.High)
	},
	"class": func(c Cell, m Measure) string {
		if g := c.grade(); m.Graded && g >= 0 {
			return GradeClass(*c.Value)
		}
		return ""
	},
}).ParseFS(pageFiles, "*.gohtml"))

// GradeClass is the class by which the style sheet colours a score.
func GradeClass(score float64) string { return fmt.Sprintf("g%d", grade(score)) }

// html writes one page that needs nothing else: no script, no request.
func (r *Report) html(w io.Writer, sections []Section) error {
	return r.execute(w, "page.gohtml", sections)
}

// Fragment writes sections as part of a page that has the style sheet.
func (r *Report) Fragment(w io.Writer, sections []Section) error {
	return r.execute(w, "fragment", forReaders(sections))
}

func (r *Report) execute(w io.Writer, name string, sections []Section) error {
	var heading strings.Builder
	r.heading(&heading)
	lines := strings.Split(strings.TrimSpace(heading.String()), "\n")
	return page.ExecuteTemplate(w, name, struct {
		Report   *Report
		Style    template.CSS
		Summary  string
		Warnings []string
		Sections []Section
		Notes    []string
	}{r, template.CSS(style), lines[0], lines[1:], sections, r.Notes()})
}
