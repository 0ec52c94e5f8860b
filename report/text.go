package report

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"agentd/internal/printable"
	"agentd/policies"
	"agentd/results"
)

// textWidth is how wide a table may be on a terminal, in columns.
const textWidth = 130

// Text prints sections as aligned tables, coloured by what was lost if asked for.
func (r *Report) Text(w io.Writer, sections []Section, colour bool) error {
	sections = harmless(sections)
	var b strings.Builder
	r.heading(&b)
	for _, s := range forReaders(sections) {
		for _, t := range s.Tables {
			fmt.Fprintln(&b, t.Title)
			fmt.Fprintln(&b)
			for _, line := range t.lines(colour) {
				fmt.Fprintln(&b, strings.TrimRight(line, " "))
			}
			wrapped(&b, t.Notes)
			fmt.Fprintln(&b)
		}
	}
	wrapped(&b, r.Notes())
	_, err := io.WriteString(w, b.String())
	return err
}

// lines are the table's lines. Of a series that is too wide it shows every second
// moment, or fewer.
func (t *Table) lines(colour bool) []string {
	var moments []int
	for k, m := range t.Measures {
		if t.Series && k > 0 && !m.Aside {
			moments = append(moments, k)
		}
	}
	shown, more := *t, []string(nil)
	for every := 1; ; every *= 2 {
		lines := strings.Split(shown.pretty(colour).Render(), "\n")
		switch {
		case text.StringWidthWithoutEscSequences(lines[0]) <= textWidth:
			return append(lines, more...)
		case every >= len(moments):
			return []string{fmt.Sprintf(" The table has %d columns, too many for a terminal: --format html, markdown or csv shows it.", len(t.Labels)+len(t.Measures))}
		}
		shown, more = t.thinned(moments, 2*every), []string{" Not every moment fits on a terminal: --format html, markdown or csv shows all."}
	}
}

// thinned is the table with each nth of the moments, counted from the last.
func (t *Table) thinned(moments []int, n int) Table {
	left := func(k int) bool {
		at := slices.Index(moments, k)
		return at < 0 || (len(moments)-1-at)%n == 0
	}
	thin := *t
	thin.Measures, thin.Rows = nil, nil
	for k, m := range t.Measures {
		if left(k) {
			thin.Measures = append(thin.Measures, m)
		}
	}
	for _, row := range t.Rows {
		cells := row.Cells
		row.Cells = nil
		for k, cell := range cells {
			if left(k) {
				row.Cells = append(row.Cells, cell)
			}
		}
		thin.Rows = append(thin.Rows, row)
	}
	return thin
}

func wrapped(b *strings.Builder, notes []string) {
	for _, note := range notes {
		for line := range strings.SplitSeq(text.WrapSoft(note, textWidth-10), "\n") {
			fmt.Fprintln(b, strings.TrimRight(line, " "))
		}
	}
}

func (r *Report) heading(b *strings.Builder) {
	m := r.Experiment.Manifest
	printable.Fprintf(b, "Experiment %s: %s protocol, %s, %s, %s, %s, seed %d\n", r.Experiment.Name, r.Protocol(),
		count(len(m.Environments), "environment"), count(m.RoundTrips, "round trip"), count(m.Repeats, "repeat"), scheduled(m), m.Seed)
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
	fmt.Fprintln(b)
}

// Protocol is the protocol of the experiment's relays.
func (r *Report) Protocol() string {
	if name := r.Experiment.Manifest.Protocol; name != "" {
		return name
	}
	return string(policies.Clean) // all there was when it was not kept
}

// scheduled says which edits the relays of an experiment have.
func scheduled(m results.Manifest) string {
	if len(m.ScheduleEdits) > 0 {
		return "the edits " + strings.Join(m.ScheduleEdits, ", ") + " in turn"
	}
	return m.Schedule + " schedule"
}

