package report

import (
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"agentd/internal/layout"
	"agentd/internal/look"
)

//go:embed page.gohtml parts.gohtml figures.gohtml
var pageFiles embed.FS

var page = template.Must(template.New("page.gohtml").Funcs(template.FuncMap{
	"figures":  figures,
	"scatters": scatters,
	"drawn":    drawn,
	"laidOut":  laidOut,
	"shown":    Row.shown,
	"number":   func(c Cell, m Measure) string { return c.text(m.Unit) },
	"bounds":   Table.shortBounds,
	"joined":   strings.Join,
	"tables":   func(all []Table) string { return count(len(all), "table") },
	"titled":   func(t Table, under string) titledTable { return titledTable{t, under} },
}).ParseFS(pageFiles, "*.gohtml"))

// GradeClass returns the CSS class that colours a score.
func GradeClass(score float64) string { return fmt.Sprintf("g%d", grade(score)) }

// html writes one self-contained page: without scripts or requests.
func (r *Report) html(w io.Writer, sections []Section) error {
	return r.execute(w, "page.gohtml", sections)
}

// Fragment writes sections as HTML for a page that has the style sheet.
func (r *Report) Fragment(w io.Writer, sections []Section) error {
	return r.execute(w, "fragment", forReaders(sections))
}

func (r *Report) execute(w io.Writer, name string, sections []Section) error {
	var warnings, failed []string
	for _, one := range r.each() {
		var heading strings.Builder
		one.state(&heading)
		warnings = append(warnings, strings.Split(strings.TrimSpace(heading.String()), "\n")[1:]...)
		if told := InOneLine(one.Reasons, MostReasons); told != "" {
			failed = append(failed, told)
		}
	}
	return page.ExecuteTemplate(w, name, struct {
		Report   *Report
		Style    template.CSS
		Warnings []string
		Failed   []string // what failed, by experiment
		Headline *headline
		Facts    []fact
		Groups   []pageGroup
		Notes    []string
	}{r, template.CSS(look.Style()), warnings, failed, r.headline(), r.facts(), grouped(sections), r.Notes()})
}

// pageGroup holds the sections of a page on one question.
type pageGroup struct {
	Name, Title string
	Sections    []pageSection
}

// pageSection is a section of a page, collapsed unless it is the only one.
type pageSection struct {
	Section
	Title string
	Alone bool
}

// First returns the table that is visible when the others are collapsed; nil except for the section on survival.
func (s pageSection) First() *Table {
	if s.Name != "survival" || s.Alone {
		return nil
	}
	return &s.Tables[0]
}

// Folded returns the other tables.
func (s pageSection) Folded() []Table {
	if s.First() != nil {
		return s.Tables[1:]
	}
	return s.Tables
}

// titledTable is a table and the title of its section.
type titledTable struct {
	Table
	Under string
}

// groups is the order of the sections on a page, with their titles.
var groups = []struct {
	title    string
	sections [][2]string // name and title
}{
	{"Scores", [][2]string{
		{"survival", "What survives"}, {"comparison", "Policies compared"}, {"effects", "Effects over the interactions"}, {"conversations", "Conversations compared"}, {"harnesses", "Harnesses compared"}, {"domains", "Scores by domain"},
		{"sizes", "Scores by size of the document"}, {"images", "Pictures"}, {"general", "Documents without a published score"},
	}},
	{"Work", [][2]string{{"outcomes", "Work done and its cost"}, {"hidden", "What scores hide"}, {"compliance", "Instructions followed"}}},
	{"Failures", [][2]string{{"critical", "Critical failures"}, {"damage", "Deletion and corruption"}, {"failures", "Failures by kind"}}},
	{"Tools", [][2]string{{"tools", "Use of tools"}, {"sequences", "Calls in a row"}}},
	{"Documents", [][2]string{{"bytes", "Bytes that were kept"}, {"properties", "Properties of documents"}, {"operations", "Operations of edits"}, {"similarity", "General measures of similarity"}}},
}

