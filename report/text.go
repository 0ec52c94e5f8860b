package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"

	"agentd/internal/layout"
	"agentd/internal/printable"
	"agentd/policies"
	"agentd/results"
)

// TextStyle controls how a report is written as text.
type TextStyle struct {
	layout.Screen
	// Everything shows tables whose numbers are all zero or missing too. Without it a line
	// at the end names them.
	Everything bool
}

// Text writes sections as tables that fit the screen, with scores coloured by grade if the
// screen has colours.
func (r *Report) Text(w io.Writer, sections []Section, style TextStyle) error {
	var b, heading strings.Builder
	r.heading(&heading)
	for line := range strings.Lines(heading.String()) {
		b.WriteString(style.Paragraph(strings.TrimSuffix(line, "\n"), 0))
	}
	var silent []string
	tables := tableWriter{Screen: style.Screen}
	for _, s := range forReaders(harmless(sections)) {
		for _, t := range s.Tables {
			if t.silent() && !style.Everything {
				silent = append(silent, t.Name)
				continue
			}
			tables.write(&b, &t)
		}
	}
	tables.end(&b)
	for _, note := range r.Notes() {
		b.WriteString(style.Paragraph(note, 2))
	}
	if len(silent) > 0 {
		b.WriteString(style.Paragraph("left out, as all numbers are zero or missing: "+strings.Join(silent, ", ")+"; --section shows them.", 2))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// tableWriter writes tables one below the other, and says once what holds for several.
type tableWriter struct {
	layout.Screen
	said    []string // notes so far
	partial bool     // moments were left out of a table
}

// write writes a table with its title, and those of its notes that no table before it has.
func (w *tableWriter) write(b *strings.Builder, t *Table) {
	b.WriteString(w.Paragraph(t.Title, 0) + "\n")
	lines, whole := t.layout().Lines(w.Screen)
	b.WriteString(strings.Join(lines, "\n") + "\n")
	w.partial = w.partial || !whole
	for _, note := range t.Notes {
		if !slices.Contains(w.said, note) {
			w.said = append(w.said, note)
			b.WriteString(w.Paragraph(note, 0))
		}
	}
	b.WriteString("\n")
}

// end says what the reader must know of the tables together.
func (w *tableWriter) end(b *strings.Builder) {
	if w.partial {
		b.WriteString(w.Paragraph("@: some columns are left out, as they do not fit; a wider terminal, or --format html, markdown or csv, shows all.", 2))
	}
}

// amounts are the measures that only count what a table is based on, not results.
var amounts = map[string]bool{"relays": true, "interactions": true, "pairs": true, "at": true, "round_trips": true, "environments": true, "domains": true}

// silent reports whether all numbers of a table except its amounts are zero or missing.
func (t *Table) silent() bool {
	for _, row := range t.Rows {
		for k, cell := range row.Cells {
			if cell.Value != nil && *cell.Value != 0 && !amounts[t.Measures[k].Name] {
				return false
			}
		}
	}
	return true
}

func (r *Report) heading(b *strings.Builder) {
	for _, one := range r.each() {
		one.ownHeading(b)
	}
	fmt.Fprintln(b)
}

func (r *Report) ownHeading(b *strings.Builder) {
	r.state(b)
	if told := InOneLine(r.Reasons, MostReasons); told != "" {
		printable.Fprintf(b, "What failed: %s.\n", told)
	}
}

// state writes the conditions and progress of the experiment.
func (r *Report) state(b *strings.Builder) {
	m := r.Experiment.Manifest
	if m.OfGym() {
		printable.Fprintf(b, "Experiment %s: finished episodes of a gym, %s protocol, %s\n", r.Experiment.Name, r.Protocol(), count(len(m.Environments), "environment"))
	} else {
		printable.Fprintf(b, "Experiment %s: %s protocol, %s, %s, %s, %s, seed %d\n", r.Experiment.Name, r.Protocol(),
			count(len(m.Environments), "environment"), count(m.RoundTrips, "round trip"), count(m.Repeats, "repeat"), scheduled(m), m.Seed)
	}
	if !plain(m) {
		printable.Fprintf(b, "Conversations: %s. Scores are not those of the published protocol (docs/fidelity.md).\n", Speaking(m))
	}
	switch {
	case r.Stored == 0:
		fmt.Fprintln(b, "No interaction is stored yet.")
	case r.Stored+r.givenUp() < r.Planned:
		printable.Fprintf(b, "Not finished: %d of %d interactions are stored.\n", r.Stored, r.Planned)
	case r.givenUp() > 0:
		printable.Fprintf(b, "Ended early: %d of %d interactions are stored; relays that a service failed have no more.\n", r.Stored, r.Planned)
	}
	for _, c := range r.Changes {
		printable.Fprintf(b, "It was changed while it ran: %s: %s\n", c.At.Format(time.DateTime), strings.Join(c.Differences, ", "))
	}
}

// Protocol is the protocol of the experiment's relays.
func (r *Report) Protocol() string {
	if name := r.Experiment.Manifest.Protocol; name != "" {
		return name
	}
	return string(policies.Clean) // the only protocol of versions that did not record it
}

// scheduled says which edits the relays of an experiment have.
func scheduled(m results.Manifest) string {
	if len(m.ScheduleEdits) > 0 {
		return "the edits " + strings.Join(m.ScheduleEdits, ", ") + " in turn"
	}
	return m.Schedule + " schedule"
}

// layout lays the table out for a screen. Bounds are below their numbers; in a series, the
// number of relays is too, if some relays have not got that far.
func (t *Table) layout() *layout.Table {
	l := &layout.Table{Divide: t.Wide}
	for _, label := range t.Labels {
		l.Columns = append(l.Columns, layout.Column{Head: label, Label: true})
	}
	for k, m := range t.Measures {
		column := layout.Column{Head: m.Head, Number: true, Moment: t.Series && k > 0 && !m.Aside}
		if column.Moment && m.Graded && layout.Long(len(t.moments())) {
			column.Least = len("95-100") // so that RS and Strict show the same moments, whatever their numbers
		}
		l.Columns = append(l.Columns, column)
	}
	for _, row := range t.Rows {
		line := make([]layout.Cell, 0, len(l.Columns))
		for _, label := range row.shown() {
			line = append(line, layout.Cell{Text: label})
		}
		for k, cell := range row.Cells {
			written := layout.Cell{Text: layout.Together(cell.text(t.Measures[k].Unit))}
			if t.Measures[k].Graded {
				written.Colour = shade(cell.grade())
			}
			line = append(line, written)
		}
		t.addDetails(line, row)
		l.Rows = append(l.Rows, line)
	}
	return l
}

// addDetails adds the lines below a row's numbers, and names them in the second label.
func (t *Table) addDetails(line []layout.Cell, row Row) {
	labels := len(t.Labels)
	bounds, over := make([]string, len(line)), make([]string, len(line))
	bounded, partial := false, false
	for k, cell := range row.Cells {
		if cell.Low != nil && !(t.Series && t.Measures[k].Aside) {
			bounded = true
			bounds[labels+k] = t.bounds(cell, t.Measures[k].Unit)
		}
		if t.Series && k > 0 && !t.Measures[k].Aside && !row.Void {
			over[labels+k] = fmt.Sprintf("(%d)", cell.N)
			partial = partial || float64(cell.N) < *row.Cells[0].Value
		}
	}
	add := func(what string, details []string) {
		details[min(1, labels-1)] = what
		for i := range line {
			line[i].Details = append(line[i].Details, details[i])
		}
	}
	if bounded {
		add("95 %", bounds)
	}
	if partial {
		add("relays", over)
	}
}

// bounds formats an interval, short if there are many columns.
func (t *Table) bounds(c Cell, u Unit) string {
	if !t.Series && !t.Wide {
		return "[" + u.text(*c.Low) + ", " + u.text(*c.High) + "]"
	}
	between := "–"
	low, high := strconv.FormatFloat(100**c.Low, 'f', 0, 64), strconv.FormatFloat(100**c.High, 'f', 0, 64)
	if u == Points {
		low, between, high = u.text(*c.Low), " ", u.text(*c.High)
	}
	if low == high {
		return low
	}
	return low + between + high
}

// shade is the colour of a grade, from green to red.
func shade(grade int) text.Colors {
	switch {
	case grade < 0:
		return nil
	case grade == 0:
		return text.Colors{text.FgHiGreen}
	case grade == 1:
		return text.Colors{text.FgGreen}
	case grade <= 3:
		return text.Colors{text.FgYellow}
	case grade == 4:
		return text.Colors{text.FgRed}
	}
	return text.Colors{text.FgHiRed}
}

// Notes returns what a reader must know about the numbers.
func (r *Report) Notes() []string {
	var notes []string
	for _, one := range r.each() {
		for _, note := range one.ownNotes() {
			if !slices.Contains(notes, note) {
				notes = append(notes, note)
			}
		}
	}
	return notes
}

func (r *Report) ownNotes() []string {
	var notes []string
	for _, a := range r.Arms {
		if len(a.RS) > 0 {
			notes = append(notes, "95 %: interval of the mean, p: sign-flip test, both over environments.")
			break
		}
	}
	if note := r.sayingNothing(); note != "" {
		notes = append(notes, "–: "+note)
	}
	notes = append(notes, r.workNotes()...)
	if r.Experiment.Manifest.Schedule == everyEdit && len(r.Arms) > 0 {
		notes = append(notes, "every edit has relays of its own; each environment has the same weight in means.")
	}
	if r.general == r {
		notes = append(notes, "these documents have no published score: their RS is Strict, and no number of the paper compares with it.")
	}
	for _, a := range r.Arms {
		if a.StandIn {
			notes = append(notes, "stand-in: a program that plays a model; its scores do not describe a real one, and its cost is what one would have cost.")
			break
		}
	}
	if r.Asked.Times > 0 {
		cost := "a cost that is not known"
		if r.Asked.Cost != nil {
			cost = USD.text(*r.Asked.Cost) + " USD"
		}
		notes = append(notes, fmt.Sprintf("for this report %s was asked for %s, at %s; what it answered is kept.",
			strings.Join(r.OpinionsOf, ", "), count(r.Asked.Times, "opinion"), cost))
	}
	if r.UnknownAttempts > 0 {
		notes = append(notes, fmt.Sprintf("of unknown cost: %s that may have been charged for beyond what the tables say: time-outs, answers cut off.",
			count(r.UnknownAttempts, "request")))
	}
	if r.Experiment.Manifest.WithoutOracle > 0 {
		notes = append(notes, fmt.Sprintf("without an oracle: %s; their forward steps have no score, and stand-ins do not carry them out.",
			count(r.Experiment.Manifest.WithoutOracle, "edit")))
	}
	if len(r.NotBuilt) > 0 {
		names, interactions := make([]string, len(r.NotBuilt)), 0
		for i, u := range r.NotBuilt {
			names[i] = u.Environment
			interactions += u.Interactions
		}
		notes = append(notes, fmt.Sprintf("not scored, as their domains are not built (%s): %s.",
			count(interactions, "interaction"), strings.Join(names, ", ")))
	}
	return lines(notes)
}

// count formats a number with its noun.
func count(n int, thing string) string { return printable.Count(n, thing) }