// pretty lays a table out. Bounds stand in a row of their own, and in a series so
// do the numbers of relays where some did not come so far.
func (t *Table) pretty(colour bool) table.Writer {
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	w.Style().Options.DrawBorder = false
	w.Style().Options.SeparateColumns = false
	w.Style().Format.Header = text.FormatDefault
	header := table.Row{}
	for _, label := range t.Labels {
		header = append(header, label)
	}
	var configs []table.ColumnConfig
	for _, m := range t.Measures {
		header = append(header, m.Head)
		configs = append(configs, table.ColumnConfig{Number: len(header), Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	w.AppendHeader(header)
	w.SetColumnConfigs(configs)
	for _, row := range t.Rows {
		line := table.Row{}
		for _, label := range row.shown() {
			line = append(line, label)
		}
		for k, cell := range row.Cells {
			written := cell.text(t.Measures[k].Unit)
			if colour && t.Measures[k].Graded {
				written = shade(cell.grade()).Sprint(written)
			}
			line = append(line, written)
		}
		w.AppendRow(line)
		t.appendBounds(w, row)
	}
	return w
}

func (t *Table) appendBounds(w table.Writer, row Row) {
	bounds, over := t.beside("95 %"), t.beside("relays")
	bounded, partial := false, false
	for k, cell := range row.Cells {
		bound := ""
		if cell.Low != nil && !(t.Series && t.Measures[k].Aside) {
			bounded = true
			bound = t.bounds(cell, t.Measures[k].Unit)
		}
		bounds = append(bounds, bound)
		if t.Series && k > 0 && !t.Measures[k].Aside {
			over = append(over, fmt.Sprintf("(%d)", cell.N))
			partial = partial || float64(cell.N) < *row.Cells[0].Value
		} else {
			over = append(over, "")
		}
	}
	if bounded {
		w.AppendRow(bounds)
	}
	if partial {
		w.AppendRow(over)
	}
}

// beside are the labels of a row that says more of the one above.
func (t *Table) beside(what string) table.Row {
	row := make(table.Row, len(t.Labels), len(t.Labels)+len(t.Measures))
	for i := range row {
		row[i] = ""
	}
	row[min(1, len(row)-1)] = what
	return row
}

// bounds are an interval's, short where columns are many.
func (t *Table) bounds(c Cell, u Unit) string {
	if !t.Series && !t.Wide {
		return "[" + u.text(*c.Low) + ", " + u.text(*c.High) + "]"
	}
	low, high := strconv.FormatFloat(100**c.Low, 'f', 0, 64), strconv.FormatFloat(100**c.High, 'f', 0, 64)
	if low == high {
		return low
	}
	return low + "–" + high
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

// Notes say what a reader has to know of the numbers.
func (r *Report) Notes() []string {
	var notes []string
	for _, a := range r.Arms {
		if len(a.RS) > 0 {
			notes = append(notes, "95 %: interval of the mean, by a bootstrap that draws environments; none for a single one. p: sign-flip test over environments.")
			break
		}
	}
	notes = append(notes, r.workNotes()...)
	if r.Experiment.Manifest.Schedule == everyEdit && len(r.Arms) > 0 {
		notes = append(notes, "every edit has relays of its own. Each environment has the same weight in means, however many edits it has.")
	}
	for _, a := range r.Arms {
		if a.StandIn {
			notes = append(notes, "stand-in: a program that plays a model at published rates of damage; its scores and costs are no model's.")
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
		notes = append(notes, fmt.Sprintf("without an oracle: %s; their forward steps are not scored, and stand-ins only carry the documents over for them.",
			count(r.Experiment.Manifest.WithoutOracle, "edit")))
	}
	if len(r.NotBuilt) > 0 {
		names, interactions := make([]string, len(r.NotBuilt)), 0
		for i, u := range r.NotBuilt {
			names[i] = u.Environment
			interactions += u.Interactions
		}
		notes = append(notes, fmt.Sprintf("not scored, as their domains are not built yet (%s): %s.",
			count(interactions, "interaction"), strings.Join(names, ", ")))
	}
	return lines(notes)
}

// count is a number of things.
func count(n int, thing string) string {
	if n != 1 {
		thing += "s"
	}
	return fmt.Sprintf("%d %s", n, thing)
}