// grouped puts sections under the titles of a page. Groups without a section are left out.
func grouped(sections []Section) []pageGroup {
	var all []pageGroup
	for _, g := range groups {
		group := pageGroup{Name: strings.ToLower(g.title), Title: g.title}
		for _, named := range g.sections {
			for _, s := range sections {
				if s.Name == named[0] && len(s.Tables) > 0 {
					group.Sections = append(group.Sections, pageSection{s, named[1], len(sections) == 1})
				}
			}
		}
		if len(group.Sections) > 0 {
			all = append(all, group)
		}
	}
	return all
}

// heading divides a table's title into its name and its explanation.
func (t Table) heading() (name, about string) {
	name, about, found := strings.Cut(t.Title, ": ")
	if !found || about == "" {
		return t.Title, ""
	}
	return name, strings.ToUpper(about[:1]) + about[1:]
}

// Heading returns the table's name as shown on pages.
func (t Table) Heading() string { name, _ := t.heading(); return name }

// About returns the rest of the title after the Heading; it may be "".
func (t Table) About() string { _, about := t.heading(); return about }

// shortBounds returns the bounds of a cell's interval, short enough for a narrow column.
func (t Table) shortBounds(c Cell, m Measure) string {
	switch {
	case c.Value == nil || c.Low == nil:
		return ""
	case t.Series && m.Unit == Percent:
		return t.bounds(c, m.Unit)
	case m.Unit == Points || m.Unit == Coefficient:
		return m.Unit.text(*c.Low) + " to " + m.Unit.text(*c.High)
	}
	return m.Unit.text(*c.Low) + "–" + m.Unit.text(*c.High)
}

// A series has at most mostMoments columns on a page of 1,280 pixels, and fewMoments on one of 800
// pixels. A collapsed table has all of them.
const (
	mostMoments = 10
	fewMoments  = 4
)

// grid is columns of a table as a page shows them.
type grid struct {
	Table
	Columns []gridColumn
	ID      string // of the table
}

type gridColumn struct {
	Measure
	At    int    // its number
	Class string // last: the last moment; more: hidden on narrow screens
}

// Classes returns the CSS classes of a cell in the column.
func (c gridColumn) Classes(cell Cell) string {
	classes := c.Class
	if g := cell.grade(); c.Graded && g >= 0 {
		classes = strings.TrimSpace(GradeClass(*cell.Value) + " " + classes)
	}
	return classes
}

// pageTable is a table with the columns that fit the page.
type pageTable struct {
	Shown grid
	All   *grid // all columns, collapsed; nil if Shown has them at any width
	Fits  bool  // on wide screens Shown has all columns
}

// Long reports whether the table has so many rows that a page collapses it.
func (t pageTable) Long() bool { return len(t.Shown.Rows) > 12 }

// Many reports whether the grid has so many columns that they must be narrow.
func (g grid) Many() bool { return len(g.Columns) > 7 }

func laidOut(t Table) pageTable {
	whole := grid{Table: t, ID: t.Name}
	for k, m := range t.Measures {
		whole.Columns = append(whole.Columns, gridColumn{Measure: m, At: k})
	}
	moments := t.moments()
	if !t.Series || len(moments) == 0 {
		return pageTable{Shown: whole}
	}
	whole.Columns[moments[len(moments)-1]].Class = "last"
	if len(moments) <= fewMoments {
		return pageTable{Shown: whole}
	}
	all, class := whole, map[int]string{}
	all.ID += "-all"
	for _, k := range moments {
		class[k] = "gone"
	}
	many := spread(moments, mostMoments)
	for _, k := range many {
		class[k] = "more"
	}
	for _, k := range spread(many, fewMoments) {
		class[k] = whole.Columns[k].Class
	}
	shown := grid{Table: t, ID: t.Name}
	for k, c := range whole.Columns {
		if c.Class = class[k]; c.Class != "gone" {
			shown.Columns = append(shown.Columns, c)
		}
	}
	return pageTable{Shown: shown, All: &all, Fits: len(moments) <= mostMoments}
}

// spread picks a limited number of items, spread over a list (layout.Spread).
func spread(all []int, most int) []int {
	var picked []int
	for _, at := range layout.Spread(len(all), most) {
		picked = append(picked, all[at])
	}
	return picked
}
